import type { Messages } from "../../refusals/messages.ts";
import type { Code, refusals } from "../../refusals/refusals.ts";
import { words } from "../words/words.ts";
import { sayIn } from "./languages/say.ts";
import { measured, sizeFormat } from "./languages/sizes.ts";

/**
 * What pages say of refusals in one language: `texts` by their codes, in the ICU format; what is not among them only programs get, or
 * has the same English words for both.
 */
export function messagesIn(locale: string, texts: Readonly<Record<string, string>>): Messages<typeof refusals> {
  const say = sayIn(locale, (code) => texts[code]!) as unknown as (code: string, data: object) => string;
  const translated = Object.keys(texts).map((code) => [
    code,
    (data: object) => say(code, forPeople(locale, code, data)),
  ]);
  return { ...words, ...(Object.fromEntries(translated) as Partial<Messages<typeof refusals>>) };
}

/** Nobody counts bytes. */
function forPeople(locale: string, code: string, data: object): object {
  if (!inBytes.includes(code)) return data;
  const most = measured((data as { most: number }).most);
  return { ...data, most: sizeFormat(locale, most).format(most.value) };
}

/** Refusals of what has more bytes than `most`. */
const inBytes: readonly string[] = [
  "file_too_large",
  "image_too_large",
  "list_file_too_large",
  "list_too_long",
  "request_too_large",
] satisfies Code[];
