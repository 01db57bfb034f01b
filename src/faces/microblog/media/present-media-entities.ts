import { imagesOf } from "../../../domain/bodies/media.ts";
import type { Attachment } from "../../../domain/items/timelines/status-attachments.ts";
import { displayUrl } from "../present/display-url.ts";
import { knownFile, knownImage } from "../../../domain/items/timelines/known-media.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";

export type MediaEntity = ReturnType<typeof mediaEntity>;

/** Longest edges of the sizes of an image. */
export const imageBoxes = { thumb: 150, small: 340, medium: 600, large: 1024 } as const;

type About = { url: string; width: number; height: number; alt: string };

/**
 * The images of a body, then the videos that are attached to it. Mostly none of them stands in the text, so their place
 * is its end; one that has nothing else to say has their addresses as its text.
 */
export function mediaEntities(
  html: string,
  attachments: readonly Attachment[],
  media: KnownMedia,
  text: string,
): MediaEntity[] {
  const images = imagesOf(html).map((image, index) => {
    const known = knownImage(media, image.url);
    const { width, height } = known?.largest ?? image;
    return mediaEntity({ ...image, width, height }, known?.media.id ?? index + 1, text);
  });
  const videos = attachments.filter(({ mimetype }) => mimetype.startsWith("video/"));
  return [
    ...images,
    ...videos.map(({ url, mimetype }, index) => ({
      ...mediaEntity(
        { url, width: 0, height: 0, alt: "" },
        knownFile(media, url)?.id ?? images.length + index + 1,
        text,
        "video",
      ),
      video_info: { variants: [{ url, content_type: mimetype }] },
    })),
  ];
}

function mediaEntity({ url, width, height, alt }: About, id: number, text: string, type: "photo" | "video" = "photo") {
  return {
    id,
    id_str: String(id),
    indices: placeIn(text, url),
    media_url: url,
    media_url_https: url,
    url,
    expanded_url: url,
    display_url: displayUrl(url, ""),
    type,
    ext_alt_text: alt,
    sizes: sizesOf(width, height),
  };
}

/** In code points; the end of the text for what is not in it. */
function placeIn(text: string, url: string): [start: number, end: number] {
  const at = text.indexOf(url);
  const before = [...(at < 0 ? text : text.slice(0, at))].length;
  return [before, at < 0 ? before : before + [...url].length];
}

function sizesOf(width: number, height: number): Record<string, { w: number; h: number; resize: "fit" }> {
  const longest = Math.max(width, height);
  const fit = (box: number) => {
    const scale = longest > box ? box / longest : 1;
    return { w: Math.round(width * scale), h: Math.round(height * scale), resize: "fit" as const };
  };
  return {
    thumb: fit(imageBoxes.thumb),
    ...(longest > imageBoxes.thumb && { small: fit(imageBoxes.small) }),
    medium: fit(imageBoxes.medium),
    ...(longest > imageBoxes.medium && { large: fit(imageBoxes.large) }),
  };
}
