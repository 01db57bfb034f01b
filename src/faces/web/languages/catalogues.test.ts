import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";
import { Caches } from "../../../caches.ts";
import { words } from "../../words/words.ts";
import type { Code } from "../../../refusals/refusals.ts";
import { html } from "../html.ts";
import { english } from "./english.ts";
import { forPrograms } from "./for-programs.ts";
import { languagesOf, readCatalogue } from "./languages.ts";
import { linkTo } from "./say.ts";
import { sameAsEnglish } from "./same-as-english.ts";

/** The catalogues of all languages: nothing is missing, nothing is left over, and messages are what the formatter reads. */

const here = import.meta.dirname;
const languages = languagesOf({ caches: new Caches() });
const translations = [...languages.keys()].filter((tag) => tag !== "en");
type Catalogue = Readonly<Record<string, string>>;
const areas = Object.entries<Catalogue>(english);

/** What a message takes: names and kinds of arguments, and tags. */
function takenBy(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return [`<${element.value}>`, ...takenBy(element.children)];
    const inner = "options" in element ? Object.values(element.options).flatMap(({ value }) => takenBy(value)) : [];
    return [`${element.value} ${TYPE[element.type]}`, ...inner];
  });
}

const signature = (message: string): string => [...new Set(takenBy(parse(message)))].sort().join(", ");

test("every language has the same areas and texts, with the same arguments", () => {
  const wrong = translations.flatMap((tag) => [
    ...areas.flatMap(([area, texts]) => {
      const translated = readCatalogue(tag, area);
      return [...new Set([...Object.keys(texts), ...Object.keys(translated)])].flatMap((key) => {
        const [from, to] = [texts[key], translated[key]];
        if (from === undefined) return [`${tag} ${area}.${key}: English has no such text`];
        if (to === undefined) return [`${tag} ${area}.${key}: is missing`];
        return signature(from) === signature(to)
          ? []
          : [`${tag} ${area}.${key}: ${signature(from)} | ${signature(to)}`];
      });
    }),
    ...readdirSync(join(here, tag)).filter(
      (file) => file !== "refusals.json" && !Object.hasOwn(english, file.replace(".json", "")),
    ),
  ]);
  expect(wrong).toEqual([]);
});

test("every refusal that people get is translated, and says nothing that does not go with it", () => {
  const wrong = translations.flatMap((tag) => {
    const texts = readCatalogue(tag, "refusals");
    const missing = Object.keys(words).filter((code) => !(code in texts) && !forPrograms.includes(code));
    const taken = Object.keys(texts).flatMap((code) => {
      const known = code in words ? dataOf(words[code as Code]) : undefined;
      if (!known || forPrograms.includes(code)) return [`${tag} ${code}: is left over`];
      const strange = takenBy(parse(texts[code]!)).filter((one) => !known.has(one.split(" ")[0]!));
      return strange.map((one) => `${tag} ${code}: nothing gives ${one}`);
    });
    return [...missing.map((code) => `${tag} ${code}: is missing`), ...taken];
  });
  expect(wrong).toEqual([]);
});

/** What the English words read of what goes with a refusal. */
function dataOf(said: (typeof words)[Code]): Set<string> {
  const read = new Set<string>();
  const data = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
  if (typeof said === "function") (said as (data: object) => string)(data);
  return read;
}

test("messages are in the ICU format, and keys in that of the house", () => {
  const all = [...languages.keys()].flatMap((tag) =>
    areas.map(([area, texts]) => [tag, area, tag === "en" ? texts : readCatalogue(tag, area)] as const),
  );
  const wrong = all.flatMap(([tag, area, texts]) =>
    Object.entries(texts).flatMap(([key, message]) => {
      const faults = [];
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(key)) faults.push("the key");
      if (message.trim() !== message || message === "") faults.push("space around it");
      // An apostrophe before a brace or a tag would quote it.
      if (/'[{}<]/.test(message)) faults.push("' before a brace: use ’");
      const { say } = languages.get(tag)!;
      const values = Object.fromEntries(takenBy(parse(message)).map((taken) => sampleOf(taken)));
      expect(() => (say.html as (key: string, values: object) => unknown)(`${area}.${key}`, values)).not.toThrow();
      return faults.map((fault) => `${tag} ${area}.${key}: ${fault}`);
    }),
  );
  expect(wrong).toEqual([]);
});

