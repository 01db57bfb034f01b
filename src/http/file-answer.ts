import { Readable } from "node:stream";

/** The headers of a request that shape the answer with a file. */
export type FileRequest = { method: string; range: string; ifRange: string; ifNoneMatch: string };

export type FileAnswer = {
  size: number;
  /** Changes exactly when the bytes do. */
  version: string;
  type: string;
  /** Set: it is offered for saving under this name and never shown. */
  saveAs?: string | undefined;
  /** Whoever may see it may differ from visitor to visitor, so shared caches keep nothing but public files. */
  isPublic: boolean;
  /** The most bytes of a part that has no end: whoever asks for that comes back for the rest. */
  mostAtOnce?: number;
  headers?: Record<string, string>;
  /** An address where anybody gets the bytes for a minute, if there is one; asked for only where the file is public. */
  address?(): Promise<string | undefined>;
  read(start: number, length: number): Promise<Readable>;
};

/** What is at another address for a minute may be looked for there for so many seconds. */
const sentThereFor = 30;

/** Answers with a file: 302 to where it is public, 200, 206 for one range, 304 for a version that is known, 416 for a range outside (RFC 9110, 13 and 14). */
export async function fileResponse(request: FileRequest, file: FileAnswer): Promise<Response> {
  const etag = `"${file.version}"`;
  const headers: Record<string, string> = {
    etag,
    "accept-ranges": "bytes",
    "cache-control": file.isPublic ? "public, no-cache" : "private, no-cache",
    // Applications in browsers draw pictures, and choose what of them stays in sight.
    ...(file.isPublic && { "access-control-allow-origin": "*" }),
    vary: "Cookie, Authorization",
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
    ...(file.saveAs !== undefined && { "content-disposition": disposition(file.saveAs) }),
    ...file.headers,
  };
  if (isKnownVersion(request.ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  const address = file.isPublic && file.saveAs === undefined ? await file.address?.() : undefined;
  if (address !== undefined) {
    const brief = { location: address, "cache-control": `public, max-age=${sentThereFor}` };
    return new Response(null, { status: 302, headers: { ...headers, ...brief } });
  }
  headers["content-type"] = file.type;
  const range = request.ifRange === "" || request.ifRange === etag ? readRange(request.range, file) : undefined;
  if (range === "outside") {
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${file.size}` } });
  }
  const { start, end } = range ?? { start: 0, end: file.size };
  headers["content-length"] = String(end - start);
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${file.size}`;
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const bytes = Readable.toWeb(await file.read(start, end - start)) as ReadableStream<Uint8Array>;
  return new Response(bytes, { status, headers });
}

/** One range of bytes; several, other units and what cannot be read mean the whole file, as RFC 9110 allows. */
function readRange(
  header: string,
  { size, mostAtOnce = size }: Pick<FileAnswer, "size" | "mostAtOnce">,
): { start: number; end: number } | "outside" | undefined {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header);
  if (!match) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  if (first === "") {
    const length = Math.min(Number(last), size);
    if (last === "") return undefined;
    return length === 0 ? "outside" : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = Math.min(last === "" ? start + mostAtOnce : Number(last) + 1, size);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "outside" : { start, end };
}

/** Does the client have this version already? (RFC 9110, 13.1.2) */
export function isKnownVersion(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((known) => known.trim().replace(/^W\//, "") === etag);
}

/** The name in plain ASCII, and as it is for whoever reads RFC 6266. */
function disposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}
