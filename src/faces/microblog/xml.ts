import { escapeXml, inTag, writeAttributes, writeElement, xmlName, XmlText } from "../../http/xml.ts";
import type { Element } from "../../http/xml.ts";
import { isRecord } from "../../record-of.ts";

/** From the JSON that is sent to the XML that says the same. */

export const namespaces: Readonly<Record<string, string>> = {
  "xmlns:statusnet": "http://status.net/schema/api/1/",
  "xmlns:svc": "urn:hubbub:schema:svc:1",
  "xmlns:georss": "http://www.georss.org/georss",
};

/** Roots without namespaces (microblog contract 10.2). */
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

/** What the entries of a list are called (microblog contract 10.2, 10.3). */
const entryNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    statuses: "status",
    users: "user",
    ids: "id",
    "direct-messages": "direct_message",
    search_results: "direct_message",
    lists: "list",
    groups: "group",
    wrong_users: "id",
    profiles: "profile",
    custom_fields: "field",
    terms: "search",
    albums: "album",
    photos: "photo",
    events: "event",
    scales: "scale",
    "svc:comments": "comment",
    "svc:like": "user",
    "svc:dislike": "user",
    "svc:attendyes": "user",
    "svc:attendno": "user",
    "svc:attendmaybe": "user",
    relationships: "relationship",
    connections: "connection",
    attachments: "enclosure",
    hashtags: "hashtag",
    symbols: "symbol",
    urls: "url",
    user_mentions: "user_mention",
    media: "creative",
    variants: "variant",
    coordinates: "coordinate",
  }),
);

/** Entries that say where in a text they stand. */
const placed: readonly string[] = ["hashtag", "symbol", "url", "user_mention", "creative"];

type Fields = Readonly<Record<string, unknown>>;

/** The document of an answer with this root. */
export function rootElement(name: string, value: unknown): Element {
  const children = [new XmlText(contentOf(name, value))];
  return plainRoots.includes(name) ? { name, children } : { name, attributes: namespaces, children };
}

/** What stands between the tags of an element of this name. */
export function contentOf(name: string, value: unknown): string {
  if (typeof value === "string") return escapeXml(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return entriesOf(name, value);
  return isRecord(value) ? fieldsOf(name, value) : "";
}

/** The fields of an object, one element each. */
export function fieldsOf(parent: string, fields: Fields): string {
  let text = "";
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    // Other names of the same fields are for JSON alone (rule 7).
    if (value === undefined || key.startsWith("friendica_") || (parent === "site" && key === "friendica")) continue;
    if (key === "geo") text += inTag("georss:point", pointOf(value));
    else {
      const name = fieldName(parent, key);
      text += inTag(name, contentOf(name, value));
    }
  }
  return text;
}

function entriesOf(list: string, entries: readonly unknown[]): string {
  const name = entryNames.get(list) ?? "item";
  let text = "";
  for (const entry of entries) text += entryOf(name, entry);
  return text;
}

/** One entry of a list; an attachment is all attributes, and an entity has its place as attributes. */
function entryOf(name: string, value: unknown): string {
  if (name === "enclosure" && isRecord(value)) return enclosure(value);
  if (!placed.includes(name)) return inTag(name, contentOf(name, value));
  const { indices, ...rest } = value as { indices: [number, number] };
  const [start, end] = indices.map(String) as [string, string];
  return `<${name}${writeAttributes({ start, end })}>${contentOf(name, rest)}</${name}>`;
}

function fieldName(parent: string, key: string): string {
  if (parent === "svc:activities") return `svc:${key}`;
  if (key.startsWith("svc_")) return `svc:${xmlName(key.slice(4))}`;
  if (key.startsWith("statusnet_")) return `statusnet:${xmlName(key.slice(10))}`;
  return xmlName(key).replaceAll(":", "_");
}

function enclosure({ url, mimetype, size }: Fields): string {
  const attributes = { url: String(url), mimetype: String(mimetype), size: String(size) };
  return writeElement({ name: "enclosure", attributes });
}

function pointOf(value: unknown): string {
  const point = value as { coordinates: [number, number] } | null;
  return point ? point.coordinates.join(" ") : "";
}
