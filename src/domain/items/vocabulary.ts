import { emojiName, emojiNamed } from "../bodies/emoji-names.ts";
import { recordOf } from "../../record-of.ts";

/** Verbs and object types of native contract 4.1: short name to URI. */

const activity = "http://activitystrea.ms/schema/1.0/";
const zot = "http://purl.org/zot/activity/";

function uris<const Name extends string>(base: string, names: readonly Name[]): Record<Name, string> {
  return recordOf(names, (name) => base + name);
}

export const verbs = {
  ...uris(activity, ["post", "update", "share", "like", "tag", "favorite", "follow", "create"]),
  ...uris(activity, ["join", "win", "lose", "tie", "complete"]),
  ...uris(zot, ["dislike", "agree", "disagree", "abstain", "attendyes", "attendno", "attendmaybe"]),
  ...uris(zot, ["react", "poke", "mood"]),
  unfollow: `${activity}stop-following`,
  friend: `${activity}make-friend`,
  request: `${activity}request-friend`,
  unfriend: `${activity}remove-friend`,
};

export const objectTypes = {
  ...uris(activity, ["note", "comment", "photo", "event", "person", "activity", "group", "game", "wiki", "article"]),
  ...uris(zot, ["tagterm", "profile", "thing", "location", "file", "card", "heart"]),
  "profile photo": `${activity}profile-photo`,
  "profile-photo": `${activity}profile-photo`,
  album: `${activity}photo-album`,
  "photo-album": `${activity}photo-album`,
};

const verbUris = new Map(Object.entries(verbs));
const objectTypeUris = new Map(Object.entries(objectTypes));

/** The URI of a verb given by its short name, which may carry a detail (`react#heart`); anything else stays as it is. */
export function verbUri(verb: string): string {
  const [name = ""] = verb.split("#", 1);
  const uri = verbUris.get(name);
  return uri === undefined ? verb : uri + verb.slice(name.length);
}

/** The URI of an object type given by its short name; anything else stays as it is. */
export function objectTypeUri(type: string): string {
  return objectTypeUris.get(type) ?? type;
}

/** What one can say to a post that asks for a decision. */
export const consensusNames = ["agree", "disagree", "abstain"] as const;

/** Reactions that a person gives once, in sets whose members exclude one another. */
const reactionSets: readonly (readonly string[])[] = [
  ["like"],
  ["dislike"],
  ["attendyes", "attendno", "attendmaybe"],
  consensusNames,
];

const reactionByUri = new Map(reactionSets.flat().map((name) => [verbUri(name), name]));
const emojiUri = `${verbUri("react")}#`;

/** The short name of a reaction verb given by its URI, if it is one: `like`, `react#heart`. */
export function reactionOf(uri: string): string | undefined {
  const known = reactionByUri.get(uri);
  if (known !== undefined || !uri.startsWith(emojiUri)) return known;
  return `react#${uri.slice(emojiUri.length)}`;
}

/** The short name of the reaction with an emoji that somebody has chosen or typed; undefined for what is no emoji. */
export function reactionWith(emoji: string): string | undefined {
  const name = emojiName(emoji);
  return name === undefined ? undefined : `react#${name}`;
}

/** The emoji that a reaction of that kind shows; undefined for other reactions and unknown emoji. */
export function reactionEmoji(name: string): string | undefined {
  return name.startsWith("react#") ? emojiNamed(name.slice(6)) : undefined;
}

const pictured = /^react#([\w-]{1,64})@([^\s@/#]{1,255})$/;

/** The picture that a reaction of that kind shows: its code, and the host that has it; undefined for all others. */
export function reactionPicture(name: string): { code: string; host: string } | undefined {
  const [, code, host] = pictured.exec(name) ?? [];
  return code === undefined || host === undefined ? undefined : { code, host };
}

/** The reactions of which a person gives an item one at a time; undefined when it is no reaction. */
export function reactionSet(name: string): readonly string[] | undefined {
  return (
    reactionSets.find((members) => members.includes(name)) ??
    (reactionEmoji(name) || reactionPicture(name) ? [name] : undefined)
  );
}

/** How a reaction reads: "X likes a post". */
export function reactionSentence(name: string): string {
  const picture = reactionPicture(name);
  const emoji = picture ? `:${picture.code}:` : reactionEmoji(name);
  return emoji === undefined ? (reactionSentences[name] ?? "reacts to") : `reacts with ${emoji} to`;
}

const reactionSentences: Readonly<Record<string, string>> = {
  like: "likes",
  dislike: "dislikes",
  agree: "agrees with",
  disagree: "disagrees with",
  abstain: "abstains from a decision on",
  attendyes: "will attend",
  attendno: "will not attend",
  attendmaybe: "may attend",
};

/** Types of terms. */
export const termTypes = {
  unknown: 0,
  hashtag: 1,
  mention: 2,
  category: 3,
  privateCategory: 4,
  file: 5,
  search: 6,
  bookmark: 8,
  communityTag: 10,
} as const;

/** Why an item is kept back (`item_blocked`). */
export const blockedAs = { byOwner: 2, held: 4 } as const;
