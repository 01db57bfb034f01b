import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { sendTo } from "../../../../test/support/elsewhere.ts";
import { befriend } from "../../../../test/support/people.ts";
import { cavageRequest, keys, now, pemOf } from "../../../../test/support/signed-requests.ts";
import { approve, receiveFollow } from "../../../domain/connections/connections.ts";
import { changeChannelSettings, moderation } from "../../../domain/identity/channels/channel-settings.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { approveHeld, keptBack } from "../../../domain/items/posting/moderation.ts";
import { selectItems } from "../../../domain/items/queries.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { withProof } from "../signatures/proofs.ts";

/**
 * What came forwarded into a thread of this hub is believed by the proof of its author, and not handed on again, early or late
 * (federation contract 6.2); what its author has sent is, whoever was quicker.
 */

let world: TestApp;
let alma: Person;
/** Followers of Alma, each of a hub of their own. */
let bob: Xchan;
let carla: Xchan;
let dora: Xchan;
/** What has left the hub since it was looked at last. */
let left: { host: string; type: string; bytes: string }[];

const base = "https://hub.example";
const everybody = "https://www.w3.org/ns/activitystreams#Public";
let last = 0;

beforeAll(async () => {
  world = await openTestApp({
    env: { HUBBUB_BASE_URL: base },
    clock: now,
    fetch(url, options = {}) {
      if (options.method !== "POST") return Promise.resolve(new Response("", { status: 404 }));
      const bytes = Buffer.from(options.body as Uint8Array).toString();
      left.push({ host: new URL(url).host, type: (JSON.parse(bytes) as { type: string }).type, bytes });
      return Promise.resolve(new Response("", { status: 202 }));
    },
  });
  left = [];
  alma = await world.person("alma");
  [bob, carla, dora] = [
    await meet("bob", "far.example"),
    await meet("carla", "third.example"),
    await meet("dora", "near.example"),
  ];
  await befriend(world.hub, alma.channel, (await world.person("nina")).channel);
  for (const follower of [bob, carla, dora])
    await receiveFollow(world.hub, alma.channel, follower, `${follower.xchan_hash}/follow`);
  for (const { abook_id } of (await alma.get("/api/z/1.0/abook")).json)
    await approve(world.hub, alma.channel, abook_id);
});
afterAll(() => world.close());
beforeEach(async () => void (await wentOut()));

function meet(nick: string, host: string): Promise<Xchan> {
  const id = `https://${host}/users/${nick}`;
  return meetActor(world.hub, {
    ...JSON.parse(JSON.stringify(actorOf(nick)).replaceAll("far.example", host)),
    keys: [
      { id: `${id}#main-key`, kind: "rsa", key: pemOf(keys.ann.publicKey) },
      { id: `${id}#ed25519-key`, kind: "ed25519", key: pemOf(keys.ed25519.publicKey) },
    ],
  });
}

/** What goes out of what is to be done. */
async function wentOut(): Promise<typeof left> {
  await world.work();
  const all = left;
  left = [];
  return all.toSorted((one, other) => one.host.localeCompare(other.host));
}

async function post(form: object = {}): Promise<{ mid: string }> {
  const { json } = await alma.post("/api/z/1.0/item/update", { body: "what do you think?", ...form });
  await wentOut();
  return json.item;
}

/** An answer by Bob, with his proof, in the bytes in which everybody gets it. */
async function answerTo(mid: string, more: object = {}, type = "Create"): Promise<string> {
  last += 1;
  const id = `${new URL(bob.xchan_hash).origin}/notes/${last}`;
  const addressed = { to: [everybody], cc: [`${base}/channel/alma`] };
  const said = { id, type: "Note", attributedTo: bob.xchan_hash, content: `<p>Number ${last}</p>`, inReplyTo: mid };
  const object = { ...said, ...addressed, published: now.toISOString(), ...more };
  return proven({ id: `${object.id}/${type}`, type, object, to: object.to, cc: object.cc });
}

async function proven(activity: object): Promise<string> {
  const document = JSON.parse(
    JSON.stringify({ "@context": "https://www.w3.org/ns/activitystreams", ...activity, actor: bob.xchan_hash }),
  );
  const key = { id: `${bob.xchan_hash}#ed25519-key`, object: keys.ed25519.privateKey };
  return JSON.stringify(await withProof(document, key, now));
}

/** It comes to the inbox of all, brought by somebody; what goes out because of it. */
async function brought(by: Xchan, bytes: string): Promise<typeof left> {
  const parameters = { keyId: `"${by.xchan_hash}#main-key"` };
  const request = cavageRequest({ target: "/inbox", body: Buffer.from(bytes), parameters });
  expect((await sendTo(world.app, request)).status).toBe(202);
  return wentOut();
}

const answersOn = async (): Promise<string[]> =>
  (await alma.get("/api/z/1.0/network/stream", { nouveau: 1 })).json.map(({ body }: { body: string }) => body);

