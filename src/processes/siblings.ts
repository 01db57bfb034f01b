import type { Message, Told } from "./messages.ts";

/** How long (milliseconds) whoever asks waits for all to answer; the watcher gives up on others before. */
const patience = 3000;

/**
 * A process among others of the same hub: answers the question that all are asked with what `own` finds, and asks it. A process that is
 * alone asks itself.
 */
export class Siblings<T> {
  readonly #part: number;
  readonly #own: () => T;
  readonly #waiting = new Map<number, (all: readonly Told[]) => void>();
  #last = 0;

  /** `part` is the number of this process, 0 for one that is alone. */
  constructor(part: number, own: () => T) {
    this.#part = part;
    this.#own = own;
    if (part > 0) process.on("message", (message: Message) => this.#hear(message));
  }

  /** What each process finds, this one at least. */
  async ask(): Promise<{ part: number; value: T }[]> {
    if (this.#part === 0) return [{ part: 0, value: this.#own() }];
    const question = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<readonly Told[]>();
    this.#waiting.set(question, resolve);
    const timer = setTimeout(() => resolve([{ part: this.#part, value: this.#own() }]), patience);
    sendToWatcher({ kind: "ask", question });
    const all = await promise;
    clearTimeout(timer);
    this.#waiting.delete(question);
    return all as { part: number; value: T }[];
  }

  #hear(message: Message): void {
    if (message.kind === "asked") sendToWatcher({ ...message, kind: "tell", value: this.#own() });
    if (message.kind === "told") this.#waiting.get(message.question)?.(message.all);
  }
}

/** Says something to the process that watches over this one; a watcher that is gone hears nothing, and then this one stops, too. */
export function sendToWatcher(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
