import { digestOf, followersAt, followersHereOf } from "../../domain/connections/follower-lists.ts";
import type { SaidOfFollowers } from "../../domain/connections/follower-lists.ts";
import { compareLater, mostCompared, settleFollowers } from "../../domain/connections/follower-lists.ts";
import { isSameId, isSameOrigin } from "../../domain/identity/xchans/foreign-ids.ts";
import { claimComparison, followersAddressOf } from "../../domain/identity/xchans/actors.ts";
import { findXchan } from "../../domain/identity/xchans/xchans.ts";
import { cache } from "../../caches.ts";
import type { Hub } from "../../hub.ts";
import { everybody } from "./everybody.ts";
import { idsOf } from "./ids.ts";
import { retrieve } from "./retrieve/retrieve.ts";
import { readCollection } from "./translate/collection.ts";

/** Hubs tell each other which of them they take for followers of whom (federation contract 1.5, FEP-8fcf). */

/** The header that does so. */
export const synchronisation = "collection-synchronization";

const digests = cache<string, { header: string; until: number }>(10_000);
const keptFor = 60_000;

/** Its value for a delivery that a channel sends to this host, if it is for all of the channel's followers and for nobody else. */
export async function synchronisationOf(
  hub: Hub,
  { sender: uid, host, bytes }: { sender: number; host: string; bytes: Buffer },
  nick: string,
): Promise<string | undefined> {
  const { followers } = idsOf(hub, nick);
  if (!bytes.includes(`"${followers}"`) || bytes.includes(everybody)) return undefined;
  const key = `${uid} ${host}`;
  const known = digests(hub).get(key);
  if (known && known.until > performance.now()) return known.header || undefined;
  const ids = await followersAt(hub, uid, host);
  const value = `collectionId="${followers}", url="${followers}/synchronization", digest="${digestOf(ids ?? [])}"`;
  const header = ids ? value : "";
  digests(hub).set(key, { header, until: performance.now() + keptFor });
  return header || undefined;
}

const looked = cache<string, number>(20_000);
const pause = 3600_000;

/**
 * Takes down what the actor of a delivery says about its followers here, to be compared by a job; once an hour for each is enough.
 * Nobody says anything about the followers of others.
 */
export async function heedSynchronisation(hub: Hub, actor: string, header: string | null): Promise<void> {
  const said = header === null ? undefined : readHeader(header);
  if (!said || !isSameOrigin(said.url, actor)) return;
  const moment = hub.clock().getTime();
  if ((looked(hub).get(actor) ?? -Infinity) + pause > moment) return;
  looked(hub).set(actor, moment);
  await compareLater(hub, { actor, ...said });
}

function readHeader(header: string): { collection: string; url: string; digest: string } | undefined {
  const pairs = [...header.slice(0, 8192).matchAll(/(\w+)\s*=\s*"([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const { collectionId: collection, url, digest } = Object.fromEntries(pairs) as Record<string, string>;
  if (collection === undefined || url === undefined || !/^[0-9a-f]{64}$/i.test(digest ?? "")) return undefined;
  return URL.canParse(url) && URL.canParse(collection) ? { collection, url, digest: digest!.toLowerCase() } : undefined;
}

/** Compares, and mends what differs, once a day at most for each actor; a job. */
export async function compareFollowers(hub: Hub, said: SaidOfFollowers): Promise<void> {
  const person = await findXchan(hub, { hash: said.actor });
  if (!person || !isSameId(await followersAddressOf(hub, person.xchan_id), said.collection)) return;
  const known = await followersHereOf(hub, person.xchan_hash);
  if (!known || digestOf(known.map(({ nick }) => idsOf(hub, nick).actor)) === said.digest) return;
  if (!(await claimComparison(hub, person.xchan_id))) return;
  const found = await retrieve(hub, said.url);
  if ("fault" in found || !isSameOrigin(found.fetched.at, said.actor)) return;
  const { node } = found;
  const list = readCollection(node);
  // Who does not stand on one page of a list may follow all the same.
  if (!list || list.first !== undefined || list.next !== undefined || list.partOf !== undefined) return;
  const ids = [...node.ids("orderedItems"), ...node.ids("items")];
  if (ids.length >= mostCompared) return;
  const start = idsOf(hub, "").actor;
  await settleFollowers(
    hub,
    person,
    new Set(ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length))),
  );
}
