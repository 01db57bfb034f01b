import { attribute, escapeHtml } from "../escape.ts";
import { leavesSite, safeUrl } from "../safe-url.ts";
import { readAttributes } from "./attributes.ts";
import type { Context, Renderer, RendererTable } from "./context.ts";
import type { BbTag } from "./scan.ts";

type Image = {
  url: string;
  width: number;
  height: number;
  alt: string;
  title: string;
  style: string;
};

const widestElsewhere = 1024;

/** The four ways to write an image. */
function readImage(tag: BbTag): Image {
  const content = (tag.raw ?? "").trim();
  const none = { url: content, width: 0, height: 0, alt: "", title: "", style: "" };
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(tag.value ?? "") ?? [];
  if (width !== undefined && height !== undefined) {
    return { ...none, width: Number(width), height: Number(height) };
  }
  if (tag.value !== undefined) return { ...none, url: tag.value.trim(), alt: content };
  const written = readAttributes(tag.attributes);
  return {
    ...none,
    width: pixels(written.get("width")),
    height: pixels(written.get("height")),
    alt: written.get("alt") ?? "",
    title: written.get("title") ?? "",
    style: written.get("style") ?? "",
  };
}

function pixels(value: string | undefined): number {
  return /^\d{1,5}(?:px)?$/.test(value ?? "") ? parseInt(value ?? "", 10) : 0;
}

/** Large images of other sites are shown scaled. */
function scaled(image: Image, { site }: Context): Image {
  const longest = Math.max(image.width, image.height);
  if (longest <= widestElsewhere || !leavesSite(image.url, site.baseUrl)) return image;
  const factor = widestElsewhere / longest;
  const shrink = (side: number): number => Math.round(side * factor);
  return { ...image, width: shrink(image.width), height: shrink(image.height) };
}

const image: Renderer = ({ tag }, context) => {
  const written = readImage(tag);
  const url = safeUrl(written.url, "image", context.site.baseUrl);
  if (url === undefined) return undefined;
  const shown = scaled({ ...written, url }, context);
  const kind = attribute("class", tag.name === "zmg" ? "zrl" : "");
  const size = attribute("width", shown.width) + attribute("height", shown.height);
  const texts = ` alt="${escapeHtml(shown.alt)}"${attribute("title", shown.title)}`;
  return `<img${kind}${attribute("src", url)}${texts}${size}${attribute("style", shown.style)}>`;
};

const video: Renderer = ({ tag }, { site }) => {
  const url = safeUrl((tag.raw ?? "").trim(), "media", site.baseUrl);
  if (url === undefined) return undefined;
  const written = readAttributes(tag.attributes);
  const poster = safeUrl(written.get("poster") ?? "", "media", site.baseUrl);
  const about = attribute("poster", poster) + attribute("title", written.get("title"));
  return `<video controls preload="none"${about}${attribute("src", url)}></video>`;
};

const audio: Renderer = ({ tag }, { site }) => {
  const url = safeUrl((tag.raw ?? "").trim(), "media", site.baseUrl);
  if (url === undefined) return undefined;
  const title = attribute("title", readAttributes(tag.attributes).get("title"));
  return `<audio controls preload="none"${title}${attribute("src", url)}></audio>`;
};

/** Images and players. */
export const mediaTags: RendererTable = {
  img: image,
  zmg: image,
  video,
  zvideo: video,
  audio,
  zaudio: audio,
};
