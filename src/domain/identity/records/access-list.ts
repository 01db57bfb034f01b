/** The columns with the access lists of a record, in the contract's order. */
export const listNames = ["allow_cid", "allow_gid", "deny_cid", "deny_gid"] as const;

/** The hashes of a stored access list such as `<a><b>`; most are empty. */
export function parseList(list: string): string[] {
  if (list === "") return [];
  return Array.from(list.matchAll(/<([^<>]+)>/g), (match) => match[1]!);
}

/** Can this stand in an access list, and be read from one again? */
export function fitsList(hash: string): boolean {
  return hash !== "" && !/[\s<>[\]]/.test(hash);
}

/** Hashes in the stored form of an access list, each once. */
export function formatList(hashes: readonly string[]): string {
  return [...new Set(hashes)].map((hash) => `<${hash}>`).join("");
}
