import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import type { RawBuilder, Selectable, SqlBool } from "kysely";
import { refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { oneStep } from "../../storage/in-steps.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { UploadPieceTable, UploadTable } from "../../storage/tables/uploads.ts";
import { keepBlobs, releaseBlobs } from "../files/blobs.ts";
import { checkWriting } from "../files/check-writing.ts";
import { lockFiles } from "../files/lock.ts";
import { checkQuota } from "../files/quota.ts";
import { ownFile, readPath } from "../files/find.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { mediaIdOfUpload, uploadOfMediaId } from "../items/media/media-ids.ts";
import { dropUploads, withUpload } from "../photos/uploads.ts";
import { placeOf } from "./media.ts";
import type { MediaPlace } from "./media.ts";
import { storeFile } from "./upload.ts";

/** Media that comes in pieces. */
export type PiecedUpload = Selectable<UploadTable>;
type Piece = Selectable<UploadPieceTable>;

/** Unfinished uploads go so long after their last piece, finished ones so long after their end: then only the file's own id is left. */
const lifetimes = { unfinished: 3600, finished: 30 * 24 * 3600 } as const;
const mostUnfinished = 50;
const mostPieces = 10_000;

/** Begins an upload in pieces and answers its media id. Throws denied, too-large, too-many. */
export async function beginUpload(
  hub: Hub,
  channel: Channel,
  { totalBytes, mediaType, album, description }: MediaPlace & { totalBytes: number; mediaType: string },
): Promise<number> {
  await checkWriting(hub, channel, channel);
  readPath(album);
  const most = mediaType.startsWith("image/") ? hub.config.limits.image : hub.config.limits.upload;
  if (totalBytes > most) throw refusal("file_too_large", { most, size: totalBytes });
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, channel.channel_account_id);
    await checkQuota(hub, channel.channel_account_id, totalBytes);
    await refuseTooMany(hub, channel);
    const { id } = await hub.db
      .insertInto("upload")
      .values({
        uid: channel.channel_id,
        total_bytes: totalBytes,
        media_type: mediaType,
        album,
        alt_text: description,
        created: now(hub),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return mediaIdOfUpload(id);
  });
}

async function refuseTooMany(hub: Hub, channel: Channel): Promise<void> {
  const { count } = await hub.db
    .selectFrom("upload")
    .select((x) => x.fn.countAll<number>().as("count"))
    .where("created", ">=", momentIn(hub, -lifetimes.unfinished * 1000))
    .where("uid", "=", channel.channel_id)
    .where("hash", "=", "")
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostUnfinished) throw refusal("uploads_unfinished", { retryAfter: lifetimes.unfinished });
}

/**
 * Keeps a piece; it is on disk when this returns. The same place again takes the new bytes, so repeating is harmless. Throws
 * invalid for an upload that is not there or finished, too-large.
 */
export async function addPiece(
  hub: Hub,
  channel: Channel,
  mediaId: number,
  position: number,
  staged: Staged,
): Promise<void> {
  await findUpload(hub, channel, mediaId);
  const blob = randomUUID().replaceAll("-", "");
  await keepBlobs(hub, [{ name: blob, bytes: staged }]);
  try {
    await inTransaction(hub, (hub) => writePiece(hub, channel, mediaId, { position, size: staged.size, blob }));
  } catch (error) {
    await releaseBlobs(hub, [blob]);
    throw error;
  }
}

async function writePiece(
  hub: Hub,
  channel: Channel,
  mediaId: number,
  piece: Pick<Piece, "position" | "size" | "blob">,
): Promise<void> {
  const upload = await findUpload(hub, channel, mediaId, "locked");
  if (upload.hash !== "") throw refusal("upload_finished");
  const pieces = await piecesOf(hub, upload);
  const others = pieces.filter(({ position }) => position !== piece.position);
  if (sizeOf(others) + piece.size > upload.total_bytes) throw refusal("pieces_too_large");
  if (others.length >= mostPieces) throw refusal("pieces_too_many");
  await dropPieces(
    hub,
    pieces.filter(({ position }) => position === piece.position),
  );
  await hub.db
    .insertInto("upload_piece")
    .values({ upload_id: upload.id, ...piece })
    .execute();
  await hub.db
    .updateTable("upload")
    .set({ created: now(hub) })
    .where("id", "=", upload.id)
    .execute();
}

/**
 * Puts the pieces together in their order and stores the file, as `uploadMedia` does; again it answers the same file. Throws
 * invalid for an upload that is not there or not complete, denied, too-large.
 */
