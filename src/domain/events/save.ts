import { setObject } from "../items/change-message.ts";
import { randomBytes } from "node:crypto";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { listsOf, ownerOnly } from "../files/lists.ts";
import type { Lists } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { editItem } from "../items/posting/edit.ts";
import { findOwnItem } from "../items/find.ts";
import { postItem } from "../items/posting/post.ts";
import type { Draft, Item } from "../items/types.ts";
import { columnsOf } from "./draft.ts";
import type { EventColumns, EventDraft } from "./draft.ts";
import { calendarFileOf, eventBody, eventObject } from "../items/event-item.ts";
import type { EventContent } from "../items/event-item.ts";
import { changeEntries } from "./change-entries.ts";
import { madeEvent, messageOfEvent, ownEvent } from "./find.ts";
import type { CalendarEvent } from "./types.ts";
import { certain } from "../../errors.ts";
import type { Listed } from "../identity/records/name-successor.ts";

/**
 * Stores an event of the channel, or changes the one of this hash, together with its item. A shared event keeps its
 * audience, as every post does. Throws invalid, denied, missing, too-large.
 */
export async function saveEvent(hub: Hub, channel: Channel, draft: EventDraft, hash?: string): Promise<CalendarEvent> {
  const fresh = newHash(hub);
  return inTransaction(hub, async (hub) =>
    hash === undefined
      ? addEvent(hub, channel, draft, fresh)
      : changeEvent(hub, channel, draft, await madeEvent(hub, channel, hash)),
  );
}

/** The name of a new event. */
export function newHash(hub: Hub): string {
  return `${randomBytes(32).toString("hex")}@${hub.config.host}`;
}

/** Stores a new event under this name. Inside a transaction. */
export async function addEvent(hub: Hub, channel: Channel, draft: EventDraft, hash: string): Promise<CalendarEvent> {
  const columns = await columnsOf(hub, draft);
  const item = draft.share && (await share(hub, channel, { ...columns, event_hash: hash }, draft.share));
  return hub.db
    .insertInto("event")
    .values({
      ...columns,
      ...eventLists(channel, item),
      aid: channel.channel_account_id,
      uid: channel.channel_id,
      event_xchan: channel.channel_hash,
      event_hash: hash,
      created: now(hub),
      edited: now(hub),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Others who have it in their calendars see the change as well. */
async function changeEvent(
  hub: Hub,
  channel: Channel,
  draft: EventDraft,
  former: CalendarEvent,
): Promise<CalendarEvent> {
  const columns = await columnsOf(hub, draft, former);
  const content = { ...columns, event_hash: former.event_hash };
  const item = await itemOf(hub, channel, former);
  if (item) await changeItem(hub, channel, item, content);
  const shared = !item && draft.share ? await share(hub, channel, content, draft.share) : undefined;
  await changeEntries(hub, channel, former.event_hash, columns);
  if (shared) await hub.db.updateTable("event").set(eventLists(channel, shared)).where("id", "=", former.id).execute();
  return ownEvent(hub, channel.channel_id, former.event_hash);
}

async function share(
  hub: Hub,
  channel: Channel,
  content: EventColumns & EventContent,
  audience: Pick<Draft, "audience" | "publicPolicy">,
): Promise<Item> {
  const author = certain(await findXchan(hub, { id: channel.xchan_id }), "xchan");
  return postItem(hub, channel, {
    body: eventBody(content),
    title: content.summary,
    objType: "event",
    obj: eventObject(hub, content, author),
    attach: JSON.stringify([calendarFileOf(hub, content)]),
    resourceType: "event",
    resourceId: content.event_hash,
    ...audience,
  });
}

async function changeItem(hub: Hub, channel: Channel, item: Item, content: EventContent): Promise<void> {
  const author = certain(await findXchan(hub, { id: channel.xchan_id }), "xchan");
  await editItem(hub, channel, item.id, { body: eventBody(content), title: content.summary });
  const object = { obj: eventObject(hub, content, author), attach: JSON.stringify([calendarFileOf(hub, content)]) };
  await setObject(hub, item.message_id, object);
}

/** The channel's own copy of the item; undefined for an event that is not shared. */
export async function itemOf(hub: Hub, channel: Channel, event: CalendarEvent): Promise<Item | undefined> {
  const message = await messageOfEvent(hub, event);
  const item = message && (await findOwnItem(hub, channel.channel_id, { uuid: message.uuid }));
  return item?.item_deleted === 0 ? item : undefined;
}

/** The lists of an event are those of its item; without one it is its maker's alone. */
export function eventLists(channel: Channel, item: Item | undefined): Lists {
  return item ? listsOf(item) : ownerOnly(channel);
}

/**
 * Deletes an event of the channel for everybody, its thread included; one that somebody else made leaves the channel's
 * calendar only. Throws missing.
 */
export async function deleteEvent(hub: Hub, channel: Channel, hash: string): Promise<CalendarEvent> {
  return inTransaction(hub, async (hub) => {
    const event = await ownEvent(hub, channel.channel_id, hash);
    const item = event.event_xchan === channel.channel_hash ? await itemOf(hub, channel, event) : undefined;
    // Whatever deletes the item of an event deletes the event (items/tombstones.ts).
    if (item) await deleteItem(hub, channel, { id: item.id });
    await hub.db.deleteFrom("event").where("id", "=", event.id).execute();
    return event;
  });
}

/** Hides an entry of the channel's calendar there, or shows it again. Throws missing. */
export async function setDismissed(hub: Hub, channel: Channel, hash: string, dismissed: boolean): Promise<void> {
  const event = await ownEvent(hub, channel.channel_id, hash);
  await hub.db
    .updateTable("event")
    .set({ dismissed: dismissed ? 1 : 0 })
    .where("id", "=", event.id)
    .execute();
}

/** Who sees events. */
export const listedEvents: Listed = { table: "event", id: "id", uid: "uid" };
