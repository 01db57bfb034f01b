/** Ids of actors, objects and activities of other hubs (federation contract 1.4). */

const mostBytes = 2048;

/** White space, control characters, lone surrogates, and what would end an id inside an access list. */
const refused = /[\s\p{Cc}\p{Cs}<>[\]]/u;

/** May this be the id of something elsewhere, or an address that it names? */
export function isForeignId(text: string): boolean {
  return (
    /^https?:\/\//i.test(text) && !refused.test(text) && Buffer.byteLength(text) <= mostBytes && URL.canParse(text)
  );
}

/**
 * The form in which ids compare: scheme and host in small letters, the host in ASCII, without the port that goes without saying.
 * Path and query stay letter by letter.
 */
export function comparableId(id: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(id)?.[1] ?? "";
  return new URL(id).origin + (rest.startsWith("/") ? rest : `/${rest}`);
}

/** Do both belong to one server? */
export function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}
