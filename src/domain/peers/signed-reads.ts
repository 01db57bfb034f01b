import { oncePerHub } from "../../caches.ts";
import type { Hub } from "../../hub.ts";
import { getSetting, setSetting } from "../identity/site/site-settings.ts";

/** Whether other hubs have to sign whatever they read here: "authorized fetch" (federation contract 8.3). */

/** For so long, in milliseconds, it goes unnoticed that another process has changed it. */
const trustedFor = 5000;

const memory = oncePerHub((): { on?: boolean; until: number } => ({ until: 0 }));

/** Is whatever is not signed refused? The busy path asks for each document, so the answer comes from memory. */
export async function onlySignedReads(hub: Hub): Promise<boolean> {
  const remembered = memory(hub);
  if (remembered.on !== undefined && performance.now() < remembered.until) return remembered.on;
  const on = await getSetting(hub, "onlySignedReads");
  Object.assign(remembered, { on, until: performance.now() + trustedFor });
  return on;
}

/** Wants signatures, or does not any more. */
export async function setOnlySignedReads(hub: Hub, on: boolean): Promise<void> {
  await setSetting(hub, "onlySignedReads", on);
  memory(hub).until = 0;
}
