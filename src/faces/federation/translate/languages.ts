import type { Text } from "./node.ts";
import type { Post } from "./object.ts";

/** Which one is taken of what somebody says in several languages (federation contract 4.1). */

/** Is there anything to choose? What names no language is for everybody. */
export function offersLanguages({ content, name, summary }: Pick<Post, "content" | "name" | "summary">): boolean {
  return [content, name, summary].some((texts) => {
    const said = texts.filter(isSaid);
    return said.length > 1 && said.every(({ language }) => language !== undefined);
  });
}

/** What names no language, else the first of these languages in which it is said, else the first. */
export function textIn(texts: readonly Text[], languages: readonly string[]): Text | undefined {
  const said = texts.filter(isSaid);
  const forAll = said.find(({ language }) => language === undefined);
  if (forAll) return { ...forAll, ...languageOf(forAll, said) };
  for (const language of languages) {
    const found = among(said, language);
    if (found) return found;
  }
  return said[0];
}

/** A text without a language has that in which it is repeated, or the only one that is named. */
function languageOf({ text }: Text, said: readonly Text[]): Pick<Text, "language"> {
  const named = said.filter(({ language }) => language !== undefined);
  const { language } = named.find((one) => one.text === text) ?? (named.length === 1 ? named[0]! : {});
  return language === undefined ? {} : { language };
}

/** In that very language, in it without its region, or in that of any region. */
function among(texts: readonly Text[], language: string): Text | undefined {
  const [wanted, base] = [language.toLowerCase(), baseOf(language)];
  const by = (fits: (tag: string) => boolean): Text | undefined =>
    texts.find((text) => fits((text.language ?? "").toLowerCase().replaceAll("_", "-")));
  return by((tag) => tag === wanted) ?? by((tag) => tag === base) ?? by((tag) => baseOf(tag) === base);
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0]!;
}

function isSaid({ text }: Text): boolean {
  return text.trim() !== "";
}
