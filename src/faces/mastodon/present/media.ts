import type { z } from "zod";
import { asciiUrl } from "../../../domain/bodies/application-html.ts";
import { imagesOf } from "../../../domain/bodies/media.ts";
import type { BodyImage } from "../../../domain/bodies/media.ts";
import { isWebUrl } from "../../../domain/identity/xchans/web-url.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import { knownFile } from "../../../domain/items/timelines/known-media.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";
import { attachmentsOf } from "../../../domain/items/timelines/status-attachments.ts";
import type { Attachment } from "../../../domain/items/timelines/status-attachments.ts";
import type { StatusMedia } from "../../../domain/items/timelines/status-media.ts";
import { scales } from "../../../domain/photos/scales.ts";
import { signedFor } from "../../../domain/photos/signed-addresses.ts";
import { photoFileUrl } from "../../../domain/photos/urls.ts";
import { proxied, sourceOf } from "../../../domain/proxy/addresses.ts";
import type { Hub } from "../../../hub.ts";
import type { MediaAttachment } from "../entities/status.ts";
import { firstOfOthers, mostMedia } from "../offered.ts";

export type MediaObject = z.infer<typeof MediaAttachment>;

/** Who looks at files that not everybody sees; undefined where everybody does. */
type Reader = number | undefined;

/** Its pictures, films, sounds and files, in the order of the text (mastodon contract 11.5). */
export function presentMedia(
  hub: Hub,
  media: KnownMedia,
  item: Pick<ApplicationItem, "attach" | "message_id" | "item_private">,
  html: string,
  channelId: number,
): MediaObject[] {
  const images = new Map(imagesOf(html).map((image) => [image.url, image]));
  const reader = item.item_private === 1 && channelId > 0 ? channelId : undefined;
  return attachmentsOf(item, html, media)
    .filter(({ url }) => isWebUrl(url))
    .slice(0, mostMedia)
    .map((one, at) => {
      const known = knownFile(media, one.url);
      const description = one.description || known?.description || "";
      if (known && known.renditions.size > 0) return presentPicture(hub, known, description, reader);
      const id = known?.id ?? firstOfOthers + mostMedia * item.message_id + at;
      return presentOther(hub, one, { id, description, image: images.get(one.url), reader });
    });
}

/** A file that was uploaded, as its owner sees it. */
export function presentFile(
  hub: Hub,
  known: StatusMedia,
  { url, mimetype, channelId }: { url: string; mimetype: string; channelId: number },
): MediaObject {
  if (known.renditions.size > 0) return presentPicture(hub, known, known.description, channelId);
  const { id, size, description } = known;
  const file = { url, mimetype, size, width: 0, height: 0, thumb_url: "", description };
  return presentOther(hub, file, { id, description, image: undefined, reader: channelId });
}

const always = { preview_remote_url: null, text_url: null } as const;

function presentPicture(hub: Hub, known: StatusMedia, description: string, reader: Reader): MediaObject {
  const { renditions, hash } = known;
  const inOrder = [...renditions].toSorted(([one], [other]) => one - other);
  const [original, small] = [inOrder[0]!, inOrder.findLast(([scale]) => scale <= scales.medium.number)!];
  const address = ([imgscale, { mimetype }]: (typeof inOrder)[number]): string =>
    signed(hub, photoFileUrl(hub.config.baseUrl, { resource_id: hash, imgscale, mimetype }), reader);
  const focus = focusOf(known.focus);
  return {
    ...always,
    id: String(known.id),
    type: "image",
    url: address(original),
    preview_url: address(small),
    remote_url: null,
    meta: { original: sizeOf(original[1]), small: sizeOf(small[1]), ...(focus && { focus }) },
    description: description || null,
    blurhash: known.blurhash || null,
  };
}

type Other = { id: number; description: string; image: BodyImage | undefined; reader: Reader };

function presentOther(hub: Hub, file: Attachment, { id, description, image, reader }: Other): MediaObject {
  const { width, height } = file;
  const type = typeOf(file);
  const url = signed(hub, proxied(hub, file.url), reader);
  const focus = focusOf(image?.focus ?? "");
  const original = width > 0 && height > 0 ? { original: sizeOf({ width, height }) } : undefined;
  return {
    ...always,
    id: String(id),
    type,
    url,
    preview_url: previewOf(hub, file, type, { url, reader }),
    remote_url: file.url.startsWith(`${hub.config.baseUrl}/`) ? sourceAt(hub, file.url) : asciiUrl(file.url),
    meta: original || focus ? { ...original, ...(focus && { focus }) } : null,
    description: description || null,
    blurhash: image?.blurhash || null,
  };
}

/** The strictest reader wants one of sounds, too. */
function previewOf(
  hub: Hub,
  { thumb_url }: Attachment,
  type: MediaObject["type"],
  { url, reader }: { url: string; reader: Reader },
): string | null {
  if (type === "image") return url;
  if (type === "audio") return `${hub.config.baseUrl}/assets/audio.png`;
  return isWebUrl(thumb_url) ? signed(hub, proxied(hub, thumb_url), reader) : null;
}

function signed(hub: Hub, url: string, reader: Reader): string {
  return reader === undefined ? url : signedFor(hub, url, reader);
}

/** Where a file lies of which the hub passes on the bytes. */
function sourceAt(hub: Hub, url: string): string | null {
  const source = sourceOf(hub, url)?.url;
  return source === undefined ? null : asciiUrl(source);
}

function typeOf({ mimetype }: Pick<Attachment, "mimetype">): MediaObject["type"] {
  const [kind] = mimetype.split("/");
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "unknown";
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height, size: `${width}x${height}`, aspect: Number((width / height).toFixed(6)) };
}

function focusOf(focus: string): { x: number; y: number } | undefined {
  const [x = Number.NaN, y = Number.NaN] = focus.split(",").map(Number);
  return focus !== "" && Math.abs(x) <= 1 && Math.abs(y) <= 1 ? { x, y } : undefined;
}
