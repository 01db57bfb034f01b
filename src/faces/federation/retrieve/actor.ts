import { cache, oncePerHub } from "../../../caches.ts";
import { layOutAnyhow } from "../../../domain/bodies/texts.ts";
import { meetPerson } from "../../../domain/connections/meet-person.ts";
import { loseActor } from "../../../domain/connections/remove-channel.ts";
import { isLeftOut } from "../../../domain/delivery/backlog.ts";
import { findMet, recordUnreachable } from "../../../domain/identity/xchans/actors.ts";
import { comparableId, isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetLater } from "../../../domain/peers/meet-actor.ts";
import { keepEmoji, withEmoji } from "../../../domain/proxy/emoji.ts";
import { HubError, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { allowance, isWithin } from "../../../http/allowances.ts";
import { storedMoment } from "../../../http/dates.ts";
import { isGenuine } from "../authority.ts";
import { subjectsOf } from "../signatures/identity-proofs.ts";
import { readActor } from "../translate/actor.ts";
import type { Actor } from "../translate/actor.ts";
import { addressOf, foreignActor } from "./foreign-actor.ts";
import { keysFor } from "./keys-of.ts";
import { retrieve } from "./retrieve.ts";
import type { RetrieveFault, RetrieveOptions } from "./retrieve.ts";
import { confirmAddress, readAddress } from "./web-finger.ts";
import type { Confirmed } from "./web-finger.ts";

export type Met = { xchan: Xchan } | { fault: RetrieveFault };

/** Whoever is older than this is asked again in the background (federation contract 1.4), in milliseconds. */
const freshFor = 24 * 3600 * 1000;
/** Nobody whom the hub does not know is asked twice in this time. */
const pause = 5 * 60 * 1000;

const tried = cache<string, number>(10_000);
/** Whoever is being met at the moment: others who ask meanwhile learn the same. */
const meetings = oncePerHub(() => new Map<string, Promise<Xchan | undefined>>());

/** Whoever invents people does not keep the hub busy with them (federation contract 13). */
const unknownOfHost = allowance({ of: "people nobody knows of", perMinute: 60, burst: 60 });

/**
 * The actor of this id: as the hub knows them, else as their document says. Undefined where it does not. Throws unavailable where
 * too many of their host have been asked for.
 */
export async function metActor(hub: Hub, id: string): Promise<Xchan | undefined> {
  const known = await findMet(hub, id);
  const now = hub.clock().getTime();
  if (known && !known.gone) {
    const isOld = storedMoment(known.fetched).getTime() + freshFor < now;
    if (isOld && !(await isLeftOut(hub, "asking again"))) await meetLater(hub, known.actor_id);
    return findXchan(hub, { id: known.xchan_id });
  }
  if (!URL.canParse(id)) return undefined;
  const name = comparableId(id);
  const underWay = meetings(hub).get(name);
  if (underWay) return underWay;
  if ((tried(hub).get(name) ?? -Infinity) + pause > now) return undefined;
  if (!isWithin(unknownOfHost, hub, new URL(name).host)) throw refusal("not_fetched");
  tried(hub).set(name, now);
  const meeting = meetOnce(hub, id, name).finally(() => meetings(hub).delete(name));
  meetings(hub).set(name, meeting);
  return meeting;
}

/** Whoever was not asked at all, because there was too much else to ask for, may be somebody all the same. */
async function meetOnce(hub: Hub, id: string, name: string): Promise<Xchan | undefined> {
  const met = await meet(hub, id);
  if ("xchan" in met) return met.xchan;
  if (met.fault !== "unasked") return undefined;
  tried(hub).delete(name);
  throw refusal("not_fetched");
}

/** Reads the document of an actor again. Undefined where there is none (any more), or it cannot be had. */
export async function meetAgain(hub: Hub, id: string): Promise<Xchan | undefined> {
  const met = await meet(hub, id);
  return "xchan" in met ? met.xchan : undefined;
}

/** The same, with the reason why not. Who is not there any more is lost to the hub. */
export async function meet(hub: Hub, id: string, options: RetrieveOptions = {}): Promise<Met> {
  const found = await retrieve(hub, id, undefined, options);
  if ("fault" in found) {
    if (found.fault === "gone") await loseKnown(hub, id);
    else if (found.fault !== "unasked") await recordUnreachable(hub, id);
    return found;
  }
  const actor = readActor(found.node);
  if (!actor || !isSameId(actor.id, id) || !isGenuine(actor.id, actor.id, found)) return { fault: "unusable" };
  return meetDescribed(hub, actor, options);
}

/** Takes over what a document says whose genuineness is known. */
export async function meetDescribed(hub: Hub, actor: Actor, options: RetrieveOptions = {}): Promise<Met> {
  const { host } = new URL(actor.id);
  const [keys, confirmed, { plain }, fields, emoji, subjects] = await Promise.all([
    keysFor(hub, actor, options),
    confirm(hub, actor, options),
    layOutAnyhow(hub, (actor.summary ?? "").slice(0, longestSummary), "text/html"),
    Promise.all(
      actor.fields.map(async ({ name, value }) => ({
        name,
        value: await withEmoji(hub, host, actor.emojis, await htmlOf(hub, value)),
      })),
    ),
    keepEmoji(hub, host, actor.emojis, actor.name ?? ""),
    subjectsOf(actor.id, actor.statements),
  ]);
  try {
    const described = foreignActor(actor, {
      keys,
      confirmed,
      about: plain,
      fields,
      emoji,
      updated: storedForm(actor.updated),
      subjects,
    });
    return { xchan: await meetPerson(hub, described) };
  } catch (error) {
    if (error instanceof HubError && error.kind === "denied") return { fault: "refused" };
    if (error instanceof HubError && error.kind === "invalid") return { fault: "unusable" };
    throw error;
  }
}

const longestSummary = 100_000;

async function htmlOf(hub: Hub, value: string): Promise<string> {
  return (await layOutAnyhow(hub, value, "text/html")).html;
}

function storedForm(date: Date | undefined): string {
  return date?.toISOString().slice(0, 19).replace("T", " ") ?? "";
}

/** The document may say its address itself; that counts when it holds. */
async function confirm(hub: Hub, actor: Actor, options: RetrieveOptions): Promise<Confirmed | undefined> {
  const said = readAddress(actor.webfinger ?? "");
  const usual = addressOf(actor);
  const named = said === undefined || said === usual ? undefined : await confirmAddress(hub, said, actor.id, options);
  return named ?? confirmAddress(hub, usual, actor.id, options);
}

async function loseKnown(hub: Hub, id: string): Promise<void> {
  const known = await findMet(hub, id);
  if (known && !known.gone) await loseActor(hub, known.actor_id);
}
