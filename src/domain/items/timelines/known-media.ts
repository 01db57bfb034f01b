import type { StatusMedia } from "./status-media.ts";
import { photoFileUrl } from "../../photos/urls.ts";

/** By hash: what a page knows of the files that its statuses show. */
export type KnownMedia = ReadonlyMap<string, StatusMedia>;

type Rendition = { width: number; height: number; size: number; mimetype: string; sha256: string };

/** An image of this hub: the rendition that its address shows, the largest one, and the address of a small one. */
type KnownImage = { media: StatusMedia; shown: Rendition; largest: Rendition; thumb: string };

const address = /^(https?:\/\/[^/]+)\/(photo|attach)\/([0-9a-f]{64})(?:-(\d))?(?:[./][^/]*)?$/;

/** What is known of the file at this address. */
export function knownFile(media: KnownMedia, url: string): StatusMedia | undefined {
  return media.size === 0 ? undefined : media.get(address.exec(url)?.[3] ?? "");
}

/** The same for an image. */
export function knownImage(media: KnownMedia, url: string): KnownImage | undefined {
  if (media.size === 0) return undefined;
  const [, base = "", , hash = "", scale = "0"] = address.exec(url) ?? [];
  const known = media.get(hash);
  const largest = known?.renditions.get(0);
  if (!known || !largest) return undefined;
  const small = Math.max(...known.renditions.keys());
  const { mimetype } = known.renditions.get(small)!;
  const thumb = photoFileUrl(base, { resource_id: hash, imgscale: small, mimetype });
  return { media: known, shown: known.renditions.get(Number(scale)) ?? largest, largest, thumb };
}

/** The SHA-256 of what this address leads to, in hex; empty where nobody knows, as of former revisions. */
export function digestAt(media: KnownMedia, url: string): string {
  const image = knownImage(media, url);
  if (image) return image.shown.sha256;
  const [, revision] = /\/attach\/[0-9a-f]{64}(?:\/(\d+))?$/.exec(url) ?? [];
  const file = knownFile(media, url);
  return file && (revision === undefined || Number(revision) === file.revision) ? file.sha256 : "";
}
