import { raw } from "hono/html";
import { localTimes, personalise } from "../../../../domain/bodies/personalise.ts";
import type { Viewer } from "../../../../domain/bodies/personalise.ts";
import type { Html } from "../../page.ts";

/** A rendered body as a page shows it to this viewer. */
export function body(rendered: string, viewer?: Viewer): Html {
  return raw(bodyText(rendered, viewer));
}

/** The same as text, for what goes on to work with it. Times of events are in UTC for whoever has no zone. */
export function bodyText(rendered: string, viewer?: Viewer): string {
  const timed = viewer?.zone === undefined ? localTimes(rendered, "UTC") : rendered;
  return withNamedPictures(personalise(timed, viewer));
}

/** Links that hold tags and no words. */
const wordless = /<a\b([^>]*)>((?:\s|<(?!\/?a\b)[^>]*>)*)<\/a>/g;

/** A picture without a description says nothing to a screen reader; a link around it must all the same have a name. */
function withNamedPictures(html: string): string {
  if (!html.includes(' alt=""')) return html;
  return html.replace(wordless, (link, attributes: string, inner: string) => {
    const isNamed = /\stitle="[^"]/.test(attributes) || / alt="[^"]/.test(inner);
    if (isNamed || !inner.includes("<img")) return link;
    const name = /\stitle="([^"]+)"/.exec(inner)?.[1] ?? "Picture";
    return `<a${attributes} aria-label="${name}">${inner}</a>`;
  });
}
