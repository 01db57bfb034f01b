import type { z } from "zod";
import { escapeHtml } from "../../../domain/bodies/escape.ts";
import type { LinkCard } from "../../../domain/link-cards/link-cards.ts";
import { playerOf } from "../../../domain/link-cards/video-sites.ts";
import { proxied } from "../../../domain/proxy/addresses.ts";
import type { Hub } from "../../../hub.ts";
import type { PreviewCard } from "../entities/status.ts";
import { languageCode } from "./language.ts";

/** What the page says of itself to which a post leads (mastodon contract 11.7). */
export function presentCard(hub: Hub, card: LinkCard): z.infer<typeof PreviewCard> {
  const player = playerOf(card.url) ?? "";
  const { width, height } = card;
  const frame = `<iframe src="${escapeHtml(player)}" width="${width || 640}" height="${height || 360}" allowfullscreen></iframe>`;
  return {
    url: card.url,
    title: card.title,
    description: card.description,
    type: player === "" ? "link" : "video",
    language: languageCode(card.language),
    authors: card.author === "" ? [] : [{ name: card.author, url: "", account: null }],
    author_name: card.author,
    author_url: "",
    provider_name: card.site || card.host,
    provider_url: new URL(card.url).origin,
    html: player === "" ? "" : frame,
    width,
    height,
    image: card.picture === "" ? null : proxied(hub, card.picture),
    image_description: card.picture_text,
    embed_url: player,
    blurhash: card.blurhash || null,
    published_at: null,
    missing_attribution: null,
  };
}
