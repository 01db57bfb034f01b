/** So many bytes may wait for a reader, unless it is said otherwise: who is slower comes back later. */
const usualWaiting = 64 * 1024;
/** How often (milliseconds) something is sent when nothing happens, so that nobody in between takes the connection for dead. */
const usualBeat = 30_000;

const encoder = new TextEncoder();

/** How answers with events are sent: proxies pass them on as they come, and nobody keeps them. */
export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** An answer that goes on: events as browsers read them by themselves (HTML, server-sent events). */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #ended: () => void;

  /** `beat` is what is sent when nothing happens, `ended` is called once when nobody reads any more or it has been ended. */
  constructor({
    beat,
    ended,
    beatEvery = usualBeat,
    mostWaiting = usualWaiting,
  }: {
    beat: () => string;
    ended: () => void;
    beatEvery?: number;
    mostWaiting?: number;
  }) {
    this.#ended = ended;
    this.body = new ReadableStream<Uint8Array>(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#leave() },
      new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
    );
    this.#timer = setInterval(() => this.write(beat()), beatEvery).unref();
  }

  get isOver(): boolean {
    return this.#controller === undefined;
  }

  /** Sends a text as it is; a reader who has not taken what came before is let go. */
  write(text: string): void {
    if (!this.#controller) return;
    if ((this.#controller.desiredSize ?? 0) <= 0) return this.end();
    this.#controller.enqueue(encoder.encode(text));
  }

  /** Sends an event; `data` has no line breaks. Who comes back says the last `id`. */
  send(event: string, data: string, id?: number): void {
    this.write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  }

  /** The answer is complete. */
  end(): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#leave();
    controller.close();
  }

  #leave(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    clearInterval(this.#timer);
    this.#ended();
  }
}
