import { afterAll, beforeAll, expect, test } from "vitest";
import { listEvents } from "../../src/domain/events/events.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { vote } from "../../src/domain/items/posting/vote.ts";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { copyOf, follows, inhabitant, met, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** What people of one hub do with what stands on another: likes, shares, answers to invitations, votes. */

let world: TestHubs;
/** On the first hub, the second and the third. */
let ann: Inhabitant;
let ben: Inhabitant;
let cleo: Inhabitant;

beforeAll(async () => {
  world = await openHubs(3);
  const [one, two, three] = world.hubs;
  [ann, ben, cleo] = [await inhabitant(one!, "ann"), await inhabitant(two!, "ben"), await inhabitant(three!, "cleo")];
  for (const other of [ben, cleo]) {
    await follows(world, other, ann);
    await follows(world, ann, other);
  }
});
afterAll(() => world.close());

async function post(who: Inhabitant, form: Record<string, unknown>): Promise<{ id: number; mid: string }> {
  const answer = await who.post("/api/z/1.0/item/update", form);
  if (answer.status !== 200) throw new Error(answer.text);
  await world.settle();
  return answer.json.item as { id: number; mid: string };
}

/** Does something with a message, by the id that the person has it under. */
async function react(who: Inhabitant, deed: string, mid: string): Promise<void> {
  const { id } = (await copyOf(who, mid))!;
  const answer = await who.post(`/api/svc/activity/${deed}.json`, { id });
  expect([deed, answer.status]).toEqual([deed, 200]);
  await world.settle();
}

/** Who has done what with it, as somebody sees it. */
async function seen(who: Inhabitant, mid: string, kind: string): Promise<string[]> {
  const copy = (await copyOf(who, mid))!;
  const { json } = await who.get(`/api/statuses/show/${copy.id}.json`);
  const people = (json.svc_activities ?? json.friendica_activities)?.[kind] as { id: number }[] | undefined;
  const ids = (people ?? []).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await who.at.hub.db.selectFrom("xchan").select("xchan_hash").where("xchan_id", "in", ids).execute();
  return rows.map((row) => row.xchan_hash).toSorted();
}

test("a like is seen where the post stands, and by others who follow, until it is taken back", async () => {
  const { mid } = await post(ann, { body: "Like me" });
  await react(ben, "like", mid);
  expect([await seen(ann, mid, "like"), await seen(ben, mid, "like"), await seen(cleo, mid, "like")]).toEqual([
    [ben.id],
    [ben.channel.channel_hash],
    [ben.id],
  ]);
  expect((await listNotices(ann.at.hub, ann.channel.channel_id)).map(({ kind }) => kind)).toContain("reaction");
  await react(ben, "unlike", mid);
  expect([await seen(ann, mid, "like"), await seen(ben, mid, "like"), await seen(cleo, mid, "like")]).toEqual([
    [],
    [],
    [],
  ]);
});

test("a dislike likewise", async () => {
  const { mid } = await post(ann, { body: "Not everybody likes this" });
  await react(ben, "dislike", mid);
  expect(await seen(ann, mid, "dislike")).toEqual([ben.id]);
  await react(ben, "undislike", mid);
  expect(await seen(ann, mid, "dislike")).toEqual([]);
});

test("a share reaches those who follow whoever shares, and goes again", async () => {
  const dora = await inhabitant(cleo.at, "dora");
  await follows(world, dora, ben);
  const { mid } = await post(ann, { body: "Share me, please" });
  const { id } = (await copyOf(ben, mid))!;
  const shared = await ben.post("/api/statuses/retweet.json", { id });
  expect(shared.status).toBe(200);
  await world.settle();
  const home = async (): Promise<string> => (await dora.get("/api/statuses/home_timeline.json")).text;
  expect(await home()).toContain("Share me, please");
  await ben.post("/api/statuses/destroy.json", { id: shared.json.id });
  await world.settle();
  expect(await home()).not.toContain("Share me, please");
});

test("a share by somebody who has nothing else in common with its author tells the author, and goes again", async () => {
  const gus = await inhabitant(ben.at, "gus");
  await met(ann.at, gus.at, gus);
  const { id, mid } = await post(ann, { body: `Would @gus@${gus.at.host} share it?` });
  const shared = await gus.post("/api/statuses/retweet.json", { id: (await copyOf(gus, mid))!.id });
  await world.settle();
  const told = await listNotices(ann.at.hub, ann.channel.channel_id);
  expect(told.filter(({ kind }) => kind === "share").map(({ actor }) => actor.name)).toContain("Gus");
  const count = async () => (await ann.get(`/api/statuses/show/${id}.json`)).json.retweet_count;
  expect(await count()).toBe(1);
  await gus.post("/api/statuses/destroy.json", { id: shared.json.id });
  await world.settle();
  expect(await count()).toBe(0);
});

