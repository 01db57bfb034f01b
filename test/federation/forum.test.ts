import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeChannelSettings, moderation } from "../../src/domain/identity/channels/channel-settings.ts";
import { approveHeld, blockItem, keptBack, unblockItem } from "../../src/domain/items/posting/moderation.ts";
import { approve } from "../../src/domain/connections/connections.ts";
import { befriend } from "../support/people.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** A forum on the first hub, with members on all three. */

let world: TestHubs;
let board: Inhabitant;
/** On the first hub, the second and the third; eve is on the third as well, and no member. */
let ann: Inhabitant;
let ben: Inhabitant;
let cleo: Inhabitant;
let eve: Inhabitant;

beforeAll(async () => {
  world = await openHubs(3);
  const [one, two, three] = world.hubs;
  board = await inhabitant(one!, "board", "forum");
  [ann, ben] = [await inhabitant(one!, "ann"), await inhabitant(two!, "ben")];
  [cleo, eve] = [await inhabitant(three!, "cleo"), await inhabitant(three!, "eve")];
  for (const member of [ben, cleo]) await follows(world, member, board);
  await ann.post("/api/friendships/create", { screen_name: "board" });
});
afterAll(() => world.close());

type Posted = { id: number; mid: string };

async function post(who: Inhabitant, form: Record<string, unknown>): Promise<Posted> {
  const answer = await who.post("/api/z/1.0/item/update", form);
  if (answer.status !== 200) throw new Error(answer.text);
  await world.settle();
  return answer.json.item as Posted;
}

const toBoard = (words: string): string => `${words} @board`;
const bodies = async (mid: string, ...people: Inhabitant[]) =>
  Promise.all(people.map(async (person) => (await copyOf(person, mid))?.body));
const owners = async (mid: string, ...people: Inhabitant[]) =>
  Promise.all(people.map(async (person) => (await copyOf(person, mid))?.owner));

async function letIn(club: Inhabitant, { id }: Inhabitant): Promise<void> {
  const { abook_id } = await club.at.hub.db
    .selectFrom("abook")
    .select("abook_id")
    .where("abook_channel", "=", club.channel.channel_id)
    .where("abook_xchan", "=", id)
    .executeTakeFirstOrThrow();
  await approve(club.at.hub, club.channel, abook_id);
}

/** What the forum has announced of something, by types; a plain id is the post itself. */
async function announced(words: string, by = board): Promise<string[]> {
  const rows = await board.at.hub.db
    .selectFrom("outbox_activity")
    .select("bytes")
    .where("sender", "=", by.channel.channel_id)
    .where("bytes", "like", `%${words}%`)
    .orderBy("id")
    .execute();
  return rows.map(({ bytes }) => {
    const { type, object } = JSON.parse(bytes);
    return `${type} ${typeof object === "string" ? "post" : object.type}`;
  });
}

test("what a member elsewhere posts there reaches all members, as a thread of the forum", async () => {
  const { mid } = await post(ben, { body: toBoard("News for") });
  const all = [board, ann, cleo];
  expect(await bodies(mid, ...all, eve)).toEqual([...all.map(() => expect.stringContaining("News for")), undefined]);
  expect(await owners(mid, cleo)).toEqual([board.id]);
  expect(await announced(mid)).toEqual(["Announce Create", "Announce post"]);
});

test("so does what a member of the forum's own hub posts there", async () => {
  const { mid } = await post(ann, { body: toBoard("Local news for") });
  expect(await bodies(mid, ben, cleo)).toEqual([expect.stringContaining("Local"), expect.stringContaining("Local")]);
  expect(await owners(mid, ben, cleo)).toEqual([board.id, board.id]);
});

test("who is no member posts there in vain", async () => {
  const { mid } = await post(eve, { body: toBoard("Let me in") });
  expect(await bodies(mid, ben, cleo)).toEqual([undefined, undefined]);
});

