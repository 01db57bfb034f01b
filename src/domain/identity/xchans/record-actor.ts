import { refusal, certain } from "../../../errors.ts";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { addJob } from "../../../jobs/queue.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { avatarUrls } from "./avatar-urls.ts";
import type { ActorField, ForeignActor } from "./foreign-actor.ts";
import { storedJson } from "../../../stored-json.ts";
import { checkActor } from "./foreign-actor.ts";
import { letFollowersAnswer } from "./followers-answer.ts";
import { comparableId } from "./foreign-ids.ts";
import { recordActorKeys } from "./actor-keys.ts";
import { findXchan } from "./xchans.ts";
import type { Xchan } from "./xchans.ts";

/**
 * Writes what the document of an actor says, read from its own address: identity, location, where it is reached, and its keys.
 * Whatever has been told about this id before gives way. New pictures are copied by the job `fetch-avatar`. Part of a
 * transaction; `meetActor` begins one. Throws invalid.
 */
export async function recordActor(hub: Hub, described: ForeignActor): Promise<Xchan> {
  const actor = checkActor(hub, described);
  const known = await findActor(hub, actor.id);
  const hash = known?.actor_id ?? actor.id;
  const xchanId = await writeXchan(hub, hash, actor);
  await writeLocation(hub, hash, actor);
  await writeActor(hub, hash, xchanId, { ...actor, fields: marked(actor.fields, known?.fields ?? "") });
  await letFollowersAnswer(hub, hash, actor.letsFollowersAnswer);
  await recordActorKeys(hub, hash, actor.keys);
  if (actor.picture !== (known?.picture ?? "")) await changePicture(hub, xchanId, actor.picture);
  if (actor.cover !== (known?.cover ?? "")) await fetchPicture(hub, { xchan: xchanId, url: actor.cover, use: "cover" });
  return certain(await findXchan(hub, { id: xchanId }), "xchan");
}

type Known = { actor_id: string; picture: string; cover: string; fields: string };

/** The actor with this id, however its scheme and host are spelled. */
async function findActor(hub: Hub, id: string): Promise<Known | undefined> {
  return hub.db
    .selectFrom("actor")
    .select(["actor_id", "picture", "cover", "fields"])
    .where("compared", "=", comparableId(id))
    .executeTakeFirst();
}

/** What has not changed keeps what was found out about it. */
function marked(fields: readonly ActorField[], former: string): ActorField[] {
  const known = former === "" ? [] : storedJson<ActorField[]>(former);
  return fields.map((field) => known.find(({ name, value }) => name === field.name && value === field.value) ?? field);
}

async function writeXchan(hub: Hub, hash: string, actor: ForeignActor): Promise<number> {
  const channel = hub.db.selectFrom("channel").select("channel_id").where("channel_hash", "=", hash);
  if (await channel.executeTakeFirst()) throw refusal("address_is_ours");
  const moment = now(hub);
  const nobody = avatarUrls(hub, 0);
  const columns = {
    xchan_guid: hash,
    xchan_guid_sig: "",
    xchan_pubkey: actor.keys.find(({ kind }) => kind === "rsa")?.key ?? "",
    xchan_addr: actor.address,
    xchan_url: actor.url,
    xchan_connurl: "",
    xchan_follow: actor.follow,
    xchan_connpage: "",
    xchan_instance_url: new URL(hash).origin,
    xchan_network: "activitypub",
    xchan_name: actor.name,
    xchan_about: actor.about,
    xchan_emoji: actor.emoji?.join(" ") ?? "",
    xchan_hidden: actor.discoverable ? 0 : 1,
    xchan_selfcensored: actor.sensitive ? 1 : 0,
    xchan_system: actor.type === "Application" ? 1 : 0,
    xchan_pubforum: actor.type === "Group" ? 1 : 0,
    xchan_orphan: 0,
    xchan_deleted: 0,
    xchan_hearsay: 0,
  };
  const { xchan_id } = await hub.db
    .insertInto("xchan")
    .values({
      ...columns,
      xchan_hash: hash,
      xchan_photo_mimetype: "image/png",
      xchan_photo_l: nobody.l,
      xchan_photo_m: nobody.m,
      xchan_photo_s: nobody.s,
      xchan_photo_date: moment,
      xchan_name_date: moment,
      xchan_created: moment,
    })
    .onConflict((conflict) =>
      conflict.column("xchan_hash").doUpdateSet((eb) => ({
        ...columns,
        xchan_name_date: eb
          .case()
          .when("xchan.xchan_name", "=", actor.name)
          .then(eb.ref("xchan.xchan_name_date"))
          .else(moment)
          .end(),
      })),
    )
    .returning("xchan_id")
    .executeTakeFirstOrThrow();
  return xchan_id;
}

/** The record that exports and the native API show; nothing is decided by it. */
async function writeLocation(hub: Hub, hash: string, actor: ForeignActor): Promise<void> {
  const { origin, host } = new URL(hash);
  const columns = {
    hubloc_guid: hash,
    hubloc_addr: actor.address,
    hubloc_host: host,
    hubloc_callback: actor.inbox,
    hubloc_network: "activitypub",
    hubloc_primary: 1,
    hubloc_deleted: 0,
    hubloc_updated: now(hub),
    hubloc_connected: now(hub),
  };
  const { numUpdatedRows } = await hub.db
    .updateTable("hubloc")
    .set(columns)
    .where("hubloc_hash", "=", hash)
    .where("hubloc_url", "=", origin)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await hub.db
    .insertInto("hubloc")
    .values({ ...columns, hubloc_hash: hash, hubloc_url: origin })
    .execute();
}

async function writeActor(hub: Hub, hash: string, xchanId: number, actor: ForeignActor): Promise<void> {
  const columns = {
    xchan_id: xchanId,
    type: actor.type,
    inbox: actor.inbox,
    host: new URL(hash).host,
    shared_inbox: actor.sharedInbox,
    outbox: actor.outbox,
    followers: actor.followers,
    following: actor.following,
    featured: actor.featured,
    also_known_as: JSON.stringify(actor.alsoKnownAs),
    attributed_to: actor.attributedTo ?? "",
    moved_to: actor.movedTo,
    picture: actor.picture,
    cover: actor.cover,
    fields: actor.fields.length === 0 ? "" : JSON.stringify(actor.fields),
    manually_approves: actor.manuallyApproves ? 1 : 0,
    followers_answer: actor.letsFollowersAnswer ? 1 : 0,
    fetched: now(hub),
    updated: actor.updated,
    subjects: actor.subjects?.join(" ") ?? "",
    identity: actor.identity ?? "",
    gone: zeroDate,
  };
  await hub.db
    .insertInto("actor")
    .values({ ...columns, actor_id: hash, compared: comparableId(hash) })
    .onConflict((conflict) => conflict.column("compared").doUpdateSet(columns))
    .execute();
}

/** One after the other, so that an older picture never takes the place of a newer one. */
function fetchPicture(hub: Hub, payload: JobPayload<"fetch-avatar">): Promise<void> {
  return addJob(hub, "fetch-avatar", payload, { lane: `avatar ${payload.xchan}` });
}

async function changePicture(hub: Hub, xchan: number, url: string): Promise<void> {
  if (url !== "") return fetchPicture(hub, { xchan, url });
  const { l, m, s } = avatarUrls(hub, 0);
  await hub.db
    .updateTable("xchan")
    .set({ xchan_photo_l: l, xchan_photo_m: m, xchan_photo_s: s, xchan_photo_date: now(hub) })
    .where("xchan_id", "=", xchan)
    .execute();
}
