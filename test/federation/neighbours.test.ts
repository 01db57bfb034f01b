import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { mute } from "../../src/domain/connections/connections.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
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
