import { limits } from "../../../domain/identity/roles.ts";

/** How far a permission reaches, in words for the owner (native contract 3.2). */
const words: Record<number, string> = {
  [limits.self]: "Only me",
  [limits.specific]: "Connections whom I allow it",
  [limits.contacts]: "All my connections",
  [limits.anyConnections]: "Connections, also those I have not answered",
  [limits.site]: "Everybody with a channel on this hub",
  [limits.network]: "Everybody on hubs of this kind",
  [limits.authenticated]: "Everybody who is logged in somewhere",
  [limits.public]: "Everybody",
};

/** The limit in words; one that nobody knows is for the owner alone. */
export function limitWords(limit: number): string {
  return words[limit] ?? words[limits.self]!;
}

/** What a single grant means under this limit; empty where it decides. */
export function grantNote(limit: number): string {
  switch (limit) {
    case limits.specific:
      return "";
    case limits.self:
      return "Nobody but you may, whatever you tick.";
    default:
      return `May anyway: ${limitWords(limit).toLowerCase()}.`;
  }
}
