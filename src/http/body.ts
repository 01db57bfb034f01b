import { Readable } from "node:stream";
import type { Arrival } from "./arrival.ts";
import type { Endpoint } from "./endpoint.ts";
import type { SentFile } from "./exchange.ts";
import type { Face } from "./face.ts";
import type { Hub } from "../hub.ts";
import { dropFiles, readMultipart } from "./multipart.ts";
import { readJson, readPairs, readParts } from "./parameters.ts";
import type { Parameters } from "./parameters.ts";
import { brokenOff, tooLarge, unsupported } from "./refusals.ts";

export type Body = { parameters: Parameters; files: readonly SentFile[] };

/** Reads the parameters of the body, by its content type; nothing is kept of a body that is over the limit. */
export async function readBody(arrival: Arrival, face: Face, row: Endpoint, hub: Hub): Promise<Body> {
  const limits = hub.config.limits;
  const { headers } = arrival.request;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const stream = length === 0 ? undefined : streamOf(arrival);
  if (!stream) return { parameters: new Map(), files: [] };
  if (!/^(identity)?$/i.test(headers.get("content-encoding") ?? ""))
    throw unsupported("Compressed bodies cannot be read.");
  const type = mediaType(headers.get("content-type") ?? "");
  if (type === "multipart/form-data") return readForm(stream, headers.get("content-type")!, face, row, hub);
  if (length > limits.request) throw tooLarge(limits.request);
  const bytes = await readAll(stream, limits.request);
  return { parameters: readSimple(bytes, type, face, row), files: [] };
}

function readSimple(bytes: Buffer, type: string, face: Face, row: Endpoint): Parameters {
  if (bytes.length === 0) return new Map();
  if (type === "application/x-www-form-urlencoded") return readPairs(bytes.toString("latin1"), face.badText);
  if (type === "application/json") return readJson(bytes, face.badText, row.jsonBody);
  if (face.unknownBody === "ignore") return new Map();
  throw unsupported("The body is of a type that cannot be read here.");
}

async function readForm(stream: Readable, contentType: string, face: Face, row: Endpoint, hub: Hub): Promise<Body> {
  const form = await readMultipart(hub, stream, contentType, row.files ?? []);
  try {
    return { parameters: readParts(form.texts, face.badText), files: form.files };
  } catch (error) {
    await dropFiles(hub, form.files);
    throw error;
  }
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
        reject(tooLarge(most));
      }
    });
    stream.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    stream.once("error", (cause) => reject(brokenOff(cause)));
    stream.once("close", () => reject(brokenOff()));
  });
}
