import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { unwantedBy } from "../connections/unwanted.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { may } from "../permissions/may.ts";
import { profileFor } from "./visible-profile.ts";
import { cutPage } from "../../storage/key-page.ts";

export type VisibleConnection = Pick<
  Xchan,
  | "xchan_id"
  | "xchan_hash"
  | "xchan_name"
  | "xchan_addr"
  | "xchan_url"
  | "xchan_photo_l"
  | "xchan_photo_m"
  | "xchan_name_date"
> & { abook_id: number };

export type VisibleConnections = { connections: VisibleConnection[]; next: number | undefined };

/** May the observer see whom the channel is connected with? (`view_contacts`, and the profile that it sees does not hide them) */
export async function showsConnections(hub: Hub, observer: Observer, channel: Channel): Promise<boolean> {
  const uid = channel.channel_id;
  if (observer.channelId === uid) return true;
  if (!(await may(hub, observer, "view_contacts", uid))) return false;
  return (await profileFor(hub, observer, uid)).hide_friends === 0;
}

/**
 * Those connections of the channel that others see, the newest first, `next` to go on after: approved ones without
 * hidden, blocked, ignored and archived ones and people who are listed nowhere. `since`: only newer connections, and with
 * `upwards` those right after it. Throws missing for an observer who may not see them.
 */
export async function listVisibleConnections(
  hub: Hub,
  observer: Observer,
  channel: Channel,
  {
    before,
    since,
    upwards = false,
    count,
  }: { before?: number | undefined; since?: number | undefined; upwards?: boolean; count: number },
): Promise<VisibleConnections> {
  if (!(await showsConnections(hub, observer, channel))) throw missing("Channel");
  let query = shown(hub, channel.channel_id)
    .select([
      "abook_id",
      "xchan_id",
      "xchan_hash",
      "xchan_name",
      "xchan_addr",
      "xchan_url",
      "xchan_photo_l",
      "xchan_photo_m",
    ])
    .select("xchan_name_date")
    .orderBy("abook_id", upwards ? "asc" : "desc")
    .limit(count + 1);
  if (before !== undefined) query = query.where("abook_id", "<", before);
  if (since !== undefined) query = query.where("abook_id", ">", since);
  const rows = await query.execute();
  const { page: connections, next } = cutPage(rows, count, (row) => row.abook_id);
  // Of what stands below a page that was found upwards it is only known that it begins there.
  return upwards ? { connections: connections.toReversed(), next: connections[0]?.abook_id } : { connections, next };
}

/** Whose posts the channel receives, or who receives the channel's. */
export type Following = "follow_out" | "follow_in";

/** Somebody by the nick of their channel here, or by their id as an actor of elsewhere. */
export type Follow = { nick: string; actor: null } | { nick: null; actor: string };

/** Those among them who are connected in that way and whom other hubs can name, the newest connection first. */
export async function listVisibleFollows(
  hub: Hub,
  channel: Channel,
  direction: Following,
  { before = Number.MAX_SAFE_INTEGER, count }: { before?: number | undefined; count: number },
): Promise<{ people: Follow[]; next: number | undefined }> {
  const rows = await shown(hub, channel.channel_id)
    .leftJoin("channel", "channel_hash", "xchan_hash")
    .leftJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select(["abook_id", "channel_address", "actor_id"])
    .where(direction, "=", "accepted")
    .where((x) => x.or([x("channel_id", "is not", null), x("actor.id", "is not", null)]))
    .where("abook_id", "<", before)
    .orderBy("abook_id", "desc")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.abook_id);
  const people = page.flatMap(({ channel_address: nick, actor_id: actor }): Follow[] =>
    nick !== null ? [{ nick, actor: null }] : actor !== null ? [{ nick, actor }] : [],
  );
  return { people, next };
}

/** How many they are. */
export async function countVisibleConnections(hub: Hub, channel: Channel): Promise<number> {
  const { total } = await shown(hub, channel.channel_id)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}

function shown(hub: Hub, uid: number) {
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", 0)
    .where("abook_pending", "=", 0)
    .where("abook_hidden", "=", 0)
    .where(sql<SqlBool>`xchan.xchan_id not in (${unwantedBy(uid)})`)
    .where("abook_archived", "=", 0)
    .where("xchan_hidden", "=", 0)
    .where("xchan_censored", "=", 0)
    .where("xchan_deleted", "=", 0);
}
