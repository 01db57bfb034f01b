import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultOf } from "./html-fault.ts";
import { filterHtml } from "./html-filter.ts";
import { detectLanguage } from "./language.ts";
import { htmlPieces } from "./html-tokens.ts";
import { imagesOf } from "./media.ts";
import { bodyMimetypes } from "./mimetypes.ts";
import { plainLine } from "./names.ts";
import { personalise } from "./personalise.ts";
import { withNamedPictures, withoutPictures } from "./picture-links.ts";
import { plainText } from "./plain-text.ts";
import { renderBody } from "./render.ts";
import { findShare, innermostShare, makeShare } from "./share.ts";
import { simpleHtml } from "./simple-html.ts";
import { findTags, rewriteTags } from "./tags.ts";
import { isWithin } from "../../../test/support/pace.ts";
import { size } from "../../../test/support/size.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const baseUrl = "https://hub.example";
const site = { baseUrl, name: "Hub" };

/** Pieces that mean something in one of the types; arbitrary strings would hardly ever contain any. */
const pieces =
  '[b]|[/b]|[i]|[/i]|[url=https://a.example]|[url]|[/url]|[zrl=/x]|[/zrl]|[quote]|[/quote]|[quote=\'a]|[code]|[/code]|[nobb]|[/nobb]|[list]|[/list]|[*]|[table]|[tr]|[td]|[/td]|[/tr]|[/table]|[checklist]|[/checklist]|[] |[x] |[img]|[/img]|[share author=\'a\']|[/share]|[summary]|[/summary]|[spoiler="x"]|[/spoiler]|[observer=1]|[/observer]|[observer.name]|[toc]|[h1]|[/h1]|[event-start]|[/event-start]|[&amp;]|[map]|[/map]|@ann|@!ann|@{a@b}|@"A B"|@a+1|@f+|!f|@|#|#^|#tag|#"a b"|#1|https://a.example/?a#b|:smile:|:-)|.|,|\n|\n\n| |    |> |* |- [x] |1. |# |```|`|**|_|~~|[^1]|[^1]: |](|(|)|]|[|<b>|</b>|<p>|</p>|<div>|</div>|<x-y>|</x-y>|<a href="|">|<table>|<td>|<li>|<ul>|</ul>|<h1>|<script>|<!--|-->|<svg>|<br>|<img src=/x>|</br>|&|&#x26;|&lt;|\'|"|\\|\u0000|\ufdd0|\ufdd1|0|x|ä|😀|\ud800|[/|[b|=|;'.split(
    "|",
  );
const body = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: anyCharacter, maxLength: 5 })),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));
const runs = { numRuns: size(100, 5000) };

describe.each([...bodyMimetypes, "application/x-pdl"])("%s", (mimetype) => {
  test("renders whatever comes to well-formed, harmless HTML", () => {
    fc.assert(
      fc.property(body, (text) => {
        expect(faultOf(renderBody(text, mimetype, site))).toBe("");
      }),
      runs,
    );
  });

  test("renders to what the filter leaves as it is", () => {
    fc.assert(
      fc.property(body, (text) => {
        const html = personalise(renderBody(text, mimetype, site), undefined);
        expect(filterHtml(html, baseUrl)).toBe(html.replaceAll("<p></p>", ""));
      }),
      runs,
    );
  });

  test("stays well-formed for every viewer, and readable in other forms", () => {
    const viewer = {
      name: "<b>",
      address: "a@b",
      url: "https://b",
      photo: '"',
      language: "de",
      local: true,
    };
    fc.assert(
      fc.property(body, (text) => {
        const html = renderBody(text, mimetype, site);
        expect(faultOf(personalise(html, viewer))).toBe("");
        expect(faultOf(personalise(html, undefined))).toBe("");
        expect(plainText(html, "url")).not.toMatch(/\n\n\n|^\s|\s$/);
        expect(faultOf(simpleHtml(text, personalise(html, viewer)))).toBe("");
        expect(faultOf(withNamedPictures(personalise(html, viewer, { zone: "Asia/Tokyo" })))).toBe("");
        expect(faultOf(withoutPictures(personalise(html, viewer)))).toBe("");
        const written = htmlPieces(html).map(({ source }) => source);
        expect(written.join("")).toBe(html);
        imagesOf(html);
      }),
      { numRuns: size(40, 1500) },
    );
  });

  test("finds and rewrites tags once", () => {
    const resolved = (mention: { name: string }): { url: string; name: string } | undefined =>
      mention.name.includes("x") ? undefined : { url: "https://p.example/a", name: "A [B]" };
    fc.assert(
      fc.property(body, (text) => {
        const once = rewriteTags(text, mimetype, findTags(text, mimetype), resolved, baseUrl);
        const found = findTags(once, mimetype);
        expect(rewriteTags(once, mimetype, found, resolved, baseUrl)).toBe(once);
        expect(found.hashtags.length).toBe(findTags(text, mimetype).hashtags.length);
      }),
      runs,
    );
  });
});

