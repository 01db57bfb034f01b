import { clipsOf, imagesOf } from "../../bodies/media.ts";
import { attachedTo } from "../attached.ts";
import type { StatusItem } from "../columns.ts";
import { knownImage } from "./known-media.ts";
import type { KnownMedia } from "./known-media.ts";

/** The attachments of a status; what is unknown is 0. */
export type Attachment = {
  url: string;
  mimetype: string;
  size: number;
  width: number;
  height: number;
  thumb_url: string;
  /** What the body says of it for those who do not see or hear it; empty where it says nothing. */
  description: string;
};

const types: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  mp4: "video/mp4",
  webm: "video/webm",
  ogv: "video/ogg",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  m4a: "audio/mp4",
  wav: "audio/wav",
  flac: "audio/flac",
};
const usual = { image: "image/jpeg", video: "video/mp4", audio: "audio/mpeg" } as const;

/** The media of a status: the images that its body shows, the films and sounds in it, then what is attached to it. */
export function attachmentsOf(
  item: Pick<StatusItem, "attach">,
  html: string,
  media: KnownMedia = new Map(),
): Attachment[] {
  const shown = html.includes("<img") ? imagesIn(html, media) : [];
  const played = clipsIn(html);
  // An attached film is played from below its address.
  const isOf = (clip: Pick<Attachment, "url">, file: Pick<Attachment, "url">) =>
    `${clip.url}/`.startsWith(`${file.url}/`);
  const files = attached(item.attach, media).map((file) => {
    return { ...file, description: played.find((clip) => isOf(clip, file))?.description ?? "" };
  });
  const clips = played.filter((clip) => !files.some((file) => isOf(clip, file)));
  return [...shown, ...clips, ...files];
}

function imagesIn(html: string, media: KnownMedia): Attachment[] {
  const once = new Map(imagesOf(html).map((image) => [image.url, image]));
  return Array.from(once.values(), ({ url, width, height, alt }) => {
    const known = knownImage(media, url);
    return {
      url,
      mimetype: known?.shown.mimetype ?? typeOf(url, "image"),
      size: known?.shown.size ?? 0,
      width: known?.shown.width ?? width,
      height: known?.shown.height ?? height,
      thumb_url: known?.thumb ?? url,
      description: alt,
    };
  });
}

function clipsIn(html: string): Attachment[] {
  const once = new Map(clipsOf(html).map((clip) => [clip.url, clip]));
  return Array.from(once.values(), ({ url, kind, poster, description }) => {
    return { url, mimetype: typeOf(url, kind), size: 0, width: 0, height: 0, thumb_url: poster, description };
  });
}

/** Clients drop what has no type, and most images without an extension are photos. */
function typeOf(url: string, kind: keyof typeof usual): string {
  const extension = /\.([a-z0-9]{3,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "";
  const type = /^data:(image\/[\w.+-]+)/i.exec(url)?.[1] ?? types[extension] ?? "";
  // A film may stand in a file whose name is that of a sound.
  return type.startsWith(kind) ? type : usual[kind];
}

/** The attachments of an item record. */
function attached(attach: string, media: KnownMedia): Omit<Attachment, "description">[] {
  return attachedTo(attach).flatMap((entry) => {
    const { href, type, length } = entry;
    if (typeof href !== "string" || href === "") return [];
    const mimetype = typeof type === "string" && type !== "" ? type : "application/octet-stream";
    const known = knownImage(media, href);
    return [
      {
        url: href,
        mimetype,
        size: Number(length) || 0,
        width: known?.shown.width ?? 0,
        height: known?.shown.height ?? 0,
        thumb_url: known?.thumb ?? (mimetype.startsWith("image/") ? href : ""),
      },
    ];
  });
}
