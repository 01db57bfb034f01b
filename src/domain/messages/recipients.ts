import { sql } from "kysely";
import type { SelectQueryBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { isNotAtBlockedHost } from "../connections/blocked-hosts.ts";
import { amongByName, firstByName } from "../connections/by-name.ts";
import type { PeopleQuery } from "../connections/by-name.ts";
import type { Person } from "../connections/connections.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { allowed } from "../permissions/allowed.ts";

/** Approved connections of the channel that take messages from it, and those of other hubs, by name; `more` says that these are not all. */
export function listRecipients(
  hub: Hub,
  channel: Channel,
  query: PeopleQuery,
): Promise<{ people: Person[]; more: boolean }> {
  return firstByName(hub, recipientsOf(hub, channel), query);
}

/** Those of these people, by hash, who are such connections. */
export function recipientsAmong(hub: Hub, channel: Channel, hashes: readonly string[]): Promise<Person[]> {
  return amongByName(hub, recipientsOf(hub, channel), hashes);
}

function recipientsOf(hub: Hub, channel: Channel): SelectQueryBuilder<Tables, "abook" | "xchan", Person> {
  const takesMail = allowed(observerOf(channel), "post_mail", sql.ref<number>("channel.channel_id"));
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .leftJoin("channel", "channel_hash", "abook_xchan")
    .leftJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select(["abook_id", "xchan_hash", "xchan_name", "xchan_addr", "xchan_photo_s"])
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_self", "=", 0)
    .where("abook_pending", "=", 0)
    .where("abook_blocked", "=", 0)
    .where("abook_unconnected", "=", 0)
    .where("abook_archived", "=", 0)
    .where(isNotAtBlockedHost(channel.channel_id))
    .where((x) =>
      x.or([
        x.and([x("channel_removed", "=", 0), takesMail]),
        x.and([x("actor.id", ">", 0), x("xchan_deleted", "=", 0)]),
      ]),
    );
}
