import { setImmediate as othersTurn } from "node:timers/promises";
import type { Hub } from "../../hub.ts";
import { layOutAnyhow } from "../bodies/texts.ts";
import type { LaidOut } from "../bodies/texts.ts";
import type { Notice } from "./stored.ts";

/** The sentences of those notices that are nothing but one, laid out, by their ids. Others get a turn after each. */
export async function layOutWorded(hub: Hub, notices: readonly Notice[]): Promise<Map<number, LaidOut>> {
  const all = new Map<number, LaidOut>();
  for (const notice of notices) {
    if (notice.kind !== "worded") continue;
    all.set(notice.id, await layOutAnyhow(hub, notice.words.msg, "text/bbcode"));
    await othersTurn();
  }
  return all;
}