export async function finishUpload(hub: Hub, channel: Channel, mediaId: number): Promise<File> {
  await checkWriting(hub, channel, channel);
  const upload = await findUpload(hub, channel, mediaId);
  if (upload.hash !== "") return ownFile(hub, channel.channel_id, upload.hash);
  const pieces = await piecesOf(hub, upload);
  if (sizeOf(pieces) !== upload.total_bytes) throw refusal("upload_incomplete");
  const staged = await hub.blobs.stage(Readable.from(bytesOf(hub, pieces)), upload.total_bytes);
  try {
    const type = upload.media_type;
    const sent = { staged, filename: "", type, refuses: "false images" as const };
    return await withUpload(hub, channel, sent, (prepared) =>
      inTransaction(hub, async (hub) => {
        const current = await findUpload(hub, channel, mediaId, "locked");
        if (current.hash !== "") {
          // Somebody else was faster.
          await dropUploads(hub, [prepared]);
          return ownFile(hub, channel.channel_id, current.hash);
        }
        const place = placeOf(channel, { album: current.album, description: current.alt_text });
        const file = await storeFile(hub, channel, channel, prepared, place);
        await hub.db.updateTable("upload").set({ hash: file.hash }).where("id", "=", upload.id).execute();
        await dropPieces(hub, await piecesOf(hub, upload));
        return file;
      }),
    );
  } finally {
    await hub.blobs.remove(staged);
  }
}

/** How far an upload is: its size, what of it is here, and its file once it is finished. Throws invalid. */
export async function uploadStatus(
  hub: Hub,
  channel: Channel,
  mediaId: number,
): Promise<{ total: number; received: number; file: File | undefined }> {
  const upload = await findUpload(hub, channel, mediaId);
  const total = upload.total_bytes;
  if (upload.hash !== "") return { total, received: total, file: await ownFile(hub, channel.channel_id, upload.hash) };
  return { total, received: sizeOf(await piecesOf(hub, upload)), file: undefined };
}

/** Gives media its description, if it is an unfinished upload; answers whether it was one. */
export async function describeUpload(hub: Hub, channel: Channel, mediaId: number, words: string): Promise<boolean> {
  const id = uploadOfMediaId(mediaId);
  if (id === undefined) return false;
  const changed = await hub.db
    .updateTable("upload")
    .set({ alt_text: words })
    .where("id", "=", id)
    .where("uid", "=", channel.channel_id)
    .where("hash", "=", "")
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** The regular job: unfinished uploads go with their bytes, and finished ones that nobody will ask for by their first id. */
export async function sweepUploads(hub: Hub): Promise<void> {
  await dropWhere(hub, isOver(hub));
}

/** Removes all uploads of a channel that is gone; their bytes count for its account as long as they are there. */
export async function dropUploadsOf(hub: Hub, uid: number): Promise<void> {
  await dropWhere(hub, sql<SqlBool>`uid = ${uid}`);
}

async function dropWhere(hub: Hub, condition: RawBuilder<SqlBool>): Promise<void> {
  for (;;) {
    const rows = await hub.db.selectFrom("upload").select("id").where(condition).limit(oneStep).execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    while ((await sweepPieces(hub, ids)) === oneStep);
    // One that goes on after all may not be one of them any more.
    const gone = hub.db.deleteFrom("upload").where(isOneOf(hub.engine, sql.ref("id"), ids));
    await gone.where(condition).execute();
  }
}

async function sweepPieces(hub: Hub, uploads: readonly number[]): Promise<number> {
  return inTransaction(hub, async (hub) => {
    const some = hub.db
      .selectFrom("upload_piece")
      .selectAll()
      .where(isOneOf(hub.engine, sql.ref("upload_id"), uploads));
    const pieces = await some.limit(oneStep).execute();
    await dropPieces(hub, pieces);
    return pieces.length;
  });
}

function isOver(hub: Hub): RawBuilder<SqlBool> {
  const [unfinished, finished] = [
    momentIn(hub, -lifetimes.unfinished * 1000),
    momentIn(hub, -lifetimes.finished * 1000),
  ];
  return sql`(created < ${unfinished} and (hash = '' or created < ${finished}))`;
}

async function findUpload(hub: Hub, channel: Channel, mediaId: number, how?: "locked"): Promise<PiecedUpload> {
  const id = uploadOfMediaId(mediaId) ?? 0;
  const found = hub.db.selectFrom("upload").selectAll().where("id", "=", id).where("uid", "=", channel.channel_id);
  const upload = await (how && hub.engine === "postgres" ? found.forUpdate() : found).executeTakeFirst();
  if (!upload) throw refusal("unknown_media", { field: "media_id" });
  return upload;
}

async function piecesOf(hub: Hub, { id }: Pick<PiecedUpload, "id">): Promise<Piece[]> {
  return hub.db.selectFrom("upload_piece").selectAll().where("upload_id", "=", id).orderBy("position").execute();
}

async function dropPieces(hub: Hub, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return;
  const ids = pieces.map(({ id }) => id);
  await hub.db
    .deleteFrom("upload_piece")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  await releaseBlobs(
    hub,
    pieces.map(({ blob }) => blob),
  );
}

async function* bytesOf(hub: Hub, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const { blob } of pieces) yield* (await hub.blobs.read(blob)) as AsyncIterable<Buffer>;
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { size }) => sum + size, 0);
}
