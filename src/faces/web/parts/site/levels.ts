import type { BlockLevel, Treatment } from "../../../../domain/peers/site-blocks.ts";

const names: Readonly<Record<BlockLevel, string>> = { none: "as others", limit: "limited", suspend: "blocked" };

/** The levels to choose from, with what they do. */
export const levelChoices: readonly (readonly [BlockLevel, string, string])[] = [
  ["suspend", "Blocked", "Nothing comes from there or goes there, and what people there wrote is removed."],
  ["limit", "Limited", "Its people are not shown in public, and who wants to follow somebody here has to ask."],
  ["none", "As others", "Excepted from what is said of the domains around it, and from the list of all that count."],
];

/** How a server is treated. */
export function levelWords({ level, noMedia }: Treatment): string {
  return noMedia && level !== "suspend" ? `${names[level]}, without pictures` : names[level];
}
