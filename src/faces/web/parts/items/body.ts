import { raw } from "hono/html";
import { withNamedPictures } from "../../../../domain/bodies/picture-links.ts";
import { personalise } from "../../../../domain/bodies/personalise.ts";
import type { Viewer } from "../../../../domain/bodies/personalise.ts";
import { withProxiedMedia } from "../../../../domain/proxy/media-in-html.ts";
import type { Html, PageContext } from "../../page.ts";

/** A rendered body as a page shows it to this viewer. */
export function body(context: PageContext, rendered: string, viewer?: Viewer): Html {
  return raw(bodyText(context, rendered, viewer));
}

/** The same as text, for what goes on to work with it. Times of events are in UTC for whoever has no zone. */
export function bodyText({ hub }: PageContext, rendered: string, viewer?: Viewer): string {
  return withNamedPictures(withProxiedMedia(hub, personalise(rendered, viewer, viewer?.zone ?? "UTC")));
}
