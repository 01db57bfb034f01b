import { createRequire } from "node:module";

/** What of a program looks alike, by the scopes of the highlighter; others look like the rest. */
const kinds: Readonly<Record<string, string>> = {
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  keyword: "keyword",
  literal: "keyword",
  "selector-tag": "keyword",
  "template-tag": "keyword",
  meta: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  addition: "string",
  number: "number",
  symbol: "number",
  deletion: "number",
  title: "name",
  section: "name",
  tag: "name",
  name: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  "selector-class": "name",
  "selector-id": "name",
  built_in: "name",
  type: "name",
};

/** So many characters of a text are coloured: some grammars take quadratic time. */
const most = 8000;

/** Code that says its language, as the filter leaves it: as text, or with the elements in which others have coloured it. */
const named = /(<pre><code class="language-([\w+#.-]{1,30})">)((?:[^<]|<\/?span[^>]*>)*)(?=<\/code><\/pre>)/g;

/** Whether there is code in filtered HTML that says its language. */
export function hasNamedCode(html: string): boolean {
  return html.includes('<pre><code class="language-');
}

/**
 * Filtered HTML in which code has colours, where it says a language that is known. What is put in are `<span>`s of the classes
 * above, which the filter lets nobody else use. Throws nothing, and takes long: it runs in a thread (texts.ts).
 */
export function colourCode(html: string): string {
  let left = most;
  return html.replaceAll(named, (whole, start: string, language: string, inner: string) => {
    const code = textOf(inner);
    left -= code.length;
    const grammars = left < 0 ? undefined : highlighter();
    if (!grammars?.getLanguage(language)) return whole;
    return start + ofOurKinds(grammars.highlight(code, { language, ignoreIllegals: true }).value);
  });
}

/** What we use of the package; its own types bring along those of browsers. */
type Highlighter = {
  getLanguage: (name: string) => unknown;
  highlight: (code: string, options: { language: string; ignoreIllegals: boolean }) => { value: string };
};

/** The highlighter with the languages that most people write; it is loaded with the first code. */
function highlighter(): Highlighter {
  return createRequire(import.meta.url)("highlight.js/lib/common") as Highlighter;
}

const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'", "#39": "'" };

/** The filter writes no other entities. */
function textOf(inner: string): string {
  return inner
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&([a-z]+|#x27|#39);/g, (whole, name: string) => characters[name] ?? whole);
}

/** The same with our classes, and without elements that would look like their surroundings. */
function ofOurKinds(highlighted: string): string {
  const kept: boolean[] = [];
  return highlighted.replaceAll(/<span class="([^"]*)">|<\/span>|&#x27;/g, (found, classes: string | undefined) => {
    if (found === "&#x27;") return "'";
    if (classes === undefined) return kept.pop() ? "</span>" : "";
    const kind = kinds[/^hljs-([a-z_-]+)/.exec(classes)?.[1] ?? ""];
    kept.push(kind !== undefined);
    return kind === undefined ? "" : `<span class="code-${kind}">`;
  });
}
