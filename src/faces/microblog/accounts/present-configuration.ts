import type { Config } from "../../../config.ts";
import { imageBoxes } from "../media/present-media-entities.ts";

/** Most files of one status, and most characters of a direct message that clients should offer. */
const mostMedia = 10;
const messageLength = 10_000;
/** Nothing is shortened here; clients reckon with this many characters all the same (microblog contract 7.17). */
const urlLength = 30;

/** The answer of `help/configuration`. */
export function presentConfiguration({ limits }: Config): object {
  const sizes = Object.entries(imageBoxes).map(([name, box]) => [name, { w: box, h: box, resize: "fit" }] as const);
  return {
    dm_text_character_limit: messageLength,
    characters_reserved_per_media: 0,
    max_media_per_upload: mostMedia,
    short_url_length: urlLength,
    short_url_length_https: urlLength,
    photo_size_limit: limits.image,
    photo_sizes: Object.fromEntries(sizes),
    non_username_paths: [],
  };
}
