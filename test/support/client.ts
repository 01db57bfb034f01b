import type { Hono } from "hono";

/** What came back: the JSON value, where there is one, beside the text. */
export type Answer = { status: number; headers: Headers; text: string; json: any };

export type Sent = { query?: Record<string, unknown>; headers?: Record<string, string> };

export type Client = {
  get(path: string, query?: Record<string, unknown>, sent?: Sent): Promise<Answer>;
  /** A form; a list is sent as `name[]`. */
  post(path: string, form?: Record<string, unknown>, sent?: Sent): Promise<Answer>;
  send(method: string, path: string, body?: RequestInit["body"], sent?: Sent): Promise<Answer>;
};

/** Calls the app in memory, with these Basic credentials (`nick:password`) or with none. */
export function clientOf(app: Hono, credentials?: string): Client {
  const authorization = credentials === undefined ? {} : { authorization: basic(credentials) };
  const send: Client["send"] = async (method, path, body, { query = {}, headers = {} } = {}) => {
    const search = encode(query).toString();
    const url = `http://hub.example${path}${search === "" ? "" : `?${search}`}`;
    const init: RequestInit = {
      method,
      headers: { ...authorization, ...headers },
      ...(body !== undefined && { body }),
    };
    return answerOf(await app.request(url, init));
  };
  return {
    get: (path, query = {}, sent = {}) => send("GET", path, undefined, { ...sent, query }),
    post: (path, form = {}, sent = {}) => send("POST", path, encode(form), sent),
    send,
  };
}

/** The value of an Authorization header. */
export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials, "utf8").toString("base64")}`;
}

function encode(values: Record<string, unknown>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value))
      for (const entry of value.length === 0 ? [""] : value) search.append(`${name}[]`, String(entry));
    else if (value !== undefined) search.append(name, String(value));
  }
  return search;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await textOf(response);
  return { status: response.status, headers: response.headers, text, json: readJson(text) };
}

/** Of an answer that goes on, its beginning. */
async function textOf(response: Response): Promise<string> {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
