import { chooseLanguage } from "../../src/faces/web/languages/choose-language.ts";
import { englishText, languagesOf } from "../../src/faces/web/languages/languages.ts";
import { sayIn } from "../../src/faces/web/languages/say.ts";
import { messagesIn } from "../../src/faces/web/messages.ts";
import type { HubOfCaches } from "../../src/caches.ts";

/** The tag of a language that nobody speaks: English in brackets, from right to left. */
export const pseudo = "qps";

/** Lets a hub speak it. */
export function speakPseudo(hub: HubOfCaches): void {
  const say = sayIn("en", (key) => `⟦${englishText(key)}⟧`);
  languagesOf(hub).set(pseudo, {
    tag: pseudo,
    name: "⟦Pseudo⟧",
    locale: "he",
    direction: "rtl",
    say,
    messages: inBrackets(messagesIn("en", {})),
  });
  if (chooseLanguage(hub, pseudo, "").tag !== pseudo) throw new Error("The hub does not speak it.");
}

/** What is said of refusals, in brackets as well. */
function inBrackets<T extends object>(messages: T): T {
  const words = Object.entries(messages).map(([code, message]: [string, string | ((data: object) => string)]) => [
    code,
    typeof message === "string" ? `⟦${message}⟧` : (data: object) => `⟦${message(data)}⟧`,
  ]);
  return Object.fromEntries(words) as T;
}

/** Attributes that people read or hear. */
const spoken = /\b(?:title|aria-label|placeholder|alt|label|data-(?!options|since|theme|vapid)[\w-]+)="([^"]*)"/g;

/** What a page says outside of the brackets, in words of Latin letters: its title, texts between tags, and attributes. */
export function wordsPast(page: string): string[] {
  const title = /<title>[^<]*/.exec(page)?.[0] ?? "";
  const body = page.replace(/<(script|style|svg|template)\b[\s\S]*?<\/\1>/g, "").replace(/^[\s\S]*?<body/, "<body");
  const rest = withoutBrackets(title + body);
  const attributes = [...rest.matchAll(/<[^>]*>/g)].flatMap(([tag]) =>
    [...tag.matchAll(spoken)].map((found) => found[1]!),
  );
  const texts = rest.split(/<[^>]*>/);
  return [...attributes, ...texts]
    .map((text) =>
      text
        .replace(/\s+/g, " ")
        .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => marks[name]!)
        .trim(),
    )
    .filter((text) => /\p{Script=Latin}{2}/u.test(text));
}

const marks: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Brackets stand in one another where an argument is a text itself. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let rest = "";
  for (const part of text.split(/([⟦⟧])/)) {
    if (part === "⟦") depth++;
    else if (part === "⟧") depth--;
    else if (depth === 0) rest += part;
  }
  return rest;
}
