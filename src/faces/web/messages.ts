import type { Messages } from "../../refusals/messages.ts";
import type { refusals } from "../../refusals/refusals.ts";
import { words } from "../words/words.ts";
import { sayIn } from "./languages/say.ts";

/** What pages say of refusals in one language: `texts` by their codes, in the ICU format; what is not among them only programs get, in English. */
export function messagesIn(locale: string, texts: Readonly<Record<string, string>>): Messages<typeof refusals> {
  const say = sayIn(locale, (code) => texts[code]!) as unknown as (code: string, data: object) => string;
  const translated = Object.keys(texts).map((code) => [code, (data: object) => say(code, data)]);
  return { ...words, ...(Object.fromEntries(translated) as Partial<Messages<typeof refusals>>) };
}
