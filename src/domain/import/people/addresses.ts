/** Where a channel was, or is. */
export type Place = {
  /** Base URL of the hub. */
  url: string;
  nick: string;
  /** The channel's id there, 0 when it is not known. */
  id: number;
};

/** Pages whose second part names a channel. */
const withNick = new Set(
  `channel profile photos cloud dav page blocks layouts webpages menu wiki chat connect poco viewconnections
  store`.split(/\s+/),
);

export type Mover = {
  /** The text with the addresses of the old hub replaced (native contract 7.5, step 9). */
  text: (text: string) => string;
  /** The same in all texts inside of a JSON text; what cannot be read stays as it is. */
  json: (json: string) => string;
};

/**
 * Moves addresses from the old hub to this one. What belongs to other people of the old hub still does, and so do
 * message ids: those never change.
 */
export function moverOf(from: Place, to: Place): Mover {
  const unmoved = from.url === "" || (from.url === to.url && from.nick === to.nick && from.id === to.id);
  if (unmoved) return { text: (text) => text, json: (json) => json };
  const base = from.url.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const addresses = new RegExp(`(?<!message_id=['"]?)${base}(?![\\w.:-])(/[^\\s"'<>\\[\\]()\\\\]*)?`, "gi");
  const text = (given: string): string =>
    given.replace(addresses, (all: string, path: string | undefined) => movedAddress(all, path ?? "", from, to));
  return { text, json: (json) => movedJson(json, text) };
}

function movedAddress(all: string, path: string, from: Place, to: Place): string {
  const [, place = "", name = ""] = /^\/([^/?#]*)\/?([^/?#]*)/.exec(path) ?? [];
  if (withNick.has(place)) {
    if (name.toLowerCase() !== from.nick.toLowerCase()) return all;
    return `${to.url}/${place}/${to.nick}${path.slice(place.length + name.length + 2)}`;
  }
  const avatar = /^(\/photo\/profile\/[lms]\/)(\d+)/.exec(path);
  if (avatar) {
    if (from.id === 0 || Number(avatar[2]) !== from.id) return all;
    return `${to.url}${avatar[1]}${to.id}${path.slice(avatar[0].length)}`;
  }
  return to.url + path;
}

function movedJson(json: string, text: (text: string) => string): string {
  if (json === "") return json;
  try {
    return JSON.stringify(movedValue(JSON.parse(json), text));
  } catch {
    return json;
  }
}

/** Under these names objects carry ids of messages. */
const idNames = new Set(["id", "parent", "inReplyTo", "mid", "parent_mid", "message_id"]);

function movedValue(value: unknown, text: (text: string) => string, name = ""): unknown {
  if (typeof value === "string") return idNames.has(name) && isMessageId(value) ? value : text(value);
  if (Array.isArray(value)) return value.map((entry) => movedValue(entry, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, movedValue(entry, text, key)]));
}

function isMessageId(value: string): boolean {
  return /^https?:\/\/[^/]+\/(item|activity)\//.test(value);
}
