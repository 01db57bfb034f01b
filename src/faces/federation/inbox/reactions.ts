import { createHash } from "node:crypto";
import { emojiName } from "../../../domain/bodies/emoji-names.ts";
import { receiveReaction } from "../../../domain/items/receiving/receive-reaction.ts";
import type { ReceivedDeed } from "../../../domain/items/receiving/received.ts";
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
