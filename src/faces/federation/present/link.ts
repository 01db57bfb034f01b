import type { LinkCard } from "../../../domain/link-cards/link-cards.ts";
import { proxied } from "../../../domain/proxy/addresses.ts";
import type { Hub } from "../../../hub.ts";

/**
 * What the page says of itself to which a post leads, so that not everybody asks it who gets the post (federation contract 14). Its
 * picture is our copy. Who takes files alone from attachments finds no `url` here.
 */
export function linkOf(hub: Hub, card: LinkCard): object {
  const { url, title, description, language, picture, picture_text, width, height, blurhash } = card;
  return {
    type: "Link",
    href: url,
    mediaType: "text/html",
    name: title,
    ...(description !== "" && { summary: description }),
    ...(language !== "" && { hreflang: language }),
    ...(picture !== "" && {
      preview: {
        type: "Image",
        url: proxied(hub, picture),
        ...(picture_text !== "" && { name: picture_text }),
        ...(width > 0 && { width, height }),
        ...(blurhash !== "" && { blurhash }),
      },
    }),
  };
}
