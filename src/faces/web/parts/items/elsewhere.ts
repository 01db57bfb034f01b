import { fetchMissing, isFetchable, threadFetchOf } from "../../../../domain/items/receiving/thread-fetch.ts";
import type { ThreadFetch } from "../../../../domain/items/receiving/thread-fetch.ts";
import { recountLater } from "../../../../domain/items/recount-later.ts";
import { countElsewhere } from "../../../../domain/items/timelines/answers-elsewhere.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import { time } from "../times.ts";
import type { Feed } from "./feed.ts";

/** What a page says of a thread of another hub (federation contract 17). */
export type Elsewhere = {
  /** Where it is at home. */
  plink: string;
  /** How many answers there are here, and how many its own hub says that there are. */
  here: number;
  claimed: number;
  /** What members are told of its answers being fetched. */
  fetch: ThreadFetch | undefined;
  mayFetch: boolean;
};

/** Undefined for threads of this hub. Of a thread that a member opens for the first time, what is missing is fetched. */
export async function threadElsewhere(context: PageContext, feed: Feed, top: Item): Promise<Elsewhere | undefined> {
  const { hub, member } = context;
  const owner = feed.users.get(top.owner_id);
  if (owner?.xchan_network !== "activitypub" || !/^https?:\/\//i.test(top.plink)) return undefined;
  const claimed = (await countElsewhere(hub, top.message_id)) ?? 0;
  const here = feed.comments.get(top.id) ?? 0;
  const known = { plink: top.plink, here, claimed };
  if (!member || !(await isFetchable(hub, top))) return { ...known, fetch: undefined, mayFetch: false };
  await recountLater(hub, [top]);
  const before = await threadFetchOf(hub, top.message_id);
  if (!before && claimed > here) await fetchMissing(hub, member.channel, { id: top.id });
  const fetch = before ?? (await threadFetchOf(hub, top.message_id));
  return { ...known, fetch, mayFetch: !fetch || fetch.isOver };
}

/** Where a thread of another hub is at home, and how much of it may not be here. */
export function elsewhereNote(context: PageContext, thread: Elsewhere | undefined): Html {
  if (!thread) return html``;
  const { plink, here, claimed, fetch } = thread;
  const { say } = context;
  const missing = claimed > here ? `${say("items.answers-here", { here, claimed })} ` : "";
  return html`<p class="meta elsewhere">
    ${missing}<a href="${plink}" rel="nofollow noopener">${say("items.see-on", { host: new URL(plink).host })}</a>
    ${fetch ? fetchNote(context, fetch) : ""}
  </p>`;
}

function fetchNote(context: PageContext, { isUnderWay, came, started }: ThreadFetch): Html {
  const { say, here } = context;
  if (isUnderWay)
    return html`<span role="status">${say.html("items.being-fetched", { count: came, again: linkTo(here) })}</span>`;
  const found =
    came === 0
      ? say.html("items.fetched-nothing", { time: time(context, started) })
      : say.html("items.fetched-some", { count: came, time: time(context, started) });
  return html`<span>${found}</span>`;
}
