import type { Item } from "../../../../domain/items/types.ts";
import { reactionEmoji, reactionPicture } from "../../../../domain/items/vocabulary.ts";
import type { User } from "../../../../domain/people/users.ts";
import { emojiUrl } from "../../../../domain/proxy/emoji.ts";
import { html } from "../../html.ts";
import { withoutHost } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";
import { personUrl } from "../channels/person.ts";
import { nameOf } from "../channels/name.ts";
import type { Feed } from "./feed.ts";

/** Verbs in the order in which they are shown. */
const verbs = ["like", "dislike", "attendyes", "attendmaybe", "attendno", "agree", "disagree", "abstain"] as const;

const named = 3;

/** Who thinks what of an item, and who shared it, in words. */
export function reactions(context: PageContext, feed: Feed, item: Item): Html {
  const kinds = feed.reactions.get(item.id) ?? {};
  const lines = verbs.flatMap((name) => {
    const people = kinds[name] ?? [];
    if (people.length === 0) return [];
    // The reader alone is nobody else: "You like this".
    const count = people.length === 1 && people[0] === context.observer.xchanId ? 0 : people.length;
    return [context.say.html(`items.react-${name}`, { people: list(context, feed, people), count })];
  });
  for (const [name, people] of Object.entries(kinds)) {
    const emoji = reactionShown(context, name);
    if (emoji !== undefined && people.length > 0) lines.push(html`${emoji} ${list(context, feed, people)}`);
  }
  lines.push(...sharers(context, feed, item));
  if (lines.length === 0) return html``;
  return html`<ul class="reactions">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** Who shared it where everybody sees that; all of them are listed in place where the line does not name them. */
function sharers(context: PageContext, feed: Feed, item: Item): Html[] {
  const people = (feed.shares.get(item.message_id)?.by ?? []).filter((id) => feed.users.get(id)?.blocking !== true);
  if (people.length === 0) return [];
  const line = context.say.html("items.shared-by", { people: list(context, feed, people) });
  if (people.length <= named) return [line];
  const users = people.flatMap((id) => feed.users.get(id) ?? []);
  return [
    html`<details class="sharers">
      <summary>${line}</summary>
      <ul>
        ${users.map((user) => html`<li><a href="${personUrl(context, user)}">${nameOf(context, user)}</a></li>`)}
      </ul>
    </details>`,
  ];
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
  return user ? nameOf(context, user) : context.say("items.somebody");
}

/** Each name stands by itself, whatever its direction. */
function list(context: PageContext, feed: Feed, ids: number[]): Html {
  const { say } = context;
  const me = context.observer.xchanId;
  const ordered = ids.includes(me) ? [me, ...ids.filter((id) => id !== me)] : ids;
  const shown = ordered.slice(0, ordered.length > named ? named - 1 : named);
  const names = shown.map((id) =>
    id === me ? say("items.you") : html`<bdi>${nameIn(context, feed.users.get(id))}</bdi>`,
  );
  const others = ordered.length - shown.length;
  const [first, second, third] = others > 0 ? [...names, say("items.others", { count: others })] : names;
  if (first && second && third) return say.html("items.three", { first, second, third });
  return first && second ? say.html("items.two", { first, second }) : html`${first}`;
}
