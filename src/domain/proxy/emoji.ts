import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { HubError, refusal } from "../../errors.ts";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { isOneOf, sqlDate, zeroDate } from "../../storage/sql.ts";
import { withPictureCodes } from "../bodies/picture-codes.ts";
import { keepBlobs, releaseBlobs } from "../files/blobs.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import { redraw } from "../photos/prepare.ts";
import type { Media } from "./open-media.ts";

/** Pictures that hubs have for codes between colons, each known by the host that brought it and its code (federation contract 4.2). */

export type NewEmoji = { code: string; url: string; updated: Date | undefined };

const isCode = (code: string): boolean => /^[\w-]{1,64}$/.test(code);
const mostEmoji = 64;
const most = { bytes: 100 * 1024, pixels: 512 * 512, length: 0 };
const mostEdge = 512;

/** Keeps those of these that stand in a text, and answers their codes. */
export async function keepEmoji(hub: Hub, host: string, emoji: readonly NewEmoji[], text: string): Promise<string[]> {
  const used = emoji
    .filter(({ code, url }) => isCode(code) && /^https?:/i.test(url) && text.includes(`:${code}:`))
    .slice(0, mostEmoji);
  if (used.length > 0)
    await inTransaction(hub, async (hub) => {
      for (const one of used) await recordEmoji(hub, host, one);
    });
  return used.map(({ code }) => code);
}

/** Is there a picture for this code, or will be one? */
export async function isEmoji(hub: Hub, host: string, code: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("emoji")
    .select("id")
    .where("host", "=", host)
    .where("code", "=", code)
    .executeTakeFirst();
  return row !== undefined;
}

/** Text of a document in which its codes are pictures, which are fetched by jobs where the hub has none, or older ones. */
export async function withEmoji(hub: Hub, host: string, emoji: readonly NewEmoji[], html: string): Promise<string> {
  const codes = await keepEmoji(hub, host, emoji, html);
  return withPictureCodes(html, codes, (code) => emojiUrl(hub, host, code));
}

/** Where the picture for a code is shown. */
export function emojiUrl({ config }: { config: Pick<Hub["config"], "baseUrl"> }, host: string, code: string): string {
  return `${config.baseUrl}/proxy/emoji/${encodeURIComponent(host)}/${code}`;
}

async function recordEmoji(hub: Hub, host: string, { code, url, updated }: NewEmoji): Promise<void> {
  const date = updated ? sqlDate(updated) : zeroDate;
  const row = await hub.db
    .insertInto("emoji")
    .values({ host, code, url, updated: date, filesize: 0 })
    .onConflict((conflict) =>
      conflict.columns(["host", "code"]).doUpdateSet({ url, updated: date }).where("emoji.updated", "<", date),
    )
    .returning("id")
    .executeTakeFirst();
  if (row) await addJob(hub, "fetch-emoji", { emoji: row.id }, { lane: `emoji ${host}` });
}

async function findEmoji(hub: Hub, id: number) {
  return hub.db.selectFrom("emoji").select(["host", "url", "blob"]).where("id", "=", id).executeTakeFirst();
}

/** The job that copies one, drawn anew. One that cannot be shown leaves its code as it is; may run twice. */
export async function fetchEmoji(hub: Hub, id: number): Promise<void> {
  const row = await findEmoji(hub, id);
  if (!row || (await isUnwanted(hub, row.host)) || (await isUnwanted(hub, new URL(row.url).host))) return;
  const drawn = await drawFrom(hub, row.url);
  if (!drawn) return;
  const blob = `emoji-${randomUUID().replaceAll("-", "")}`;
  await keepBlobs(hub, [{ name: blob, bytes: drawn.bytes }]);
  await inTransaction(hub, async (hub) => {
    await releaseBlobs(hub, [(await findEmoji(hub, id))?.blob ?? ""]);
    const columns = { blob, mimetype: drawn.mimetype, filesize: drawn.bytes.length };
    await hub.db.updateTable("emoji").set(columns).where("id", "=", id).execute();
  });
}

/** Undefined for what is none; throws where the site is away, so that the job runs again. */
async function drawFrom(hub: Hub, url: string) {
  try {
    const answer = await hub.fetch(url, { purpose: "media", headers: { accept: "image/*" } });
    if (answer.status >= 500) throw new Error(`The server answered ${answer.status}`);
    const drawn = await redraw(hub, await readSmall(answer), most);
    return Math.max(drawn.width, drawn.height) <= mostEdge ? drawn : undefined;
  } catch (error) {
    if (!(error instanceof HubError || error instanceof RefusedAddress)) throw error;
    hub.log.debug("The emoji at {url} cannot be shown: {error}", { url, error });
    return undefined;
  }
}

async function readSmall({ status, body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (status !== 200 || size > most.bytes) throw refusal("no_picture_there");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function isUnwanted(hub: Hub, host: string): Promise<boolean> {
  const { level, noMedia } = await treatmentOf(hub, host);
  return noMedia || level === "suspend";
}

/** The copy of the picture for a code; undefined where there is none. */
export async function openEmoji(hub: Hub, host: string, code: string): Promise<Media | undefined> {
  const row = await hub.db
    .selectFrom("emoji")
    .select(["mimetype", "filesize", "blob"])
    .where("host", "=", host)
    .where("code", "=", code)
    .where("blob", "<>", sql.lit(""))
    .executeTakeFirst();
  if (!row || (await isUnwanted(hub, host))) return undefined;
  const { mimetype: type, filesize: size, blob } = row;
  return { type, size, version: blob, read: (start, length) => hub.blobs.read(blob, start, length) };
}

/** Drops these with their copies. Part of a transaction. */
export async function forgetEmoji(hub: Hub, emoji: readonly { id: number; blob: string }[]): Promise<void> {
  const ids = emoji.map(({ id }) => id);
  await hub.db
    .deleteFrom("emoji")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  await releaseBlobs(
    hub,
    emoji.map(({ blob }) => blob),
  );
}
