import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { actorDocument, jsonAnswer, openElsewhere } from "../../../test/support/elsewhere.ts";
import { metActor } from "../../faces/federation/retrieve/actor.ts";
import { AskedTooFast, BudgetSpent } from "../../fetch/fetch.ts";
import type { Hub } from "../../hub.ts";
import { connect, receiveAccept } from "../connections/connections.ts";
import { recordArrival } from "../delivery/arrivals.ts";
import { mostFetches, mostOfHost, withinBudget } from "./fetch-budgets.ts";

/** What one activity, or one look-up, makes this hub ask of others, at once and by jobs (federation contract 10). */

let world: TestApp;
let alma: Person;
const elsewhere = openElsewhere();
const everybody = "https://www.w3.org/ns/activitystreams#Public";

beforeAll(async () => {
  // A conversation that never began: each post answers one more, by somebody else of another server, in a name of pictures.
  const fetch: typeof elsewhere.fetch = (url, options) => {
    const [, kind, n] = /^https:\/\/h\d+\.example\/(post|actor)\/(\d+)$/.exec(url) ?? [];
    if (kind !== undefined)
      elsewhere.put(url, () => jsonAnswer(kind === "post" ? postBy(Number(n)) : actorAt(Number(n))));
    return elsewhere.fetch(url, options);
  };
  world = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "off" }, fetch });
  alma = await world.person("alma");
});
afterAll(() => world.close());
beforeEach(() => void (elsewhere.asked.length = 0));

const at = (kind: string, n: number): string => `https://h${n}.example/${kind}/${n}`;

function actorAt(n: number): object {
  const id = at("actor", n);
  const codes = Array.from({ length: 5 }, (_, code) => `c${n}x${code}`);
  const tag = codes.map((code) => ({ type: "Emoji", name: `:${code}:`, icon: { url: `${id}/${code}.png` } }));
  const name = codes.map((code) => `:${code}:`).join(" ");
  const publicKey = { id: `${id}#main-key`, owner: id, publicKeyPem: "" };
  return {
    ...actorDocument(`n${n}`),
    id,
    name,
    tag,
    publicKey,
    inbox: `${id}/inbox`,
    icon: { type: "Image", url: `${id}.png` },
  };
}

function postBy(n: number): object {
  const [id, attributedTo] = [at("post", n), at("actor", n)];
  return { id, type: "Note", attributedTo, content: `n${n}`, to: [everybody], inReplyTo: at("post", n + 1) };
}

const reads = (): number => elsewhere.asked.filter(({ options }) => options.method !== "POST").length;
const causes = () => world.hub.db.selectFrom("fetch_budget").select("asked").orderBy("asked", "desc").execute();

async function arrives(signer: string, name: string, more: object): Promise<void> {
  const id = `https://far.example/notes/${name}`;
  const object = { id, type: "Note", attributedTo: signer, content: name, to: [everybody], ...more };
  const activity = { id: `${id}/made`, type: "Create", actor: signer, to: [everybody], object };
  const bytes = Buffer.from(JSON.stringify(activity));
  await recordArrival(world.hub, {
    activityId: activity.id,
    signer,
    scheme: "cavage",
    bytes,
    objectId: id,
    recipients: [],
  });
}

async function follows(nick: string): Promise<string> {
  const { id } = elsewhere.actor(nick);
  for (const inbox of ["inbox", `users/${nick}/inbox`]) elsewhere.put(`https://far.example/${inbox}`, 202);
  const person = (await metActor(world.hub, id))!;
  await connect(world.hub, alma.channel, person);
  await receiveAccept(world.hub, alma.channel, person);
  await world.work();
  elsewhere.asked.length = 0;
  return id;
}

test("an activity and the jobs that come of it ask 200 times, and the next one anew", async () => {
  const ann = await follows("ann");
  await arrives(ann, "deep", { inReplyTo: at("post", 1) });
  await world.work();
  expect(reads()).toBe(mostFetches);
  expect(await causes()).toEqual([{ asked: mostFetches }]);
  // What is tried again later does not begin anew.
  for (let n = 0; n < 3; n++) {
    world.hub.advance(1000);
    await world.work();
  }
  expect(reads()).toBe(mostFetches);
  await arrives(ann, "other", { inReplyTo: "https://other.example/post" });
  await world.work();
  expect(elsewhere.asked.at(-1)?.url).toBe("https://other.example/post");
  expect(await causes()).toEqual([{ asked: mostFetches }, { asked: 1 }]);
});

test("whoever was not asked for lack of budget is not taken for nobody", async () => {
  const { hub } = world;
  const spent = withinBudget(hub, "all of it");
  await hub.db
    .insertInto("fetch_budget")
    .values({ cause: "all of it", asked: mostFetches, created: "2026-03-01 12:00:00" })
    .execute();
  await expect(spent.fetch("https://a.example/")).rejects.toThrow(BudgetSpent);
  const { id } = elsewhere.actor("bea");
  await expect(metActor(spent, id)).rejects.toMatchObject({ code: "not_fetched" });
  expect(await metActor(hub, id)).toMatchObject({ xchan_name: "Bea" });
});

test("a look-up by somebody shares one with its jobs", async () => {
  await world.hub.db.deleteFrom("fetch_budget").execute();
  elsewhere.put(at("post", 500), () => jsonAnswer(postBy(500)));
  await alma.get("/api/users/search.json", { q: at("post", 500) });
  await world.work();
  expect(reads()).toBe(mostFetches);
  expect(await causes()).toEqual([{ asked: mostFetches }]);
});

test("of one host 20 times in a minute: a person is told so, a worker waits for its turn", async () => {
  const hub: Hub = { ...world.hub, config: { ...world.hub.config, rateLimits: true } };
  const quick = withinBudget(hub, "in a hurry");
  const ask = (from: Hub, n: number): Promise<Response> => from.fetch(`https://slow.example/${n}`);
  for (let n = 0; n < mostOfHost; n++) await ask(quick, n);
  await expect(ask(quick, 20)).rejects.toThrow(AskedTooFast);
  await quick.fetch("https://quick.example/");
  const end = new AbortController();
  const waiting = ask(withinBudget(hub, "in a hurry", end.signal), 21);
  end.abort();
  await expect(waiting).rejects.toThrow("aborted");
  expect(reads()).toBe(mostOfHost + 1);
  world.hub.advance(60);
  await ask(quick, 22);
  expect(reads()).toBe(mostOfHost + 2);
});
