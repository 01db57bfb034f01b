import type { LinkCard } from "../../../../domain/link-cards/link-cards.ts";
import { playerOf } from "../../../../domain/link-cards/video-sites.ts";
import { proxied } from "../../../../domain/proxy/addresses.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { icon } from "../icons.ts";
import { placeholder } from "./placeholder.ts";
import type { Feed } from "./feed.ts";

/** What the page says of itself to which a post leads; nothing where nothing is known. */
export function linkCard(context: PageContext, { cards }: Pick<Feed, "cards">, item: Item): Html {
  const card = cards.get(item.message_id) ?? cards.get(item.shared_id);
  if (!card) return html``;
  const player = playerOf(card.url);
  return player === undefined ? pageCard(context, card) : filmCard(context, card, player);
}

function pageCard(context: PageContext, card: LinkCard): Html {
  return html`<a class="link-card ${shapeOf(card)}" href="${card.url}" rel="nofollow noopener">
    ${picture(context, card)} ${words(card)}
  </a>`;
}

/** A film of a site that plays its films itself: nothing of it is asked for before somebody wants to see it. */
function filmCard(context: PageContext, card: LinkCard, player: string): Html {
  return html`<hub-film class="link-card film" data-player="${player}" data-title="${card.title}">
    <a
      class="film-start"
      href="${card.url}"
      rel="nofollow noopener"
      aria-label="${context.say("items.play", { title: card.title, host: card.host })}"
      >${card.picture === "" ? html`<span class="link-picture"></span>` : picture(context, card)}<span class="film-play"
        >${icon("play")}</span
      ></a
    >
    <a class="film-words" href="${card.url}" rel="nofollow noopener">${words(card)}</a>
  </hub-film>`;
}

/** Wide pictures stand above the words, all others beside them. */
function shapeOf({ picture, width, height }: LinkCard): string {
  if (picture === "") return "bare";
  return width >= 480 && width >= 1.3 * height ? "wide" : "small";
}

function picture({ hub }: PageContext, card: LinkCard): Html {
  if (card.picture === "") return html``;
  return html`<span class="link-picture" ${placeholder(card.blurhash)}
    ><img src="${proxied(hub, card.picture)}" alt="${card.picture_text}" loading="lazy" decoding="async"
  /></span>`;
}

/** The host is said first: all the rest is what the page claims. */
function words({ host, site, title, description, author, language }: LinkCard): Html {
  const lang = language === "" ? "" : html`lang="${language}"`;
  const place = host.replace(/^www\./, "");
  const claims = [site.toLowerCase() === place ? "" : site, author].filter((claim) => claim !== "");
  return html`<span class="link-words">
    <span class="link-site"><bdi>${place}</bdi>${claims.map((claim) => html` · <bdi>${claim}</bdi>`)}</span>
    <strong class="link-title" dir="auto" ${lang}>${title}</strong>
    ${description === "" ? "" : html`<span class="link-about" dir="auto" ${lang}>${description}</span>`}
  </span>`;
}
