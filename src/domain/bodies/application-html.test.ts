import fc from "fast-check";
import { expect, test } from "vitest";
import { size } from "../../../test/support/size.ts";
import { applicationHtml } from "./application-html.ts";
import { filterHtml } from "./html-filter.ts";
import { htmlTokens } from "./html-tokens.ts";

/** Stored texts as applications get them (mastodon contract 4.5). */

const bob = "https://hub.example/channel/bob";
const context = {
  personAt: (url: string) => (url === bob ? { url: bob, nick: "bob" } : undefined),
  tagUrl: (name: string) => `https://hub.example/tags/${name}`,
};
const rest = 'rel="nofollow noopener" target="_blank" translate="no"';

const table: [html: string, shown: string][] = [
  ["Hello", "<p>Hello</p>"],
  ["one<br>two<br><br>three", "<p>one<br>two</p><p>three</p>"],
  ['<p class="x" style="color:red">a</p><div>b</div>', "<p>a</p><p>b</p>"],
  ['<h2 id="x">Title</h2>text', "<p><strong>Title</strong></p><p>text</p>"],
  ["<strong>a</strong><em>b</em><code>c</code><span>d</span>", "<p><strong>a</strong><em>b</em><code>c</code>d</p>"],
  [
    '<ul><li>a</li><li>b</li></ul><ol start="3"><li>c</li></ol>',
    '<ul><li>a</li><li>b</li></ul><ol start="3"><li>c</li></ol>',
  ],
  ["<blockquote>a<br>b</blockquote>", "<blockquote><p>a<br>b</p></blockquote>"],
  ["2<sup>10</sup> x<sup>y</sup>", "<p>2^10 xy</p>"],
  ['<p dir="rtl" lang="he" style="x">a</p><p>b</p>', '<p dir="rtl" lang="he">a</p><p>b</p>'],
  [
    'words<article class="shared"><header>Ann</header><div class="shared-body">said</div></article>',
    "<p>words</p><blockquote><p>Ann</p><p>said</p></blockquote>",
  ],
  ["a<hr>b", "<p>a</p><p>* * *</p><p>b</p>"],
  [
    "<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>",
    "<p>a | b</p><p>c | d</p>",
  ],
  ['<img class="emoji" src="/e.png" alt="❤">', "<p>❤</p>"],
  ['<img src="https://a.example/b.png" alt="boat">', ""],
  ['<a href="https://a.example/b.png"><img src="https://a.example/b.png" alt=""></a>', ""],
  [
    `<a class="mention" href="${bob}">@Bob</a>`,
    `<p><span class="h-card" translate="no"><a href="${bob}" class="u-url mention">@<span>bob</span></a></span></p>`,
  ],
  ['<a class="mention" href="https://x.example/">!Group</a>', "<p>!Group</p>"],
  [
    '<a class="hashtag" href="/search?tag=tea">#tea</a>',
    '<p><a href="https://hub.example/tags/tea" class="mention hashtag" rel="tag">#<span>tea</span></a></p>',
  ],
  ['<a href="https://a.example/">here</a>', `<p><a href="https://a.example/" ${rest}>here</a></p>`],
  ['<a href="https://a.example/é">é</a>', `<p><a href="https://a.example/%C3%A9" ${rest}>é</a></p>`],
  ['<a href="mailto:a@b.example">mail</a>', "<p>mail</p>"],
  [
    '<a href="https://a.example/b">https://a.example/b</a>',
    `<p><a href="https://a.example/b" ${rest}><span class="invisible">https://</span><span>a.example/b</span><span class="invisible"></span></a></p>`,
  ],
];

test.each(table)("%s", (html, shown) => {
  expect(applicationHtml(html, context)).toBe(shown);
});

test("what is shown beside the text leaves a line that leads there", () => {
  const share = (inner: string) => `<article class="shared"><div class="shared-body">${inner}</div></article>`;
  const quoted = "https://hub.example/item/1";
  const line = `<p class="quote-inline">RE: <a href="${quoted}" ${rest}>${quoted}</a></p>`;
  const nested = share(`theirs ${share("others'")} more`);
  expect(applicationHtml(`mine${nested}after`, { ...context, quoted })).toBe(`${line}<p>mine</p><p>after</p>`);
});

const allowed = new Set("p br em strong b i u s del code pre blockquote ul ol li ruby rt rp a span".split(" "));

test("whatever was stored comes out balanced, with known elements alone", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "text ",
      "<br>",
      "<b>",
      "</b>",
      "<p>",
      "</p>",
      "<ul><li>",
      "</li></ul>",
      "<blockquote>",
      "</blockquote>",
      "<pre>",
      "</pre>",
    ),
    fc.constantFrom(
      "<h1>",
      "</h1>",
      "<table><tr><td>",
      "</td></tr></table>",
      '<a href="https://a.example/">',
      "</a>",
      "<hr>",
      '<img src="/x.png">',
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const shown = applicationHtml(filterHtml(parts.join(""), "https://hub.example"), context);
      const open: string[] = [];
      for (const token of htmlTokens(shown)) {
        if (token.kind === "text") continue;
        expect(allowed.has(token.name)).toBe(true);
        if (token.kind === "open" && token.name !== "br") open.push(token.name);
        if (token.kind === "close") expect([shown, open.pop()]).toEqual([shown, token.name]);
      }
      expect([shown, open]).toEqual([shown, []]);
    }),
    { numRuns: size(200, 3000) },
  );
});
