import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeXml, XmlText } from "../../http/xml.ts";
import type { PresentedStatus } from "./statuses/present-status.ts";
import { statusesXml } from "./statuses/present-status-xml.ts";
import { contentOf, rootElement } from "./xml.ts";
import { size } from "../../../test/support/size.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

/** From JSON to XML: the rules of microblog contract 10.1 and 10.3. */

/** The document without its declaration and without namespaces. */
function xmlOf(name: string, value: unknown): string {
  return writeXml(rootElement(name, value))
    .split("\n")
    .slice(1)
    .join("\n")
    .replaceAll(/ xmlns:\w+="[^"]*"/g, "");
}

test.each([
  ["an element of the same name", { id: 7, text: "x" }, "<r><id>7</id><text>x</text></r>"],
  [
    "our own fields",
    { svc_title: "a", statusnet_html: "b" },
    "<r><svc:title>a</svc:title><statusnet:html>b</statusnet:html></r>",
  ],
  ["names of others are for JSON", { friendica_title: "a", id: 1 }, "<r><id>1</id></r>"],
  [
    "what XML does not allow in names",
    { "wrong users": [5], "a:b": 1, "1st": 2, "media-id": 3 },
    "<r><wrong_users><id>5</id></wrong_users><a_b>1</a_b><_1st>2</_1st><media-id>3</media-id></r>",
  ],
  [
    "numbers, flags, nothing",
    { a: 1.5, b: true, c: false, d: null, e: "", f: undefined },
    "<r><a>1.5</a><b>true</b><c>false</c><d/><e/></r>",
  ],
  ["text is escaped", { a: "<b>&\"'\r\n]]>" }, "<r><a>&lt;b&gt;&amp;\"'&#13;\n]]&gt;</a></r>"],
  ["characters that XML forbids", { a: "x\0\u0001\u001f\ud800y\udc00\ufffe\uffffz😀" }, "<r><a>xyz😀</a></r>"],
  ["objects nest", { a: { b: { c: 1 } } }, "<r><a><b><c>1</c></b></a></r>"],
  ["a place", { geo: { type: "Point", coordinates: [52.5, 13.4] } }, "<r><georss:point>52.5 13.4</georss:point></r>"],
  ["no place", { geo: null, coordinates: null }, "<r><georss:point/><coordinates/></r>"],
  [
    "activities",
    { svc_activities: { like: [{ id: 1 }], dislike: [] } },
    "<r><svc:activities><svc:like><user><id>1</id></user></svc:like><svc:dislike/></svc:activities></r>",
  ],
  [
    "attachments",
    { attachments: [{ url: 'a"&<b\n', mimetype: "image/png", size: 0, width: 1 }] },
    '<r><attachments><enclosure url="a&quot;&amp;&lt;b&#10;" mimetype="image/png" size="0"/></attachments></r>',
  ],
  ["no attachments", { attachments: [] }, "<r><attachments/></r>"],
  [
    "entities",
    { entities: { hashtags: [{ text: "x", indices: [1, 2] }], symbols: [], urls: [{ url: "u", indices: [3, 4] }] } },
    '<r><entities><hashtags><hashtag start="1" end="2"><text>x</text></hashtag></hashtags><symbols/><urls><url start="3" end="4"><url>u</url></url></urls></entities></r>',
  ],
  [
    "mentions",
    { user_mentions: [{ id: 1, indices: [0, 1] }] },
    '<r><user_mentions><user_mention start="0" end="1"><id>1</id></user_mention></user_mentions></r>',
  ],
  [
    "media",
    { media: [{ id: 1, indices: [0, 1] }] },
    '<r><media><creative start="0" end="1"><id>1</id></creative></media></r>',
  ],
  ["members", { users: [{ id: 1 }] }, "<r><users><user><id>1</id></user></users></r>"],
  [
    "extra fields of a profile",
    { custom_fields: [{ label: "a", value: "b" }] },
    "<r><custom_fields><field><label>a</label><value>b</value></field></custom_fields></r>",
  ],
  ["scales", { scales: [{ id: 0 }] }, "<r><scales><scale><id>0</id></scale></scales></r>"],
  [
    "comments on a photo",
    { svc_comments: [{ id: 9 }] },
    "<r><svc:comments><comment><id>9</id></comment></svc:comments></r>",
  ],
  ["their number on a status", { svc_comments: 2 }, "<r><svc:comments>2</svc:comments></r>"],
])("%s", (_, value, xml) => {
  expect(xmlOf("r", value)).toBe(xml);
});

