import { Readable } from "node:stream";
import { oncePerHub } from "../../caches.ts";
import { missing } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import type { Keeping } from "./addresses.ts";
import { pieceOfClip, readClip, readOriginal } from "./original.ts";
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

/** Who looks: only somebody with a log-in causes a request (federation contract 14). */
export type Looking = { mayFetch: boolean };

/**
 * The media that one of our addresses stands for, from its copy or from its site; undefined where the original cannot be had, which
 * is remembered. Throws missing for what is not here and is not fetched for this visitor, and where the site wants nothing from its
 * host.
 */
export async function openMedia(
  hub: Hub,
  { url, keeping }: { url: string; keeping: Keeping },
  { mayFetch }: Looking,
): Promise<Media | undefined> {
  const { level, noMedia } = await treatmentOf(hub, new URL(url).host);
  if (noMedia || level === "suspend") throw missing("File");
  const known = await findMedia(hub, url);
  if (known && known.blob !== "") {
    await recordView(hub, known);
    return copyOf(hub, known);
  }
  if (known && known.retry > now(hub)) return undefined;
  if (!mayFetch) throw missing("File");
  if (known && known.mimetype !== "") return clipOf(hub, known);
  return once(hub, `${keeping} ${url}`, () => fetchMedia(hub, url, keeping));
}

async function fetchMedia(hub: Hub, url: string, keeping: Keeping): Promise<Media | undefined> {
  const original = await readOriginal(hub, url).catch((error: unknown) => {
    hub.log.debug("The media at {url} cannot be shown: {error}", { url, error });
  });
  if (!original) {
    await recordFailure(hub, url);
    return undefined;
  }
  if ("clip" in original) return clipOf(hub, await recordClip(hub, url, original.clip));
  const { image } = original;
  if (await isKept(hub, keeping)) return copyOf(hub, await recordCopy(hub, url, image));
  return {
    type: image.mimetype,
    size: image.bytes.length,
    version: `${url.length}-${image.bytes.length}`,
    read: (start, length) => Promise.resolve(Readable.from([image.bytes.subarray(start, start + length)])),
  };
}

async function isKept(hub: Hub, keeping: Keeping): Promise<boolean> {
  const copies = await getSetting(hub, "mediaCopies");
  return copies === "everybody" || (copies === "connections" && keeping === "cache");
}

function copyOf(hub: Hub, { mimetype, filesize, blob }: RemoteMedia): Media {
  return {
    type: mimetype,
    size: filesize,
    version: blob,
    read: (start, length) => hub.blobs.read(blob, start, length),
  };
}

function clipOf(hub: Hub, { url, mimetype, filesize, digest }: RemoteMedia): Media {
  return {
    type: mimetype,
    size: filesize,
    version: digest,
    mostAtOnce: pieceOfClip,
    read: (start, length) => Promise.resolve(Readable.from(readClip(hub, url, start, length), { objectMode: false })),
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