async function letIn(): Promise<typeof left> {
  const { items } = await keptBack(world.hub, alma.channel, "held", { count: 5 });
  expect(items).toHaveLength(1);
  await approveHeld(world.hub, alma.channel, items[0]!.id);
  return (await wentOut()).filter(({ type }) => type === "Create");
}

/** As it came, to each of these. */
const goes = (bytes: string, ...hosts: string[]) => hosts.map((host) => expect.objectContaining({ host, bytes }));

describe("what somebody forwards into a thread of this hub", () => {
  test("is there and goes no further; when its author has sent it, it does, once", async () => {
    const top = await post();
    const answer = await answerTo(top.mid);
    expect(await brought(carla, answer)).toEqual([]);
    expect(await answersOn()).toContain(`Number ${last}`);
    expect(await brought(bob, answer)).toEqual(goes(answer, "near.example", "third.example"));
    for (const by of [bob, carla]) expect(await brought(by, answer)).toEqual([]);
  });

  test("goes no further when it has changed either, until its author says so", async () => {
    const top = await post();
    const first = await answerTo(top.mid);
    await brought(bob, first);
    const { object } = JSON.parse(first);
    const more = { id: object.id, content: "<p>Better</p>", updated: new Date(now.getTime() + 1000).toISOString() };
    const edit = await answerTo(top.mid, more, "Update");
    expect(await brought(carla, edit)).toEqual([]);
    expect(await answersOn()).toContain("Better");
    // The older one, by another name, changes nothing of that.
    expect(await brought(bob, first.replace("/Create", "/again"))).toEqual([]);
    expect(await brought(bob, edit)).toEqual(goes(edit, "near.example", "third.example"));
  });

  test("goes no further when the owner lets it in late, unless its author has sent it", async () => {
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.everybody });
    const top = await post();
    for (const isSent of [false, true]) {
      const answer = await answerTo(top.mid);
      expect(await brought(carla, answer)).toEqual([]);
      if (isSent) expect(await brought(bob, answer)).toEqual([]);
      expect(await letIn()).toEqual(isSent ? goes(answer, "near.example", "third.example") : []);
      expect(await answersOn()).toContain(`Number ${last}`);
    }
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.nobody });
  });

  test("is said to be in a private thread by the owner, which is all", async () => {
    const people = [bob, carla, dora].map(({ xchan_hash }) => xchan_hash);
    const top = await post({ contact_allow: people });
    const context = `${base}/conversation/${top.mid.split("/").at(-1)}`;
    const answer = await answerTo(top.mid, { to: [`${base}/channel/alma`], cc: [], context });
    const added = await brought(carla, answer);
    expect(added.map(({ host, type }) => [host, type])).toEqual([
      ["near.example", "Add"],
      ["third.example", "Add"],
    ]);
    expect(await brought(bob, answer)).toEqual(goes(answer, "near.example", "third.example"));
  });

  test("is a reaction, and what takes back, alike", async () => {
    const top = await post();
    const common = { to: [everybody], cc: [`${base}/channel/alma`] };
    const deed = { ...common, id: `https://far.example/likes/${++last}`, type: "Like", object: top.mid };
    const like = await proven(deed);
    expect(await brought(carla, like)).toEqual([]);
    expect(await brought(bob, like)).toEqual(goes(like, "near.example", "third.example"));
    const undone = { ...common, id: `${deed.id}/undo`, type: "Undo", object: { ...deed, actor: bob.xchan_hash } };
    const out = await brought(carla, await proven(undone));
    expect(out.map(({ type }) => type)).toEqual(["Remove", "Remove"]);
  });
});

describe("what is for the owner of a public thread, and no longer or not for all", () => {
  const narrow = (): object => ({ to: [`${bob.xchan_hash}/followers`, `${base}/channel/alma`], cc: [] });

  test("goes no further, whether it was so from the beginning or has been narrowed", async () => {
    const top = await post();
    expect(await brought(bob, await answerTo(top.mid, narrow()))).toEqual([]);
    const first = await answerTo(top.mid);
    expect(await brought(bob, first)).toEqual(goes(first, "near.example", "third.example"));
    const { object } = JSON.parse(first);
    const more = { id: object.id, content: "<p>For few</p>", updated: new Date(now.getTime() + 1000).toISOString() };
    expect(await brought(bob, await answerTo(top.mid, { ...more, ...narrow() }, "Update"))).toEqual([]);
    expect(await answersOn()).toContain("For few");
  });

  test("goes no further when it waited to be let in, nor to those of this hub who have the thread", async () => {
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.everybody });
    const top = await post();
    expect(await brought(bob, await answerTo(top.mid, narrow()))).toEqual([]);
    expect(await letIn()).toEqual([]);
    expect(await answersOn()).toContain(`Number ${last}`);
    const holders = await selectItems(world.hub).where("message.plain", "=", `Number ${last}`).execute();
    expect(holders.map(({ uid }) => uid)).toEqual([alma.channel.channel_id]);
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.nobody });
  });
});
