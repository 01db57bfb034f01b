import { hash } from "node:crypto";
import type { Endpoint } from "./endpoint.ts";
import { EventStream, eventHeaders } from "./event-stream.ts";
import type { Format } from "./exchange.ts";
import type { Exchange } from "./exchange.ts";
import type { Face, Writer } from "./face.ts";
import { isKnownVersion } from "./file-answer.ts";
import { JsonBytes, JsonStream, JsonText } from "./json-text.ts";
import { isPackable, pack } from "./packing.ts";
import type { Packing } from "./packing.ts";
import { unreadable } from "./refusals.ts";

/** On every answer of every face. */
const commonHeaders = {
  "cache-control": "no-store",
  vary: "Authorization",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
  "access-control-allow-headers": "Authorization, Content-Type, X-Requested-With",
  "access-control-expose-headers": "ETag, Link, Retry-After, WWW-Authenticate",
} as const;

const callbackName = /^[A-Za-z_$][A-Za-z0-9_$.]{0,63}$/;
const headerNames = /^[\w-]+(\s*,\s*[\w-]+)*$/;

/** A written answer, before it becomes a response; a long one is a row of pieces. */
export type Written = {
  status: number;
  type: string;
  text: string | Uint8Array<ArrayBuffer> | AsyncIterable<string> | EventStream;
  headers?: Record<string, string>;
  /** Whoever has the same already need not get it again. */
  isComparable?: boolean;
};

/** Writes what the handler returned. */
export async function writeValue(face: Face, row: Endpoint, value: unknown, exchange: Exchange): Promise<Written> {
  if (row.ownForm) return { status: 200, type: row.ownForm.type, text: row.ownForm.write(value) };
  const writer = writerOf(face, exchange.format);
  const presented = row.present ? await row.present(value, exchange) : value;
  if (presented instanceof EventStream) return eventsOf(presented, exchange);
  const ready = row.textType === undefined ? readyText(presented) : String(presented);
  const text = ready ?? (await writer.write(presented, row, exchange));
  const type = row.textType ?? writer.type;
  const headers = row.headers && { headers: row.headers(value, exchange) };
  return { status: 200, type, text, ...headers, isComparable: !row.writes && isRead(exchange) };
}

/** Whoever asks for the head alone reads no events. */
function eventsOf(events: EventStream, { method }: Exchange): Written {
  if (method === "HEAD") events.end();
  const { "content-type": type, ...headers } = eventHeaders;
  return { status: 200, type, text: events, headers };
}

function readyText(presented: unknown): Written["text"] | undefined {
  if (presented instanceof JsonStream) return presented.pieces;
  return presented instanceof JsonBytes ? presented.bytes : undefined;
}

/** Writes an error body, in the format that was asked for where the face has it. */
export function writeFailure(face: Face, status: number, body: unknown, exchange: Exchange): Written {
  const writer = writerOf(face, exchange.format);
  if (writer.writeFailure)
    return { status, type: writer.failureType ?? writer.type, text: writer.writeFailure(body, exchange) };
  return { status, type: jsonWriter.type, text: JSON.stringify(body) };
}

/** JSON as a call of the page's function (microblog contract 4.4), whatever the status; without a name it stays as it is. */
export function wrapJsonp(written: Written, callback: string | undefined): Written {
  if (callback === undefined || !callbackName.test(callback) || written.type !== jsonWriter.type) return written;
  const json = written.text instanceof Uint8Array ? Buffer.from(written.text).toString() : written.text;
  if (typeof json !== "string") throw new TypeError("A streamed answer has no JSONP form.");
  // Old browsers take these two for line ends, which a text in a script must not have.
  const text = json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return { ...written, type: "application/javascript; charset=utf-8", text: `${callback}(${text})` };
}

/** Refuses what cannot be the name of the function for JSONP. */
export function checkCallback(name: string): void {
  if (!callbackName.test(name)) throw unreadable("Invalid callback name");
}

function isRead({ method }: Exchange): boolean {
  return method === "GET" || method === "HEAD";
}

/** What whoever asks has already, and how what they do not have may be packed. */
export type Asked = { ifNoneMatch: string; packing: Packing | undefined };

/**
 * The answer as it is sent; 304 where it is what `ifNoneMatch` names. Its tag follows from its words, so each reader has those of their
 * own answers, and it is weak, as how they are sent does not matter.
 */
export async function toResponse(face: Face, written: Written, exchange: Exchange, asked: Asked): Promise<Response> {
  const text = encoded(written.text);
  const tag = written.isComparable && isWhole(text) ? tagOf(text) : undefined;
  const headers: Record<string, string> = {
    ...commonHeaders,
    ...face.headers?.(exchange),
    ...written.headers,
    "content-type": written.type,
    "x-request-id": exchange.id,
    ...(tag !== undefined && { etag: `W/${tag}` }),
  };
  const isPacked = tag !== undefined && isWhole(text) && isPackable(text);
  if (isPacked) headers["vary"] += ", Accept-Encoding";
  if (tag !== undefined && isKnownVersion(asked.ifNoneMatch, tag)) {
    delete headers["content-type"];
    return new Response(null, { status: 304, headers });
  }
  const { status } = written;
  if (exchange.method === "HEAD") return new Response(null, { status, headers });
  if (text instanceof EventStream) return text.answer({ status, headers });
  if (!isPacked || asked.packing === undefined) return new Response(bodyOf(text), { status, headers });
  const packed = await pack(text, asked.packing, "least");
  return new Response(packed.bytes, { status, headers: { ...headers, ...packed.headers } });
}

/** Where Node begins to write texts more slowly than their bytes. */
const longText = 16_384;

/** A long text is turned into bytes once, for its tag, packing and the line; a short one goes out in one piece with its head. */
function encoded(text: Written["text"]): Written["text"] {
  return typeof text === "string" && text.length > longText ? Buffer.from(text) : text;
}

/** What comes in pieces is not known before it is sent. */
function isWhole(text: Written["text"]): text is string | Uint8Array<ArrayBuffer> {
  return typeof text === "string" || text instanceof Uint8Array;
}

function tagOf(text: string | Uint8Array): string {
  return `"${hash("sha1", text, "base64url")}"`;
}

/** Pieces are asked for as fast as the client takes them. */
function bodyOf(
  text: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>,
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (typeof text === "string" || text instanceof Uint8Array) return text;
  return ReadableStream.from(text).pipeThrough(new TextEncoderStream());
}

/** The answer to OPTIONS: what the path takes, and leave for pages of other sites to ask with credentials. */
export function optionsResponse(face: Face, allow: string, asked: string | null, exchange: Exchange): Response {
  const more = asked && headerNames.test(asked) ? `, ${asked}` : "";
  const own = { ...commonHeaders, ...face.headers?.(exchange) };
  const headers = {
    ...own,
    "access-control-allow-headers": own["access-control-allow-headers"] + more,
    "access-control-max-age": "86400",
    allow,
    "x-request-id": exchange.id,
  };
  return new Response(null, { status: 204, headers });
}

/** The JSON writer that faces share. */
export const jsonWriter: Writer = {
  type: "application/json; charset=utf-8",
  write: (value) => (value instanceof JsonText ? value.text : JSON.stringify(value)),
};

/** A document that belongs to no face. */
export function documentResponse(text: string): Response {
  return new Response(text, { headers: { ...commonHeaders, "content-type": jsonWriter.type } });
}

function writerOf(face: Face, format: Format): Writer {
  return face.writers[format] ?? face.writers.json ?? jsonWriter;
}
