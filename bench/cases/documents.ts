import { halfOfFloor, reading } from "./case.ts";
import type { Case } from "./case.ts";

const accept = "application/activity+json";

/** What other hubs read here, without a signature. */
export const documentCases: Case[] = [
  document("actor", ({ residents }) => residents.map(({ nick }) => [`/channel/${nick}`, `nick=${nick}`])),
  document("webfinger", ({ residents }) =>
    residents.map(({ nick, address }) => [`/.well-known/webfinger?resource=acct:${address}`, `nick=${nick}`]),
  ),
  document("item", ({ publicPosts }) => publicPosts.map((uuid) => [`/item/${uuid}`, `uuid=${uuid}`])),
];

type Addresses = (world: Parameters<Case["pairs"]>[0]) => [path: string, query: string][];

function document(name: string, addresses: Addresses): Case {
  const pairs: Case["pairs"] = (world) =>
    addresses(world).map(([path, query]) => ({
      hub: { method: "GET", path, accept },
      floor: { method: "GET", path: `/${name}?${query}` },
    }));
  return reading(`${name} document`, pairs, { floor: name, bar: halfOfFloor });
}
