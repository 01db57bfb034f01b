import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findRow } from "../../src/domain/connections/rows.ts";
import { signingAs } from "../../src/faces/federation/retrieve/signing-as.ts";
import { follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** Two hubs that know different things about who follows whom find that out, and mend it (federation contract 1.5). */

let world: TestHubs;
let ann: Inhabitant;
let ben: Inhabitant;
let bea: Inhabitant;
let round = 0;

beforeAll(async () => {
  world = await openHubs(3);
});
afterAll(() => world.close());

beforeEach(async () => {
  round += 1;
  const [here, there] = world.hubs as [(typeof world.hubs)[0], (typeof world.hubs)[0]];
  [ann, ben, bea] = await Promise.all([
    inhabitant(here, `ann${round}`),
    inhabitant(there, `ben${round}`),
    inhabitant(there, `bea${round}`),
  ]);
  await follows(world, ben, ann);
  await follows(world, bea, ann);
  world.advance(2 * 24 * 3600);
});

const rowOf = (one: Inhabitant, other: Inhabitant) => findRow(one.at.hub, one.channel.channel_id, other.id);

async function loses(one: Inhabitant, other: Inhabitant): Promise<void> {
  await one.at.hub.db
    .deleteFrom("abook")
    .where("abook_channel", "=", one.channel.channel_id)
    .where("abook_xchan", "=", other.id)
    .execute();
}

async function post(words: Record<string, string> = { public_policy: "contacts" }): Promise<void> {
  ann.at.received.length = 0;
  await ann.post("/api/z/1.0/item/update", { body: "To all who follow", ...words });
  await world.settle();
}

const compared = () => ann.at.received.filter(({ path }) => path.endsWith("/synchronization")).length;

test("nothing is asked for where both know the same, nor by what is for everybody", async () => {
  await post();
  await loses(ann, ben);
  world.advance(3601);
  await post({});
  expect(compared()).toBe(0);
  expect((await rowOf(ben, ann))?.follow_out).toBe("accepted");
});

test("a follow that the other side has lost ends, for that one alone", async () => {
  await loses(ann, ben);
  await post();
  expect(compared()).toBe(1);
  expect([(await rowOf(ben, ann))?.follow_out, (await rowOf(bea, ann))?.follow_out]).toEqual([undefined, "accepted"]);
});

test("a follow whose end got lost ends on the other side too", async () => {
  await loses(ben, ann);
  await post();
  expect(await rowOf(ann, ben)).toBeUndefined();
  expect((await rowOf(ann, bea))?.follow_in).toBe("accepted");
});

test("a yes that got lost is heard", async () => {
  await ben.at.hub.db
    .updateTable("abook")
    .set({ follow_out: "requested" })
    .where("abook_channel", "=", ben.channel.channel_id)
    .where("abook_xchan", "=", ann.id)
    .execute();
  await post();
  expect((await rowOf(ben, ann))?.follow_out).toBe("accepted");
});

test("it is compared once a day at most", async () => {
  await loses(ann, ben);
  await post();
  await ben.post("/api/friendships/create", { user_id: await idOfAnn() });
  await world.settle();
  await loses(ann, ben);
  world.advance(3601);
  await post();
  expect([compared(), (await rowOf(ben, ann))?.follow_out]).toEqual([0, "accepted"]);
  world.advance(24 * 3600);
  await post();
  expect([compared(), await rowOf(ben, ann)]).toEqual([1, undefined]);
});

const idOfAnn = async () => {
  const rows = ben.at.hub.db.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", ann.id);
  return (await rows.executeTakeFirstOrThrow()).xchan_id;
};

test("each host reads its own people there, and nobody else anything", async () => {
  const url = `${ann.at.url}/followers/${ann.nick}/synchronization`;
  const accept = { accept: "application/activity+json" };
  const asked = async (hub: (typeof world.hubs)[0], who?: Inhabitant) => {
    const signing = await signingAs(hub.hub, who?.channel, "cavage");
    const answer = await hub.hub.fetch(url, { headers: accept, ...signing });
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    return [answer.status, ((await answer.json()) as { orderedItems?: string[] }).orderedItems?.toSorted()];
  };
  const [, there, third] = world.hubs as [(typeof world.hubs)[0], (typeof world.hubs)[0], (typeof world.hubs)[0]];
  for (const who of [ben, undefined]) expect(await asked(there, who)).toEqual([200, [bea.id, ben.id].toSorted()]);
  expect(await asked(third)).toEqual([200, []]);
  expect((await fetch(url, { headers: accept })).status).toBe(401);
});
