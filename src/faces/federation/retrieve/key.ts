import { cache, oncePerHub } from "../../../caches.ts";
import { isLeftOut } from "../../../domain/delivery/backlog.ts";
import { findActorKey, freshFor } from "../../../domain/identity/xchans/actor-keys.ts";
import type { ActorKey } from "../../../domain/identity/xchans/actor-keys.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { meetLater } from "../../../domain/peers/meet-actor.ts";
import type { Hub } from "../../../hub.ts";
import { allowance, isWithin } from "../../../http/allowances.ts";
import { storedMoment } from "../../../http/dates.ts";
import { isGenuine, isKeyOf } from "../authority.ts";
import type { Fault } from "../signatures/faults.ts";
import { PublicKeys } from "../signatures/public-keys.ts";
import type { FoundKey } from "../signatures/verify.ts";
import { readActor } from "../translate/actor.ts";
import type { Actor } from "../translate/actor.ts";
import { keyIn } from "../translate/key.ts";
import { retrieve } from "./retrieve.ts";
import type { Retrieved, RetrieveFault, RetrieveOptions } from "./retrieve.ts";

/** The keys of those who sign requests to this hub: as its tables have them, else as their documents say, within a budget. */

type Remembered = {
  found: FoundKey;
  /** Until then nobody is asked, not even the tables. */
  trusted: number;
  until: number;
  /** Of a key that was looked up: does its owner act for a whole server? */
  forServer: boolean;
};

const remembered = cache<string, Remembered>(10_000);
const parsed = oncePerHub(() => new PublicKeys());

const minute = 60_000;
/** So long what the tables say, and what was looked up, goes without saying. */
const trustedFor = 5 * minute;
const keptFor = 60 * minute;

/** The key of this id if the hub knows it: nothing is asked for. */
export async function findKnownKey(hub: Hub, keyId: string): Promise<FoundKey> {
  const known = recall(hub, keyId, "trusted");
  if (known) return known;
  const row = await findActorKey(hub, keyId);
  // Somebody else may have looked it up meanwhile.
  if (!row) return recall(hub, keyId, "until") ?? { fault: "key_unavailable" };
  const isOld = storedMoment(row.fetched).getTime() + freshFor < hub.clock().getTime();
  if (isOld && !(await isLeftOut(hub, "asking again"))) await meetLater(hub, row.owner);
  return remember(hub, keyId, readKey(hub, row.key, row.owner), trustedFor);
}

/** The same, and one that the hub does not know is looked up where the budget allows it. */
export async function findKey(hub: Hub, keyId: string): Promise<FoundKey> {
  const known = await findKnownKey(hub, keyId);
  return isUnknown(known) ? lookUp(hub, keyId) : known;
}

/**
 * A signature does not fit the key: its owner may have another one by now. The tables may have heard of it; else it is looked up, but
 * not more than once in five minutes. Undefined where there is nothing new; whoever forges a signature takes no key away.
 */
export async function findChangedKey(hub: Hub, keyId: string): Promise<FoundKey | undefined> {
  const row = await findActorKey(hub, keyId);
  const told = row && toldBy(hub, row);
  if (told) return told;
  if ((lookedUp(hub).get(keyId) ?? -Infinity) + trustedFor > hub.clock().getTime()) return undefined;
  const found = await lookUp(hub, keyId, false);
  if (!("fault" in found)) {
    // What the tables have is out of date as well.
    await meetLater(hub, found.owner);
    return found;
  }
  // Whoever has left has taken the key along.
  if (row && found.fault === "key_gone") await meetLater(hub, row.owner);
  return undefined;
}

const lookedUp = cache<string, number>(10_000);

/** The key that the tables have, where its owner has told of it after it was looked up here. */
function toldBy(hub: Hub, { key_id: keyId, key, owner, fetched }: ActorKey): FoundKey | undefined {
  if (storedMoment(fetched).getTime() < (lookedUp(hub).get(keyId) ?? -Infinity)) return undefined;
  const told = readKey(hub, key, owner);
  const known = remembered(hub).get(keyId)?.found;
  const isKnown = known && "key" in known && "key" in told && known.key === told.key;
  return isKnown ? undefined : remember(hub, keyId, told, trustedFor);
}

