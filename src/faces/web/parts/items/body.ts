import { splitLong } from "../../../../domain/bodies/split-long.ts";
import { splitAtPictures } from "../../../../domain/bodies/galleries.ts";
import { withNamedPictures } from "../../../../domain/bodies/picture-links.ts";
import { withNamedBoxes } from "../../../../domain/bodies/named-boxes.ts";
import { removedShare, withPostedTimes } from "../../../../domain/bodies/share-attributes.ts";
import { personalise } from "../../../../domain/bodies/personalise.ts";
import type { Viewer } from "../../../../domain/bodies/personalise.ts";
import { withProxiedMedia } from "../../../../domain/proxy/media-in-html.ts";
import { html, raw } from "../../html.ts";
import type { Markup } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { time } from "../times.ts";
import { gallery, noPictures } from "./pictures.ts";
import type { KnownPictures } from "./pictures.ts";

/** A rendered body as a page shows it to this viewer, pictures that stand by themselves as grids. */
export function body(context: PageContext, rendered: string, viewer?: Viewer, known: KnownPictures = noPictures): Html {
  return withGalleries(context, shownText(context, rendered, viewer), known);
}

/** The same, a long one only as far as one sees what it is about: the rest is unfolded in place. */
export function foldedBody(context: PageContext, rendered: string, viewer?: Viewer, known?: KnownPictures): Html {
  const text = shownText(context, rendered, viewer);
  const parts = splitLong(text);
  if (!parts) return withGalleries(context, text, known);
  const [beginning, rest] = parts.map((part) => withGalleries(context, part, known));
  const { say } = context;
  return html`${beginning}
    <details class="rest-of-text">
      <summary>
        <span class="button small when-folded">${say("items.show-all")}</span
        ><span class="button small when-unfolded">${say("items.show-less")}</span>
      </summary>
      ${rest}
    </details>`;
}

function withGalleries(context: PageContext, text: string, known: KnownPictures = noPictures): Html {
  return html`${splitAtPictures(text).map((part) =>
    typeof part === "string" ? raw(withNamedPictures(part)) : gallery(context, part, known),
  )}`;
}

/** The same as text and without grids, for what goes on to work with it. */
export function bodyText(context: PageContext, rendered: string, viewer?: Viewer): string {
  return withNamedPictures(shownText(context, rendered, viewer));
}

/** Times of events are in UTC for whoever has no zone. */
function shownText(context: PageContext, rendered: string, viewer?: Viewer): string {
  const { hub, language, say } = context;
  const text = personalise(rendered, viewer, { zone: viewer?.zone ?? "UTC", locale: language.locale });
  const shown = withNamedBoxes(withProxiedMedia(hub, text)).replaceAll(removedShare(), () =>
    removedShare(say("items.share-removed")),
  );
  return withPostedTimes(shown, (stored) => (time(context, stored) as Markup).toString());
}