test("people of elsewhere answer an invitation, and change their mind", async () => {
  const event = { name: "Party", start_time: "2026-05-01 18:00", place: "Here", publish: 1 };
  expect((await ann.post("/api/svc/event_create.json", event)).status).toBe(200);
  await world.settle();
  const { mid } = await ann.at.hub.db
    .selectFrom("message")
    .select("mid")
    .where("resource_type", "=", "event")
    .executeTakeFirstOrThrow();
  await react(ben, "attendyes", mid);
  expect(await seen(ann, mid, "attendyes")).toEqual([ben.id]);
  const [entry] = await listEvents(ben.at.hub, ben.channel, "2026-05-01", "2026-05-02");
  expect(entry).toMatchObject({ start: "2026-05-01 18:00:00", event: { summary: "Party", location: "Here" } });
  await react(ben, "attendmaybe", mid);
  expect([await seen(ann, mid, "attendyes"), await seen(ann, mid, "attendmaybe")]).toEqual([[], [ben.id]]);
  await react(ben, "unattendmaybe", mid);
  expect(await seen(ann, mid, "attendmaybe")).toEqual([]);
});

test("a question is voted on from elsewhere, once", async () => {
  const { mid } = await post(ann, { body: "Do we agree?", consensus: 1 });
  const { id } = (await copyOf(ben, mid))!;
  await vote(ben.at.hub, ben.channel, { id }, [0]);
  await world.settle();
  const { message_id } = (await copyOf(ann, mid))!;
  const votes = await ann.at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("xchan", "xchan_id", "message.author_id")
    .select(["verb", "xchan_hash"])
    .where("item.uid", "=", ann.channel.channel_id)
    .where("item.thr_parent_id", "in", (eb) => eb.selectFrom("item").select("id").where("message_id", "=", message_id))
    .where("item.item_thread_top", "=", 0)
    .where("item.item_deleted", "=", 0)
    .execute();
  expect(votes).toEqual([{ verb: expect.stringMatching(/agree$/), xchan_hash: ben.id }]);
  await expect(vote(ben.at.hub, ben.channel, { id }, [1])).rejects.toMatchObject({ kind: "conflict" });
});

test.each(["a decision", "a poll"])("how %s stands after votes from elsewhere is told a minute later", async (kind) => {
  // Whatever other polls are owed.
  world.advance(61);
  await world.settle();
  const options = ["Agree", "Disagree"].map((name) => ({ type: "Note", name, replies: { totalItems: 0 } }));
  const poll = { type: "Question", anyOf: options, votersCount: 0 };
  const { mid } =
    kind === "a poll"
      ? await postItem(ann.at.hub, ann.channel, { body: "Which?", objType: "Question", obj: JSON.stringify(poll) })
      : await post(ann, { body: "Shall we?", consensus: 1 });
  await world.settle();
  for (const [who, choice] of [
    [ben, 1],
    [cleo, 0],
  ] as const) {
    await vote(who.at.hub, who.channel, { id: (await copyOf(who, mid))!.id }, [choice]);
    await world.settle();
  }
  const updates = () => ben.at.received.filter(({ path }) => path === "/inbox").length;
  const before = updates();
  world.advance(61);
  await world.settle();
  expect(await countsAt(ben, mid)).toEqual({ Agree: 1, Disagree: 1, voters: 2 });
  expect(updates() - before).toBe(1);
});

/** How many chose what, as somebody elsewhere has it from the author. */
async function countsAt({ at, channel }: Inhabitant, mid: string): Promise<Record<string, number>> {
  const { obj } = await at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("obj")
    .where("message.mid", "=", mid)
    .where("item.uid", "=", channel.channel_id)
    .executeTakeFirstOrThrow();
  const { oneOf, anyOf, votersCount } = JSON.parse(obj);
  const chosen = (oneOf ?? anyOf).map((option: any) => [option.name, option.replies.totalItems]);
  const { Abstain: _, ...others } = Object.fromEntries(chosen);
  return { ...others, voters: votersCount };
}
