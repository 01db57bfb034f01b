import { imagesOf } from "../../../domain/bodies/media.ts";
import type { StatusItem } from "../../../domain/items/types.ts";

/** Microblog contract 7.5; what is unknown is 0. */
export type Attachment = {
  url: string;
  mimetype: string;
  size: number;
  width: number;
  height: number;
  thumb_url: string;
};

const types: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};

/** The media of a status: the images that its body shows, then what is attached to it. */
export function attachmentsOf(item: Pick<StatusItem, "attach">, html: string): Attachment[] {
  const shown = html.includes("<img") ? imagesIn(html) : [];
  return item.attach === "" ? shown : [...shown, ...attached(item.attach)];
}

function imagesIn(html: string): Attachment[] {
  const once = new Map(imagesOf(html).map((image) => [image.url, image]));
  return Array.from(once.values(), ({ url, width, height }) => ({
    url,
    mimetype: typeOf(url),
    size: 0,
    width,
    height,
    thumb_url: url,
  }));
}

/** Clients drop what has no type, and most images without an extension are photos. */
function typeOf(url: string): string {
  const extension = /\.([a-z]{3,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "";
  return types[extension] ?? "image/jpeg";
}

/** The attachments of an item record (native contract 5.6). */
function attached(attach: string): Attachment[] {
  const entries = parse(attach);
  return entries.flatMap((entry) => {
    const { href, type, length } = entry as Record<string, unknown>;
    if (typeof href !== "string" || href === "") return [];
    const mimetype = typeof type === "string" && type !== "" ? type : "application/octet-stream";
    return [
      {
        url: href,
        mimetype,
        size: Number(length) || 0,
        width: 0,
        height: 0,
        thumb_url: mimetype.startsWith("image/") ? href : "",
      },
    ];
  });
}

function parse(attach: string): object[] {
  try {
    const value: unknown = JSON.parse(attach);
    return Array.isArray(value)
      ? value.filter((entry: unknown): entry is object => typeof entry === "object" && entry !== null)
      : [];
  } catch {
    return [];
  }
}
