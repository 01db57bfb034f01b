import createParser from "markdown-it";
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import { runningText } from "./running-text.ts";
import { taskLists } from "./task-lists.ts";

type Dialect = "markdown" | "multicode";

const parsers = new Map<Dialect, MarkdownIt>();
let blockParser: MarkdownIt | undefined;

/** Renders Markdown to unfiltered HTML; the salt keeps the footnotes of two bodies on one page apart. */
export function renderMarkdown(body: string, dialect: Dialect, emoji: boolean, salt: string): string {
  return parserFor(dialect).render(body, { docId: salt, emoji });
}

/** The line ranges of code blocks, from the first line up to but not including the second. */
export function codeBlockLines(body: string): [number, number][] {
  blockParser ??= makeBlockParser();
  const tokens = blockParser.parse(body, {});
  return tokens.flatMap((token): [number, number][] =>
    token.map !== null && (token.type === "fence" || token.type === "code_block") ? [token.map] : [],
  );
}

/** Inline text is most of the work, and blocks can be told without it. */
function makeBlockParser(): MarkdownIt {
  const parser = createParser();
  parser.core.ruler.enableOnly(["normalize", "block"]);
  return parser;
}

function parserFor(dialect: Dialect): MarkdownIt {
  const known = parsers.get(dialect);
  if (known !== undefined) return known;
  // In multicode line breaks are kept, as bbcode promises.
  const parser = createParser({ html: true, breaks: dialect === "multicode" });
  parser.use(footnotes).use(taskLists);
  // Its `^[..]` takes quadratic time, and would swallow the bookmark sign `#^[`.
  parser.inline.ruler.disable("footnote_inline");
  parser.core.ruler.push("running_text", linkAndSmile);
  parsers.set(dialect, parser);
  return parser;
}

/** Links naked URLs and replaces smileys in texts, which leaves code and the labels of links alone. */
function linkAndSmile(state: StateCore): void {
  const { emoji } = state.env as { emoji?: boolean };
  for (const { children } of state.tokens) {
    let links = 0;
    for (const token of children ?? []) {
      links += linkChange(token);
      if (token.type !== "text") continue;
      token.content = runningText(token.content, { links: links <= 0, emoji: emoji ?? false });
      token.type = "html_inline";
    }
  }
}

function linkChange(token: Token): number {
  if (token.type === "link_open") return 1;
  if (token.type === "link_close") return -1;
  if (token.type !== "html_inline") return 0;
  if (/^<a\s/i.test(token.content)) return 1;
  return /^<\/a>/i.test(token.content) ? -1 : 0;
}
