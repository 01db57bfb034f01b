import type { IncomingMessage } from "node:http";
import { Readable, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import type { Zlib } from "node:zlib";
import { UnusableAnswer } from "./fetch.ts";
import { mostTimesPacked } from "./purposes.ts";
import type { Limits } from "./purposes.ts";

/** The answer as others see it: unpacked, within its limits, with the address at which it was found. */
export async function answerOf(answer: IncomingMessage, url: string, limits: Limits): Promise<Response> {
  const { bytes: most = Infinity, cut = false, whole, unread = false } = limits;
  if (unread || isEmpty(answer.statusCode ?? 0)) {
    pass(answer, most);
    return responseOf(null, answer, url);
  }
  if (!cut && Number(answer.headers["content-length"]) > most) {
    answer.destroy();
    throw tooLarge();
  }
  const chunks = bounded(answer, most, cut);
  if (whole) return responseOf(Buffer.concat(await Array.fromAsync(chunks)), answer, url);
  return responseOf(Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream, answer, url);
}

/** Lets it go by, so that its connection can be used again; where it does not end, that is given up. */
function pass(answer: IncomingMessage, most: number): void {
  let size = 0;
  answer.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) answer.destroy();
  });
}

/** An answer that has been read, from which anybody gets one of their own. */
export type Read = { status: number; headers: Headers; url: string; bytes: ArrayBuffer };

export async function readAnswer(answer: Response): Promise<Read> {
  const { status, headers, url } = answer;
  return { status, headers, url, bytes: await answer.arrayBuffer() };
}

export function copyOf({ status, headers, url, bytes }: Read): Response {
  return located(new Response(isEmpty(status) ? null : bytes, { status, headers }), url);
}

/** A status and nothing else, as if it came from there. */
export function bareAnswer(status: number, url: string): Response {
  return located(new Response(null, { status }), url);
}

function isEmpty(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

function responseOf(body: Buffer<ArrayBuffer> | ReadableStream | null, answer: IncomingMessage, url: string): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (isUnpacked(answer) && (name === "content-encoding" || name === "content-length")) continue;
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, one);
  }
  const status = answer.statusCode ?? 0;
  return located(new Response(body, { status: status < 200 || status > 599 ? 502 : status, headers }), url);
}

/** Only what the platform has fetched itself would have it. */
function located(response: Response, url: string): Response {
  return Object.defineProperty(response, "url", { value: url, enumerable: true });
}

const unpackers: Readonly<Record<string, () => Zlib & NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
};

function encodingOf({ headers }: IncomingMessage): string {
  return headers["content-encoding"]?.trim().toLowerCase() || "identity";
}

function isUnpacked(answer: IncomingMessage): boolean {
  return Object.hasOwn(unpackers, encodingOf(answer));
}

/** The bytes, counted after unpacking; what is cut off is not read. */
async function* bounded(answer: IncomingMessage, most: number, cut: boolean): AsyncGenerator<Uint8Array> {
  const encoding = encodingOf(answer);
  if (encoding !== "identity" && !isUnpacked(answer)) {
    answer.destroy();
    throw new UnusableAnswer("The answer is packed in an unknown way");
  }
  let [packed, size] = [0, 0];
  const count = (chunk: Buffer): void => void (packed += chunk.length);
  const chunks: AsyncIterable<Buffer> = encoding === "identity" ? answer : unpacked(answer, encoding, count);
  for await (const bytes of chunks) {
    size += bytes.length;
    if (size > most) {
      if (!cut) throw tooLarge();
      yield bytes.subarray(0, bytes.length - (size - most));
      return;
    }
    if (encoding !== "identity" && size > packed * mostTimesPacked) throw tooLarge();
    yield bytes;
  }
}

async function* unpacked(
  answer: IncomingMessage,
  encoding: string,
  count: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  const unpacker = unpackers[encoding]!();
  answer.on("data", count);
  // What goes wrong on the way is met by whoever reads at its end.
  pipeline(answer, unpacker, () => undefined);
  try {
    yield* unpacker as AsyncIterable<Buffer>;
  } catch (cause) {
    if (answer.errored) throw answer.errored;
    throw new UnusableAnswer("The answer cannot be unpacked", { cause });
  }
}

function tooLarge(): UnusableAnswer {
  return new UnusableAnswer("The answer is too large");
}
