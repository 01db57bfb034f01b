import { html } from "hono/html";
import type { Item } from "../../../../domain/items/types.ts";
import { reactionEmoji, reactionPicture } from "../../../../domain/items/vocabulary.ts";
import type { User } from "../../../../domain/people/users.ts";
import { emojiUrl } from "../../../../domain/proxy/emoji.ts";
import { withoutHost } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";
import { nameOf } from "../channels/name.ts";
import type { Feed } from "./feed.ts";

/** Verbs in the order in which they are shown: for one person, and for several. */
const words: readonly (readonly [name: string, one: string, several: string])[] = [
  ["like", "likes this", "like this"],
  ["dislike", "dislikes this", "dislike this"],
  ["attendyes", "will come", "will come"],
  ["attendmaybe", "may come", "may come"],
  ["attendno", "will not come", "will not come"],
  ["agree", "agrees", "agree"],
  ["disagree", "disagrees", "disagree"],
  ["abstain", "abstains", "abstain"],
];

const named = 3;

/** Who thinks what of an item, in words. */
export function reactions(context: PageContext, feed: Feed, item: Item): Html {
  const kinds = feed.reactions.get(item.id);
  if (!kinds) return html``;
  const lines = words.flatMap(([name, one, several]) => {
    const people = kinds[name] ?? [];
    return people.length === 0
      ? []
      : [html`${list(context, feed, people)} ${people.length === 1 ? forOne(context, people, one) : several}`];
  });
  for (const [name, people] of Object.entries(kinds)) {
    const emoji = reactionShown(context, name);
    if (emoji !== undefined && people.length > 0) lines.push(html`${emoji} ${list(context, feed, people)}`);
  }
  if (lines.length === 0) return html``;
  return html`<ul class="reactions">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** The emoji of a reaction, as a character or a picture; undefined for those that are words. */
export function reactionShown({ hub }: PageContext, name: string): Html | string | undefined {
  const picture = reactionPicture(name);
  if (!picture) return reactionEmoji(name);
  const { code, host } = picture;
  const address = withoutHost(hub.config.baseUrl, emojiUrl(hub, host, code));
  return html`<img class="emoji" src="${address}" alt=":${code}:" title=":${code}:" />`;
}

function nameIn(context: PageContext, user: User | undefined): Html | string {
  return user ? nameOf(context, user) : "Somebody";
}

/** "You like this", not "You likes this". */
function forOne(context: PageContext, people: number[], words: string): string {
  return people[0] === context.observer.xchanId ? words.replace(/s( this)?$/, "$1") : words;
}

/** Each name stands by itself, whatever its direction. */
function list(context: PageContext, feed: Feed, ids: number[]): Html {
  const me = context.observer.xchanId;
  const ordered = ids.includes(me) ? [me, ...ids.filter((id) => id !== me)] : ids;
  const shown = ordered.slice(0, ordered.length > named ? named - 1 : named);
  const names = shown.map((id) => (id === me ? "You" : html`<bdi>${nameIn(context, feed.users.get(id))}</bdi>`));
  const others = ordered.length - shown.length;
  const [first, second, third] = others > 0 ? [...names, `${others} others`] : names;
  if (third) return html`${first}, ${second} and ${third}`;
  return second ? html`${first} and ${second}` : html`${first}`;
}