test("comments and likes come from the forum, and go again", async () => {
  const top = await post(ben, { body: toBoard("What do you say?") });
  const said = await post(cleo, { body: "A lot", parent_mid: top.mid });
  const more = await post(ann, { body: "Even more", parent_mid: said.mid });
  for (const { mid } of [said, more])
    expect(await bodies(mid, board, ann, ben, cleo)).toEqual(Array(4).fill(expect.stringMatching(/lot|more/)));
  expect(await announced(said.mid)).toContain("Announce Create");
  const liked = await cleo.post("/api/svc/activity/like.json", { id: (await copyOf(cleo, more.mid))!.id });
  expect(liked.status).toBe(200);
  await world.settle();
  expect(await announced(more.mid)).toContain("Announce Like");
  const { id } = (await copyOf(ben, more.mid))!;
  expect((await ben.get(`/api/statuses/show/${id}.json`)).json.svc_activities.like).toHaveLength(1);
  await cleo.post("/api/statuses/destroy", { id: said.id });
  await world.settle();
  expect(await bodies(said.mid, board, ann, ben, cleo)).toEqual(Array(4).fill(undefined));
});

test("edits do, and what its author or the forum deletes is gone for all", async () => {
  const top = await post(ben, { body: toBoard("First") });
  const other = await post(ann, { body: toBoard("Third") });
  world.advance(5);
  await ben.post("/api/z/1.0/item/update", { post_id: top.id, body: toBoard("Second") });
  await world.settle();
  expect(await bodies(top.mid, board, ann, cleo)).toEqual(Array(3).fill(expect.stringContaining("Second")));
  await board.post("/api/statuses/destroy", { id: (await copyOf(board, top.mid))!.id });
  await ann.post("/api/statuses/destroy", { id: other.id });
  await world.settle();
  for (const { mid } of [top, other]) expect(await bodies(mid, board, ann, cleo)).toEqual(Array(3).fill(undefined));
});

describe("what somebody of the forum's own hub has posted there for everybody", () => {
  /** A member of the forum, and a friend of ann's who is none; both of their hub, as ann is. */
  let dora: Inhabitant;
  let finn: Inhabitant;

  beforeAll(async () => {
    [dora, finn] = [await inhabitant(ann.at, "dora"), await inhabitant(ann.at, "finn")];
    await befriend(dora.at.hub, dora.channel, board.channel);
    await befriend(ann.at.hub, ann.channel, finn.channel);
  });

  test("loses an answer that the forum takes out, for its members alone", async () => {
    for (const writer of [dora, ann, finn, cleo]) {
      const others = [dora, ben, cleo].filter((member) => member !== writer);
      const top = await post(ann, { body: toBoard("On topic for") });
      const said = await post(writer, { body: "Rude", parent_mid: top.mid });
      await finn.post("/api/svc/activity/like.json", { id: (await copyOf(finn, said.mid))!.id });
      await world.settle();
      expect(await bodies(said.mid, board, ann, finn, writer, ...others)).not.toContain(undefined);
      await board.post("/api/statuses/destroy", { id: (await copyOf(board, said.mid))!.id });
      await world.settle();
      expect(await bodies(said.mid, board, ...others)).toEqual([board, ...others].map(() => undefined));
      expect(await bodies(said.mid, ann, finn, writer)).toEqual(["Rude", "Rude", "Rude"]);
      expect(await bodies(top.mid, ann, finn, ...others)).not.toContain(undefined);
      // What was said since comes to all, and whoever wrote it takes it back for all.
      const more = await post(ben, { body: "Let us go on", parent_mid: top.mid });
      expect(await bodies(more.mid, board, ann, finn, dora, cleo)).toEqual(Array(5).fill("Let us go on"));
      await writer.post("/api/statuses/destroy", { id: (await copyOf(writer, said.mid))!.id });
      await world.settle();
      expect(await bodies(said.mid, ann, finn, writer)).toEqual([undefined, undefined, undefined]);
    }
  });

  test("hides an answer that the forum takes off its wall from its members alone, until it is back", async () => {
    const top = await post(ann, { body: toBoard("Still on topic for") });
    const said = await post(ann, { body: "My own answer", parent_mid: top.mid });
    const copies = await Promise.all(
      [ann, finn, dora].map(async (one) => ({ one, id: (await copyOf(one, said.mid))!.id })),
    );
    const shown = async () =>
      Promise.all(copies.map(async ({ one, id }) => (await one.get(`/api/statuses/show/${id}.json`)).status));
    const { id } = (await copyOf(board, said.mid))!;
    await blockItem(board.at.hub, board.channel, { id });
    expect(await shown()).toEqual([200, 200, 404]);
    expect((await keptBack(board.at.hub, board.channel, "byOwner", { count: 5 })).items).toMatchObject([{ id }]);
    await unblockItem(board.at.hub, board.channel, id);
    expect(await shown()).toEqual([200, 200, 200]);
  });

  test("is answered and liked by members elsewhere, whom its author does not know", async () => {
    const { mid } = await post(ann, { body: toBoard("Who comes from afar to") });
    const said = await post(cleo, { body: "I do", parent_mid: mid });
    expect(await bodies(said.mid, board, ann, ben, dora, finn)).toEqual(Array(5).fill("I do"));
    const answer = await post(ben, { body: "So do I", parent_mid: said.mid });
    expect(await bodies(answer.mid, board, ann, cleo, dora, finn)).toEqual(Array(5).fill("So do I"));
    const likes = async () =>
      (await ann.get(`/api/statuses/show/${(await copyOf(ann, mid))!.id}.json`)).json.svc_activities.like;
    for (const [deed, count] of [
      ["like", 1],
      ["unlike", 0],
    ] as const) {
      await ben.post(`/api/svc/activity/${deed}.json`, { id: (await copyOf(ben, mid))!.id });
      await world.settle();
      expect(await likes()).toHaveLength(count);
    }
    // Nobody gets in by way of a forum of which they are no member.
    const strange = await post(eve, { body: "Me, too", parent_mid: mid }).catch(() => undefined);
    expect(strange).toBeUndefined();
  });
});

