import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { scales } from "../../photos/scales.ts";
import { hashesIn } from "../links.ts";
import type { ApplicationItem } from "../columns.ts";

/** What is known of a file of this hub that a status of its owner shows. */
export type StatusMedia = {
  /** Its media id. */
  id: number;
  hash: string;
  size: number;
  revision: number;
  sha256: string;
  /** Of an image: what it looks like from afar, and the point of it that stays in sight. */
  blurhash: string;
  focus: string;
  /** What is to be seen, in words; empty where nobody has said so. */
  description: string;
  /** Of an image, by the numbers of the scales. */
  renditions: Map<number, { width: number; height: number; size: number; mimetype: string; sha256: string }>;
};

/**
 * The files that these statuses show and that are their authors' own, by hash, in one query; in none when they show no files
 * of this hub. A file that somebody else has put an address of into a status tells nothing.
 */
export async function loadStatusMedia(hub: Hub, items: readonly ApplicationItem[]): Promise<Map<string, StatusMedia>> {
  const photos = `${hub.config.baseUrl}/photo/`;
  const showing = items.filter(({ html, attach }) => attach !== "" || html.includes(photos));
  const hashes = new Set(showing.flatMap(({ html, attach }) => hashesIn(hub, html + attach)));
  if (hashes.size === 0) return new Map();
  return mediaOf(hub, [...hashes], new Set(showing.map((item) => item.author_id)));
}

/** The files with these hashes that belong to one of these people, by hash, in one query. */
export async function mediaOf(
  hub: Hub,
  hashes: string[],
  authors: ReadonlySet<number>,
): Promise<Map<string, StatusMedia>> {
  const media = new Map<string, StatusMedia>();
  for (const row of await rowsOf(hub, hashes, authors)) {
    const one = media.get(row.hash) ?? {
      id: row.id,
      hash: row.hash,
      size: row.filesize,
      revision: row.revision,
      sha256: row.file_sha256,
      blurhash: row.blurhash ?? "",
      focus: row.focus ?? "",
      description: row.description ?? row.file_description,
      renditions: new Map(),
    };
    media.set(row.hash, one);
    const { imgscale, width, height, size, mimetype, sha256 } = row;
    if (imgscale !== null)
      one.renditions.set(imgscale, {
        width: width!,
        height: height!,
        size: size!,
        mimetype: mimetype!,
        sha256: sha256!,
      });
  }
  return media;
}

async function rowsOf(hub: Hub, hashes: string[], authors: ReadonlySet<number>) {
  return hub.db
    .selectFrom("attach")
    .innerJoin("channel", "channel.channel_id", "attach.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .leftJoin("photo", (join) =>
      join
        .onRef("photo.uid", "=", "attach.uid")
        .onRef("photo.resource_id", "=", "attach.hash")
        .on("photo.imgscale", "<=", scales.small.number),
    )
    .select(["attach.hash", "attach.id", "attach.filesize", "attach.revision", "attach.sha256 as file_sha256"])
    .select("attach.description as file_description")
    .select([
      "photo.imgscale",
      "photo.width",
      "photo.height",
      "photo.filesize as size",
      "photo.mimetype",
      "photo.sha256",
      "photo.blurhash",
      "photo.focus",
      "photo.description",
    ])
    .where(isOneOf(hub.engine, sql.ref("attach.hash"), hashes))
    .where("attach.latest", "=", sql.lit(1))
    .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), [...authors]))
    .execute();
}
