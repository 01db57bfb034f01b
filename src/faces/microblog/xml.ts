import { xmlName } from "../../http/xml.ts";
import type { Element } from "../../http/xml.ts";

/** From the JSON that is sent to the XML that says the same: microblog contract 10. */

export const namespaces: Readonly<Record<string, string>> = {
  "xmlns:statusnet": "http://status.net/schema/api/1/",
  "xmlns:svc": "urn:hubbub:schema:svc:1",
  "xmlns:georss": "http://www.georss.org/georss",
};

/** Roots without namespaces (10.2). */
const plainRoots: readonly string[] = [
  "ids",
  "id_list",
  "notes",
  "photos",
  "hash",
  "config",
  "version",
  "ok",
  "albums",
];

/** What the entries of a list are called (10.2, 10.3). */
const entryNames: Readonly<Record<string, string>> = {
  statuses: "status",
  users: "user",
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
  coordinates: "coordinate",
};

type Fields = Readonly<Record<string, unknown>>;

/** The document of an answer with this root. */
export function rootElement(name: string, value: unknown): Element {
  const element = elementOf(name, value);
  return plainRoots.includes(name) ? element : { ...element, attributes: { ...namespaces, ...element.attributes } };
}

function elementOf(name: string, value: unknown): Element {
  if (Array.isArray(value)) return { name, children: value.map((entry) => entryOf(entryNames[name] ?? "item", entry)) };
  if (typeof value === "object" && value !== null) return { name, children: fieldsOf(name, value as Fields) };
  if (value === null) return { name, text: "" };
  return { name, text: typeof value === "string" ? value : JSON.stringify(value) };
}

function fieldsOf(parent: string, fields: Fields): Element[] {
  const children: Element[] = [];
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    // Other names of the same fields are for JSON alone (rule 7).
    if (value === undefined || key.startsWith("friendica_") || (parent === "site" && key === "friendica")) continue;
    children.push(key === "geo" ? pointElement(value) : elementOf(fieldName(parent, key), value));
  }
  return children;
}

function fieldName(parent: string, key: string): string {
  if (parent === "svc:activities") return `svc:${key}`;
  if (key.startsWith("svc_")) return `svc:${xmlName(key.slice(4))}`;
  if (key.startsWith("statusnet_")) return `statusnet:${xmlName(key.slice(10))}`;
  return xmlName(key).replaceAll(":", "_");
}

/** One entry of a list; an attachment is all attributes, and an entity has its place as attributes. */
function entryOf(name: string, value: unknown): Element {
  if (name === "enclosure") return enclosure(value as Fields);
  const { indices, ...rest } = value as { indices?: [number, number] };
  if (!indices) return elementOf(name, value);
  return { ...elementOf(name, rest), attributes: { start: String(indices[0]), end: String(indices[1]) } };
}

function enclosure({ url, mimetype, size }: Fields): Element {
  return { name: "enclosure", attributes: { url: String(url), mimetype: String(mimetype), size: String(size) } };
}

function pointElement(value: unknown): Element {
  const point = value as { coordinates: [number, number] } | null;
  return { name: "georss:point", text: point ? point.coordinates.join(" ") : "" };
}
