import { sql } from "kysely";
import { missing, refusal, unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { layOutAnyhow } from "../bodies/texts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { readEventObject } from "../items/event-item.ts";
import type { EventContent } from "../items/event-item.ts";
import { findVisibleItem } from "../items/find.ts";
import type { Item } from "../items/types.ts";
import type { CalendarEvent } from "./types.ts";

/** An event with the item that people comment on; an event that is not shared has none. */
export type EventView = { event: CalendarEvent; item: Item | undefined };

/**
 * The event of this hash as the observer may see it: an entry of the own calendar, or what its maker has shared, here or
 * elsewhere, as far as the maker's lists and `view_stream` let the observer see its item. Throws missing, alike for unknown and for
 * unseen ones.
 */
export async function findEvent(hub: Hub, observer: Observer, hash: string): Promise<EventView> {
  const own = observer.channelId > 0 ? await entryOf(hub, observer.channelId, hash) : undefined;
  const event = own ?? (await madeHere(hub, hash));
  if (!event) return findElsewhere(hub, observer, hash);
  const item = await visibleItem(hub, observer, event);
  if (!own && !item) throw missing("Event");
  return { event, item };
}

/** An entry of the channel's own calendar. Throws missing. */
export async function ownEvent(hub: Hub, uid: number, hash: string): Promise<CalendarEvent> {
  const event = await entryOf(hub, uid, hash);
  if (!event) throw missing("Event");
  return event;
}

/** An entry that the channel made itself. Throws missing, and denied for somebody else's. */
export async function madeEvent(hub: Hub, channel: Channel, hash: string): Promise<CalendarEvent> {
  const event = await ownEvent(hub, channel.channel_id, hash);
  if (event.event_xchan !== channel.channel_hash) throw refusal("not_your_event");
  return event;
}

/** The entry of this hash in the calendar of a channel. */
export function entryOf(hub: Hub, uid: number, hash: string): Promise<CalendarEvent | undefined> {
  return hub.db
    .selectFrom("event")
    .selectAll()
    .where("uid", "=", uid)
    .where("event_hash", "=", hash)
    .executeTakeFirst();
}

/** The entry with this number in the calendar of a channel. Throws missing. */
export async function numberedEntry(hub: Hub, uid: number, id: number): Promise<CalendarEvent> {
  const event = await hub.db
    .selectFrom("event")
    .selectAll()
    .where("uid", "=", uid)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!event) throw missing("Event");
  return event;
}

/** The first entries of a channel's own calendar with numbers above this one, in their order. */
export function entriesAfter(hub: Hub, uid: number, since: number, count: number): Promise<CalendarEvent[]> {
  return hub.db
    .selectFrom("event")
    .selectAll()
    .where("uid", "=", uid)
    .where("id", ">", since)
    .orderBy("id")
    .limit(count)
    .execute();
}

/** The maker's own record: what others have noted of it in their calendars is nobody else's business. */
function madeHere(hub: Hub, hash: string): Promise<CalendarEvent | undefined> {
  return hub.db
    .selectFrom("event")
    .innerJoin("channel", (join) =>
      join.onRef("channel.channel_id", "=", "event.uid").onRef("channel.channel_hash", "=", "event.event_xchan"),
    )
    .selectAll("event")
    .where("event.event_hash", "=", hash)
    .where("channel.channel_removed", "=", sql.lit(0))
    .orderBy("event.id")
    .executeTakeFirst();
}

/** What somebody of another hub has posted is in no calendar here by itself: its item says it all. Throws missing. */
async function findElsewhere(hub: Hub, observer: Observer, hash: string): Promise<EventView> {
  const message = await hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .innerJoin("actor", "actor.xchan_id", "message.author_id")
    .select(["message.uuid", "xchan.xchan_hash"])
    .where("message.resource_id", "=", hash)
    .where("message.resource_id", "<>", sql.lit(""))
    .where("message.resource_type", "=", sql.lit("event"))
    .where("message.version", "=", sql.lit(0))
    .where("message.item_verified", "=", sql.lit(1))
    .executeTakeFirst();
  if (!message) throw missing("Event");
  const item = await findVisibleItem(hub, observer, { uuid: message.uuid });
  const content = readEventObject(item.obj, hash);
  if (!content) throw missing("Event");
  return { event: await entryFor(hub, content, message.xchan_hash, item), item };
}

/** What would stand in a calendar. */
async function entryFor(hub: Hub, content: EventContent, event_xchan: string, item: Item): Promise<CalendarEvent> {
  const { html } = await layOutAnyhow(hub, content.description, "text/bbcode");
  return {
    ...content,
    html,
    event_xchan,
    id: 0,
    aid: 0,
    uid: 0,
    cal_id: 0,
    etype: "event",
    dismissed: 0,
    created: item.created,
    edited: item.edited,
    allow_cid: "",
    allow_gid: "",
    deny_cid: "",
    deny_gid: "",
    event_status: "",
    event_status_date: zeroDate,
    event_percent: 0,
    event_sequence: 0,
    event_priority: 0,
    event_repeat: "",
    event_vdata: "",
  };
}

async function visibleItem(hub: Hub, observer: Observer, event: CalendarEvent): Promise<Item | undefined> {
  const message = await messageOfEvent(hub, event);
  if (!message) return undefined;
  return unlessMissing(findVisibleItem(hub, observer, { mid: message.mid }));
}

/** The message that stands for the event: only its maker's, whatever others have written about the same hash. */
export function messageOfEvent(
  hub: Hub,
  event: CalendarEvent,
): Promise<{ id: number; mid: string; uuid: string } | undefined> {
  return hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .select(["message.id", "message.mid", "message.uuid"])
    .where("message.resource_id", "=", event.event_hash)
    .where("message.resource_id", "<>", sql.lit(""))
    .where("message.resource_type", "=", sql.lit("event"))
    .where("message.version", "=", sql.lit(0))
    .where("xchan.xchan_hash", "=", event.event_xchan)
    .orderBy("message.item_verified", "desc")
    .orderBy("message.id", "desc")
    .executeTakeFirst();
}
