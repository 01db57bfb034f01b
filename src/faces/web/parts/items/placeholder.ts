import { blurredPicture } from "../../../../domain/photos/blurred-picture.ts";
import { raw } from "../../html.ts";
import type { Html } from "../../page.ts";

/** The style in which an element shows what a picture looks like before it is there, and whatever else it is given. */
export function placeholder(blurhash: string, more = ""): Html {
  const picture = blurredPicture(blurhash);
  const style = more + (picture === undefined ? "" : `background-image:url(${picture})`);
  return raw(style === "" ? "" : `style="${style}"`);
}
