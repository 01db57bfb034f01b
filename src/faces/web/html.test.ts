import fc from "fast-check";
import { expect, test } from "vitest";
import { size } from "../../../test/support/size.ts";
import { html, raw } from "./html.ts";

test("what is no piece of HTML is escaped, also in lists and when it comes later", async () => {
  const sly = `<b title="a" class='b'>&amp;`;
  const safe = "&lt;b title=&quot;a&quot; class=&#39;b&#39;&gt;&amp;amp;";
  expect(String(html`<p id="${sly}">${[sly, [sly]]}</p>`)).toBe(`<p id="${safe}">${safe}${safe}</p>`);
  expect(String(await html`${Promise.resolve(sly)}${[Promise.resolve([sly])]}`)).toBe(safe + safe);
  expect(String(html`${{ toString: () => sly }}${new URL("http://a.example/?a&b")}`)).toBe(
    `${safe}http://a.example/?a&amp;b`,
  );
  expect(String(html`${{ isEscaped: "yes", toString: () => sly }}`)).toBe(safe);
});

test("pieces stay as they are, also those of other makers, and what is nothing is left out", async () => {
  const piece = html`<b>${"1 < 2"}</b>`;
  const foreign = Object.assign(Object("<i>2</i>") as string, { isEscaped: true });
  const later = Promise.resolve(raw("<u>3</u>"));
  expect(String(html`${piece}${[piece]}${foreign}${raw("<s>")}`)).toBe("<b>1 &lt; 2</b><b>1 &lt; 2</b><i>2</i><s>");
  expect(String(await html`<p>${later}${[piece, later]}</p>`)).toBe("<p><u>3</u><b>1 &lt; 2</b><u>3</u></p>");
  expect(String(html`${undefined}${null}${true}${false}${""}${[]}${0}`)).toBe("0");
});

test("what could not be had fails the whole", async () => {
  await expect(html`<p>${Promise.reject(new Error("away"))}</p>`).rejects.toThrow("away");
});

test("a piece has the bytes of its text", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 200 }), fc.string({ minLength: 60 }));
  fc.assert(
    fc.property(fc.array(text), fc.nat(300), (texts, times) => {
      const piece = html`<p>${texts.map((one) => html`<b>${one}</b>→`)}${raw(texts.join("").repeat(times))}</p>`;
      const all = [...texts.map((one) => `<b>${String(html`${one}`)}</b>→`), texts.join("").repeat(times)];
      expect(String(piece)).toBe(`<p>${all.join("")}</p>`);
      expect((piece as ReturnType<typeof raw>).bytes().equals(Buffer.from(String(piece)))).toBe(true);
    }),
    { numRuns: size(100, 2000) },
  );
});
