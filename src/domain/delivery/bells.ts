import { oncePerHub } from "../../caches.ts";
import { afterCommit } from "../../hub.ts";
import type { Hub } from "../../hub.ts";

export type QueueName = "outgoing" | "arrivals";

/** Tells the worker of a queue in this process that something has come; nobody hears it while none runs. */
const bells = oncePerHub(() => new Map<QueueName, () => void>());

/** From now on this is called when something has come. */
export function listen(hub: Hub, queue: QueueName, heard: () => void): void {
  bells(hub).set(queue, heard);
}

/** Something has come, as soon as the transaction is committed. */
export function wakeAfterCommit(hub: Hub, queue: QueueName): void {
  afterCommit(hub, () => bells(hub).get(queue)?.());
}
