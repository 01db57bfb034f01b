import type { Words } from "../../../domain/recovery/told.ts";

/** What somebody is told by those who run the hub, about what they did. */
export const warning =
  (words: string): Words =>
  (site) => ({
    subject: `A word from those who run ${site}`,
    parts: [
      `Somebody has complained about you at ${site}. Those who run it have looked at it, and write:`,
      { quote: words },
    ],
  });