test("shares come back as they were made", () => {
  const word = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(word, fc.webUrl(), body, (author, link, text) => {
      const share = {
        author,
        profile: link,
        avatar: "",
        link,
        posted: "2020-01-01",
        messageId: "m",
        body: text,
      };
      const found = findShare(makeShare(share));
      expect(found?.share.author).toBe(author);
      expect(innermostShare({ ...share, body: makeShare({ ...share, body: "x" }) }).body).toBe("x");
    }),
  );
});

test("lines and languages of anything", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.nat(30), (text, max) => {
      const line = plainLine(text, max);
      expect([...line].length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[<>\n]/);
      expect(detectLanguage(text.repeat(5))).toMatch(/^(?:[a-z]{2})?$/);
    }),
  );
});

const hostile: string[] = [
  "[b]",
  "[/b]",
  "[b][/i]",
  "[",
  "[[",
  "[url=",
  "[a '='",
  "[b '",
  '[quote="',
  "[code]",
  "[nobb]x[/nobb]",
  "[list][*]",
  "[*]",
  "[summary]a[/summary]",
  "[event-start]x[/event-start]",
  "[table][tr][td]",
  "[checklist][] ",
  "[share author='a']",
  "[share author='a']x[/share]",
  "[observer=1]",
  "[observer.name]",
  "[h1]a[/h1][toc]",
  "@",
  "@a",
  "@{a",
  '@"a',
  "@!a+",
  "@[zrl=x]y[/zrl]",
  "#",
  "#a",
  '#"a',
  "#^[url]x[/url]",
  "https://",
  "https://a.example/(",
  ")",
  ":",
  ":a:",
  ":smile:",
  "<b>",
  "</b>",
  "<b></i>",
  "<p><li>",
  "<",
  "<!--",
  "<a href=",
  "<div\n",
  "<x-y>",
  "`",
  "``a`",
  "a``",
  "*a_",
  "**",
  "> ",
  "- ",
  "[a](",
  "![",
  "[^1]",
  "[^a]: b\n",
  "~~",
  "|-",
  "\n",
  "\n\n",
  " \n",
  "<br>",
  "&amp;",
  "&",
  "\u0000",
];

test.each(hostile)("hostile %j takes well under a second in every type", (piece) => {
  const text = piece.repeat(Math.ceil(60_000 / piece.length));
  for (const mimetype of bodyMimetypes) {
    const start = process.cpuUsage();
    const html = renderBody(text, mimetype, site);
    plainText(personalise(html, undefined), "url");
    simpleHtml("", html);
    rewriteTags(text, mimetype, findTags(text, mimetype), () => ({ url: "u", name: "n" }), baseUrl);
    findShare(text);
    detectLanguage(text);
    // Processor time: the machine may be busy with something else.
    const cost = process.cpuUsage(start).user / 1000;
    expect([mimetype, cost, isWithin(1500, cost)]).toEqual([mimetype, cost, true]);
  }
});
