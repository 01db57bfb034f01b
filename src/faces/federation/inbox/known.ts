import { isThreadOf, ownersOf } from "../../../domain/items/receiving/owners.ts";
import type { Named } from "../../../domain/items/receiving/owners.ts";
import type { Hub } from "../../../hub.ts";
import type { Known } from "../authority.ts";
import { idsOf } from "../ids.ts";
import { isRequest } from "../interactions.ts";
import type { Activity } from "../translate/activity.ts";
import { objectIdOf } from "./incoming.ts";
import { isAboutPins } from "./pins.ts";

/** What the tables say of the ids in an activity. */
export async function knownOf(hub: Hub, activity: Activity): Promise<Known> {
  const object = objectIdOf(activity);
  const { author, threadOwner } = object === undefined ? {} : await ownersOf(hub, object);
  // What somebody posted to a group, and what is said below it, is in a thread of their own to them, and in the group's to its members (decision 176).
  const isTakenOut =
    activity.type === "Delete" &&
    object !== undefined &&
    author !== undefined &&
    idOf(hub, author) !== activity.actor &&
    (await isThreadOf(hub, object, activity.actor));
  const asking = isRequest(activity.type) ? await authorOf(hub, activity.instruments[0]) : undefined;
  const aboutPins = await isAboutPins(hub, activity);
  return {
    origin: new URL(hub.config.baseUrl).origin,
    owner: author && idOf(hub, author),
    threadOwner: isTakenOut ? activity.actor : threadOwner && idOf(hub, threadOwner),
    askingOwner: asking && idOf(hub, asking),
    // What is taken out of a thread is known by the thread.
    ...(activity.type === "Remove" && threadOwner && { targetOwner: idOf(hub, threadOwner) }),
    ...(aboutPins && { targetOwner: activity.actor }),
  };
}

async function authorOf(hub: Hub, member: Activity["instruments"][number] | undefined): Promise<Named | undefined> {
  const id = typeof member === "string" ? member : member?.id;
  return id === undefined ? undefined : (await ownersOf(hub, id)).author;
}

function idOf(hub: Hub, person: Named): string {
  return "nick" in person ? idsOf(hub, person.nick).actor : person.hash;
}
