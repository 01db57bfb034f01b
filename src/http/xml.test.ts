import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeXml, writeXml, xmlName } from "./xml.ts";
import { anyCharacter } from "../../test/support/any-character.ts";

test("elements, attributes, text and nothing", () => {
  const tree = {
    name: "status",
    attributes: { "xmlns:svc": 'a"b' },
    children: [
      { name: "id", text: "1 < 2 & 3" },
      { name: "geo" },
      { name: "ids", children: [{ name: "id", text: "7" }] },
    ],
  };
  expect(writeXml(tree)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<status xmlns:svc="a&quot;b"><id>1 &lt; 2 &amp; 3</id><geo/><ids><id>7</id></ids></status>',
  );
});

test("what XML forbids is left out, what it allows stays", () => {
  expect(escapeXml("a\0\x08\x0b\x1f\ufffe\uffffb")).toBe("ab");
  expect(escapeXml("\ud800x\udc00")).toBe("x");
  expect(escapeXml("\t\n😀")).toBe("\t\n😀");
  expect(escapeXml("a\rb")).toBe("a&#13;b");
});

test("any text makes a well-formed document", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (text, name) => {
      const xml = writeXml({ name: "r", attributes: { a: text }, children: [{ name: xmlName(name), text }] });
      expect(XMLValidator.validate(xml)).toBe(true);
    }),
  );
});
