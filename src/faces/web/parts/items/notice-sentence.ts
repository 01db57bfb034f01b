import { reactionEmoji, reactionOf, reactionSentence } from "../../../../domain/items/vocabulary.ts";
import type { NoticeGroup, Quoted } from "../../../../domain/items/timelines/notice-groups.ts";
import type { NoticeKind } from "../../../../domain/notifications/kinds.ts";
import { shorten } from "../shorten.ts";

/** A group of notices in plain words: who, and what they did. `me` is the xchan of the reader. */
export type Story = { who: string; did: string };

export function storyOf(group: NoticeGroup, me: number): Story {
  const { newest } = group;
  if (newest.kind === "worded") return { who: newest.actor.name, did: newest.words.msg };
  return {
    who: newest.kind === "warned" ? "Those who run this hub" : peopleOf(group),
    did: deeds[newest.kind](group, me),
  };
}

/** "Bob", "Bob and Carla", "Bob and 3 others". */
function peopleOf({ newest, people, others }: NoticeGroup): string {
  const { name } = newest.actor;
  const [second] = others;
  if (people === 2 && second) return `${name} and ${second.name}`;
  return people > 1 ? `${name} and ${people - 1} others` : name;
}

/** The beginning of what somebody wrote, as long as lists and mails show of it. */
export function quotedWords(quoted: Quoted | undefined): string {
  return quoted ? shorten(quoted.words, 200) : "";
}

const deeds: Record<NoticeKind, (group: NoticeGroup, me: number) => string> = {
  request: () => "would like to connect with you",
  follower: ({ people }) => `${people > 1 ? "have" : "has"} connected with you`,
  confirmed: () => "has confirmed the connection with you",
  declined: () => "has declined the connection with you",
  wall: () => "wrote a post on your wall",
  post: () => "wrote a post",
  comment: (group, me) =>
    group.people === 1 && group.total > 1
      ? `wrote ${group.total} comments on ${thing(group.about, me)}`
      : `commented on ${thing(group.about, me)}`,
  held: ({ newest: { count } }) =>
    count === 1
      ? "commented on a post; the comment waits for you"
      : `commented on a post; ${count} new comments wait for you`,
  mail: ({ total }) => (total > 1 ? `sent you ${total} messages` : "sent you a message"),
  mention: ({ said }) => `mentioned you in ${said?.isTop === false ? "a comment" : "a post"}`,
  tag: ({ about }, me) => `tagged ${thing(about, me)}`,
  reaction: (group, me) => `${reacts(group)} ${thing(group.about, me)}`,
  share: () => "shared your post",
  edit: () => "edited a post that you answered or shared",
  poll: () => "asked in a poll that has ended",
  "sign-up": () => "would like to join this hub",
  warned: () => "have written to you about your account",
};

/** What is not there any more, or not to be seen, was a post. */
function thing(quoted: Quoted | undefined, me: number): string {
  return `${quoted?.author_id === me ? "your" : "a"} ${quoted?.isTop === false ? "comment" : "post"}`;
}

function reacts({ newest, people }: NoticeGroup): string {
  const name = reactionOf(newest.verb) ?? "";
  if (people === 1) return reactionSentence(name);
  const emoji = reactionEmoji(name);
  return emoji === undefined ? (together[name] ?? "react to") : `react with ${emoji} to`;
}

/** What several people do; what is the same for one is not here. */
const together: Readonly<Record<string, string>> = {
  like: "like",
  dislike: "dislike",
  agree: "agree with",
  disagree: "disagree with",
  abstain: "abstain from a decision on",
  attendyes: "will attend",
  attendno: "will not attend",
  attendmaybe: "may attend",
};
