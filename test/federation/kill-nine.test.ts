import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from "vitest";
import { connect, receiveAccept, receiveFollow } from "../../src/domain/connections/connections.ts";
import { findChannelByNick } from "../../src/domain/identity/channels/find-channel.ts";
import { meetActor } from "../../src/domain/peers/meet-actor.ts";
import type { Hub } from "../../src/hub.ts";
import { workOff } from "../../src/workers.ts";
import { actorOf } from "../support/actors.ts";
import { newPlace, openPlace, post, serve, textsOf } from "../support/command.ts";
import type { Place } from "../support/command.ts";
import { makeChannel } from "../support/hub.ts";
import { killMeanwhile } from "../support/kill-nine.ts";
import { cavageRequest, keys, pemOf } from "../support/signed-requests.ts";
import { size } from "../support/size.ts";

/** What is said between this hub and others, and acknowledged, takes effect once, whatever kills the process (federation contract 12). */

/** So many times a hub is killed, after so many deliveries and posts that came, at least. */
const rounds = size(3, 20);
const many = size(5, 50);
/** It lives for so many milliseconds more, at the most. */
const longest = size(700, 4000);
const timeout = size(300_000, 900_000);
const followers = ["bob", "carol", "dora", "eve"];
const everybody = "https://www.w3.org/ns/activitystreams#Public";

let sink: Server;
let far: string;
/**
 * What each inbox elsewhere has answered with 202. A request may come a second time, and takes effect once where it is the same by
 * its id; whatever else is told twice has other bytes.
 */
let got: Map<string, Set<string>>;
let place: Place;

beforeAll(async () => {
  sink = createServer(async (request, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(request)).toString();
    got.set(request.url!, (got.get(request.url!) ?? new Set()).add(bytes));
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, "127.0.0.2", resolve));
  far = `http://127.0.0.2:${(sink.address() as AddressInfo).port}`;
});
afterAll(() => {
  sink.closeAllConnections();
  sink.close();
});

beforeEach(async () => {
  got = new Map();
  const made = await newPlace();
  place = { ...made, env: { ...made.env, HUBBUB_BASE_URL: made.url, HUBBUB_ALLOW_PRIVATE: "on" } };
  const hub = await openPlace(place);
  const anna = await makeChannel(hub, "anna", { role: "feed" });
  for (const nick of followers) await receiveFollow(hub, anna, await meet(hub, nick), `${far}/follows/${nick}`);
  const ann = await meet(hub, "ann");
  await connect(hub, anna, ann);
  await receiveAccept(hub, anna, ann);
  await hub.close();
});
afterEach(() => place.remove());

const idOf = (nick: string): string => `${far}/users/${nick}`;
const inboxOf = (nick: string): string => `/users/${nick}/inbox`;

function meet(hub: Hub, nick: string) {
  const id = idOf(nick);
  const key = { id: `${id}#main-key`, kind: "rsa", key: pemOf(keys.ann.publicKey) } as const;
  const { host } = new URL(far);
  const lists = {
    inbox: far + inboxOf(nick),
    sharedInbox: "",
    outbox: "",
    followers: `${id}/followers`,
    following: "",
  };
  return meetActor(hub, { ...actorOf(nick), ...lists, id, address: `${nick}@${host}`, url: id, keys: [key] });
}

test.each([
  ["one worker", 1],
  ["two workers", 2],
])("kill -9 of %s at any moment: what went out and what came took effect once", { timeout }, async (_, workers) => {
  const said: string[] = [];
  const came: string[] = [];
  const unanswered: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const [saidBefore, cameBefore] = [said.length, came.length];
    const beside = workers > 1 ? await serve(place, { command: "work" }) : undefined;
    const doing = () =>
      Promise.all([
        sayUntilDead(`said ${round}`, said),
        ...[0, 1, 2].map((sender) => sendUntilDead(`came ${round}.${sender}`, came, unanswered)),
      ]);
    const hasBegun = (): boolean =>
      (said.length - saidBefore) * followers.length >= many && came.length - cameBefore >= many;
    await killMeanwhile(place, doing, hasBegun, longest);
    expect(await beside?.stop("SIGKILL")).toEqual(beside && { code: null, signal: "SIGKILL" });
  }
  await checkAll(said, came);
});

