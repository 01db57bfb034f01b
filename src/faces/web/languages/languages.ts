import { readFileSync } from "node:fs";
import { oncePerHub } from "../../../caches.ts";
import type { HubOfCaches } from "../../../caches.ts";
import type { Messages } from "../../../refusals/messages.ts";
import type { refusals } from "../../../refusals/refusals.ts";
import { messagesIn } from "../messages.ts";
import { english } from "./english.ts";
import { refusals as englishRefusals } from "./en/refusals.ts";
import { sayIn } from "./say.ts";
import type { Say } from "./say.ts";

/** A language that the hub speaks. */
export type Language = {
  /** As HTML and HTTP name it. */
  tag: string;
  /** Its name in itself. */
  name: string;
  direction: "ltr" | "rtl";
  /** How it writes dates and numbers. */
  locale: string;
  say: Say;
  /** What pages say of refusals. */
  messages: Messages<typeof refusals>;
};

const spoken = [
  { tag: "en", name: "English", locale: "en-GB" },
  { tag: "de", name: "Deutsch", locale: "de" },
  { tag: "fr", name: "Français", locale: "fr" },
  { tag: "es", name: "Español", locale: "es" },
  { tag: "pt", name: "Português", locale: "pt-BR" },
] as const;

/** The languages of a hub, by their tags; English is the first one. */
export const languagesOf: (hub: HubOfCaches) => Map<string, Language> = oncePerHub(
  () =>
    new Map(
      spoken.map(({ tag, name, locale }) => [
        tag,
        {
          tag,
          name,
          locale,
          direction: "ltr" as const,
          say: sayIn(locale, tag === "en" ? englishText : textsIn(tag)),
          messages: messagesIn(locale, tag === "en" ? englishRefusals : readCatalogue(tag, "refusals")),
        },
      ]),
    ),
);

/** The text of this name in English. */
export function englishText(key: string): string {
  const [area = "", name = ""] = key.split(".");
  return (english as Readonly<Record<string, Readonly<Record<string, string>>>>)[area]![name]!;
}

/** Finds texts in the catalogues of a language, which are read when the first one of them is needed. */
function textsIn(tag: string): (key: string) => string {
  const areas = new Map<string, Readonly<Record<string, string>>>();
  return (key) => {
    const [area = "", name = ""] = key.split(".");
    const texts = areas.get(area) ?? readCatalogue(tag, area);
    areas.set(area, texts);
    return texts[name] ?? englishText(key);
  };
}

/** One area of a language. */
export function readCatalogue(tag: string, area: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(new URL(`${tag}/${area}.json`, import.meta.url), "utf8")) as Record<string, string>;
}
