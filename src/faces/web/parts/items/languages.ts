import { cache } from "../../../../caches.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Language } from "../../languages/languages.ts";
import type { PageContext } from "../../page.ts";

/** The languages that a form offers for a text, by ISO 639-1 code; others are said by whoever writes in them through an API. */
const codes =
  "ar eu bn bg ca zh hr cs da nl en eo et fi fr gl de el he hi hu is id ga it ja ko lv lt ms nb oc fa pl pt ro ru sr sk sl es sw sv th tr uk ur vi cy".split(
    " ",
  );

type Choices = readonly (readonly [code: string, name: string])[];

/** By the language of the page. */
const made = cache<string, Choices>(20);

/** They, by their names in the language of the page and in its order. */
export function languageChoices({ hub, language }: PageContext): Choices {
  const known = made(hub);
  let choices = known.get(language.tag);
  if (!choices) known.set(language.tag, (choices = choicesIn(language)));
  return choices;
}

function choicesIn({ locale, say }: Language): Choices {
  const names = new Intl.DisplayNames(locale, { type: "language" });
  const named = codes.map((code) => [code, capitalised(names.of(code) ?? code)] as const);
  const order = new Intl.Collator(locale);
  return [["", say("composer.as-it-looks")], ...named.toSorted(([, one], [, other]) => order.compare(one, other))];
}

/** Some languages write their names small, which looks odd in a list. */
function capitalised(name: string): string {
  return name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** The language that a form names; nothing where it shall be found out. */
export function languageOf({ say }: PageContext, typed: Fields): { lang?: string } {
  const code = typed.word("lang");
  if (code === "") return {};
  if (!codes.includes(code)) throw fault("lang", say("composer.choose-language"));
  return { lang: code };
}
