import { createHash } from "node:crypto";
import { emojiName } from "../../../domain/bodies/emoji-names.ts";
import { receiveJoin } from "../../../domain/items/receiving/receive-join.ts";
import { receiveReaction } from "../../../domain/items/receiving/receive-reaction.ts";
import { receiveUndo } from "../../../domain/items/receiving/receive-undo.ts";
import type { ReceivedDeed } from "../../../domain/items/receiving/received.ts";
import { reactionSet } from "../../../domain/items/vocabulary.ts";
import type { Activity } from "../translate/activity.ts";
import { groupAmong } from "./group-of.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt, Effect, Incoming } from "./incoming.ts";
import { textOf } from "./posts-in.ts";

/** The reactions that activities are, by their types (federation contract 4.3). */
const reactions: Readonly<Record<string, string>> = {
  Like: "like",
  Dislike: "dislike",
  Accept: "attendyes",
  Reject: "attendno",
  TentativeAccept: "attendmaybe",
  Join: "attendyes",
};

/** Somebody likes or dislikes something, or reacts with an emoji. */
export const react: Effect = async (incoming) => {
  const deed = deedOf(incoming);
  if (deed) await receiveReaction(incoming.hub, deed, reactionIn(incoming.activity));
};

/** Somebody answers the invitation to an event. */
export const attend: Attempt = async (incoming) => {
  await react(incoming);
  return true;
};

/** Somebody joins an event, in the words of those who manage events (federation contract 4.3). */
export const join: Effect = async (incoming) => {
  const deed = deedOf(incoming);
  if (deed) await receiveJoin(incoming.hub, deed);
};

/** They leave it: whatever they have answered is taken back. */
export const leave: Effect = async ({ hub, activity, actor }) => {
  const target = objectIdOf(activity);
  await receiveUndo(hub, actor, {
    id: undefined,
    what: { reactions: reactionSet("attendyes")! },
    target,
    document: "",
  });
};

/** The short name of a reaction. An emoji that is not known here counts as a like. */
export function reactionIn({ type, content }: Pick<Activity, "type" | "content">): string {
  const emoji = type === "EmojiReact" || type === "Like" ? emojiName(content?.trim() ?? "") : undefined;
  return emoji === undefined ? (reactions[type] ?? "like") : `react#${emoji}`;
}

/** What somebody does with something, as the domain takes it; undefined where it is not said with what. */
export function deedOf(incoming: Incoming): ReceivedDeed | undefined {
  const { activity, actor, via } = incoming;
  const target = objectIdOf(activity);
  if (target === undefined) return undefined;
  const named = createHash("sha256").update(incoming.bytes).digest("hex");
  return {
    mid: activity.id ?? `${activity.actor}#${named}`,
    author: actor,
    via: groupAmong(via),
    target,
    published: activity.published,
    document: textOf(incoming),
  };
}
