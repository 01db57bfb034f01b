import fc from "fast-check";
import { expect, test } from "vitest";
import { faultOf } from "../bodies/html-fault.ts";
import { filterHtml } from "../bodies/html-filter.ts";
import { personalise } from "../bodies/personalise.ts";
import { renderBody } from "../bodies/render.ts";
import { parseLayout } from "./layout.ts";
import { namesIn, renderLayout } from "./render-layout.ts";
import { linkWikiPages } from "./wiki-links.ts";
import { size } from "../../../test/support/size.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

/** Whatever layouts, pages and blocks say: nothing throws, nothing hangs, and what comes out passes the HTML filter. */

const baseUrl = "http://hub.example";
const word = fc.constantFrom(
  ..."[region=aside] [/region] [region= [content] $content [template]full[/template] [block]a[/block] [block]b[/block] [menu]a[/menu] [block=x]a[/block] [block] [/block] [menu] [[Home]] [[a|b]] [b] [/b] [url=javascript:alert(1)]x[/url] [h2]x[/h2] [toc] [code] [/code] [observer=1] [/observer] <p> </p> <div> </div> <a href=#> </a> <ul> <li> </ul> <table> <td> <script> </script> <!-- --> &amp; & \" ' < > **x** _y_ `c` * # \n \n\n \u0000".split(
    " ",
  ),
);
const text = fc.array(fc.oneof({ weight: 8, arbitrary: word }, fc.string({ unit: anyCharacter })), { maxLength: 30 });
const source = text.map((words) => words.join(""));
const mimetype = fc.constantFrom("text/bbcode", "text/markdown", "text/html", "text/plain", "text/x-multicode");
const body = fc
  .tuple(source, mimetype)
  .map(([words, type]) => personalise(renderBody(words, type, { baseUrl, name: "Hub" }), undefined));
const menu = '<nav title="x"><ul><li><a href="http://hub.example/">x</a></li></ul></nav>';

test("any layout with any page is well-formed and harmless", () => {
  fc.assert(
    fc.property(fc.option(source, { nil: undefined }), body, body, body, (layout, page, a, b) => {
      const pieces = {
        blocks: new Map([
          ["a", a],
          ["b", b],
        ]),
        menus: new Map([["a", menu]]),
      };
      const parsed = layout === undefined ? undefined : parseLayout(layout);
      namesIn(parsed, [page, a, b]);
      const { regions, template } = renderLayout(parsed, page, pieces);
      expect(template).toBe(template.trim());
      for (const { name, html } of regions) {
        expect(name).toMatch(/^[\w-]{1,40}$/);
        expect(faultOf(html)).toBe("");
      }
      expect(
        faultOf(
          linkWikiPages(page, (name) =>
            name === "b" ? undefined : { path: `/wiki/${name}`, unwritten: false },
          ).replaceAll('href="/', 'href="http://hub.example/'),
        ),
      ).toBe("");
    }),
    { numRuns: size(300, 5000) },
  );
});

test("a page stands in its layout exactly once", () => {
  fc.assert(
    fc.property(source, (layout) => {
      const { regions } = renderLayout(parseLayout(layout), "<p>THE PAGE</p>", { blocks: new Map(), menus: new Map() });
      expect(
        regions
          .map((region) => region.html)
          .join("")
          .split("THE PAGE"),
      ).toHaveLength(2);
    }),
  );
});

test("text without calls comes back as it was", () => {
  fc.assert(
    fc.property(body, (html) => {
      const plain = html.replace(/\[/g, "(");
      expect(renderLayout(undefined, plain, { blocks: new Map(), menus: new Map() }).regions[0]!.html).toEqual(
        filterHtml(plain, baseUrl) === plain ? plain : expect.any(String),
      );
    }),
  );
});

test("a page that calls a large block without end ends", () => {
  const blocks = new Map([["a", `<p>${"x".repeat(200_000)}</p>`]]);
  const { regions } = renderLayout(undefined, "[block]a[/block]".repeat(100_000), { blocks, menus: new Map() });
  expect(regions[0]!.html.length).toBeLessThan(4_000_000);
});
