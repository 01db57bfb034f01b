import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../test/support/actors.ts";
import { openTestApp } from "../../test/support/app.ts";
import type { TestApp } from "../../test/support/app.ts";
import { arrivesIn } from "../../test/support/incoming.ts";
import { recordArrival } from "../domain/delivery/arrivals.ts";
import { connect, mute } from "../domain/connections/connections.ts";
import { sendMessage } from "../domain/messages/send.ts";
import { meetActor } from "../domain/peers/meet-actor.ts";
import { findPeer, recordPeer } from "../domain/peers/peers.ts";
import { usages } from "../domain/photos/types.ts";
import { jobs } from "./table.ts";

/** What federation leaves behind goes in the end: each rule by the regular job that has it (federation contract 1.6). */

let world: TestApp;

beforeAll(async () => {
  world = await openTestApp({ fetch: () => Promise.resolve(new Response("", { status: 503 })) });
});
afterAll(() => world.close());

const days = (count: number): void => world.hub.advance(count * 24 * 3600);
const runs = (kind: "purge-tombstones" | "trim-actors" | "trim-peers" | "trim-queues"): Promise<void> =>
  jobs[kind](world.hub, {});

test("what came from elsewhere, 30 days after it took effect", async () => {
  const { hub } = world;
  const alma = await world.person("alma");
  const signer = actorOf("ann").id;
  const ids = async () => {
    const arrivals = await hub.db.selectFrom("inbox_activity").select("activity_id").execute();
    const recipients = await hub.db.selectFrom("inbox_recipient").select("channel_id").execute();
    return [arrivals.length, recipients.length];
  };
  const bytes = Buffer.from(JSON.stringify({ id: `${signer}/1`, type: "Flag", actor: signer, object: "https://a.b/" }));
  const arrived = { activityId: `${signer}/1`, signer, scheme: "cavage", bytes, objectId: "https://a.b/" };
  await recordArrival(hub, { ...arrived, recipients: [alma.channel.channel_id] });
  days(31);
  await runs("trim-queues");
  expect(await ids()).toEqual([1, 1]);
  await world.work();
  days(29);
  await runs("trim-queues");
  expect(await ids()).toEqual([1, 1]);
  days(2);
  await runs("trim-queues");
  expect(await ids()).toEqual([0, 0]);
});

test("hubs of whom nothing was heard for a year, unless somebody there is known", async () => {
  const { hub } = world;
  await meetActor(hub, actorOf("ann"));
  await recordPeer(hub, "far.example");
  await recordPeer(hub, "silent.example");
  days(364);
  await runs("trim-peers");
  expect(await findPeer(hub, "silent.example")).toBeDefined();
  days(2);
  await runs("trim-peers");
  expect([await findPeer(hub, "silent.example"), (await findPeer(hub, "far.example"))?.host]).toEqual([
    undefined,
    "far.example",
  ]);
});

test("keys that nobody has used, or that were given up, after 90 days and the week in which they count as fresh", async () => {
  const { hub } = world;
  const [ida, ivo] = [actorOf("ida"), actorOf("ivo")];
  for (const actor of [ida, ivo]) await meetActor(hub, actor);
  const keys = async () => {
    const rows = await hub.db.selectFrom("actor_key").select("owner").orderBy("owner").execute();
    return rows.map(({ owner }) => owner).filter((owner) => [ida.id, ivo.id].includes(owner));
  };
  days(50);
  await meetActor(hub, ivo);
  days(46);
  await runs("trim-peers");
  expect(await keys()).toEqual([ida.id, ivo.id]);
  days(2);
  await runs("trim-peers");
  expect(await keys()).toEqual([ivo.id]);
  await meetActor(hub, { ...ivo, keys: [] });
  days(91);
  await runs("trim-peers");
  expect(await keys()).toEqual([]);
});

