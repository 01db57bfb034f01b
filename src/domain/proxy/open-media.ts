import { Readable } from "node:stream";
import { oncePerHub } from "../../caches.ts";
import { missing } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import { isSameOrigin } from "../identity/xchans/foreign-ids.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import { blurhashOf } from "../photos/blurhash.ts";
import { inTurn } from "../photos/images.ts";
import type { Drawn } from "../photos/renditions.ts";
import type { Keeping, Source } from "./addresses.ts";
import { pieceOfClip, readClip, readOriginal } from "./original.ts";
import type { Original } from "./original.ts";
import { findMedia, recordClip, recordCopy, recordFailure, recordView } from "./remote-media.ts";
import type { RemoteMedia } from "./remote-media.ts";

/** Something of another site as it is shown here. */
export type Media = {
  type: string;
  size: number;
  /** Changes when the bytes do. */
  version: string;
  /** The most bytes that are read at once. */
  mostAtOnce?: number;
  read(start: number, length: number): Promise<Readable>;
};

/**
 * The media that one of our addresses stands for, from its copy or from its site; undefined where the original cannot be had, which
 * is remembered. Only somebody with a log-in causes a request (federation contract 14), in whose name media of a text for some are
 * asked for where others do not get them. Throws missing for what is not here and is not fetched for this visitor, and where the site
 * wants nothing from its host. Whether the viewer sees that text is the caller's question.
 */
export async function openMedia(hub: Hub, source: Source, viewer: Channel | undefined): Promise<Media | undefined> {
  const { level, noMedia } = await treatmentOf(hub, new URL(source.url).host);
  if (noMedia || level === "suspend") throw missing("File");
  if (source.keeping === "private" && source.shownIn === undefined) return openUnnamed(hub, source, viewer);
  const known = await findMedia(hub, source);
  if (known && known.blob !== "") {
    await recordView(hub, known);
    return copyOf(hub, known);
  }
  if (known && known.retry > now(hub)) return undefined;
  if (!viewer) throw missing("File");
  const as = isAtHome(source) ? viewer : undefined;
  if (known && known.mimetype !== "") return clipOf(hub, known, as);
  return once(hub, nameOf(source, as), () => fetchMedia(hub, source, as));
}

/** Where nobody knows any more what showed it, its site decides each time who sees it. */
async function openUnnamed(hub: Hub, source: Source, viewer: Channel | undefined): Promise<Media | undefined> {
  if (!viewer) throw missing("File");
  const original = await read(hub, source, viewer);
  if (!original || "image" in original) return original && mediaOf(source, original.image);
  const { type, size } = original.clip;
  return clipOf(hub, { url: source.url, mimetype: type, filesize: size, digest: nameOf(source, viewer) }, viewer);
}

/** The server of a text shows its readers what is there as well; nobody else is told who reads it. */
function isAtHome({ url, shownIn }: Source): boolean {
  return shownIn !== undefined && isSameOrigin(url, shownIn.slice(shownIn.indexOf(" ") + 1));
}

/**
 * Keeps a copy of a picture before anybody looks at it, so that strangers see it too; undefined where there is none, or no copies are
 * kept.
 */
export async function copyPicture(hub: Hub, url: string): Promise<RemoteMedia | undefined> {
  const source: Source = { url, keeping: "cache" };
  const { level, noMedia } = await treatmentOf(hub, new URL(url).host);
  if (noMedia || level === "suspend" || !(await isKept(hub, source.keeping))) return undefined;
  const known = await findMedia(hub, source);
  if (known && (known.blob !== "" || known.retry > now(hub))) return known.blob === "" ? undefined : known;
  await once(hub, nameOf(source, undefined), () => fetchMedia(hub, source, undefined));
  const copied = await findMedia(hub, source);
  return copied?.blob ? copied : undefined;
}

/** What is asked for in the same name at the same time. */
function nameOf({ keeping, url, digest, shownIn }: Source, as: Channel | undefined): string {
  return `${keeping} ${as?.channel_id} ${shownIn} ${url} ${digest}`;
}

async function fetchMedia(hub: Hub, source: Source, as: Channel | undefined): Promise<Media | undefined> {
  const original = await read(hub, source, as);
  if (!original) {
    await recordFailure(hub, source);
    return undefined;
  }
  if ("clip" in original) return clipOf(hub, await recordClip(hub, source, original.clip), as);
  const { image } = original;
  if (await isKept(hub, source.keeping)) {
    const blurhash = await inTurn(hub, () => blurhashOf(image.bytes));
    return copyOf(hub, await recordCopy(hub, source, image, blurhash));
  }
  return mediaOf(source, image);
}

async function read(hub: Hub, { url, digest }: Source, as: Channel | undefined): Promise<Original | undefined> {
  try {
    return await readOriginal(hub, { url, as }, digest);
  } catch (error) {
    hub.log.debug("The media at {url} cannot be shown: {error}", { url, error });
    return undefined;
  }
}

function mediaOf({ url }: Source, { mimetype, bytes }: Drawn): Media {
  return {
    type: mimetype,
    size: bytes.length,
    version: `${url.length}-${bytes.length}`,
    read: (start, length) => Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
  };
}

async function isKept(hub: Hub, keeping: Keeping): Promise<boolean> {
  const copies = await getSetting(hub, "mediaCopies");
  return copies === "everybody" || (copies === "connections" && keeping !== "proxy");
}

function copyOf(hub: Hub, { mimetype, filesize, blob }: RemoteMedia): Media {
  return {
    type: mimetype,
    size: filesize,
    version: blob,
    read: (start, length) => hub.blobs.read(blob, start, length),
  };
}

type Clip = Pick<RemoteMedia, "url" | "mimetype" | "filesize" | "digest">;

function clipOf(hub: Hub, { url, mimetype, filesize, digest }: Clip, as: Channel | undefined): Media {
  return {
    type: mimetype,
    size: filesize,
    version: digest,
    mostAtOnce: pieceOfClip,
    read: (start, length) =>
      Promise.resolve(Readable.from(readClip(hub, { url, as }, start, length), { objectMode: false })),
  };
}

const underWay = oncePerHub(() => new Map<string, Promise<Media | undefined>>());

/** Several who want the same at the same time cause one request. */
async function once(hub: Hub, name: string, work: () => Promise<Media | undefined>): Promise<Media | undefined> {
  const known = underWay(hub).get(name);
  if (known) return known;
  const begun = work().finally(() => underWay(hub).delete(name));
  underWay(hub).set(name, begun);
  return begun;
}
