/** Ids of actors, objects and activities of other hubs, and other addresses that come from there (federation contract 1.4). */

const mostBytes = 2048;

/** White space, control characters, what is or stood for something broken, and what would end an id inside an access list. */
const refused = /[\s\p{Cc}\p{Cs}\uFFFD<>[\]]/u;

/** May this be the id of something elsewhere, or an address that it names? */
export function isForeignId(text: string): boolean {
  return (
    /^https?:\/\//i.test(text) && !refused.test(text) && Buffer.byteLength(text) <= mostBytes && URL.canParse(text)
  );
}

/**
 * The form in which ids compare: scheme and host in small letters, the host in ASCII, without the port that goes without saying.
 * Path and query stay letter by letter; so does what is no id.
 */
export function comparableId(id: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(id)?.[1];
  if (rest === undefined || !URL.canParse(id)) return id;
  return new URL(id).origin + (rest.startsWith("/") ? rest : `/${rest}`);
}

/** Are these one id? */
export function isSameId(one: string, other: string): boolean {
  return one === other || comparableId(one) === comparableId(other);
}

/** Do both belong to one server? What is no id belongs to none. */
export function isSameOrigin(one: string, other: string): boolean {
  return isForeignId(one) && isForeignId(other) && new URL(one).origin === new URL(other).origin;
}
