import { missing, refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";
import { withoutShared } from "../../bodies/share.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockChannels } from "../../identity/channels/lock-channels.ts";
import { keepLonger } from "../unattached.ts";

/**
 * What a channel has typed into a form and not sent, on whatever device: pages call it a draft. The newest hundred are kept, each
 * for ninety days after its last change.
 */
export type Sketch = {
  /** What the browser calls it. */
  name: string;
  /** The path of the page whose form it is. */
  place: string;
  /** The fields of that form, one entry for each value. */
  fields: readonly (readonly [name: string, value: string])[];
  changed: string;
};

const most = 100;
const lifetime = 90 * 24 * 3600;
const longest = 1_000_000;

/**
 * Keeps a sketch, in the place of the former one of its name, as changed at this moment. Throws invalid for an unusable name,
 * too-large, missing for one that was posted.
 */
export async function keepSketch(
  hub: Hub,
  channel: Channel,
  sketch: Omit<Sketch, "changed">,
  changed = now(hub),
): Promise<void> {
  const { name, place } = sketch;
  if (!isName(name)) throw refusal("sketch_name_wrong");
  const fields = JSON.stringify(sketch.fields);
  if (fields.length > longest) throw refusal("text_too_long");
  const uid = channel.channel_id;
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    if (await wasPosted(hub, channel, name)) throw refusal("sketch_posted");
    const values = { place, fields, changed };
    await hub.db
      .insertInto("sketch")
      .values({ uid, name, created: changed, ...values })
      .onConflict((conflict) => conflict.columns(["uid", "name"]).doUpdateSet(values))
      .execute();
    await dropOldest(hub, uid);
    await keepLonger(hub, uid, mediaOf(sketch), lifetime);
  });
}

function isName(name: string): boolean {
  return /^[\w-]{8,64}$/.test(name);
}

/** Was a sketch of this name posted? */
export async function wasPosted(hub: Hub, { channel_id }: Channel, name: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("posted_sketch")
    .select("name")
    .where("uid", "=", channel_id)
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined;
}

async function dropOldest(hub: Hub, uid: number): Promise<void> {
  const newest = hub.db
    .selectFrom("sketch")
    .select("id")
    .where("uid", "=", uid)
    .orderBy("changed", "desc")
    .orderBy("id", "desc");
  const others = await newest.offset(most).limit(most).execute();
  for (const { id } of others) await hub.db.deleteFrom("sketch").where("id", "=", id).execute();
}

/** Media that were uploaded for it. */
function mediaOf({ fields }: Pick<Sketch, "fields">): number[] {
  return fields.flatMap(([name, value]) => (name === "media_id" && /^\d{1,15}$/.test(value) ? [Number(value)] : []));
}

/** The sketches of a channel, the one that was changed last first. */
export async function listSketches(hub: Hub, { channel_id }: Channel): Promise<Sketch[]> {
  const rows = await hub.db
    .selectFrom("sketch")
    .select(["name", "place", "fields", "changed"])
    .where("uid", "=", channel_id)
    .orderBy("changed", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return rows.map(sketchOf);
}

/** One of them; undefined for what is not there, or somebody else's. */
export async function findSketch(hub: Hub, { channel_id }: Channel, name: string): Promise<Sketch | undefined> {
  const row = await hub.db
    .selectFrom("sketch")
    .select(["name", "place", "fields", "changed"])
    .where("uid", "=", channel_id)
    .where("name", "=", name)
    .executeTakeFirst();
  return row && sketchOf(row);
}

/** Drops a sketch, as its owner wishes. Throws missing. */
export async function dropSketch(hub: Hub, { channel_id }: Channel, name: string): Promise<void> {
  if (!(await inTransaction(hub, (hub) => removeSketch(hub, channel_id, name)))) throw missing("Draft");
}

/** The same once it has been posted: what comes of it later is not kept. */
export async function closeSketch(hub: Hub, { channel_id }: Channel, name: string): Promise<void> {
  if (!isName(name)) return;
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel_id]);
    await removeSketch(hub, channel_id, name);
    await hub.db
      .insertInto("posted_sketch")
      .values({ uid: channel_id, name, posted: now(hub) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Was it there? */
async function removeSketch(hub: Hub, uid: number, name: string): Promise<boolean> {
  const { numDeletedRows } = await hub.db
    .deleteFrom("sketch")
    .where("uid", "=", uid)
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Puts the mark in the place of a post that is gone, where this person has a text open that shares it. Part of a transaction. */
export async function emptySketches(hub: Hub, xchanId: number, mid: string): Promise<void> {
  const sketches = await hub.db
    .selectFrom("sketch")
    .innerJoin("channel", "channel.channel_id", "sketch.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["sketch.id", "sketch.fields"])
    .where("xchan.xchan_id", "=", xchanId)
    .where("sketch.fields", "like", "%[share%")
    .execute();
  for (const { id, fields } of sketches) {
    const emptied = storedJson<Sketch["fields"]>(fields).map(([name, value]) => [
      name,
      withoutShared(value, new Set([mid])),
    ]);
    await hub.db
      .updateTable("sketch")
      .set({ fields: JSON.stringify(emptied) })
      .where("id", "=", id)
      .execute();
  }
}

/** The regular job: sketches that nobody has touched for long go, and what is known of those that were posted. */
export async function trimSketches(hub: Hub): Promise<void> {
  const end = momentIn(hub, -lifetime * 1000);
  await inTransaction(hub, async (hub) => {
    await hub.db.deleteFrom("sketch").where("changed", "<", end).execute();
    await hub.db.deleteFrom("posted_sketch").where("posted", "<", end).execute();
  });
}

function sketchOf({ fields, ...row }: Omit<Sketch, "fields"> & { fields: string }): Sketch {
  return { ...row, fields: storedJson<Sketch["fields"]>(fields) };
}
