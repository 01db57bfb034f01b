import { imagesOf } from "../../../../domain/bodies/media.ts";
import type { BodyPicture } from "../../../../domain/bodies/galleries.ts";
import { photoFileUrl } from "../../../../domain/photos/urls.ts";
import { proxied } from "../../../../domain/proxy/addresses.ts";
import { looksOf } from "../../../../domain/proxy/remote-media.ts";
import type { Looks } from "../../../../domain/proxy/remote-media.ts";
import { knownImage } from "../../../../domain/items/timelines/known-media.ts";
import type { KnownMedia } from "../../../../domain/items/timelines/known-media.ts";
import { html, raw } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { placeholder } from "./placeholder.ts";

/** What is known of the pictures of a page: of its authors' own files by hash, of others by our address of them. */
export type KnownPictures = { media: KnownMedia; looks: ReadonlyMap<string, Looks> };

export const noPictures: KnownPictures = { media: new Map(), looks: new Map() };

/** What is known of the pictures of other sites that these bodies show, in one query; in none where they say it themselves. */
export async function loadLooks({ hub }: PageContext, bodies: readonly string[]): Promise<Map<string, Looks>> {
  const own = `${hub.config.baseUrl}/photo/`;
  const urls = bodies
    .filter((body) => body.includes("<img"))
    .flatMap((body) => imagesOf(body).filter(({ url, blurhash }) => blurhash === "" && !url.startsWith(own)));
  return looksOf(hub, [...new Set(urls.map(({ url }) => proxied(hub, url)))]);
}

/** Above this an image is not loaded whole to be looked at. */
const mostBytes = 3 * 2 ** 20;

type PictureFacts = { width: number; height: number; blurhash: string; focus: string; whole: string };

/** Pictures that follow each other, as a grid; a click shows them large, one after the other, or without scripts where they lead. */
export function gallery(context: PageContext, pictures: readonly BodyPicture[], known: KnownPictures): Html {
  const { say } = context;
  const count = pictures.length;
  const shape = count === 1 ? "one" : count < 5 ? `of-${count}` : "many";
  return html`<hub-pictures
    class="pictures ${shape}"
    data-close="${say("items.close")}"
    data-zoom="${say("items.zoom")}"
    data-former="${say("items.former-picture")}"
    data-next="${say("items.next-picture")}"
    data-download="${say("items.download")}"
    data-fault="${say("items.picture-fault")}"
    >${pictures.map((picture) => one(context, picture, shownAs(context, picture, known), count === 1))}</hub-pictures
  >`;
}

function one({ say }: PageContext, picture: BodyPicture, shown: PictureFacts, alone: boolean): Html {
  const { width, height, whole } = shown;
  const size = width > 0 && height > 0 ? html`width="${width}" height="${height}"` : "";
  const shape = alone && size !== "" ? `--width:${width};--height:${height};` : "";
  return html`<a
    class="picture${size === "" ? " unsized" : ""}"
    href="${picture.link || whole}"
    data-whole="${whole}"
    ${picture.alt === "" ? html`aria-label="${picture.title || say("items.picture")}"` : ""}
    ${placeholder(shown.blurhash, shape)}
    ><img
      src="${picture.url}"
      alt="${picture.alt}"
      ${picture.title === "" ? "" : html`title="${picture.title}"`}
      ${size}
      ${position(shown.focus)}
      loading="lazy"
      decoding="async"
  /></a>`;
}

function shownAs({ hub }: PageContext, { url, ...said }: BodyPicture, { media, looks }: KnownPictures): PictureFacts {
  const image = knownImage(media, url);
  if (!image) {
    const known = looks.get(url);
    const size = said.width > 0 && said.height > 0 ? said : known;
    const { width = 0, height = 0 } = size ?? {};
    return { width, height, blurhash: said.blurhash || (known?.blurhash ?? ""), focus: said.focus, whole: url };
  }
  const { blurhash, focus, renditions, hash } = image.media;
  const [imgscale, { mimetype }] = [...renditions].find(([, { size }]) => size <= mostBytes) ?? [0, image.largest];
  const whole = photoFileUrl(hub.config.baseUrl, { resource_id: hash, imgscale, mimetype });
  return { width: image.shown.width, height: image.shown.height, blurhash, focus, whole };
}

/** The point that stays in sight is told from the middle, across and up. */
function position(focus: string): Html {
  const [x = NaN, y = NaN] = focus.split(",").map(Number);
  if (!(Math.abs(x) <= 1 && Math.abs(y) <= 1)) return raw("");
  const [across, down] = [50 * (1 + x), 50 * (1 - y)].map((part) => Number(part.toFixed(1)));
  return raw(`style="object-position:${across}% ${down}%"`);
}
