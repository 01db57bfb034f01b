/** What an application of OAuth 2 may do, in the names that its protocol has for it (Mastodon contract 9.6). */

const areas = {
  read: "accounts statuses notifications lists follows blocks mutes filters favourites bookmarks search",
  write:
    "statuses media favourites bookmarks follows blocks mutes lists accounts notifications conversations filters reports",
} as const;

/** Every scope that is granted, the wide ones first. */
export const knownScopes: readonly string[] = [
  "read",
  "write",
  "follow",
  "push",
  "profile",
  ...Object.entries(areas).flatMap(([kind, names]) => names.split(" ").map((name) => `${kind}:${name}`)),
];

/** What the scope of older applications stands for. */
const follow = ["read:blocks", "write:blocks", "read:follows", "write:follows", "read:mutes", "write:mutes"];

/** What an application gets that asks for nothing. */
const usualScopes: readonly string[] = ["read"];

/** The scopes that a text names, each once and in its order; unknown ones are dropped. Without any text the usual ones. */
export function readScopes(text: string): string[] {
  const names = text.split(/[\s+]+/).filter((name) => name !== "");
  if (names.length === 0) return [...usualScopes];
  return [...new Set(names.filter((name) => knownScopes.includes(name)))];
}

/** Do the granted scopes hold this one? A name covers all that begin with it and a colon. */
export function holdsScope(granted: readonly string[], asked: string): boolean {
  return granted.some(
    (one) => one === asked || asked.startsWith(`${one}:`) || (one === "follow" && follow.includes(asked)),
  );
}

/** Do they hold all of these? */
export function holdAll(granted: readonly string[], asked: readonly string[]): boolean {
  return asked.every(
    (one) => holdsScope(granted, one) || (one === "follow" && follow.every((each) => holdsScope(granted, each))),
  );
}
