import type { RawData, WebSocket } from "ws";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Bearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import { listen } from "../../../domain/listeners/listeners.ts";
import { HubError } from "../../../errors.ts";
import { authenticateBearer, checkBearer } from "../../../http/credentials.ts";
import { rateLimits } from "../../../http/rate-limits.ts";
import type { Enter, Knock } from "../../../http/upgrades.ts";
import type { Hub } from "../../../hub.ts";
import { isRecord } from "../../../record-of.ts";
import { mostUnread, StreamReader } from "./stream-reader.ts";
import type { Wish } from "./subscriptions.ts";

/** Mastodon contract 14.3 and 14.4. */
const pingEvery = 30_000;
const mostUnsent = 200;
const longestWish = 4096;
const mostNonsense = 10;
/** What is asked of one connection while it waits; who asks faster than it is answered is let go. */
const mostAsked = 100;
/** So many milliseconds after saying farewell nobody waits any more for an answer. */
const farewell = 1000;

/** Codes of RFC 6455, 7.4.1, and of its registry. */
const codes = { over: 1012, slow: 1008, nonsense: 1008 } as const;

/** Lets an application in that shows a token in one of the three ways, first found counts (Mastodon contract 14.1). */
export async function openStreaming(hub: Hub, { authorization, protocol, query, address }: Knock): Promise<Enter> {
  const shown = authorization ?? (protocol === "" ? null : `Bearer ${protocol}`);
  const { bearer } = await authenticateBearer(
    hub,
    { authorization: shown, form: undefined, query },
    { tokenInQuery: true },
  );
  checkBearer({ access: "channel", scope: ["read:statuses", "read:notifications", "read:lists"] }, bearer);
  const { caller } = bearer!;
  rateLimits(hub).count("read", caller!.channel.channel_id);
  const asked = new URLSearchParams(query);
  const { list, tag } = { list: asked.get("list") ?? undefined, tag: asked.get("tag") ?? undefined };
  const wishes = asked.getAll("stream").map((stream) => ({ stream, list, tag }));
  return (socket) => void new Talk(hub, socket, { bearer: bearer!, caller: caller!, address }).begin(wishes);
}

type Who = { bearer: Bearer; caller: Caller; address: string };

/** One connection: what it asks for, and what it is told. */
class Talk {
  readonly #hub: Hub;
  readonly #socket: WebSocket;
  readonly #reader: StreamReader;
  readonly #timer: NodeJS.Timeout;
  #pings = 0;
  #unsent = 0;
  #nonsense = 0;
  #asked = 0;
  #quit: (() => void) | undefined;
  #before: Promise<void> = Promise.resolve();

  constructor(hub: Hub, socket: WebSocket, who: Who) {
    [this.#hub, this.#socket] = [hub, socket];
    this.#reader = new StreamReader(hub, who, {
      say: (stream, event, payload) => this.#send({ stream, event, ...(payload !== undefined && { payload }) }),
      end: (why) => this.#end(codes[why]),
    });
    this.#timer = setInterval(() => this.#ping(), pingEvery).unref();
    socket.on("pong", () => (this.#pings = 0));
    socket.on("message", (data, isBinary) => this.#take(data, isBinary));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => this.#leave());
  }

  async begin(wishes: readonly Wish[]): Promise<void> {
    for (const wish of wishes) this.#queue(() => this.#reader.subscribe(wish));
    await this.#before;
    try {
      this.#quit = await listen(this.#hub, this.#reader);
      if (this.#socket.readyState !== this.#socket.OPEN) this.#leave();
    } catch {
      this.#end(codes.over);
    }
  }

  /** What is asked happens in its order. */
  #queue(work: () => Promise<void>): void {
    if (++this.#asked > mostAsked) return this.#end(codes.slow);
    this.#before = this.#before.then(async () => {
      await work().catch((error: unknown) => this.#refuse(error));
      this.#asked--;
    });
  }

  #take(data: RawData, isBinary: boolean): void {
    const wish = isBinary ? undefined : wishIn(textOf(data));
    if (wish?.type === "subscribe") this.#queue(() => this.#reader.subscribe(wish));
    else if (wish?.type === "unsubscribe") this.#queue(() => this.#reader.unsubscribe(wish));
    else if (!wish && ++this.#nonsense >= mostNonsense) this.#end(codes.nonsense);
  }

  #refuse(error: unknown): void {
    if (!(error instanceof HubError)) return this.#end(codes.over);
    const statuses: Partial<Record<string, number>> = { invalid: 400, missing: 404, denied: 403, "too-many": 429 };
    const status = statuses[error.kind] ?? 503;
    this.#send({ error: error.kind === "missing" ? "Record not found" : error.message, status });
  }

  #send(message: object): void {
    const { readyState, OPEN, bufferedAmount } = this.#socket;
    if (readyState !== OPEN) return;
    if (bufferedAmount > mostUnread || this.#unsent >= mostUnsent) return this.#end(codes.slow);
    this.#unsent++;
    this.#socket.send(JSON.stringify(message), () => this.#unsent--);
  }

  #ping(): void {
    if (this.#pings++ >= 2) return this.#socket.terminate();
    this.#socket.ping();
  }

  #end(code: number): void {
    this.#leave();
    this.#socket.close(code);
    setTimeout(() => this.#socket.terminate(), farewell).unref();
  }

  #leave(): void {
    clearInterval(this.#timer);
    this.#quit?.();
    this.#quit = undefined;
  }
}

type Asked = Wish & { type: unknown };

/** What somebody asks for; undefined for what is no JSON object, or too long. */
function wishIn(text: string): Asked | undefined {
  if (Buffer.byteLength(text) > longestWish) return undefined;
  const wish = objectIn(text);
  if (!wish) return undefined;
  const { type, stream, list, tag } = wish;
  return { type, stream: textIn(stream) ?? "", list: textIn(list), tag: textIn(tag) };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(data: RawData): string {
  if (data instanceof ArrayBuffer) return Buffer.from(data).toString();
  return (Array.isArray(data) ? Buffer.concat(data) : data).toString();
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
