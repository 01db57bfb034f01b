import { Readable } from "node:stream";
import type { Arrival } from "./arrival.ts";
import type { Endpoint } from "./endpoint.ts";
import type { SentFile } from "./exchange.ts";
import type { Face } from "./face.ts";
import { HubError } from "../errors.ts";
import type { Hub } from "../hub.ts";
import { dropFiles, readMultipart } from "./multipart.ts";
import type { Parameters } from "./parameters.ts";
import { readerOf } from "./reader.ts";
import { brokenOff, tooLarge, unsupported } from "./refusals.ts";

const urlencoded = "application/x-www-form-urlencoded";

export type Body = { parameters: Parameters; files: readonly SentFile[] };

/**
 * An urlencoded body, one character for each byte. OAuth may stand in it, and signatures cover it, so it is read before
 * anybody knows who has sent it. Undefined for bodies of other types, for those that will be refused, and for none.
 */
export async function readFormText(arrival: Arrival, row: Endpoint, hub: Hub): Promise<string | undefined> {
  const { headers, method } = arrival.request;
  if (method === "GET" || method === "HEAD" || row.alwaysJson) return undefined;
  if (mediaType(headers.get("content-type") ?? "") !== urlencoded) return undefined;
  const most = mostOf(row, hub);
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (length === 0 || length > most || isCompressed(headers)) return undefined;
  const stream = streamOf(arrival);
  return stream && (await readAll(stream, most)).toString("latin1");
}

/** Reads the parameters of the body, by its content type; nothing is kept of a body that is over the limit. */
export async function readBody(
  arrival: Arrival,
  form: string | undefined,
  face: Face,
  row: Endpoint,
  hub: Hub,
): Promise<Body> {
  if (form !== undefined) return { parameters: readerOf(face, row).pairs(form), files: [] };
  const most = mostOf(row, hub);
  const { headers } = arrival.request;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const stream = length === 0 ? undefined : streamOf(arrival);
  if (!stream) return { parameters: new Map(), files: [] };
  if (isCompressed(headers)) throw unsupported("Compressed bodies cannot be read.");
  const type = mediaType(headers.get("content-type") ?? "");
  if (type === "multipart/form-data") {
    const contentType = headers.get("content-type")!;
    return readForm(stream, { contentType, length }, face, row, hub);
  }
  if (length > most) throw tooLarge(most, length);
  const bytes = await readAll(stream, most);
  return { parameters: readSimple(bytes, type, face, row), files: [] };
}

function isCompressed(headers: Headers): boolean {
  return !/^(identity)?$/i.test(headers.get("content-encoding") ?? "");
}

/** A file in base64 stands in the memory, so it has a limit of its own. */
const mostWithFile = 32 * 1024 * 1024;

function mostOf(row: Endpoint, hub: Hub): number {
  return row.base64 ? Math.max(mostWithFile, hub.config.limits.request) : hub.config.limits.request;
}

function readSimple(bytes: Buffer, type: string, face: Face, row: Endpoint): Parameters {
  if (bytes.length === 0) return new Map();
  const reader = readerOf(face, row);
  const isForm = type === urlencoded || (type === "" && face.unknownBody === "form");
  if (isForm && !row.alwaysJson) return reader.pairs(bytes.toString("latin1"));
  if (row.alwaysJson || type === "application/json") return reader.json(bytes, row.jsonBody);
  if (face.unknownBody !== "refuse") return new Map();
  throw unsupported("The body is of a type that cannot be read here.");
}

async function readForm(
  stream: Readable,
  { contentType, length }: { contentType: string; length: number },
  face: Face,
  row: Endpoint,
  hub: Hub,
): Promise<Body> {
  const form = await readMultipart(hub, stream, contentType, row.files ?? [], mostOf(row, hub)).catch(
    (error: unknown) => {
      throw withSize(error, length);
    },
  );
  try {
    return { parameters: readerOf(face, row).parts(form.texts), files: form.files };
  } catch (error) {
    await dropFiles(hub, form.files);
    throw error;
  }
}

/** Of what was given up half-way only the sender knows how large it was to be. */
function withSize(error: unknown, length: number): unknown {
  if (!(error instanceof HubError) || error.kind !== "too-large" || !Number.isSafeInteger(length)) return error;
  const { code, data } = error;
  return new HubError("too-large", error.message, { code, data, size: length });
}

/** The bytes of a request's body as they come; undefined when it has none. */
export function streamOf({ request, incoming }: Arrival): Readable | undefined {
  if (incoming)
    return (incoming.headers["content-length"] ?? incoming.headers["transfer-encoding"]) ? incoming : undefined;
  return request.body ? Readable.fromWeb(request.body) : undefined;
}

/** The media type without its parameters, in small letters. */
export function mediaType(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** A body that is known to be small, as a whole. Throws too-large. */
export function readAll(stream: Readable, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      else {
        // What follows is drained by whoever answers; holding it would be the mistake.
        stream.removeAllListeners("data");
        reject(tooLarge(most, length));
      }
    });
    stream.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    stream.once("error", (cause) => reject(brokenOff(cause)));
    stream.once("close", () => stream.readableEnded || reject(brokenOff()));
  });
}