function sampleOf(taken: string): [string, unknown] {
  const tag = /^<(.+)>$/.exec(taken)?.[1];
  if (tag !== undefined) return [tag, linkTo("/")];
  const [name = "", kind] = taken.split(" ");
  return [name, kind === "argument" ? "words" : kind === "select" ? "other" : 2];
}

test("every text is said somewhere", () => {
  const sources = globSync(["../**/*.ts", "../../../jobs/**/*.ts"], { cwd: here }).filter(
    (file) => !file.includes(".test."),
  );
  const said = new Set<string>();
  const begun: string[] = [];
  for (const file of sources)
    for (const [, key = "", open] of readFileSync(join(here, file), "utf8").matchAll(
      /["`]([a-z-]+\.[a-z0-9-]*)(\$\{)?/g,
    ))
      if (open) begun.push(key);
      else said.add(key);
  const unsaid = areas.flatMap(([area, texts]) =>
    Object.keys(texts)
      .map((key) => `${area}.${key}`)
      .filter((key) => !said.has(key) && !begun.some((beginning) => key.startsWith(beginning))),
  );
  expect(unsaid).toEqual([]);
});

test("translations are translated: what is the same as in English is listed", () => {
  const same = translations.flatMap((tag) =>
    areas.flatMap(([area, texts]) => {
      const translated = readCatalogue(tag, area);
      return Object.keys(texts)
        .filter((key) => texts[key] === translated[key] && /\p{L}{2}/u.test(withoutTakes(texts[key]!)))
        .map((key) => `${tag} ${area}.${key}`);
    }),
  );
  const listed = [...new Set(sameAsEnglish)];
  expect(same.sort()).toEqual(listed.sort());
});

/** What is left to translate: letters outside of arguments and tags. */
function withoutTakes(message: string): string {
  return message.replace(/<[^>]*>|\{\w+\}/g, "");
}

describe("what is said", () => {
  const { say } = languages.get("en")!;

  test("has its arguments escaped, and its tags made by the page", async () => {
    const name = `<b onclick="x">"Ann" & Bob</b>`;
    const said = await say.html("account.invited-member", { name, page: linkTo('/channel/"ann"') });
    expect(String(said)).toBe(
      'You have an account here already. <a href="/channel/&quot;ann&quot;">Look at the page of &lt;b onclick=&quot;x&quot;&gt;&quot;Ann&quot; &amp; Bob&lt;/b&gt;</a> to connect.',
    );
    expect(String(await html`<p>${say("account.invites", { name, site: "{site}" })}</p>`)).toBe(
      "<p>&lt;b onclick=&quot;x&quot;&gt;&quot;Ann&quot; &amp; Bob&lt;/b&gt; invites you to {site}</p>",
    );
    const when = html`<time>now</time>`;
    expect(String(await say.html("account.app-as", { channel: "ann", when }))).toBe(
      "as ann, allowed <time>now</time>, used lately",
    );
  });

  test("is checked by the compiler", () => {
    const never = (): void => {
      // @ts-expect-error: there is no such text
      say("account.nothing");
      // @ts-expect-error: the argument is missing
      say("account.join-site");
      // @ts-expect-error: it has another name
      say("account.join-site", { name: "x" });
      // @ts-expect-error: it has markup
      say("layout.guest", { name: "x", host: "y" });
      // @ts-expect-error: the tag is missing
      void say.html("account.waits-for-approval");
    };
    expect(never).toBeTypeOf("function");
  });
});
