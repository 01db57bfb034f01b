import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { HubError, refusal } from "../../errors.ts";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { inTransaction, now } from "../../hub.ts";
import { showAvatar } from "../identity/xchans/show-avatar.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob } from "../../jobs/queue.ts";
import { sqlDate } from "../../storage/sql.ts";
import { releaseBlobs } from "../files/blobs.ts";
import { prepareUse } from "./prepare.ts";
import type { Scale } from "./scales.ts";
import { usages } from "./types.ts";
import type { Rendition } from "./types.ts";
import { renditionPath } from "./urls.ts";

type Payload = JobPayload<"fetch-avatar">;

const mostBytes = 5 * 1024 * 1024;
const mostSeconds = 20;
/** Seconds until the next attempt; after the last one the identity keeps the picture that it has. */
const waits = [60, 3600];

/**
 * The job that copies the picture of an identity of elsewhere, drawn anew in the sizes of avatars. A picture that
 * cannot be had changes nothing. May run twice.
 */
export async function fetchAvatar(hub: Hub, payload: Payload): Promise<void> {
  const renditions = await fetchAndDraw(hub, payload.url).catch((error: unknown) => giveUp(hub, payload, error));
  if (!renditions) return;
  await inTransaction(hub, (hub) => writeAvatar(hub, payload.xchan, renditions));
}

async function fetchAndDraw(hub: Hub, url: string): Promise<Rendition[]> {
  const signal = AbortSignal.timeout(mostSeconds * 1000);
  const answer = await hub.fetch(url, { purpose: "media", headers: { accept: "image/*" }, signal, byHand: true });
  if (answer.status >= 500) throw new Error(`The server answered ${answer.status}`);
  if (answer.status !== 200 || !answer.body) {
    await answer.body?.cancel();
    throw refusal("no_picture_there");
  }
  const staged = await hub.blobs.stage(Readable.fromWeb(answer.body as never), mostBytes);
  try {
    return await prepareUse(hub, staged, "profile");
  } finally {
    await hub.blobs.remove(staged);
  }
}

/** What may be well later is tried again a few times. */
async function giveUp(hub: Hub, { xchan, url, attempt = 0 }: Payload, error: unknown): Promise<undefined> {
  const isFinal = error instanceof HubError ? error.kind !== "unavailable" : error instanceof RefusedAddress;
  const wait = isFinal ? undefined : waits[attempt];
  hub.log.info("The avatar of identity {xchan} could not be fetched: {error}", { xchan, error });
  if (wait === undefined) return undefined;
  const at = sqlDate(new Date(hub.clock().getTime() + wait * 1000));
  await addJob(hub, "fetch-avatar", { xchan, url, attempt: attempt + 1 }, { at });
  return undefined;
}

async function writeAvatar(hub: Hub, xchanId: number, renditions: readonly Rendition[]): Promise<void> {
  const resource = randomBytes(16).toString("hex");
  const url = (scale: Scale): string => hub.config.baseUrl + renditionPath(resource, scale);
  const pictures = { l: url("profileLarge"), m: url("profileMedium"), s: url("profileSmall") };
  const hash = await showAvatar(hub, xchanId, pictures, renditions[0]!.mimetype);
  if (hash === undefined) return;
  await dropEarlier(hub, hash);
  await hub.db
    .insertInto("photo")
    .values(renditions.map((one) => photoRow(hub, hash, resource, one)))
    .execute();
}

async function dropEarlier(hub: Hub, hash: string): Promise<void> {
  const gone = await hub.db
    .deleteFrom("photo")
    .where("uid", "=", 0)
    .where("photo_usage", "=", sql.lit(usages.connection))
    .where("xchan", "=", hash)
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
