import { createHmac } from "node:crypto";
import type { Hono } from "hono";
import OAuth from "oauth-1.0a";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { createClient, randomWord } from "../../src/domain/identity/applications/oauth-clients.ts";
import { issueToken } from "../../src/domain/identity/applications/oauth-tokens.ts";
import type { Hub } from "../../src/hub.ts";

/** Requests as an independent library signs them (oauth-1.0a). */

export type Place = "header" | "query" | "body";
export type Secrets = { key: string; secret: string; token?: string; tokenSecret?: string };
export type Values = Record<string, string | string[]>;

export type Order = {
  method?: string;
  path: string;
  /** Becomes the query; its escapes are ours. */
  query?: Values;
  /** Becomes an urlencoded body. */
  form?: Values;
  /** A body of another type, which no signature covers. */
  body?: RequestInit["body"];
  headers?: Record<string, string>;
  place?: Place;
  /** Protocol parameters that are signed along, such as the callback. */
  more?: Record<string, string>;
  /** What happens to the protocol parameters after they are signed. */
  spoil?: (said: Record<string, string>) => void;
  /** What the client takes for the address of the hub. */
  origin?: string;
  signatureMethod?: "HMAC-SHA1" | "PLAINTEXT";
  /** What the client takes for the version of the protocol. */
  version?: string;
  /** In place of a random one. */
  nonce?: string;
};

export type Written = { method: string; target: string; headers: Record<string, string>; body: RequestInit["body"] };

/** A client with a key of its own and a token for the channel. */
export async function application(hub: Hub, channel: Channel, name = "Crow"): Promise<Required<Secrets>> {
  const client = await createClient(hub, channel.channel_id, { name, key: randomWord(), secret: randomWord() });
  const { token, secret } = await issueToken(hub, client, channel.channel_id);
  return { key: client.client_key, secret: client.secret, token, tokenSecret: secret };
}

/** The request as it goes over the wire. */
export function written(hub: Pick<Hub, "clock">, secrets: Secrets, order: Order): Written {
  const { method = "GET", path, query = {}, form, headers = {}, place = "header", more = {}, spoil } = order;
  const origin = order.origin ?? "http://hub.example";
  const signer = new OAuth({
    consumer: { key: secrets.key, secret: secrets.secret },
    signature_method: order.signatureMethod ?? "HMAC-SHA1",
    ...(order.version !== undefined && { version: order.version }),
    ...(order.signatureMethod !== "PLAINTEXT" && {
      hash_function: (base: string, key: string) => createHmac("sha1", key).update(base).digest("base64"),
    }),
  });
  signer.getTimeStamp = () => Math.floor(hub.clock().getTime() / 1000);
  if (order.nonce !== undefined) signer.getNonce = () => order.nonce!;
  const data = structuredClone({ ...query, ...form, ...more });
  const token = secrets.token === undefined ? undefined : { key: secrets.token, secret: secrets.tokenSecret ?? "" };
  // The library adds all that it signs to what it answers.
  const answered = Object.entries(signer.authorize({ url: origin + path, method, data }, token));
  const said: Record<string, string> = Object.fromEntries(
    answered.filter(([name]) => name.startsWith("oauth_")).map(([name, value]) => [name, String(value)]),
  );
  spoil?.(said);
  const search = [encode(query), place === "query" ? encode(said) : ""].filter((part) => part !== "").join("&");
  const text = [encode(form ?? {}), place === "body" ? encode(said) : ""].filter((part) => part !== "").join("&");
  const isForm = form !== undefined || place === "body";
  return {
    method,
    target: search === "" ? path : `${path}?${search}`,
    headers: {
      ...(isForm && { "content-type": "application/x-www-form-urlencoded" }),
      ...(place === "header" && { authorization: headerOf(said) }),
      ...headers,
    },
    body: isForm ? text : order.body,
  };
}

/** Sends a signed request to the app in memory. */
export async function sendSigned(app: Hono, hub: Pick<Hub, "clock">, secrets: Secrets, order: Order) {
  return send(app, written(hub, secrets, order), order.origin);
}

/** Sends what is written already, once more if need be. */
export async function send(app: Hono, { method, target, headers, body }: Written, origin = "http://hub.example") {
  const init = { method, headers, ...(body !== undefined && { body }) };
  const response = await app.request(origin + target, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: readJson(text), pairs: readPairs(text) };
}

/** The signature as the RFC has it, by means that the hub does not use; `texts` are query and form as they are sent. */
export function signatureOf(
  secrets: Secrets,
  method: string,
  path: string,
  texts: string[],
  said: Record<string, string>,
): string {
  const pairs = [...texts.flatMap((text) => [...new URLSearchParams(text)]), ...Object.entries(said)]
    .map(([name, value]): [string, string] => [escape3986(name), escape3986(value)])
    .toSorted(([name, value], [other, otherValue]) => compare(name, other) || compare(value, otherValue));
  const parameters = pairs.map((pair) => pair.join("=")).join("&");
  const base = [method, `http://hub.example${path}`, parameters].map(escape3986).join("&");
  return createHmac("sha1", `${secrets.secret}&${secrets.tokenSecret ?? ""}`)
    .update(base)
    .digest("base64");
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The value of an Authorization header. */
export function headerOf(said: Record<string, string>): string {
  const parts = Object.entries(said).map(([name, value]) => `${encodeURIComponent(name)}="${escape3986(value)}"`);
  return `OAuth realm="any, realm", ${parts.join(", ")}`;
}

function encode(values: Values): string {
  return Object.entries(values)
    .flatMap(([name, value]) => [value].flat().map((one) => `${escape3986(name)}=${escape3986(one)}`))
    .join("&");
}

/** The spelling of RFC 3986. */
export function escape3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function readPairs(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function readJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
