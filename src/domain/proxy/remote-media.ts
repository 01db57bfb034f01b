import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, isOneOf, zeroDate } from "../../storage/sql.ts";
import type { RemoteMediaTable } from "../../storage/tables/elsewhere.ts";
import { keepBlobs, releaseBlobs } from "../files/blobs.ts";
import type { Drawn } from "../photos/renditions.ts";
import { sourceOf } from "./addresses.ts";
import type { Source } from "./addresses.ts";

export type RemoteMedia = Selectable<RemoteMediaTable>;

/** What is known of it. */
export async function findMedia(hub: Hub, source: Source): Promise<RemoteMedia | undefined> {
  return hub.db.selectFrom("remote_media").selectAll().where("digest", "=", digestOf(source)).executeTakeFirst();
}

/** What pictures are known to look like. */
export type Looks = Pick<RemoteMedia, "width" | "height" | "blurhash">;

/** Of those of them of which there is, or was, a copy, by our own addresses of them; in one query. */
export async function looksOf(hub: Hub, addresses: readonly string[]): Promise<Map<string, Looks>> {
  const sources = addresses.flatMap((address) => {
    const source = sourceOf(hub, address);
    return source ? [[digestOf(source), address] as const] : [];
  });
  if (sources.length === 0) return new Map();
  const byDigest = new Map(sources);
  const rows = await hub.db
    .selectFrom("remote_media")
    .select(["digest", "width", "height", "blurhash"])
    .where(isOneOf(hub.engine, sql.ref("digest"), [...byDigest.keys()]))
    .where("blurhash", "<>", sql.lit(""))
    .execute();
  return new Map(rows.map(({ digest, ...looks }) => [byDigest.get(digest)!, looks]));
}

/**
 * Addresses may be longer than an index takes. What was shown to somebody is nothing that others get by showing its address in a
 * text of their own.
 */
function digestOf({ url, keeping, digest, shownIn }: Source): string {
  const address = digest === undefined ? url : `${url} ${digest}`;
  const named =
    shownIn !== undefined ? `shown in ${shownIn} ${address}` : `${keeping === "private" ? "private " : ""}${address}`;
  return createHash("sha256").update(named).digest("base64url");
}

const day = 24 * 3600_000;

/** Somebody looks at it. That is written once a day: what is looked at every day is not the first to go. */
export async function recordView(hub: Hub, media: RemoteMedia): Promise<void> {
  if (fromSqlDate(media.viewed).getTime() > hub.clock().getTime() - day) return;
  await hub.db
    .updateTable("remote_media")
    .set({ viewed: now(hub) })
    .where("id", "=", media.id)
    .execute();
}

/** Keeps a copy of an image. */
export async function recordCopy(
  hub: Hub,
  source: Source,
  { bytes, mimetype, width, height }: Drawn,
  blurhash = "",
): Promise<RemoteMedia> {
  const blob = `remote-${randomUUID().replaceAll("-", "")}`;
  await keepBlobs(hub, [{ name: blob, bytes }]);
  return inTransaction(hub, async (hub) => {
    const earlier = await findMedia(hub, source);
    if (earlier) await releaseBlobs(hub, [earlier.blob]);
    return write(hub, source, { blob, mimetype, filesize: bytes.length, width, height, blurhash });
  });
}

/** What a film or sound is, so that a part of it can be passed on without looking at its beginning again. */
export async function recordClip(hub: Hub, source: Source, clip: { type: string; size: number }): Promise<RemoteMedia> {
  return write(hub, source, { mimetype: clip.type, filesize: clip.size });
}

const minute = 60_000;
const shortest = 5 * minute;
const longest = 6 * 60 * minute;

/** It could not be had, or is nothing that is shown: nobody asks again for a while, which grows. */
export async function recordFailure(hub: Hub, source: Source): Promise<void> {
  const failures = ((await findMedia(hub, source))?.failures ?? 0) + 1;
  const wait = Math.min(shortest * 2 ** (failures - 1), longest);
  const retry = momentIn(hub, wait);
  await write(hub, source, { failures, retry });
}

type Known = Partial<Omit<RemoteMedia, "id" | "digest" | "url" | "host" | "viewed">>;

async function write(hub: Hub, source: Source, known: Known): Promise<RemoteMedia> {
  const columns = { blob: "", mimetype: "", filesize: 0, failures: 0, retry: zeroDate, ...known, viewed: now(hub) };
  return hub.db
    .insertInto("remote_media")
    .values({ ...columns, url: source.url, digest: digestOf(source), host: new URL(source.url).host })
    .onConflict((conflict) => conflict.column("digest").doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow();
}