test("people of elsewhere with whom nobody has to do, with keys and pictures, 90 days after they were seen", async () => {
  const { hub } = world;
  const gus = await world.person("gus");
  const [followed, muted, wrote, told, nobody] = await Promise.all(
    ["followed", "muted", "wrote", "told", "nobody"].map((nick) => meetActor(hub, actorOf(nick))),
  );
  const group = await meetActor(hub, actorOf("group", { type: "Group" }));
  await connect(hub, gus.channel, followed!);
  await mute(hub, gus.channel, muted!);
  await gus.post("/api/z/1.0/item/update", { body: "Something" });
  const { id: _, ...message } = await hub.db
    .selectFrom("message")
    .selectAll()
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const mid = `${wrote!.xchan_hash}/notes/1`;
  await hub.db
    .insertInto("message")
    .values({ ...message, mid, uuid: "trimmed", author_id: wrote!.xchan_id })
    .execute();
  await sendMessage(hub, gus.channel, { to: told!.xchan_hash, body: "Hello" });
  await hub.db
    .insertInto("photo")
    .values({
      aid: 0,
      uid: 0,
      xchan: nobody!.xchan_hash,
      resource_id: "picture",
      blob: "b",
      created: "",
      edited: "",
      imgscale: 4,
      photo_usage: usages.connection,
    })
    .execute();
  const left = async () => {
    const actors = await hub.db.selectFrom("actor").select("actor_id").execute();
    const keys = await hub.db.selectFrom("actor_key").select("owner").execute();
    const ids = [...actors.map(({ actor_id: id }) => id), ...keys.map(({ owner }) => owner)];
    const all = [followed, muted, wrote, told, nobody, group];
    return all.map((one) => ids.filter((id) => id === one!.xchan_hash).length);
  };
  days(89);
  await runs("trim-actors");
  expect(await left()).toEqual([2, 2, 2, 2, 2, 2]);
  days(2);
  await runs("trim-actors");
  expect(await left()).toEqual([2, 2, 2, 2, 0, 2]);
  expect(await hub.db.selectFrom("photo").select("id").where("resource_id", "=", "picture").execute()).toEqual([]);
  // A name is left, and whoever comes again is the same person.
  expect((await meetActor(hub, actorOf("nobody"))).xchan_id).toBe(nobody!.xchan_id);
  expect(await left()).toEqual([2, 2, 2, 2, 2, 2]);
});

test("what was written elsewhere, with all that is kept of it, after its tombstone; its id after two years, own ones never", async () => {
  const { hub } = world;
  const bea = await world.person("bea");
  const { xchan_hash: carla } = await meetActor(hub, actorOf("carla"));
  const note = {
    id: `${carla}/notes/1`,
    type: "Note",
    attributedTo: carla,
    content: "<p>Soon gone</p>",
    to: [`http://hub.example/channel/${bea.nick}`],
    cc: [`${carla}/followers`],
  };
  const arrives = arrivesIn(hub);
  await arrives({ id: `${note.id}/create`, type: "Create", actor: carla, to: note.to, cc: note.cc, object: note }, [
    bea.channel,
  ]);
  const own = (await bea.post("/api/z/1.0/item/update", { body: "Mine" })).json.item as { id: number; mid: string };
  await world.work();
  const left = async () => {
    const documents = await hub.db.selectFrom("foreign_document").select("message_id").execute();
    const addressed = await hub.db.selectFrom("addressed_to").select("message_id").execute();
    const deleted = await hub.db.selectFrom("deleted_id").select("id").orderBy("id").execute();
    return [documents.length > 0, addressed.length > 0, deleted.map(({ id }) => id)];
  };
  expect(await left()).toEqual([true, true, []]);
  await arrives({ id: `${note.id}/delete`, type: "Delete", actor: carla, object: note.id });
  await bea.post("/api/statuses/destroy", { id: own.id });
  await world.work();
  const both = [own.mid, note.id].toSorted();
  for (let time = 0; time < 3; time++) {
    days(40);
    await runs("purge-tombstones");
  }
  expect(await left()).toEqual([false, false, both]);
  days(2 * 366);
  await runs("purge-tombstones");
  expect(await left()).toEqual([false, false, [own.mid]]);
});

test("that something was taken back before it came", async () => {
  const { hub } = world;
  const moment = (ago: number) =>
    new Date(hub.clock().getTime() - ago * 24 * 3600_000).toISOString().slice(0, 19).replace("T", " ");
  await hub.db
    .insertInto("taken_back")
    .values([
      { id: "https://far.example/likes/old", moment: moment(800) },
      { id: "https://far.example/likes/new", moment: moment(0) },
    ])
    .execute();
  await runs("purge-tombstones");
  expect(await hub.db.selectFrom("taken_back").select("id").execute()).toEqual([
    { id: "https://far.example/likes/new" },
  ]);
});
