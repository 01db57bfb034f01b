import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlToBbcode } from "./html-to-bbcode.ts";
import { plainText } from "./plain-text.ts";
import { renderBody } from "./render.ts";

const base = "https://hub.example";
const site = { baseUrl: base, name: "Hub" };
const bbcode = (html: string): string => htmlToBbcode(html, base);

describe("HTML as bbcode", () => {
  test.each([
    ["<p>From <em>HTML</em> with <b>love</b></p>", "From [i]HTML[/i] with [b]love[/b]"],
    ["<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"],
    ['<a href="https://x.example/?a=[1]">there</a>', "[url=https://x.example/?a=%5B1%5D]there[/url]"],
    ["<blockquote>said</blockquote>after", "[quote]said[/quote]\nafter"],
    ["<ul><li>a</li><li>b</li></ul>", "[list]\n[*]a\n[*]b\n[/list]"],
    ["<ol><li>a</li></ol>", "[list=1]\n[*]a\n[/list]"],
    ["<pre>a\n  <b>b</b></pre>", "[code]a\n  b[/code]"],
    ['<img src="https://x.example/a.png" alt="A [red] boat">', "[img=https://x.example/a.png]A red boat[/img]"],
    ["<script>alert(1)</script><h2>Title</h2>text", "[h2]Title[/h2]\ntext"],
    ["1 < 2 [b]not bold[/b] a[0]", "1 < 2 [&#91;]b]not bold[&#91;]/b] a[0]"],
    ['<a href="javascript:alert(1)">no</a>', "no"],
  ])("%s", (html, expected) => expect(bbcode(html)).toBe(expected));

  test("text stays the text it was, whatever it looks like", () => {
    const words = fc.stringMatching(/^[a-z[\]/*=#&;<>"' ]{1,60}$/);
    fc.assert(
      fc.property(words, (text) => {
        const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
        const shown = plainText(renderBody(bbcode(`<p>${escaped}</p>`), "text/bbcode", site), "label");
        expect(shown).toBe(text.replace(/ +/g, " ").trim());
      }),
    );
  });
});