async function sayUntilDead(name: string, said: string[]): Promise<void> {
  for (let number = 0; ; number++) {
    const text = `${name}.${number} end`;
    if ((await post(place, "anna", text)) === undefined) return;
    said.push(text);
  }
}

/** Sends signed posts one after the other; those that got no answer are sent again when somebody answers, as servers do. */
async function sendUntilDead(name: string, came: string[], unanswered: string[]): Promise<void> {
  for (let number = 0; ; number++) {
    const text = unanswered.shift() ?? `${name}.${number} end`;
    const status = await deliver(text);
    if (status === undefined) return void unanswered.push(text);
    expect(status).toBe(202);
    came.push(text);
  }
}

/** The status of the answer; undefined when none came. */
async function deliver(text: string): Promise<number | undefined> {
  const ann = idOf("ann");
  const anna = `${place.url}/channel/anna`;
  const id = `${ann}/notes/${encodeURIComponent(text)}`;
  const audience = { to: [everybody], cc: [`${ann}/followers`, anna] };
  const tag = [{ type: "Mention", href: anna, name: "@anna" }];
  const note = { id, type: "Note", attributedTo: ann, content: text, tag, ...audience };
  const create = { id: `${id}/create`, type: "Create", actor: ann, object: note, ...audience };
  const request = cavageRequest({
    target: "/inbox/anna",
    body: Buffer.from(JSON.stringify(create)),
    headers: { Host: new URL(place.url).host, Date: new Date().toUTCString() },
    parameters: { keyId: `"${ann}#main-key"` },
  });
  const pairs = request.rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, request.rawHeaders[at + 1]!]] : []));
  const headers = pairs.filter(([name]) => name !== "Host") as [string, string][];
  try {
    const response = await fetch(place.url + request.target, { method: "POST", headers, body: request.body });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

async function checkAll(said: readonly string[], came: readonly string[]): Promise<void> {
  // What a process that was killed had taken is its own for some seconds more.
  const hub = await openPlace(place, 600);
  await workOff(hub);
  const own = (await textsOf(hub, "anna", "said ")).toSorted();
  onceEach(own, said);
  for (const nick of followers) expect(textsAt(inboxOf(nick))).toEqual(own);
  const received = (await textsOf(hub, "anna", "came ")).toSorted();
  onceEach(received, came);
  expect(await mentionsOf(hub)).toBe(received.length);
  for (const table of ["delivery", "inbox_activity"] as const) {
    const states = await hub.db
      .selectFrom(table as "delivery")
      .select("state")
      .distinct()
      .execute();
    expect([table, states]).toEqual([table, [{ state: "done" }]]);
  }
  await hub.close();
}

/** Nothing is there twice, and everything that was acknowledged is there. */
function onceEach(found: readonly string[], acknowledged: readonly string[]): void {
  expect(found.length).toBe(new Set(found).size);
  expect(acknowledged.filter((text) => !found.includes(text))).toEqual([]);
}

/** The texts of the posts in an inbox elsewhere. */
function textsAt(inbox: string): string[] {
  const activities = [...(got.get(inbox) ?? [])].map((bytes) => JSON.parse(bytes));
  return activities
    .filter(({ type }) => type === "Create")
    .map(({ object }) => object.content)
    .toSorted();
}

async function mentionsOf(hub: Hub): Promise<number> {
  const anna = (await findChannelByNick(hub, "anna"))!;
  const rows = hub.db
    .selectFrom("notify")
    .select("id")
    .where("uid", "=", anna.channel_id)
    .where("kind", "=", "mention");
  return (await rows.execute()).length;
}
