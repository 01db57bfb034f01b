/** Ids of actors, objects and activities, and other addresses that come from elsewhere (federation contract 1.4). */

const mostBytes = 2048;

/** White space, control characters, what stood for something broken, and what would end an id inside an access list. */
const refused = /[\s\p{Cc}\p{Cs}\uFFFD<>[\]]/u;

/** May this be the id of something elsewhere? */
export function isId(text: string): boolean {
  return (
    /^https?:\/\//i.test(text) && !refused.test(text) && Buffer.byteLength(text) <= mostBytes && URL.canParse(text)
  );
}

/**
 * The form in which ids are compared: scheme and host in small letters, the host in ASCII, without the port that goes
 * without saying. Path and query stay letter by letter as they are; so does what is no id.
 */
export function comparable(id: string): string {
  if (!URL.canParse(id)) return id;
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(id)?.[1];
  return rest === undefined ? id : new URL(id).origin + (rest.startsWith("/") ? rest : `/${rest}`);
}

/** Are these one id? */
export function isSameId(one: string, other: string): boolean {
  return one === other || comparable(one) === comparable(other);
}

/** Scheme, host and port of an id; undefined where it has none. */
export function originOf(id: string): string | undefined {
  return isId(id) ? new URL(id).origin : undefined;
}

/** Do both ids belong to one server? What is no id belongs to none. */
export function isSameOrigin(one: string, other: string): boolean {
  const origin = originOf(one);
  return origin !== undefined && origin === originOf(other);
}

/** The document that an address with a fragment points into. */
export function withoutFragment(id: string): string {
  const at = id.indexOf("#");
  return at < 0 ? id : id.slice(0, at);
}