test.each([
  ["statuses", "status"],
  ["users", "user"],
  ["ids", "id"],
  ["direct-messages", "direct_message"],
  ["lists", "list"],
  ["groups", "group"],
  ["profiles", "profile"],
  ["terms", "search"],
  ["albums", "album"],
])("the entries of %s are %s", (root, child) => {
  expect(xmlOf(root, [{ a: 1 }, { a: 2 }])).toBe(
    `<${root}><${child}><a>1</a></${child}><${child}><a>2</a></${child}></${root}>`,
  );
  expect(xmlOf(root, [])).toBe(`<${root}/>`);
});

test("namespaces stand on the root, but not on those that have none", () => {
  const all =
    'xmlns:statusnet="http://status.net/schema/api/1/" xmlns:svc="urn:hubbub:schema:svc:1" xmlns:georss="http://www.georss.org/georss"';
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  for (const name of ["statuses", "status", "user", "users_list", "direct-messages", "photo", "media", "terms"])
    expect(writeXml(rootElement(name, {}))).toBe(`${declaration}<${name} ${all}/>`);
  for (const name of ["ids", "id_list", "notes", "photos", "hash", "config", "version", "ok", "albums"])
    expect(writeXml(rootElement(name, {}))).toBe(`${declaration}<${name}/>`);
});

/** Texts as they should never come, and sometimes do. */
const hostile = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom(
      "]]>",
      "\0",
      "\ud800",
      "\udc00",
      "😀",
      "<",
      "&",
      "&#0;",
      '"',
      "\r",
      "\n",
      "\ufffe",
      "<!--",
      "<?xml",
      "é",
    ),
  }),
);
/** These names mean something, and come with what they mean. */
const anyName = hostile.filter((name) => !["indices", "geo", "__proto__"].includes(name));
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostile,
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true }),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("object"), { maxLength: 3 }),
  object: fc.dictionary(anyName, tie("value"), { maxKeys: 4 }),
}));

test("anything makes a well-formed document", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("status", "statuses", "users", "photo"),
      fc.dictionary(anyName, anyJson),
      (name, value) => {
        const document = writeXml(rootElement(name, value));
        expect(XMLValidator.validate(document)).toBe(true);
        expect(document.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: size(500, 10_000) },
  );
});

test("a list that is named like a method of all objects has entries like any other", () => {
  expect(contentOf("status", { toString: [{}], constructor: [1] })).toBe(
    "<toString><item/></toString><constructor><item>1</item></constructor>",
  );
});

test("a text comes back as it was, without what XML cannot carry", () => {
  const forbidden =
    /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  const read = (xml: string) =>
    xml.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#13;", "\r").replaceAll("&amp;", "&");
  fc.assert(
    fc.property(hostile, (text) => {
      const [, inside = ""] = /^<r>(?:<t\/>|<t>(.*)<\/t>)<\/r>$/s.exec(xmlOf("r", { t: text }))!;
      expect(read(inside)).toBe(text.replace(forbidden, ""));
    }),
  );
});

test("statuses are written by their own writer as the rules say", async () => {
  const person = (name: string) => ({ id: 1, name, entities: { url: { urls: [] } }, status: undefined });
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (text, name) => {
      const [ann, bob] = [person(name), person(`${name}2`)];
      const people = {
        user: ann,
        svc_author: bob,
        svc_owner: ann,
        svc_activities: { like: [ann, bob], dislike: [], attendyes: [], attendno: [], attendmaybe: [] },
      };
      const fields = {
        id: 5,
        text,
        geo: null,
        svc_title: text,
        friendica_title: text,
        attachments: [],
        entities: undefined,
      };
      const inner = { fields, people, shared: undefined } as unknown as PresentedStatus;
      const status = {
        fields,
        people,
        shared: { as: "retweeted_status", status: inner },
      } as unknown as PresentedStatus;
      const objects = [
        { ...fields, ...people, retweeted_status: { ...fields, ...people } },
        { ...fields, ...people },
      ];
      const written = await statusesXml([status, inner]);
      expect(written).toBeInstanceOf(XmlText);
      expect(writeXml(written)).toBe(writeXml(rootElement("statuses", objects)));
    }),
  );
});
