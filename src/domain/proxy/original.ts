import { createHash } from "node:crypto";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { scoutOf } from "../peers/scout.ts";
import { imageType } from "../photos/images.ts";
import { redraw } from "../photos/prepare.ts";
import type { Drawn } from "../photos/renditions.ts";
import { clipHeadLength, clipType } from "./clip-types.ts";

const mebibyte = 2 ** 20;

/** Bytes and pixels of what is shown of other sites (federation contract 14). Nothing is shown larger than `length`. */
const mostOfImage = { bytes: 32 * mebibyte, pixels: 40_000_000, length: 2048 };
const mostOfClip = 200 * mebibyte;

/** So much of a film is asked for at once: a slow player does not hold a connection for longer. */
export const pieceOfClip = 8 * mebibyte;

/** What stands at an address: an image, drawn anew, or a film or sound, of which nothing has been read yet. */
export type Original = { image: Drawn } | { clip: { type: string; size: number } };

/** What is asked for, and in whose name, where not everybody gets it. */
export type Question = { url: string; as: Channel | undefined };

/**
 * Asks for what stands at the address, and goes by its bytes; an image has to be the one of this digest, if there is one. Throws
 * HubError for what is not shown, and Error where nobody answers.
 */
export async function readOriginal(hub: Hub, question: Question, digest?: string): Promise<Original> {
  const answer = await ask(hub, question);
  if (answer.status !== 200 || !answer.body) {
    await answer.body?.cancel();
    throw refusal("no_picture_there");
  }
  const chunks: Uint8Array[] = [];
  let [size, isImage] = [0, false];
  // Leaving the loop ends the request.
  for await (const chunk of bytesOf(answer)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostOfImage.bytes) throw refusal("no_picture_there");
    if (isImage || size < clipHeadLength) continue;
    const head = Buffer.concat(chunks);
    if (!imageType(head)) return clipIn(head, answer);
    isImage = true;
  }
  const bytes = Buffer.concat(chunks);
  if (digest !== undefined && createHash("sha256").update(bytes).digest("hex") !== digest)
    throw refusal("no_picture_there");
  return { image: await redraw(hub, bytes, mostOfImage) };
}

/** A film that does not tell its length cannot be played from the middle. */
function clipIn(head: Buffer, { headers }: Response): Original {
  const type = clipType(head);
  const size = Number(headers.get("content-length"));
  if (type === undefined || !(size > 0) || size > mostOfClip) throw refusal("no_picture_there");
  return { clip: { type, size } };
}

/** A part of a film or sound, asked for in pieces as it is read. */
export async function* readClip(
  hub: Hub,
  question: Question,
  start: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  const end = start + length;
  for (let at = start; at < end;) {
    const before = at;
    const answer = await ask(hub, question, `bytes=${at}-${Math.min(at + pieceOfClip, end) - 1}`);
    // A server that knows no ranges sends everything.
    let skipped = answer.status === 200 ? at : 0;
    if (!answer.body || !(answer.status === 200 || isPart(answer, at))) {
      await answer.body?.cancel();
      throw new Error(`The server answered ${answer.status}`);
    }
    for await (const chunk of bytesOf(answer)) {
      const piece = chunk.subarray(skipped, skipped + end - at);
      skipped = Math.max(0, skipped - chunk.length);
      at += piece.length;
      if (piece.length > 0) yield piece;
      if (at >= end) break;
    }
    if (at === before) throw new Error("The server sends nothing");
  }
}

function bytesOf({ body }: Response): AsyncIterable<Uint8Array> {
  return body as ReadableStream<Uint8Array>;
}

function isPart({ status, headers }: Response, start: number): boolean {
  return status === 206 && (headers.get("content-range") ?? "").startsWith(`bytes ${start}-`);
}

/** Who looks is told only where nobody else is shown it. */
async function ask(hub: Hub, { url, as }: Question, range?: string): Promise<Response> {
  const accept = { accept: "image/webp,image/*,video/*,audio/*" };
  const options = { purpose: "media", headers: range === undefined ? accept : { ...accept, range } } as const;
  const answer = await hub.fetch(url, options);
  if (!as || ![401, 403, 404].includes(answer.status)) return answer;
  await answer.body?.cancel();
  return scoutOf(hub).askAs(hub, url, as, options);
}
