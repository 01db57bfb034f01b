import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { approve, findConnectionTo, mute, unmute } from "../../src/domain/connections/connections.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { receiveHandedBack } from "../../src/domain/items/receiving/handed-back.ts";
import { befriend } from "../support/people.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** Two people of one hub, in a thread of somebody of another one. */

let world: TestHubs;
let ann: Inhabitant;
/** Both on the second hub, where dora has nothing of ann. */
let ben: Inhabitant;
let cleo: Inhabitant;
let dora: Inhabitant;

beforeAll(async () => {
  world = await openHubs(2);
  const [one, two] = world.hubs;
  ann = await inhabitant(one!, "ann");
  [ben, cleo, dora] = [await inhabitant(two!, "ben"), await inhabitant(two!, "cleo"), await inhabitant(two!, "dora")];
  for (const other of [ben, cleo]) {
    await follows(world, other, ann);
    await follows(world, ann, other);
  }
});
afterAll(() => world.close());

type Posted = { id: number; mid: string };

async function post(who: Inhabitant, form: Record<string, unknown>): Promise<Posted> {
  const answer = await who.post("/api/z/1.0/item/update", form);
  if (answer.status !== 200) throw new Error(answer.text);
  await world.settle();
  return answer.json.item as Posted;
}

const bodies = async (mid: string, ...people: Inhabitant[]) =>
  Promise.all(people.map(async (person) => (await copyOf(person, mid))?.body));
const told = async ({ at, channel }: Inhabitant) =>
  (await listNotices(at.hub, channel.channel_id)).map(({ kind, actor }) => [kind, actor.name]);

describe("in a thread that everybody may read", () => {
  test("they read and hear each other", async () => {
    const top = await post(ann, { body: "What do you think?" });
    const said = await post(ben, { body: "A lot", parent_mid: top.mid });
    expect(await bodies(said.mid, ann, ben, cleo, dora)).toEqual(["A lot", "A lot", "A lot", undefined]);
    expect(await copyOf(cleo, said.mid)).toMatchObject({
      author: ben.channel.channel_hash,
      owner: ann.id,
      item_private: 0,
    });
    const answer = await post(cleo, { body: "Not I", parent_mid: said.mid });
    expect(await bodies(answer.mid, ann, ben, cleo)).toEqual(["Not I", "Not I", "Not I"]);
    expect(await told(ben)).toContainEqual(["comment", "Cleo"]);
    await cleo.post("/api/svc/activity/like.json", { id: (await copyOf(cleo, said.mid))!.id });
    await world.settle();
    expect(await told(ben)).toContainEqual(["reaction", "Cleo"]);
  });

  test("whoever is mentioned gets the thread, and hears of it", async () => {
    const top = await post(ann, { body: "And what else?" });
    await post(cleo, { body: "Nothing from me", parent_mid: top.mid });
    const said = await post(ben, { body: `Ask @dora@${dora.at.host}`, parent_mid: top.mid });
    expect(await bodies(top.mid, dora)).toEqual(["And what else?"]);
    expect(await bodies(said.mid, dora)).toEqual([expect.stringContaining("dora")]);
    expect(await told(dora)).toEqual([["mention", "Ben"]]);
    expect((await dora.get("/api/z/1.0/channel/stream", { mid: top.mid })).status).toBe(200);
  });

  test("what is edited, taken back or deleted is so for both", async () => {
    const top = await post(ann, { body: "Once more" });
    const said = await post(ben, { body: "One", parent_mid: top.mid });
    const likes = async () =>
      (await cleo.get(`/api/statuses/show/${(await copyOf(cleo, top.mid))!.id}.json`)).json.friendica_activities.like;
    const { id } = (await copyOf(ben, top.mid))!;
    await ben.post("/api/svc/activity/like.json", { id });
    await world.settle();
    expect((await likes()).length).toBe(1);
    await ben.post("/api/svc/activity/unlike.json", { id });
    world.advance(5);
    await ben.post("/api/z/1.0/item/update", { post_id: said.id, body: "Two" });
    await world.settle();
    expect([await likes(), await bodies(said.mid, ann, cleo)]).toEqual([[], ["Two", "Two"]]);
    await ben.post("/api/statuses/destroy", { id: said.id });
    await world.settle();
    expect(await bodies(said.mid, ann, ben, cleo)).toEqual([undefined, undefined, undefined]);
  });

  test("whoever ignores the other gets nothing of it", async () => {
    const top = await post(ann, { body: "The last one" });
    await mute(cleo.at.hub, cleo.channel, (await findXchan(cleo.at.hub, { hash: ben.channel.channel_hash }))!);
    const said = await post(ben, { body: `Hear me, @cleo@${cleo.at.host}`, parent_mid: top.mid });
    expect(await bodies(said.mid, ann, ben, cleo)).toEqual([expect.any(String), expect.any(String), undefined]);
  });
});

