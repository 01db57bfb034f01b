import { expect, test } from "vitest";
import { colourCode } from "./code-colours.ts";
import { filterHtml } from "./html-filter.ts";
import { renderBody } from "./render.ts";

const site = { baseUrl: "https://hub.example", name: "Hub" };
const coloured = (body: string, mimetype = "text/bbcode"): string => colourCode(renderBody(body, mimetype, site));
const code = (inner: string): string => `<pre><code class="language-js">${inner}</code></pre>`;

test.each([
  ["text/bbcode", "[code=js]\nconst a = 'b < c';[/code]", ""],
  ["text/markdown", "```js\nconst a = 'b < c';\n```", "\n"],
])("%s", (mimetype, body, end) => {
  const words = `<span class="code-keyword">const</span> a = <span class="code-string">'b &lt; c'</span>;${end}`;
  expect(coloured(body, mimetype)).toContain(words);
});

test("what says no language that is known stays as it is", () => {
  for (const body of ["[code]\nif (a)\nb[/code]", "[code=klingon]\nif (a)\nb[/code]", "[code=js]if (a)[/code]"])
    expect(coloured(body)).toBe(renderBody(body, "text/bbcode", site));
});

test("what others have coloured gets our colours, and nobody else has their classes", () => {
  const foreign = code('<span class="code-comment">if</span> <span style="color:red">(a)</span> &amp;&quot;');
  const here = filterHtml(foreign, site.baseUrl);
  expect(here).not.toContain("code-comment");
  expect(colourCode(here)).toBe(
    code('<span class="code-keyword">if</span> (a) &amp;<span class="code-string">&quot;</span>'),
  );
});

test("only so much of a text is coloured", () => {
  const block = code("if ".repeat(2000));
  const twice = colourCode(block + block);
  expect(twice.startsWith(code('<span class="code-keyword">if</span> ').slice(0, 60))).toBe(true);
  expect(twice.endsWith(block)).toBe(true);
});

test("elements that are not spans, and code among other things, are left alone", () => {
  for (const inner of ["<a>if</a>", "if<br>"]) expect(colourCode(code(inner))).toBe(code(inner));
});
