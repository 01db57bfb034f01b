import { emojiName } from "../../../domain/bodies/emoji-names.ts";
import { receiveJoin } from "../../../domain/items/receiving/receive-join.ts";
import { receiveReaction } from "../../../domain/items/receiving/receive-reaction.ts";
import { receiveUndo } from "../../../domain/items/receiving/receive-undo.ts";
import type { ReceivedDeed } from "../../../domain/items/receiving/received.ts";
import { reactionPicture, reactionSet } from "../../../domain/items/vocabulary.ts";
import { keepEmoji } from "../../../domain/proxy/emoji.ts";
import { idOfUnnamed } from "../ids.ts";
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
  const { hub, activity } = incoming;
  const deed = deedOf(incoming);
  if (!deed) return;
  const name = reactionIn(activity);
  const picture = reactionPicture(name);
  if (picture) await keepEmoji(hub, picture.host, activity.emojis, `:${picture.code}:`);
  await receiveReaction(hub, deed, name);
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

type Reacting = Pick<Activity, "type" | "content" | "actor" | "emojis">;

const withEmoji = ["EmojiReact", "Like"];

/** The short name of a reaction. An emoji that is neither known here nor brought along as a picture counts as a like. */
export function reactionIn(reacting: Reacting): string {
  const code = pictureIn(reacting);
  const isBrought = reacting.emojis.some((one) => one.code === code);
  return code === undefined || isBrought ? nameOf(reacting) : "like";
}

/**
 * The same of one that is taken back, with which pictures need not come once more: where there is no such reaction it counted as a like,
 * without its picture.
 */
export function reactionUndone(reacting: Reacting): { reactions: string[]; takenAs?: string } {
  const name = nameOf(reacting);
  return { reactions: [name], ...(reactionPicture(name) && { takenAs: "like" }) };
}

function nameOf(reacting: Reacting): string {
  const { type, content = "", actor } = reacting;
  if (!withEmoji.includes(type)) return reactions[type] ?? "like";
  const emoji = emojiName(content.trim());
  if (emoji !== undefined) return `react#${emoji}`;
  const code = pictureIn(reacting);
  return code === undefined ? "like" : `react#${code}@${new URL(actor).host}`;
}

/** The code of a picture with which somebody reacts. Some say of which host it is, or that it is of their own. */
function pictureIn({ type, content = "" }: Reacting): string | undefined {
  if (!withEmoji.includes(type) || emojiName(content.trim()) !== undefined) return undefined;
  return /^:([\w-]{1,64})(?:@[^\s:]*)?:$/.exec(content.trim())?.[1];
}

/** What somebody does with something, as the domain takes it; undefined where it is not said with what. */
export function deedOf(incoming: Incoming): ReceivedDeed | undefined {
  const { activity, actor, isForwarded, via } = incoming;
  const target = objectIdOf(activity);
  if (target === undefined) return undefined;
  return {
    mid: activity.id ?? idOfUnnamed(activity.actor, incoming.bytes),
    author: actor,
    via: groupAmong(via),
    target,
    published: activity.published,
    document: textOf(incoming),
    isForwarded,
  };
}
