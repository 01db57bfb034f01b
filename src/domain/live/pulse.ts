import { randomUUID } from "node:crypto";
import { oncePerHub } from "../../caches.ts";

/** Tells within a process that there may be something new in the log. */
class Pulse {
  /** Names this process among those of the hub. */
  readonly process = randomUUID();
  readonly #wakes = new Set<() => void>();

  /** Something was committed here. */
  beat(): void {
    for (const wake of this.#wakes) wake();
  }

  /** Calls this at each beat, until what is answered is called. */
  onBeat(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => void this.#wakes.delete(wake);
  }
}

/** The pulse of this process. */
export const pulseOf = oncePerHub(() => new Pulse());
