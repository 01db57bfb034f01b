import { html } from "hono/html";
import { isClosed } from "../../../../domain/items/posting/close-comments.ts";
import { followingOf } from "../../../../domain/items/posting/follow.ts";
import type { Item } from "../../../../domain/items/types.ts";
import type { Html, PageContext } from "../../page.ts";
import { back, token } from "../forms.ts";
import { icon } from "../icons.ts";

/** What a member decides about a thread as a whole: its notices, and as its owner whether it takes comments. */
export async function threadTools(context: PageContext, items: Item[]): Promise<Html> {
  const { hub, member } = context;
  const top = items[0];
  if (!member || !top) return html``;
  const me = member.channel;
  const own = top.uid === me.channel_id;
  const said = own ? await followingOf(hub, me, top.id) : undefined;
  const takesPart = top.owner_id === me.xchan_id || items.some((item) => item.author_id === me.xchan_id);
  const told = said === undefined ? takesPart : said === "follow";
  const closed = isClosed(hub, top);
  return html`<form class="thread-tools" method="post" action="/item/${top.id}/act" aria-label="This thread">
    ${token(context)}${back(context)}
    <button class="act" name="act" value="${told ? "unfollow" : "follow"}">
      ${icon("bell")} ${told ? "Stop notices of this thread" : "Get notices of this thread"}
    </button>
    ${own && top.owner_id === me.xchan_id ? html`<button class="act" name="act" value="${closed ? "open" : "close"}">${icon(closed ? "reply" : "lock")} ${closed ? "Take comments again" : "Close for comments"}</button>` : ""}
  </form>`;
}
