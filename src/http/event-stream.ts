import type { ServerResponse } from "node:http";
import { oncePerHub } from "../caches.ts";
import type { HubOfCaches } from "../caches.ts";
import { beatRing } from "./beat-ring.ts";
import type { BeatRing } from "./beat-ring.ts";

/** So many bytes may wait for a reader, unless it is said otherwise: who is slower comes back later. */
const usualWaiting = 64 * 1024;
/** How often (milliseconds) something is sent when nothing happens, so that nobody in between takes the connection for dead. */
const usualBeat = 30_000;

/** How answers with events are sent: proxies pass them on as they come, and nobody keeps them. */
export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** Where events go: a connection, or whoever reads the answer in memory. */
type Outlet = {
  /** Bytes that wait for the reader. */
  waiting(): number;
  write(bytes: Uint8Array<ArrayBuffer>): void;
  end(): void;
};

/**
 * An answer that goes on: events as browsers read them by themselves (HTML, server-sent events). There are thousands of them, so
 * each holds no more than its connection; see `events-over-sockets.ts`.
 */
export class EventStream {
  /** Until somebody reads: what has been said already. */
  #before: Uint8Array<ArrayBuffer>[] = [];
  #outlet: Outlet | undefined;
  #isOver = false;
  readonly #mostWaiting: number;
  readonly #shared: Shared;
  readonly #beats: BeatRing;
  readonly #ended: () => void;
  readonly beat: () => string;

  /** `beat` is what is sent when nothing happens, `ended` is called once when nobody reads any more or it has been ended. */
  constructor(
    hub: HubOfCaches,
    {
      beat,
      ended,
      beatEvery = usualBeat,
      mostWaiting = usualWaiting,
    }: { beat: () => string; ended: () => void; beatEvery?: number; mostWaiting?: number },
  ) {
    this.#shared = shared(hub);
    this.beat = beat;
    this.#ended = ended;
    this.#mostWaiting = mostWaiting;
    this.#beats = beatRing(hub, beatEvery);
    this.#beats.add(this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The answer with these headers. */
  answer(init: { status: number; headers: Record<string, string> }): Response {
    const response = new Response(this.#body(), init);
    this.#shared.answered.set(response, this);
    return response;
  }

  /** Sends a text as it is; a reader who has not taken what came before is let go. */
  write(text: string): void {
    this.#send(Buffer.from(text));
  }

  /** Sends an event; `data` has no line breaks. Who comes back says the last `id`. */
  send(event: string, data: string, id?: number): void {
    this.#send(this.#shared.frameOf(event, data, id));
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#isOver) return;
    if (!this.#outlet) return void this.#before.push(bytes);
    if (this.#outlet.waiting() >= this.#mostWaiting) return this.end();
    this.#outlet.write(bytes);
  }

  /** The answer is complete. */
  end(): void {
    const outlet = this.#outlet;
    if (this.#leave()) outlet?.end();
  }

  /** From now on this connection gets all of it; the head of the answer has been sent. */
  goOnAt(outgoing: ServerResponse): void {
    outgoing.once("close", () => this.#leave());
    this.#begin({
      waiting: () => outgoing.writableLength,
      write: (bytes) => void outgoing.write(bytes),
      end: () => void outgoing.end(),
    });
    if (outgoing.destroyed) this.#leave();
  }

  #begin(outlet: Outlet): void {
    for (const bytes of this.#before) outlet.write(bytes);
    this.#before = [];
    if (this.#isOver) outlet.end();
    else this.#outlet = outlet;
  }

  /** For whoever reads the answer itself. */
  #body(): ReadableStream<Uint8Array> {
    let isRead = false;
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (isRead) return;
          isRead = true;
          this.#begin({
            waiting: () => -(controller.desiredSize ?? 0),
            write: (bytes) => controller.enqueue(bytes),
            end: () => controller.close(),
          });
        },
        cancel: () => void this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  /** Was it not over before? */
  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#outlet = undefined;
    this.#beats.delete(this);
    this.#ended();
    return true;
  }
}

/** What the streams of a process have together. */
class Shared {
  readonly answered = new WeakMap<Response, EventStream>();
  #last: { event: string; data: string; id: number | undefined; bytes: Buffer<ArrayBuffer> } | undefined;

  /** An event in bytes; what many readers are told one after the other is put into them once. */
  frameOf(event: string, data: string, id: number | undefined): Buffer<ArrayBuffer> {
    const last = this.#last;
    if (last?.data === data && last.event === event && last.id === id) return last.bytes;
    const bytes = Buffer.from(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
    this.#last = { event, data, id, bytes };
    return bytes;
  }
}

const shared = oncePerHub(() => new Shared());

/** The events that this answer goes on with. */
export function eventsIn(hub: HubOfCaches, response: Response): EventStream | undefined {
  return shared(hub).answered.get(response);
}