describe("in a thread that is for some", () => {
  beforeAll(() => unmute(cleo.at.hub, cleo.channel, ben.channel.channel_hash));

  const groupOf = async (...people: Inhabitant[]) => {
    const connections = (await ann.get("/api/z/1.0/abook")).json as { abook_id: string; abook_xchan: string }[];
    const user = connections
      .filter(({ abook_xchan }) => people.some(({ id }) => id === abook_xchan))
      .map(({ abook_id }) => ({ cid: abook_id }));
    const name = `Of ${people.length}`;
    const { json } = await ann.post("/api/friendica/group_create", {
      name,
      json: JSON.stringify({ name, gid: 0, user }),
    });
    return json.gid as number;
  };

  test("they read and hear each other, as long as its owner means them", async () => {
    await follows(world, dora, ann);
    await follows(world, ann, dora);
    const gid = await groupOf(ben, cleo);
    const top = await post(ann, { body: "Among us", group_allow: [gid] });
    const said = await post(ben, { body: `Yes, and @dora@${dora.at.host} too`, parent_mid: top.mid });
    expect(await copyOf(cleo, said.mid)).toMatchObject({ author: ben.channel.channel_hash, item_private: 1 });
    expect(await bodies(said.mid, ann, dora)).toEqual([expect.any(String), undefined]);
    await cleo.post("/api/svc/activity/like.json", { id: (await copyOf(cleo, said.mid))!.id });
    await world.settle();
    expect(await told(ben)).toContainEqual(["reaction", "Cleo"]);
    const update = { name: `Of 2`, gid, user: [] };
    const { json } = await ann.get("/api/z/1.0/abook");
    const { abook_id } = json.find((one: { abook_xchan: string }) => one.abook_xchan === ben.id);
    await ann.post(`/api/friendica/group_update?gid=${gid}`, {
      name: "Of 2",
      gid,
      json: JSON.stringify({ ...update, user: [{ cid: abook_id }] }),
    });
    const later = await post(ben, { body: "Without Cleo", parent_mid: top.mid });
    expect(await bodies(later.mid, ann, ben, cleo)).toEqual(["Without Cleo", "Without Cleo", undefined]);
  });

  test("among followers as well", async () => {
    const top = await post(ann, { body: "For followers", public_policy: "contacts" });
    const said = await post(ben, { body: "Here", parent_mid: top.mid });
    expect(await bodies(said.mid, ann, ben, cleo, dora)).toEqual(["Here", "Here", "Here", "Here"]);
    const answer = await post(cleo, { body: "And here", parent_mid: said.mid });
    expect(await bodies(answer.mid, ann, ben, cleo)).toEqual(["And here", "And here", "And here"]);
    await ben.post("/api/statuses/destroy", { id: said.id });
    await world.settle();
    expect(await bodies(said.mid, ann, ben, cleo)).toEqual([undefined, undefined, undefined]);
  });

  test("in a private forum as well", async () => {
    const club = await inhabitant(ann.at, "club", "forum_private");
    for (const member of [ben, cleo]) {
      await follows(world, member, club);
      const { abook_id } = (await findConnectionTo(club.at.hub, club.channel.channel_id, member.id))!;
      await approve(club.at.hub, club.channel, abook_id);
    }
    await world.settle();
    const top = await post(club, { body: "For members", public_policy: "contacts" });
    const said = await post(ben, { body: "I am one", parent_mid: top.mid });
    expect(await bodies(said.mid, club, ben, cleo, dora)).toEqual(["I am one", "I am one", "I am one", undefined]);
  });

  test("nobody but the thread's owner says who reads it", async () => {
    const top = await post(ann, { body: "For Ben alone", contact_allow: [ben.id] });
    const said = await post(ben, { body: "Between you and me", parent_mid: top.mid });
    expect(await bodies(said.mid, ann, ben, cleo)).toEqual(["Between you and me", "Between you and me", undefined]);
    const { uuid } = (await copyOf(ben, said.mid))!;
    const owner = (await findXchan(ben.at.hub, { hash: ann.id }))!;
    const forCleo = { for: "named", addresses: [cleo.id], inboxes: [] } as const;
    await receiveHandedBack(ben.at.hub, owner, `${ben.at.url}/activity/${uuid}`, forCleo);
    expect(await bodies(said.mid, cleo)).toEqual([undefined]);
  });
});

