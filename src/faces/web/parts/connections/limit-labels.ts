import { limits } from "../../../../domain/identity/channels/roles.ts";

/** How far a permission reaches, in words for the owner. */
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

/** What a single grant means under this limit, to a connection or to a guest; empty where it decides. */
export function grantNote(limit: number, who: "connection" | "guest" = "connection"): string {
  if (limit === limits.specific) return "";
  if (limit === limits.self) return "Nobody but you may, whatever you tick.";
  if (who === "guest" && onlyForMembers.includes(limit)) return "Guests may not, whatever you tick.";
  return `May anyway: ${limitWords(limit).toLowerCase()}.`;
}

/** Limits that no guest is within (native contract 3.4). */
const onlyForMembers: readonly number[] = [limits.contacts, limits.site, limits.network];
