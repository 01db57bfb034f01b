import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { HubError, refusal } from "../../errors.ts";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import { forgetPictures, showAvatar } from "../identity/xchans/show-avatar.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob } from "../../jobs/queue.ts";
import { releaseBlobs } from "../files/blobs.ts";
import { prepareUse } from "./prepare.ts";
import type { Scale, Use } from "./scales.ts";
import { scales, scalesOf, uses } from "./scales.ts";
import { usages } from "./types.ts";
import type { Rendition } from "./types.ts";
import { renditionPath } from "./urls.ts";

type Payload = JobPayload<"fetch-avatar">;

const mostBytes = 5 * 1024 * 1024;
const mostSeconds = 20;
/** Seconds until the next attempt; after the last one the identity keeps the picture that it has. */
const waits = [60, 3600];

/**
 * The job that copies the picture or the cover of an identity of elsewhere, drawn anew in the sizes of its use. One that
 * cannot be had changes nothing; without an address the copy goes. May run twice.
 */
export async function fetchAvatar(hub: Hub, payload: Payload): Promise<void> {
  const { xchan, url, use = "profile" } = payload;
  const renditions =
    url === "" ? [] : await fetchAndDraw(hub, url, use).catch((error: unknown) => giveUp(hub, payload, error));
  if (renditions) await inTransaction(hub, (hub) => writePicture(hub, xchan, use, renditions));
}

async function fetchAndDraw(hub: Hub, url: string, use: Use): Promise<Rendition[]> {
  const { level, noMedia } = await treatmentOf(hub, URL.canParse(url) ? new URL(url).host : "");
  if (noMedia || level === "suspend") throw refusal("no_picture_there");
  const signal = AbortSignal.timeout(mostSeconds * 1000);
  const answer = await hub.fetch(url, { purpose: "media", headers: { accept: "image/*" }, signal, byHand: true });
  if (answer.status >= 500) throw new Error(`The server answered ${answer.status}`);
  if (answer.status !== 200 || !answer.body) {
    await answer.body?.cancel();
    throw refusal("no_picture_there");
  }
  const staged = await hub.blobs.stage(Readable.fromWeb(answer.body as never), mostBytes);
  try {
    return await prepareUse(hub, staged, use);
  } finally {
    await hub.blobs.remove(staged);
  }
}

/** What may be well later is tried again a few times. */
async function giveUp(hub: Hub, payload: Payload, error: unknown): Promise<undefined> {
  const { xchan, attempt = 0 } = payload;
  const isFinal = error instanceof HubError ? error.kind !== "unavailable" : error instanceof RefusedAddress;
  const wait = isFinal ? undefined : waits[attempt];
  hub.log.info("The picture of identity {xchan} could not be fetched: {error}", { xchan, error });
  if (wait === undefined) return undefined;
  const at = momentIn(hub, wait * 1000);
  await addJob(hub, "fetch-avatar", { ...payload, attempt: attempt + 1 }, { at });
  return undefined;
}

async function writePicture(hub: Hub, xchanId: number, use: Use, renditions: readonly Rendition[]): Promise<void> {
  const resource = randomBytes(16).toString("hex");
  const hash = use === "cover" ? await hashOf(hub, xchanId) : await showPortrait(hub, xchanId, resource, renditions);
  if (hash === undefined) return;
  await dropCopies(hub, hash, use);
  if (renditions.length === 0) return;
  await hub.db
    .insertInto("photo")
    .values(renditions.map((one) => photoRow(hub, hash, resource, one)))
    .execute();
}

async function hashOf(hub: Hub, id: number): Promise<string | undefined> {
  return (await findXchan(hub, { id }))?.xchan_hash;
}

async function showPortrait(hub: Hub, xchanId: number, resource: string, renditions: readonly Rendition[]) {
  const url = (scale: Scale): string => hub.config.baseUrl + renditionPath(resource, scale);
  const pictures = { l: url("profileLarge"), m: url("profileMedium"), s: url("profileSmall") };
  return showAvatar(hub, xchanId, pictures, renditions[0]!.mimetype);
}

async function dropCopies(hub: Hub, hash: string, use: Use): Promise<void> {
  const numbers = scalesOf[use].map((scale) => sql.lit(scales[scale].number));
  const gone = await hub.db
    .deleteFrom("photo")
    .where("uid", "=", 0)
    .where("photo_usage", "=", sql.lit(usages.connection))
    .where("xchan", "=", hash)
    .where("imgscale", "in", numbers)
    .returning("blob")
    .execute();
  await releaseBlobs(
    hub,
    gone.map((row) => row.blob),
  );
}

/** The copy belongs to no channel of this hub. */
function photoRow(hub: Hub, xchan: string, resource: string, one: Rendition) {
  return {
    ...one,
    aid: 0,
    uid: 0,
    xchan,
    resource_id: resource,
    created: now(hub),
    edited: now(hub),
    filename: `${resource}-${one.imgscale}`,
    photo_usage: usages.connection,
  };
}

/** Where the cover of somebody of elsewhere is shown; undefined where there is none. */
export async function foreignCover(hub: Hub, hash: string): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("photo")
    .select("resource_id")
    .where("photo_usage", "=", sql.lit(usages.connection))
    .where("xchan", "=", hash)
    .where("imgscale", "=", sql.lit(scales.coverLarge.number))
    .executeTakeFirst();
  return row && renditionPath(row.resource_id, "coverLarge");
}

/** So many people of elsewhere have copies here; those come first that are connected with nobody, and whose copies are older. */
export async function copiesOfPeople(hub: Hub, most: number): Promise<{ hash: string; bytes: number }[]> {
  const rows = await hub.db
    .selectFrom("photo")
    .select(["xchan", (eb) => eb.fn.sum<number>("filesize").as("bytes")])
    .where("uid", "=", sql.lit(0))
    .where("photo_usage", "=", sql.lit(usages.connection))
    .groupBy("xchan")
    .orderBy(sql`case when exists (select 1 from abook where abook_xchan = photo.xchan) then 1 else 0 end`)
    .orderBy((eb) => eb.fn.min("created"))
    .limit(most)
    .execute();
  return rows.map(({ xchan, bytes }) => ({ hash: xchan, bytes: Number(bytes) }));
}

/** Drops the copies of somebody's pictures; they are fetched again when their document is read again. Part of a transaction. */
export async function dropPictures(hub: Hub, hash: string): Promise<void> {
  for (const use of uses) await dropCopies(hub, hash, use);
  await forgetPictures(hub, hash);
}
