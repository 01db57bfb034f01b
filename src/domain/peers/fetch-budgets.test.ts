import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { actorDocument, jsonAnswer, openElsewhere } from "../../../test/support/elsewhere.ts";
import { metActor } from "../../faces/federation/retrieve/actor.ts";
import { AskedTooFast, BudgetSpent, NotYet } from "../../fetch/fetch.ts";
import type { Hub } from "../../hub.ts";
import { connect, receiveAccept } from "../connections/connections.ts";
import { zeroDate } from "../../storage/sql.ts";
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

test("of one host 20 times in a minute: a person is told so, what has come is told its turn", async () => {
  const hub: Hub = { ...world.hub, config: { ...world.hub.config, rateLimits: true } };
  const quick = withinBudget(hub, "in a hurry");
  const ask = (from: Hub, n: number): Promise<Response> => from.fetch(`https://slow.example/${n}`);
  for (let n = 0; n < mostOfHost; n++) await ask(quick, n);
  await expect(ask(quick, 20)).rejects.toThrow(AskedTooFast);
  await quick.fetch("https://quick.example/");
  const told: number[] = [];
  const waiting = withinBudget(hub, "in a hurry", (until) => told.push(until));
  await expect(ask(waiting, 21)).rejects.toThrow(NotYet);
  expect(told).toEqual([hub.clock().getTime() + 60_000]);
  expect(reads()).toBe(mostOfHost + 1);
  world.hub.advance(60);
  await ask(quick, 22);
  expect(reads()).toBe(mostOfHost + 2);
});

test("what has come and has to wait for its turn is due again then, and nobody waits with it", async () => {
  const ann = await follows("ann");
  const above = (n: number): string => `https://far.example/notes/above-${n}`;
  const say = (n: number) => ({ id: above(n), type: "Note", attributedTo: ann, content: `n${n}`, to: [everybody] });
  for (const n of [1, 2, 3])
    elsewhere.put(above(n), () => jsonAnswer(n < 3 ? { ...say(n), inReplyTo: above(n + 1) } : say(n)));
  await arrives(ann, "waits", { inReplyTo: above(1) });
  await world.work();
  const asked = () => elsewhere.asked.map(({ url }) => url).filter((url) => url.startsWith(above(0).slice(0, -1)));
  const row = () =>
    world.hub.db
      .selectFrom("inbox_activity")
      .select(["state", "attempts", "lease_until", "last_error"])
      .where("object_id", "=", "https://far.example/notes/waits")
      .executeTakeFirstOrThrow();
  expect(asked()).toEqual([above(1)]);
  expect(await row()).toEqual({ state: "waiting", attempts: 0, lease_until: zeroDate, last_error: "" });
  await arrives(ann, "quick", {});
  await world.work();
  expect(await home()).toContain("quick");
  for (const n of [2, 3]) {
    world.hub.advance(6);
    await world.work();
    expect(asked()).toHaveLength(n);
  }
  expect(asked()).toEqual([above(1), above(2), above(3)]);
  expect(await row()).toMatchObject({ state: "done", attempts: 1 });
  expect(await home()).toContain("waits");
});

/** What Alma reads. */
async function home(): Promise<string> {
  return JSON.stringify((await alma.get("/api/statuses/home_timeline.json")).json);
}
