import { blockLevels } from "../../../../domain/peers/site-blocks.ts";
import type { BlockLevel, Treatment } from "../../../../domain/peers/site-blocks.ts";
import type { Say } from "../../languages/say.ts";

/** The levels to choose from, the strictest first, with what they do. */
export function levelChoices(say: Say): (readonly [BlockLevel, string, string])[] {
  return blockLevels
    .toReversed()
    .map((level) => [level, say(`admin.level-${level}`), say(`admin.level-${level}-hint`)] as const);
}

/** How a server is treated. */
export function levelWords(say: Say, { level, noMedia }: Treatment): string {
  if (level === "suspend") return say("admin.treated-suspend");
  return say(noMedia ? `admin.treated-${level}-plain` : `admin.treated-${level}`);
}
