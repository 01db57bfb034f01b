import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { approve, findConnectionTo, mute, unmute } from "../../src/domain/connections/connections.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { receiveHandedBack } from "../../src/domain/items/receiving/handed-back.ts";
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
    const { uuid } = (await ben.get("/api/z/1.0/item", { mid: said.mid })).json;
    const owner = (await findXchan(ben.at.hub, { hash: ann.id }))!;
    await receiveHandedBack(ben.at.hub, owner, `${ben.at.url}/activity/${uuid}`, [cleo.id]);
    expect(await bodies(said.mid, cleo)).toEqual([undefined]);
  });
});
