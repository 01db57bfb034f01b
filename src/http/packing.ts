import { brotliCompress, constants, gzip } from "node:zlib";

/** How the bytes of an answer may be packed (RFC 9110, 8.4.1). */
export type Packing = "br" | "gzip";

/** What is smaller than this gains nothing. */
const least = 1000;

/** The best packing that whoever asks can read: undefined for none. A weight of 0 refuses; other weights are not compared. */
export function acceptedPacking(acceptEncoding: string | null): Packing | undefined {
  const names = (acceptEncoding ?? "")
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]!.trim());
  return (["br", "gzip"] as const).find((packing) => names.includes(packing));
}

/** Something that is sent, as it goes over the line. */
export type Packed = { bytes: Uint8Array<ArrayBuffer>; headers: { "content-encoding"?: Packing } };

/**
 * Packs text, in a thread of libuv: quickly for what is made for one request, and `well` for what is sent again and again.
 * What is small, or asked for without packing, stays as it is.
 */
export async function pack(text: string | Uint8Array, packing: Packing | undefined, well = false): Promise<Packed> {
  const bytes = Buffer.from(text as string);
  if (packing === undefined || bytes.length < least) return { bytes, headers: {} };
  const packed = await (packing === "br" ? brotli(bytes, well ? 10 : 4) : zip(bytes, well ? 9 : 3));
  return { bytes: packed, headers: { "content-encoding": packing } };
}

function brotli(bytes: Buffer, quality: number): Promise<Buffer<ArrayBuffer>> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return new Promise((resolve, reject) =>
    brotliCompress(bytes, { params }, (error, packed) => (error ? reject(error) : resolve(packed))),
  );
}

function zip(bytes: Buffer, level: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) =>
    gzip(bytes, { level }, (error, packed) => (error ? reject(error) : resolve(packed))),
  );
}