/** Does the owner of this key, which was looked up, read for everybody of their server? */
export function signsForServer(hub: Hub, keyId: string): boolean {
  return remembered(hub).get(keyId)?.forServer ?? false;
}

function isUnknown(found: FoundKey): boolean {
  return "fault" in found && found.fault === "key_unavailable";
}

function readKey(hub: Hub, text: string, owner: string): FoundKey {
  const key = parsed(hub).parse(text);
  return key ? { key, owner } : { fault: "key_unsuited" };
}

function recall(hub: Hub, keyId: string, until: "trusted" | "until"): FoundKey | undefined {
  const known = remembered(hub).get(keyId);
  return known && known[until] > hub.clock().getTime() ? known.found : undefined;
}

function remember(hub: Hub, keyId: string, found: FoundKey, time: number, forServer = false): FoundKey {
  const now = hub.clock().getTime();
  remembered(hub).set(keyId, { found, forServer, trusted: now + trustedFor, until: now + time });
  return found;
}

/** Federation contract 13; whoever waits for the answer is not kept for longer. */
const mostAtOnce = 10;
const lookUpsOfHost = allowance({ of: "keys looked up at", perMinute: 30, burst: 30 });
const longest = 10_000;

const underWay = oncePerHub(() => new Map<string, Promise<FoundKey>>());

/** `replaces`: what is wrong with it is remembered in the place of what was known. */
async function lookUp(hub: Hub, keyId: string, replaces = true): Promise<FoundKey> {
  const known = underWay(hub).get(keyId);
  if (known) return known;
  if (underWay(hub).size >= mostAtOnce || !isWithin(lookUpsOfHost, hub, new URL(keyId).host))
    return { fault: "key_unavailable" };
  const work = ask(hub, keyId, replaces).finally(() => underWay(hub).delete(keyId));
  underWay(hub).set(keyId, work);
  return work;
}

async function ask(hub: Hub, keyId: string, replaces: boolean): Promise<FoundKey> {
  lookedUp(hub).set(keyId, hub.clock().getTime());
  const answer = await lookFor(hub, keyId, { signal: AbortSignal.timeout(longest) });
  const found = "fault" in answer ? { fault: answer.fault } : readKey(hub, answer.text, answer.actor.id);
  if ("owner" in found) return remember(hub, keyId, found, keptFor, isServer(answer));
  return isUnknown(found) || !replaces ? found : remember(hub, keyId, found, trustedFor);
}

function isServer(answer: LookedUp): boolean {
  return "actor" in answer && answer.actor.type === "Application";
}

type LookedUp = { text: string; actor: Actor } | { fault: Fault };

/** The key and its owner, by the documents of both (federation contract 8): they may be one. */
async function lookFor(hub: Hub, keyId: string, options: RetrieveOptions): Promise<LookedUp> {
  const found = await retrieve(hub, keyId, undefined, options);
  if ("fault" in found) return { fault: faults[found.fault] };
  const owner = keyIn(found.node, keyId)?.owner;
  if (owner === undefined) return { fault: "key_foreign" };
  const own = isOneDocument(keyId, owner) ? found : await retrieve(hub, owner, undefined, options);
  if ("fault" in own) return { fault: faults[own.fault] };
  const actor = genuineActor(own, owner);
  const key = (actor && keyIn(own.node, keyId)) ?? keyIn(found.node, keyId);
  return actor && key && isKeyOf(key, actor) ? { text: key.text, actor } : { fault: "key_foreign" };
}

function genuineActor(found: Exclude<Retrieved, { fault: unknown }>, id: string): Actor | undefined {
  const actor = readActor(found.node);
  if (!actor || !isSameId(actor.id, id) || !isOneDocument(found.fetched.asked, id)) return undefined;
  return isGenuine(actor.id, actor.id, { fetched: { ...found.fetched, asked: id } }) ? actor : undefined;
}

/** Do both stand in the document at one address? */
function isOneDocument(one: string, other: string): boolean {
  const [first, second] = [one, other].map((id) => id.replace(/#.*$/s, ""));
  return isSameId(first!, second!);
}

const faults: Readonly<Record<RetrieveFault, Fault>> = {
  gone: "key_gone",
  refused: "key_gone",
  unavailable: "key_unavailable",
  unasked: "key_unavailable",
  unusable: "key_foreign",
};
