import { mostNamed } from "../../../domain/items/timelines/status-context.ts";
import type { People, UserObject } from "../people/present-user.ts";

export type Reactions = Readonly<Record<string, readonly number[]>>;

export type Activities = Record<"like" | "dislike" | "attendyes" | "attendno" | "attendmaybe", UserObject[]>;

/** Who reacted how: exactly five keys, each an array of user objects (microblog contract 7.3). */
export function presentActivities(reactions: Reactions | undefined, people: People): Activities {
  return {
    like: usersOf(reactions?.["like"], people),
    dislike: usersOf(reactions?.["dislike"], people),
    attendyes: usersOf(reactions?.["attendyes"], people),
    attendno: usersOf(reactions?.["attendno"], people),
    attendmaybe: usersOf(reactions?.["attendmaybe"], people),
  };
}

/** The alias copy, which also names who reshared. */
export function withAnnouncers(activities: Activities, sharers: readonly number[] | undefined, people: People): object {
  return { ...activities, announce: usersOf(sharers, people) };
}

function usersOf(ids: readonly number[] | undefined, people: People): UserObject[] {
  return ids ? ids.slice(0, mostNamed).map((id) => people(id)) : [];
}
