import { brotliCompress, constants, gzip } from "node:zlib";

/** How the bytes of an answer may be packed (RFC 9110, 8.4.1). */
export type Packing = "br" | "gzip";

/** How much is done to make something small: what is sent again and again may take longest. */
export type Effort = "least" | "some" | "most";

const levels = { br: { least: 1, some: 4, most: 10 }, gzip: { least: 1, some: 3, most: 9 } } as const;

/** What is smaller than this gains nothing; what is larger is a part of a file, and would be held in memory twice meanwhile. */
const least = 1000;
const most = 4 * 1024 * 1024;

/** The best packing that whoever asks can read: undefined for none. A weight of 0 refuses; other weights are not compared. */
export function acceptedPacking(acceptEncoding: string | null): Packing | undefined {
  const names = (acceptEncoding ?? "")
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]!.trim());
  return (["br", "gzip"] as const).find((packing) => names.includes(packing));
}

/**
 * How an answer may be packed. Where another site has led a browser here that says by itself who it is, not at all: the site may have
 * put words into the address, and would learn from the length of the answer whether the rest has them, too. A token no
 * browser sends by itself.
 */
export function packingFor({ headers }: Request): Packing | undefined {
  const isLed = headers.get("sec-fetch-site") === "cross-site" && !/^bearer /i.test(headers.get("authorization") ?? "");
  return isLed ? undefined : acceptedPacking(headers.get("accept-encoding"));
}

/** Does it gain anything to be packed? */
export function isPackable({ length }: string | Uint8Array): boolean {
  return length >= least && length <= most;
}

/** Something that is sent, as it goes over the line. */
export type Packed = { bytes: Uint8Array<ArrayBuffer>; headers: { "content-encoding"?: Packing } };

/** Packs text, in a thread of libuv. What is small, very large, or asked for without packing, stays as it is. */
export async function pack(
  text: string | Uint8Array,
  packing: Packing | undefined,
  effort: Effort = "some",
): Promise<Packed> {
  // No thread shares the bytes of an answer.
  const bytes = typeof text === "string" ? Buffer.from(text) : (text as Uint8Array<ArrayBuffer>);
  if (packing === undefined || !isPackable(bytes)) return { bytes, headers: {} };
  const level = levels[packing][effort];
  const packed = await (packing === "br" ? brotli(bytes, level) : zip(bytes, level));
  return { bytes: packed, headers: { "content-encoding": packing } };
}

function brotli(bytes: Uint8Array, quality: number): Promise<Buffer<ArrayBuffer>> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return new Promise((resolve, reject) =>
    brotliCompress(bytes, { params }, (error, packed) => (error ? reject(error) : resolve(packed))),
  );
}

function zip(bytes: Uint8Array, level: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) =>
    gzip(bytes, { level }, (error, packed) => (error ? reject(error) : resolve(packed))),
  );
}
