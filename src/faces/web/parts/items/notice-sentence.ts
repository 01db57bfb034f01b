import { plainText } from "../../../../domain/bodies/plain-text.ts";
import { reactionEmoji, reactionOf, reactionPicture } from "../../../../domain/items/vocabulary.ts";
import type { NoticeGroup, Quoted } from "../../../../domain/items/timelines/notice-groups.ts";
import type { NoticeKind } from "../../../../domain/notifications/kinds.ts";
import { html } from "../../html.ts";
import type { Markup } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html } from "../../page.ts";
import { shorten } from "../shorten.ts";

/** A group of notices in a sentence: who, and what they did. `me` is the xchan of the reader. */
export function noticeSentence(say: Say, group: NoticeGroup, me: number): Html {
  const { newest, people } = group;
  if (newest.kind === "worded") return html`<strong>${newest.actor.name}</strong> ${newest.words.msg}`;
  return sentences[newest.kind](say, { who: peopleOf(say, group), people, thing: thing(say, group.about, me) }, group);
}

type Told = { who: string; people: number; thing: string };

/** Each takes of what is told what its sentence has. */
const sentences: Record<NoticeKind, (say: Say, told: Told, group: NoticeGroup) => Html> = {
  request: (say, { who }) => say.html("items.told-request", { who }),
  follower: (say, { who, people }) => say.html("items.told-follower", { who, people }),
  confirmed: (say, { who }) => say.html("items.told-confirmed", { who }),
  declined: (say, { who }) => say.html("items.told-declined", { who }),
  wall: (say, { who }) => say.html("items.told-wall", { who }),
  post: (say, { who, people }) => say.html("items.told-post", { who, people }),
  comment: (say, { who, people, thing }, { total }) =>
    people === 1 && total > 1
      ? say.html("items.told-comments", { who, thing, total })
      : say.html("items.told-comment", { who, people, thing }),
  held: (say, { who }, { newest: { count } }) => say.html("items.told-held", { who, count }),
  mail: (say, { who }, { total }) => say.html("items.told-mail", { who, total }),
  mention: (say, { who, people }, { said }) =>
    say.html(said?.isTop === false ? "items.told-mention-comment" : "items.told-mention-post", { who, people }),
  tag: (say, told) => say.html("items.told-tag", told),
  reaction: (say, told, group) => reactionTold(say, told, group),
  share: (say, { who, people }) => say.html("items.told-share", { who, people }),
  edit: (say, { who }) => say.html("items.told-edit", { who }),
  poll: (say, { who }) => say.html("items.told-poll", { who }),
  stranger: (say, { who }) => say.html("items.told-stranger", { who }),
  "sign-up": (say, { who }) => say.html("items.told-sign-up", { who }),
  report: (say, { who }) => say.html("items.told-report", { who }),
  "webhook-off": (say) => say.html("items.told-webhook-off"),
  warned: (say, { who }) => say.html("items.told-warned", { who }),
};

/** The same as plain text: nothing in the sentence has to be waited for. */
export function plainNoticeSentence(say: Say, group: NoticeGroup, me: number): string {
  return plainText((noticeSentence(say, group, me) as Markup).toString(), "label");
}

/** "Bob", "Bob and Carla", "Bob and 3 others". */
function peopleOf(say: Say, { newest, people, others }: NoticeGroup): string {
  if (newest.kind === "warned") return say("items.tell-those-who-run");
  const { name } = newest.actor;
  if (newest.kind === "report" && name === "") return say("items.tell-another-hub");
  const [second] = others;
  if (people === 2 && second) return say("items.two", { first: name, second: second.name });
  return people > 1 ? say("items.tell-others", { name, count: people - 1 }) : name;
}

/** The beginning of what somebody wrote, as long as lists and mails show of it. */
export function quotedWords(quoted: Quoted | undefined): string {
  return quoted ? shorten(quoted.words, 200) : "";
}

/** What is not there any more, or not to be seen, was a post. */
function thing(say: Say, quoted: Quoted | undefined, me: number): string {
  const isComment = quoted?.isTop === false;
  if (quoted?.author_id === me) return say(isComment ? "items.thing-your-comment" : "items.thing-your-post");
  return say(isComment ? "items.thing-comment" : "items.thing-post");
}

const reactionNames = [
  "like",
  "dislike",
  "agree",
  "disagree",
  "abstain",
  "attendyes",
  "attendno",
  "attendmaybe",
] as const;

function reactionTold(say: Say, told: Told, { newest }: NoticeGroup): Html {
  const name = reactionOf(newest.verb) ?? "";
  const known = reactionNames.find((one) => one === name);
  if (known) return say.html(`items.told-react-${known}`, told);
  const picture = reactionPicture(name);
  const emoji = picture ? `:${picture.code}:` : reactionEmoji(name);
  return emoji === undefined
    ? say.html("items.told-react-other", told)
    : say.html("items.told-react-emoji", { ...told, emoji });
}
