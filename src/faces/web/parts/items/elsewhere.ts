import { html } from "hono/html";
import { countElsewhere } from "../../../../domain/items/timelines/answers-elsewhere.ts";
import type { Item } from "../../../../domain/items/types.ts";
import type { Html, PageContext } from "../../page.ts";
import type { Feed } from "./feed.ts";

/** Of a thread of another hub: where it is at home, and how much of it may not be here (federation contract 17). */
export async function elsewhereNote(context: PageContext, feed: Feed, top: Item): Promise<Html> {
  const owner = feed.users.get(top.owner_id);
  if (owner?.xchan_network !== "activitypub" || !/^https?:\/\//i.test(top.plink)) return html``;
  const claimed = (await countElsewhere(context.hub, top.message_id)) ?? 0;
  const here = feed.comments.get(top.id) ?? 0;
  const missing = claimed > here ? `${here} of ${claimed} answers are here, as far as that hub says. ` : "";
  return html`<p class="meta elsewhere">
    ${missing}<a href="${top.plink}" rel="nofollow noopener">See it on ${new URL(top.plink).host}</a>
  </p>`;
}
