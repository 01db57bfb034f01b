import { raw } from "hono/html";
import { withNamedPictures } from "../../../../domain/bodies/picture-links.ts";
import { personalise } from "../../../../domain/bodies/personalise.ts";
import type { Viewer } from "../../../../domain/bodies/personalise.ts";
import type { Html } from "../../page.ts";

/** A rendered body as a page shows it to this viewer. */
export function body(rendered: string, viewer?: Viewer): Html {
  return raw(bodyText(rendered, viewer));
}

/** The same as text, for what goes on to work with it. Times of events are in UTC for whoever has no zone. */
export function bodyText(rendered: string, viewer?: Viewer): string {
  return withNamedPictures(personalise(rendered, viewer, viewer?.zone ?? "UTC"));
}
