import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { befriend } from "../../../test/support/people.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { lastTold } from "../live/log.ts";
import type { Heard } from "./heard.ts";
import { countListeners, listen } from "./listeners.ts";

/** What people hear of what happens, by the domain alone. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cleo] = [await world.person("ann"), await world.person("bob"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, bob.channel);
});

afterAll(() => world.close());

type Ear = { heard: Heard[]; kinds: () => string[]; last: () => number; close: () => void };

async function ear(person: Person, options: { threads?: number[]; after?: number } = {}): Promise<Ear> {
  const heard: Heard[] = [];
  let at = 0;
  const close = await listen(
    world.hub,
    {
      observer: observerOf(person.channel),
      threads: options.threads ?? [],
      account: person.channel.channel_account_id,
      address: "",
      hear: (more, last) => {
        heard.push(...more);
        at = last;
      },
      letInUntil: () => Promise.resolve("9999-12-31 23:59:59"),
      end: () => undefined,
    },
    options.after,
  );
  return { heard, kinds: () => heard.map(({ what }) => what), last: () => at, close };
}

function firstNew({ heard }: Ear) {
  for (const one of heard) if (one.what === "new") return one;
  throw new Error("Nothing new was heard");
}

async function post(person: Person, status: string, more: Record<string, unknown> = {}): Promise<number> {
  const { json } = await person.post("/api/statuses/update.json", { status, ...more });
  await world.work();
  return (json as { id: number }).id;
}

test("a post is heard by those who get it, by the ids of their own copies, and by nobody else", async () => {
  const [annHears, bobHears, cleoHears] = [await ear(ann), await ear(bob), await ear(cleo)];
  const id = await post(ann, "to all who know me");
  await expect.poll(bobHears.kinds).toContain("new");
  expect(annHears.heard).toContainEqual(expect.objectContaining({ what: "new", id, isTop: true }));
  const own = firstNew(bobHears);
  expect(own).toMatchObject({ uid: bob.channel.channel_id, isTop: true, isShown: true });
  expect((await bob.get(`/api/statuses/show/${own.id}.json`)).json.text).toContain("to all who know me");
  expect(cleoHears.heard).toEqual([]);
  for (const ear of [annHears, bobHears, cleoHears]) ear.close();
});

test("a comment, a reaction, an edit and a deletion are heard in the thread that one has", async () => {
  const id = await post(ann, "a thread");
  const bobHears = await ear(bob);
  await post(ann, "a comment", { in_reply_to_status_id: id });
  await expect.poll(() => bobHears.heard.filter(({ what }) => what === "new").length).toBe(1);
  const own = firstNew(bobHears);
  await bob.post("/api/svc/activity/like.json", { id: own.thread });
  await world.work();
  await expect.poll(() => bobHears.heard.some((one) => one.what === "new" && !one.isShown)).toBe(true);
  await ann.post(`/api/statuses/destroy/${id}.json`);
  await world.work();
  await expect.poll(bobHears.kinds).toContain("gone");
  const threads = new Set(bobHears.heard.flatMap((one) => ("thread" in one ? [one.thread] : [])));
  expect(threads.size).toBe(1);
  bobHears.close();
});

test("what was told while nobody listened is heard by the number after which one asks", async () => {
  const before = await lastTold(world.hub);
  await post(ann, "nobody listens");
  const after = await ear(bob, { after: before });
  expect(after.heard).toContainEqual(expect.objectContaining({ what: "new", uid: bob.channel.channel_id }));
  expect(after.last()).toBeGreaterThan(before);
  const again = await ear(bob, { after: after.last() });
  expect(again.heard.filter(({ what }) => what === "missed")).toEqual([]);
  const fromTheFuture = await ear(bob, { after: after.last() + 1000 });
  expect(fromTheFuture.kinds()).toEqual(["missed"]);
  for (const ear of [after, again, fromTheFuture]) ear.close();
  expect(countListeners(world.hub)).toBe(0);
});

test("who is blocked is not heard", async () => {
  const dora = await world.person("dora");
  await befriend(world.hub, dora.channel, cleo.channel);
  const cleoHears = await ear(cleo);
  await post(dora, "heard");
  await expect.poll(cleoHears.kinds).toContain("new");
  const known = cleoHears.heard.length;
  await cleo.post("/api/blocks/create.json", { user_id: dora.channel.xchan_id });
  await post(dora, "not heard");
  const own = await post(cleo, "the end");
  await expect.poll(() => cleoHears.heard.at(-1)).toMatchObject({ what: "new", id: own });
  expect(cleoHears.heard.slice(known).filter((one) => one.what === "new").length).toBe(1);
  cleoHears.close();
});
