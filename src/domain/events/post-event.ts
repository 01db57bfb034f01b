import { setObject } from "../items/change-message.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { editItem } from "../items/posting/edit.ts";
import { findByRemoteId } from "../items/metadata.ts";
import { postItem } from "../items/posting/post.ts";
import type { Draft, Edit, Item } from "../items/types.ts";
import { objectTypes, objectTypeUri } from "../items/vocabulary.ts";
import { columnsOf } from "./draft.ts";
import type { EventDraft } from "./draft.ts";
import { calendarFileOf, eventObject } from "../items/event-item.ts";
import { changeEntries } from "./change-entries.ts";
import { entryOf } from "./find.ts";
import { eventLists, newHash } from "./save.ts";
import { certain } from "../../errors.ts";

/**
 * Posts an item; one of type event whose body has the tags of an event gets its event record, so that it is the same as
 * an event from the calendar.
 */
export async function postItemOrEvent(hub: Hub, channel: Channel, draft: Draft): Promise<Item> {
  const event = isEvent(draft) ? readTags(draft.body) : undefined;
  if (!event) return postItem(hub, channel, draft);
  const event_hash = newHash(hub);
  return inTransaction(hub, async (hub) => {
    const columns = await columnsOf(hub, { ...event, summary: event.summary || draft.title || "Event" });
    const content = { ...columns, event_hash };
    const author = certain(await findXchan(hub, { id: channel.xchan_id }), "xchan");
    const item = await postItem(hub, channel, {
      ...draft,
      body: withId(draft.body, content.event_hash),
      title: draft.title || columns.summary,
      obj: eventObject(hub, content, author),
      attach: JSON.stringify([calendarFileOf(hub, content)]),
      resourceType: "event",
      resourceId: content.event_hash,
    });
    await hub.db
      .insertInto("event")
      .values({
        ...content,
        ...eventLists(channel, item),
        aid: channel.channel_account_id,
        uid: channel.channel_id,
        event_xchan: channel.channel_hash,
        created: now(hub),
        edited: now(hub),
      })
      .execute();
    return item;
  });
}

/** Changes an item; when it stands for an event of the channel, the event changes with it. */
export async function editItemOrEvent(hub: Hub, channel: Channel, id: number, edit: Edit): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await editItem(hub, channel, id, edit);
    const event = item.resource_type === "event" ? readTags(item.body) : undefined;
    const known = event && (await entryOf(hub, channel.channel_id, item.resource_id));
    if (!event || known?.event_xchan !== channel.channel_hash) return item;
    const kept = { repeat: known.event_repeat, vdata: known.event_vdata };
    const columns = await columnsOf(hub, { ...kept, ...event, summary: event.summary || item.title }, known);
    const author = certain(await findXchan(hub, { id: channel.xchan_id }), "xchan");
    const obj = eventObject(hub, { ...columns, event_hash: known.event_hash }, author);
    await setObject(hub, item.message_id, { obj });
    await changeEntries(hub, channel, known.event_hash, columns);
    return { ...item, obj };
  });
}

/**
 * Stores what stands for a thing of another service: the channel has one item for it, which is made by the first call
 * and edited by every other, however close together they come.
 */
export async function storeRemote(
  hub: Hub,
  channel: Channel,
  draft: Draft & { namespace: string; remoteId: string },
  edit: Edit,
): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const known = await findByRemoteId(hub, channel.channel_id, draft.namespace, draft.remoteId);
    return known === undefined ? postItemOrEvent(hub, channel, draft) : editItemOrEvent(hub, channel, known, edit);
  });
}

/** A new thread in bbcode by the channel itself, on its own wall. */
function isEvent(draft: Draft): boolean {
  return (
    objectTypeUri(draft.objType ?? "") === objectTypes.event &&
    !draft.parent &&
    draft.wall === undefined &&
    draft.remoteXchan === undefined &&
    !draft.itemType &&
    (draft.mimetype ?? "text/bbcode") === "text/bbcode"
  );
}

/** The event that a body describes; undefined when it does not say when. */
function readTags(body: string): EventDraft | undefined {
  const tag = (name: string): string => {
    const [, rest = ""] = splitOnce(body, new RegExp(`\\[event-${name}\\]`, "i"));
    const [inside, behind] = splitOnce(rest, new RegExp(`\\[/event-${name}\\]`, "i"));
    return behind === undefined ? "" : inside.trim();
  };
  const [start, finish] = [stored(tag("start")), stored(tag("finish"))];
  if (start === "") return undefined;
  return {
    summary: tag("summary"),
    description: tag("description"),
    location: tag("location"),
    dtstart: start,
    ...(finish >= start && { dtend: finish }),
    adjust: tag("adjust") !== "0",
  };
}

/** The text before and behind the first match; all of it and undefined where there is none. */
function splitOnce(text: string, mark: RegExp): [before: string, behind: string | undefined] {
  const found = mark.exec(text);
  if (!found) return [text, undefined];
  return [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

function stored(date: string): string {
  const [, day, clock = "00:00", seconds = ":00"] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(:\d\d)?)?$/.exec(date) ?? [];
  return day === undefined ? "" : `${day} ${clock}${seconds}`;
}

function withId(body: string, hash: string): string {
  const bare = body.replace(/\[event-id\][^[]*\[\/event-id\]/gi, "").trimEnd();
  return `${bare}\n[event-id]${hash}[/event-id]`;
}
