import { limits } from "../../../../domain/identity/channels/roles.ts";
import type { TextKey } from "../../languages/messages.ts";
import type { Say } from "../../languages/say.ts";

/** How far a permission reaches, in words for the owner. */
const keys = {
  [limits.self]: "connections.limit-self",
  [limits.specific]: "connections.limit-specific",
  [limits.contacts]: "connections.limit-contacts",
  [limits.anyConnections]: "connections.limit-any",
  [limits.site]: "connections.limit-site",
  [limits.network]: "connections.limit-network",
  [limits.authenticated]: "connections.limit-authenticated",
  [limits.public]: "connections.limit-public",
} as const satisfies Record<number, TextKey>;

/** The limit in words; one that nobody knows is for the owner alone. */
export function limitWords(say: Say, limit: number): string {
  return say(keys[limit as keyof typeof keys] ?? keys[limits.self]);
}

/** What a single grant means under this limit, to a connection or to a guest; empty where it decides. */
export function grantNote(say: Say, limit: number, who: "connection" | "guest" = "connection"): string {
  if (limit === limits.specific) return "";
  if (limit === limits.self) return say("connections.nobody-but-you");
  if (who === "guest" && onlyForMembers.includes(limit)) return say("connections.guests-may-not");
  const words = limitWords(say, limit);
  return say("connections.may-anyway", { who: words.charAt(0).toLowerCase() + words.slice(1) });
}

/** Limits that no guest is within (native contract 3.4). */
const onlyForMembers: readonly number[] = [limits.contacts, limits.site, limits.network];