describe("what is posted to a forum of elsewhere", () => {
  let board: Inhabitant;
  let guild: Inhabitant;

  beforeAll(async () => {
    [board, guild] = [await inhabitant(ann.at, "board", "forum"), await inhabitant(ann.at, "guild", "forum_private")];
    for (const member of [ben, cleo]) {
      await follows(world, member, board);
      await follows(world, member, guild);
      const { abook_id } = (await findConnectionTo(guild.at.hub, guild.channel.channel_id, member.id))!;
      await approve(guild.at.hub, guild.channel, abook_id);
    }
    await world.settle();
  });

  const forGuild = (): object => ({ contact_allow: [guild.id] });
  const isSaid = (words: string): unknown => expect.stringContaining(words);

  test("reaches its members here, and so does what is said below it", async () => {
    const { mid } = await post(ben, { body: "News for @board" });
    expect(await bodies(mid, board, cleo, dora)).toEqual([isSaid("News"), isSaid("News"), undefined]);
    expect(await copyOf(cleo, mid)).toMatchObject({ owner: board.id, item_private: 0 });
    const home = (await cleo.get("/api/statuses/home_timeline", { count: 20 })).json as { text: string }[];
    expect(home.filter(({ text }) => text.includes("News for"))).toHaveLength(1);
    const said = await post(cleo, { body: "Good news", parent_mid: mid });
    const more = await post(ben, { body: "Very good", parent_mid: said.mid });
    for (const one of [said, more])
      expect(await bodies(one.mid, board, ben, cleo, dora)).toEqual([...Array(3).fill(isSaid("ood")), undefined]);
  });

  test("does so for members alone, where it is for the forum alone, as a thread of the forum", async () => {
    const { mid } = await post(ben, { body: "Among us", ...forGuild() });
    expect(await bodies(mid, guild, ben, cleo, dora)).toEqual(["Among us", "Among us", "Among us", undefined]);
    for (const one of [ben, cleo]) expect(await copyOf(one, mid)).toMatchObject({ owner: guild.id, item_private: 1 });
    const said = await post(cleo, { body: "I am here", parent_mid: mid });
    const more = await post(ben, { body: "As am I", parent_mid: said.mid });
    for (const one of [said, more])
      expect(await bodies(one.mid, guild, ben, cleo, dora)).toEqual([...Array(3).fill(isSaid("am")), undefined]);
    await cleo.post("/api/svc/activity/like.json", { id: (await copyOf(cleo, mid))!.id });
    await world.settle();
    expect(await told(ben)).toContainEqual(["reaction", "Cleo"]);
    const shown = await Promise.all(
      [world.hubs[1]!.anonymous, dora].flatMap((one) =>
        [`/display/${mid}`, `/channel/ben`].map((path) => one.get(path)),
      ),
    );
    for (const { text } of shown) expect(text).not.toMatch(/Among us|am here|am I/);
  });

  test("is what its author makes of it, and goes with them", async () => {
    const top = await post(ben, { body: "First", ...forGuild() });
    const said = await post(cleo, { body: "Second", parent_mid: top.mid });
    world.advance(5);
    await ben.post("/api/z/1.0/item/update", { post_id: top.id, body: "Third" });
    await world.settle();
    expect(await bodies(top.mid, guild, ben, cleo)).toEqual(["Third", "Third", "Third"]);
    await ben.post("/api/statuses/destroy", { id: top.id });
    await world.settle();
    for (const { mid } of [top, said]) expect(await bodies(mid, guild, ben, cleo)).toEqual(Array(3).fill(undefined));
  });

  test("stays with its author alone, when the forum takes it out", async () => {
    const top = await post(ben, { body: "To nobody", ...forGuild() });
    expect(await bodies(top.mid, cleo)).toEqual(["To nobody"]);
    await guild.post("/api/statuses/destroy", { id: (await copyOf(guild, top.mid))!.id });
    await world.settle();
    expect(await bodies(top.mid, guild, ben, cleo)).toEqual([undefined, "To nobody", undefined]);
    expect(await copyOf(ben, top.mid)).toMatchObject({ owner: ben.channel.channel_hash });
  });

  test("for everybody goes from its members when the forum takes it out, and stays with those who have it of its author", async () => {
    await befriend(ben.at.hub, ben.channel, dora.channel);
    const top = await post(ben, { body: "Off topic for @board" });
    const said = await post(cleo, { body: "Indeed", parent_mid: top.mid });
    for (const { mid } of [top, said])
      expect((await bodies(mid, board, ben, cleo, dora)).filter((body) => body === undefined)).toEqual([]);
    await board.post("/api/statuses/destroy", { id: (await copyOf(board, top.mid))!.id });
    await world.settle();
    expect(await bodies(top.mid, board, cleo)).toEqual([undefined, undefined]);
    expect(await bodies(said.mid, cleo)).toEqual([undefined]);
    for (const { mid } of [top, said])
      expect((await bodies(mid, ben, dora)).filter((body) => body === undefined)).toEqual([]);
    expect(await copyOf(ben, top.mid)).toMatchObject({ owner: ben.channel.channel_hash, item_private: 0 });
  });

  test("loses an answer that the forum takes out, for its other members alone", async () => {
    const emma = await inhabitant(ben.at, "emma");
    await follows(world, emma, board);
    const top = await post(ben, { body: "Once more for @board" });
    const said = await post(emma, { body: "Rude", parent_mid: top.mid });
    await cleo.post("/api/svc/activity/like.json", { id: (await copyOf(cleo, said.mid))!.id });
    await world.settle();
    expect(await bodies(said.mid, board, ben, cleo, dora)).toEqual(["Rude", "Rude", "Rude", "Rude"]);
    await board.post("/api/statuses/destroy", { id: (await copyOf(board, said.mid))!.id });
    await world.settle();
    expect(await bodies(said.mid, board, cleo, ben, dora)).toEqual([undefined, undefined, "Rude", "Rude"]);
    expect(await bodies(top.mid, board, cleo)).toEqual(Array.from({ length: 2 }, () => isSaid("Once more")));
    // Whoever wrote it has it, and takes it back for all.
    await emma.post("/api/statuses/destroy", { id: (await copyOf(emma, said.mid))!.id });
    await world.settle();
    expect(await bodies(said.mid, emma, ben, dora)).toEqual([undefined, undefined, undefined]);
  });

  test("does not reach who is no member any more, nor who ignores its author", async () => {
    await follows(world, dora, guild);
    const { abook_id } = (await findConnectionTo(guild.at.hub, guild.channel.channel_id, dora.id))!;
    await approve(guild.at.hub, guild.channel, abook_id);
    await world.settle();
    await dora.post("/api/friendships/destroy", {
      user_id: (await findXchan(dora.at.hub, { hash: guild.id }))!.xchan_id,
    });
    await world.settle();
    await mute(cleo.at.hub, cleo.channel, (await findXchan(cleo.at.hub, { hash: ben.channel.channel_hash }))!);
    const { mid } = await post(ben, { body: "Who is there?", ...forGuild() });
    expect(await bodies(mid, guild, ben, cleo, dora)).toEqual(["Who is there?", "Who is there?", undefined, undefined]);
    await unmute(cleo.at.hub, cleo.channel, ben.channel.channel_hash);
  });

  test("stays its author's, where it is for others as well", async () => {
    const { mid } = await post(ben, { body: "For two", contact_allow: [guild.id, ann.id] });
    expect(await bodies(mid, guild, ann, ben, cleo)).toEqual(["For two", "For two", "For two", undefined]);
    expect(await copyOf(ben, mid)).toMatchObject({ owner: ben.channel.channel_hash });
  });
});
