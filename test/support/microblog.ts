import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect } from "vitest";
import type { Answer } from "./client.ts";

/** An element of a parsed document. */
export type Tag = { name: string; attributes: Record<string, string>; text: string; children: Tag[] };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  trimValues: false,
});

/** The root element of an XML answer, which must be well-formed. */
export function readXml(answer: Answer): Tag {
  expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(XMLValidator.validate(answer.text)).toBe(true);
  const roots = tagsOf(parser.parse(answer.text)).filter((tag) => tag.name !== "?xml");
  expect(roots).toHaveLength(1);
  return roots[0]!;
}

/** The children of that name. */
export function childrenOf(tag: Tag, name: string): Tag[] {
  return tag.children.filter((child) => child.name === name);
}

/** The only child of that name. */
export function childOf(tag: Tag, name: string): Tag {
  const [child, ...more] = childrenOf(tag, name);
  expect([name, child?.name, more.length]).toEqual([name, name, 0]);
  return child!;
}

/** The text of the element below, by a path of names. */
export function textAt(tag: Tag, ...path: string[]): string {
  return path.reduce((at, name) => childOf(at, name), tag).text;
}

const listEntries: Record<string, string> = {
  "svc:like": "user",
  "svc:dislike": "user",
  "svc:attendyes": "user",
  "svc:attendno": "user",
  "svc:attendmaybe": "user",
  attachments: "enclosure",
  hashtags: "hashtag",
  symbols: "symbol",
  urls: "url",
  user_mentions: "user_mention",
  media: "creative",
};

/** Does the element say what the JSON object says? (microblog contract 10.1, 10.3) */
export function expectSame(tag: Tag, value: unknown): void {
  if (tag.name === "georss:point")
    return expect(tag.text).toBe(value === null ? "" : (value as { coordinates: number[] }).coordinates.join(" "));
  if (Array.isArray(value)) {
    const entry = listEntries[tag.name];
    expect(tag.children.map((child) => child.name)).toEqual(value.map(() => entry ?? expect.any(String)));
    return value.forEach((one: unknown, at) => expectEntry(tag.children[at]!, one));
  }
  if (typeof value !== "object" || value === null)
    return expect([tag.name, tag.text]).toEqual([tag.name, value === null ? "" : String(value)]);
  const fields = Object.entries(value).filter(([key]) => !key.startsWith("friendica"));
  const names = fields.map(([key]) => elementName(tag.name, key));
  expect(tag.children.map((child) => child.name)).toEqual(names);
  fields.forEach(([, field], at) => expectSame(tag.children[at]!, field));
}

function expectEntry(tag: Tag, value: unknown): void {
  if (tag.name === "enclosure") {
    const { url, mimetype, size } = value as Record<string, unknown>;
    return expect([tag.attributes, tag.children]).toEqual([{ url, mimetype, size: String(size) }, []]);
  }
  if (typeof value === "object" && value !== null && "indices" in value) {
    const { indices, ...rest } = value as { indices: number[] };
    expect(tag.attributes).toEqual({ start: String(indices[0]), end: String(indices[1]) });
    return expectSame(tag, rest);
  }
  expectSame(tag, value);
}

function elementName(parent: string, key: string): string {
  if (key === "geo") return "georss:point";
  if (parent === "svc:activities") return `svc:${key}`;
  return key.replace(/^svc_/, "svc:").replace(/^statusnet_/, "statusnet:");
}

type Parsed = Record<string, unknown>;

function tagsOf(parsed: Parsed[]): Tag[] {
  return parsed.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ":@")!;
    return name === "#text" ? [] : [tagOf(name, node[name] as Parsed[], (node[":@"] ?? {}) as Record<string, string>)];
  });
}

function tagOf(name: string, content: Parsed[], attributes: Record<string, string>): Tag {
  const text = content.map((node) => node["#text"] ?? "").join("");
  return { name, attributes, text, children: tagsOf(content) };
}
