import { findPage } from "../../../../domain/pages/find.ts";
import type { RenderedPage } from "../../../../domain/pages/render-layout.ts";
import { renderPage } from "../../../../domain/pages/render-page.ts";
import { withProxiedMedia } from "../../../../domain/proxy/media-in-html.ts";
import { show } from "../../answers.ts";
import { html, raw } from "../../html.ts";
import { partOfChannel } from "../../parts/channels/channel-preview.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { icon } from "../../parts/icons.ts";
import { loadPageOwner } from "../../parts/pages/page-owner.ts";
import { viewerOf } from "../../parts/items/status.ts";
import { time } from "../../parts/times.ts";
import { beginningOf } from "../../parts/preview.ts";

/** A webpage of a channel in its layout. */
export const pagePages: Page[] = [{ path: "/page/:nick/:name", access: "anybody", mayBeStale: true, get: page }];

async function page(context: PageContext): Promise<Response> {
  const { hub, observer, params, say } = context;
  const { owner, writes } = await loadPageOwner(context);
  const found = await findPage(hub, observer, owner, params["name"] ?? "");
  const rendered = await renderPage(hub, observer, owner, found, viewerOf(context));
  const nick = owner.channel_address;
  const edit = `/webpages/${nick}/${found.id}`;
  const main = html`<article class="card web-page">
    <header class="title-row">
      <h1 class="${found.title ? "" : "unseen"}">${found.title || found.name}</h1>
      ${writes ? html`<a class="button" href="${edit}">${icon("pencil")} ${say("forms.edit")}</a>` : ""}
    </header>
    ${regions(context, rendered, found.lang)}
    <p class="meta web-page-foot">
      <a href="/channel/${nick}">${owner.channel_name}</a> <span>${time(context, found.edited)}</span>
      ${found.item_private === 1 ? html`<span class="visibility private">${icon("lock")} ${say("pages.not-public")}</span>` : ""}
    </p>
  </article>`;
  return show(context, {
    title: found.title || found.name,
    main,
    preview: async () => ({
      ...(await partOfChannel(context, owner)),
      description: beginningOf(found.html),
      published: found.created,
      changed: found.edited,
    }),
  });
}

/** Where each region stands; all that are not named here are in the middle. */
const places: Record<string, Place> = {
  header: "top",
  banner: "top",
  top: "top",
  nav: "top",
  aside: "left",
  left: "left",
  left_aside: "left",
  right: "right",
  right_aside: "right",
  footer: "bottom",
  bottom: "bottom",
};

type Place = "top" | "left" | "middle" | "right" | "bottom";
const order: readonly Place[] = ["top", "left", "middle", "right", "bottom"];

/** The regions of a page; in the template `full` they stand below one another. */
function regions({ hub }: PageContext, { template, regions }: RenderedPage, lang: string): Html {
  const filled = regions.filter((region) => region.html.trim() !== "");
  const at = (place: Place) =>
    filled.filter(({ name }) => (Object.hasOwn(places, name) ? places[name] : "middle") === place);
  const columns = template !== "full" && (at("left").length > 0 || at("right").length > 0);
  return html`<div class="web-regions ${columns ? "columns" : ""}" ${lang ? html`lang="${lang}"` : ""}>
    ${order.map((place) => at(place).map((region) => html`<div class="body region-${place}">${raw(withProxiedMedia(hub, region.html))}</div>`))}
  </div>`;
}