test("a post that waits for those who run the forum is announced when it is let in", async () => {
  await changeChannelSettings(board.at.hub, board.channel.channel_id, { moderation: moderation.everybody });
  const { mid } = await post(ben, { body: toBoard("May I?") });
  expect([await bodies(mid, ann, cleo), await announced(mid)]).toEqual([[undefined, undefined], []]);
  const [held] = (await keptBack(board.at.hub, board.channel, "held", { count: 5 })).items;
  await approveHeld(board.at.hub, board.channel, held!.id);
  await world.settle();
  expect(await bodies(mid, ann, cleo)).toEqual(Array(2).fill(expect.stringContaining("May I?")));
  await changeChannelSettings(board.at.hub, board.channel.channel_id, { moderation: moderation.nobody });
});

test("a private forum hands on what is written for it to its members alone", async () => {
  const club = await inhabitant(board.at, "club", "forum_private");
  for (const member of [ben, cleo]) await follows(world, member, club);
  for (const member of [ben, cleo]) await letIn(club, member);
  await world.settle();
  const { mid } = await post(ben, { body: "Between us @club", contact_allow: [club.id] });
  expect(await bodies(mid, club, cleo, eve, ann)).toEqual([
    expect.stringContaining("Between"),
    expect.stringContaining("Between"),
    undefined,
    undefined,
  ]);
  // To each hub in words of its own, and never as something that everybody may see.
  expect(await announced(mid, club)).toEqual(["Announce Create", "Announce Create"]);
  expect((await fetch(mid, { headers: { accept: "application/activity+json" } })).status).toBe(404);
});

test("a private forum does not get what is for a group that it happens to be in, unless its text names it", async () => {
  const circle = await inhabitant(board.at, "circle", "forum_private");
  for (const member of [ben, cleo]) await follows(world, member, circle);
  for (const member of [ben, cleo]) await letIn(circle, member);
  await world.settle();
  const connections = (await ben.get("/api/z/1.0/abook")).json as { abook_id: string; abook_xchan: string }[];
  const user = connections
    .filter(({ abook_xchan }) => abook_xchan === circle.id)
    .map(({ abook_id }) => ({ cid: abook_id }));
  const form = { name: "Some", json: JSON.stringify({ name: "Some", gid: 0, user }) };
  const { gid } = (await ben.post("/api/friendica/group_create", form)).json;
  const alone = await post(ben, { body: "For my friends", group_allow: [gid] });
  expect(await bodies(alone.mid, circle, cleo)).toEqual([undefined, undefined]);
  const left = await post(ben, { body: "For whoever follows, but Ann", contact_deny: [ann.id] });
  expect(await bodies(left.mid, circle, cleo)).toEqual([undefined, undefined]);
  const named = await post(ben, { body: `For them @circle@${board.at.host}`, group_allow: [gid] });
  expect(await bodies(named.mid, circle, cleo)).toEqual(Array(2).fill(expect.stringContaining("For them")));
});
