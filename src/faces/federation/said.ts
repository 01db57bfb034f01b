import { isPureShare } from "../../domain/bodies/share.ts";
import { findEvent } from "../../domain/events/events.ts";
import type { Observer } from "../../domain/identity/channels/observer.ts";
import type { WrittenHere } from "../../domain/items/timelines/written-here.ts";
import { reactionOf } from "../../domain/items/vocabulary.ts";
import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { objectOf } from "./present/object.ts";

/**
 * The object of what somebody said, in the form in which each of those who read it gets it; undefined where nothing was said:
 * by a reaction, or a share as it is. What belongs to it is looked at with the observer's eyes.
 */
export async function renderSaid(
  hub: Hub,
  observer: Observer,
  written: WrittenHere,
): Promise<((readers: readonly string[]) => object) | undefined> {
  const { item } = written;
  if (reactionOf(item.verb) !== undefined) return undefined;
  if (item.shared_id > 0 && isPureShare(item.body)) return undefined;
  const isEvent = item.resource_type === "event";
  const found = isEvent ? await unlessMissing(findEvent(hub, observer, item.resource_id)) : undefined;
  return (readers) => objectOf(hub, readers, written, found?.event);
}
