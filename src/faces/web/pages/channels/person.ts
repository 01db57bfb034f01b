import { mute as beginMute, unmute } from "../../../../domain/connections/connections.ts";
import { itemsOfPerson } from "../../../../domain/items/timelines/items-of-person.ts";
import { pinnedElsewhere } from "../../../../domain/items/timelines/pinned-items.ts";
import { findForeignPerson, refreshLater } from "../../../../domain/people/foreign-person.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { foreignHead } from "../../parts/channels/foreign-head.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { pinnedPart, statusCard } from "../../parts/items/status.ts";
import { beforeOf, threadList } from "../../parts/pager.ts";

const perPage = 20;

/** Somebody of another hub (federation contract 17). */
export const personPages: Page[] = [
  { path: "/person/:id", access: "anybody", get: page },
  { path: "/person/:id/mute", access: "member", post: mute },
];

async function page(context: PageContext): Promise<Response> {
  const { hub, observer, member, params, say } = context;
  const person = await findForeignPerson(hub, observer, idOf(params["id"]));
  if (member) await refreshLater(hub, person);
  const { xchan } = person;
  const place = beforeOf(context);
  const posts = await itemsOfPerson(hub, member?.channel ?? observer, xchan.xchan_id, {
    ...place,
    count: perPage,
  });
  const pinned = member && place.before === undefined ? await pinnedElsewhere(hub, member.channel, xchan) : [];
  const others = posts.items.filter(({ id }) => !pinned.some((item) => item.id === id));
  const feed = await loadFeed(context, [...pinned, ...others]);
  const cards = (items: typeof others): Html[] =>
    items.map((item) => html`<section class="thread">${statusCard(context, feed, item)}</section>`);
  const main = html`${await foreignHead(context, person)}
    <h2 class="unseen">${say("channels.posts-here")}</h2>
    ${pinnedPart(context, cards(pinned))}
    ${posts.items.length === 0 ? html`<p class="empty">${say("channels.person-no-posts")}</p>` : ""}
    ${threadList(context, cards(others), posts.next)}`;
  const preview = () =>
    ({ kind: "profile", description: xchan.xchan_about, url: xchan.xchan_url, unlisted: true }) as const;
  return show(context, { title: xchan.xchan_name, main, preview });
}

async function mute(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, observer, params } = context;
  const { xchan } = await findForeignPerson(hub, observer, idOf(params["id"]));
  if (form.has("mute")) await beginMute(hub, member.channel, xchan);
  else await unmute(hub, member.channel, xchan.xchan_hash);
  return redirect(context, `/person/${xchan.xchan_id}`, form.has("mute") ? "muted" : "unmuted");
}
