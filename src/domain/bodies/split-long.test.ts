import fc from "fast-check";
import { expect, test } from "vitest";
import { htmlPieces } from "./html-tokens.ts";
import { splitLong } from "./split-long.ts";

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const textOf = (html: string) =>
  htmlPieces(html)
    .map((piece) => (piece.kind === "text" ? piece.source : " "))
    .join("")
    .replace(/\s+/g, "");

test("what is short, or hardly longer, stays whole", () => {
  for (const html of ["", "<p>Hello</p>", `<p>${words(100)}</p>`, `<p>${words(120)}</p><p>${words(40)}</p>`])
    expect(splitLong(html)).toBe(undefined);
});

test("a long one is cut where a paragraph or a line ends", () => {
  const paragraph = `<p>${words(60)}</p>`;
  expect(splitLong(paragraph.repeat(6))).toEqual([paragraph.repeat(2), paragraph.repeat(4)]);
  const line = `${words(10)}<br>`;
  const [beginning, rest] = splitLong(line.repeat(40))!;
  expect(`${beginning}<br>${rest}`).toBe(line.repeat(40));
  expect(splitLong(`${words(200)}<br><br><br>${words(200)}`)).toEqual([words(200), words(200)]);
  expect(beginning.length).toBeLessThan(1200);
});

test("one without an end is cut between two words, in whatever stands around them", () => {
  const [beginning, rest] = splitLong(`<p>Look: <strong>${words(900)}</strong></p>`)!;
  expect(beginning).toMatch(/^<p>Look: <strong>word0 .* word\d+<\/strong><\/p>$/);
  expect(rest).toMatch(/^<p><strong>word\d+ .* word899<\/strong><\/p>$/);
});

test.each([
  ["Japanese", ["東京", "都", "の", "天気", "は", "晴れ", "です"]],
  ["a letter again and again", ["x"]],
  ["letters of two units", ["𝔞"]],
  ["entities", ["&amp;"]],
])("%s: what has no spaces is cut between two words, or else letters", (_what, words) => {
  const text = words.join("").repeat(4000 / words.length);
  const [beginning, rest] = splitLong(`<p>${text}</p>`)!;
  const whole = new RegExp(`^<p>(?:${words.join("|")})+</p>$`, "u");
  expect([whole.test(beginning), whole.test(rest), beginning.length < 2000]).toEqual([true, true, true]);
  expect(`${beginning.slice(0, -"</p>".length)}${rest.slice("<p>".length)}`).toBe(`<p>${text}</p>`);
});

test("lists, tables, links and code are never cut", () => {
  for (const [tag, item] of [
    ["ul", "li"],
    ["table", "tr"],
    ["pre", "code"],
  ]) {
    const html = `<${tag}>${`<${item}>${words(40)}</${item}>`.repeat(40)}</${tag}>`;
    expect([tag, splitLong(html)]).toEqual([tag, undefined]);
    const [, rest] = splitLong(`${html}<p>${words(100)}</p>`)!;
    expect(rest).toBe(`<p>${words(100)}</p>`);
  }
  expect(splitLong(`<a>${words(900)}</a>`)).toBe(undefined);
});

test("pictures of one grid stay together, and four of them are not long", () => {
  const picture = (at: number) =>
    `<a href="/photos/x/image/${at}"><img src="/photo/${at}-2.jpg" alt="${words(20)}"></a><br>`;
  const pictures = (count: number) => Array.from({ length: count }, (_, at) => picture(at)).join("");
  for (const html of [`<p>Look</p>${pictures(4)}`, `${words(60)}<br>${pictures(4)}`])
    expect(splitLong(html)).toBe(undefined);
  // After a text that is long enough the cut is before or behind them, never among them.
  expect(splitLong(`<p>${words(100)}</p>${pictures(4)}<p>${words(100)}</p>`)).toEqual([
    expect.stringMatching(/3-2\.jpg"[^<]*<\/a>$/),
    `<p>${words(100)}</p>`,
  ]);
  expect(splitLong(`<p>${words(140)}</p>${pictures(4)}<p>${words(100)}</p>`)![1]).toMatch(/^<a href="[^"]*\/0"/);
  // Very many are cut, where one grid is seen.
  expect(splitLong(pictures(30))![1]).toMatch(/^<a href="[^"]*\/8"/);
});

test("whatever it is, both parts are well-formed and nothing is lost", () => {
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: 1, max: 300 }).map(words),
      fc.constantFrom("<br>", "<hr>", '<img src="x">', "&amp; ", "<!-- mark -->"),
      fc
        .tuple(
          fc.constantFrom("p", "b", "ul", "blockquote", "a", "pre", "span", 'div id="x"'),
          fc.array(tie("node"), { maxLength: 5 }),
        )
        .map(([tag, inside]) => `<${tag}>${inside.join("")}</${tag.split(" ")[0]}>`),
    ),
  })).node;
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 12 }), (all) => {
      const html = all.join("");
      const parts = splitLong(html);
      if (!parts) return;
      expect(parts.map(textOf).join("")).toBe(textOf(html));
      for (const part of parts) expect(isWellFormed(part)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

function isWellFormed(html: string): boolean {
  const open: string[] = [];
  for (const piece of htmlPieces(html)) {
    if (piece.kind === "open" && !["br", "hr", "img"].includes(piece.name)) open.push(piece.name);
    if (piece.kind === "close" && open.pop() !== piece.name) return false;
  }
  return open.length === 0;
}
