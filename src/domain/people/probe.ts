import { oncePerHub } from "../../caches.ts";
import type { Hub } from "../../hub.ts";

/** One step of looking somebody or something up, and what came of it. */
export type ProbeStep = {
  step: "webfinger" | "document" | "actor" | "keys" | "address" | "inbox";
  /** What was asked for, if anything was. */
  url: string;
  /** 0 where nothing was asked for, or nobody answered. */
  status: number;
  type: string;
  milliseconds: number;
  result: string;
};

type Probe = (hub: Hub, text: string, signal: AbortSignal) => Promise<ProbeStep[]>;

/** The face that knows how others are asked says so when the hub is put together. */
const probes = oncePerHub((): { by?: Probe } => ({}));

export function probeBy(hub: Hub, probe: Probe): void {
  probes(hub).by = probe;
}

const longest = 20_000;

/** Goes through what has to work to reach somebody or something elsewhere (federation contract 17), for 20 seconds at the most. */
export async function probeElsewhere(hub: Hub, text: string): Promise<ProbeStep[]> {
  return (await probes(hub).by?.(hub, text, AbortSignal.timeout(longest))) ?? [];
}
