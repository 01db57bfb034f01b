import { digestAt, knownImage } from "../../../domain/items/timelines/known-media.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";
import { digestMultibase } from "../digest-multibase.ts";

/** A file and how it is shown; `alt`: what is to be seen, in words. */
export type FileRendition = { url: string; mimetype: string; width: number; height: number; alt: string };

/** What other hubs learn of it (federation contract 4.2). */
export function fileFields({ url, mimetype, width, height, alt }: FileRendition, media: KnownMedia): object {
  const { blurhash = "", focus = "" } = knownImage(media, url)?.media ?? {};
  const digest = digestAt(media, url);
  return {
    mediaType: mimetype,
    url,
    ...(alt !== "" && { name: alt, summary: alt }),
    ...(width > 0 && { width, height }),
    ...(blurhash !== "" && { blurhash }),
    ...(focus !== "" && { focalPoint: focus.split(",").map(Number) }),
    ...(digest !== "" && { digestMultibase: digestMultibase(digest) }),
  };
}
