import { oncePerHub } from "../caches.ts";
import type { HubOfCaches } from "../caches.ts";

const state = oncePerHub(() => ({ isStopping: false }));

/** From now on this process is about to stop: whoever shares out requests shall send it no more. */
export function beginStopping(hub: HubOfCaches): void {
  state(hub).isStopping = true;
}

export function isStopping(hub: HubOfCaches): boolean {
  return state(hub).isStopping;
}
