import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { findMet } from "../../../domain/identity/xchans/actors.ts";
import { isSameId, isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { isDeleted } from "../../../domain/items/deleted-ids.ts";
import { readerOf } from "../../../domain/items/receiving/owners.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine, rule } from "../authority.ts";
import type { Ruling, Ways } from "../authority.ts";
import { metActor } from "../retrieve/actor.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import { readActivity } from "../translate/activity.ts";
import type { Activity } from "../translate/activity.ts";
import { readJson } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { askersFor, retrieveFor } from "./askers.ts";
import { effects } from "./effects.ts";
import type { Incoming } from "./incoming.ts";
import { knownOf } from "./known.ts";
import { authorIn } from "./posts-in.ts";
import { partOf } from "./part-of.ts";
import { provenPart } from "./proven.ts";

/**
 * An activity as it came: whose key signed the request, and the channels to whose own inboxes it came. Of what was let in after all that
 * is its author's, also where it was `forwarded`.
 */
export type Arrival = {
  signer: string;
  bytes: Uint8Array;
  recipients: readonly number[];
  forwarded?: boolean | undefined;
};

/** What is told, and how it came. */
type Told = Pick<Incoming, "activity" | "node" | "bytes" | "signer" | "via"> & { ways: Ways } & Pick<
    Arrival,
    "forwarded"
  >;

/**
 * Lets an activity take effect, as far as it is what it says to be (federation contract 6.2, 9, 12.3). It may be called again with the
 * same one. Throws unavailable where it has to be tried again; whatever else is refused has no effect.
 */
export async function takeIn(hub: Hub, { signer, bytes, recipients, forwarded }: Arrival): Promise<void> {
  const told = await read(hub, signer, bytes);
  if (!told || !Object.hasOwn(effects, told.activity.type)) return;
  const channels = await Promise.all(recipients.map((id) => findChannelById(hub, id)));
  const known = channels.filter((channel) => channel !== undefined);
  for (const activity of oneByOne(told.activity)) await act(hub, { ...told, activity, forwarded }, known);
}

/** So many things may be made, changed or deleted at once; the other activities are about one each, whatever else they name. */
const mostAtOnce = 20;
const severalAtOnce = ["Create", "Update", "Delete"];

/** What is done to several things at once, as with all that somebody chooses in a poll, is done to one after the other. */
function oneByOne(activity: Activity): Activity[] {
  if (activity.objects.length < 2 || !severalAtOnce.includes(activity.type)) return [activity];
  return activity.objects.slice(0, mostAtOnce).map((object) => ({ ...activity, objects: [object] }));
}

async function read(hub: Hub, signer: string, bytes: Uint8Array): Promise<Told | undefined> {
  const json = readJson(bytes);
  const document = "value" in json ? json.value : undefined;
  const node = Node.of(document);
  const activity = node && readActivity(node);
  if (!node || typeof activity !== "object") return undefined;
  const told: Told = { activity, node, bytes, signer, ways: { signer } };
  if (isSameId(signer, activity.actor) || typeof document !== "object" || document === null || Array.isArray(document))
    return told;
  const proven = Node.of(await provenPart(hub, document, activity.actor));
  const vouched = proven && readActivity(proven);
  // What is not covered does not count, and so may make another activity of it.
  if (!proven || typeof vouched !== "object" || !isSameId(vouched.actor, activity.actor)) return told;
  return { activity: vouched, node: proven, bytes, signer, ways: { signer, proof: vouched.actor } };
}

async function act(hub: Hub, told: Told, recipients: readonly Channel[]): Promise<void> {
  const { activity, node, bytes, signer, ways, via } = told;
  // The site may have suspended that host since it was let in.
  if (await suspended(hub, new URL(activity.actor).host)) return drop(hub, activity, "suspended");
  const isForwarded = told.forwarded || via !== undefined || !isSameOrigin(signer, activity.actor);
  const ruling = rule(activity, ways, await knownOf(hub, activity));
  if (ruling.do === "drop") return drop(hub, activity, ruling.why);
  if (ruling.do === "fetch") return actOnFetched(hub, told, ruling, recipients);
  const actor = await doerOf(hub, activity);
  if (!actor) return drop(hub, activity, "actor_unknown");
  const takeEnclosed = (): Promise<void> => actOnEnclosed(hub, told, actor, recipients);
  const came = { activity, node, bytes, ruling, actor, signer, isForwarded, recipients, via };
  await effects[activity.type]?.({ hub, ...came, takeEnclosed });
}

/** Who does it. What they wrote, people take away also after their document is gone. */
async function doerOf(hub: Hub, { type, actor }: Activity): Promise<Xchan | undefined> {
  const known = type === "Delete" ? await findMet(hub, actor) : undefined;
  return known?.gone ? findXchan(hub, { id: known.xchan_id }) : metActor(hub, actor);
}

/** An activity inside of another one is taken as if the actor of that had brought it; what is inside of that is not looked at. */
async function actOnEnclosed(
  hub: Hub,
  { activity, node, via }: Told,
  actor: Xchan,
  recipients: readonly Channel[],
): Promise<void> {
  if (via) return;
  const told = await read(hub, activity.actor, partOf(node, "object"));
  if (told && Object.hasOwn(effects, told.activity.type))
    await act(hub, { ...told, via: { actor, activity } }, recipients);
}

/** What is found at its own id counts, and not what was sent (federation contract 6.2). */
async function actOnFetched(
  hub: Hub,
  told: Told,
  { id, as }: Extract<Ruling, { do: "fetch" }>,
  recipients: readonly Channel[],
): Promise<void> {
  const { activity, ways, signer, forwarded, via } = told;
  // Something that was fetched leads nowhere else.
  if (ways.fetched) return drop(hub, activity, "unproven");
  if (as === "gone") return actOnGone(hub, told, id);
  if (await isDeleted(hub, id)) return drop(hub, activity, "deleted");
  const found = await retrieveFor(hub, id, await askersFor(hub, activity, recipients));
  if ("fault" in found) {
    if (found.fault === "unavailable") throw refusal("not_fetched");
    return drop(hub, activity, found.fault);
  }
  const { fetched, reader } = found;
  const inner = as === "activity" ? readActivity(found.node) : saying(activity, found.node, fetched);
  if (typeof inner !== "object" || !isSameId(found.node.id ?? "", id)) return drop(hub, activity, "unusable");
  const proof = as === "object" ? inner.actor : undefined;
  const { node, bytes } = found;
  // Whoever sent it may have sent it to anybody: that one of them may read it says nothing of the others.
  await act(
    hub,
    { activity: inner, node, bytes, signer, forwarded, ways: { fetched, proof }, via },
    reader ? [reader] : [],
  );
}

/**
 * Somebody says that what somebody else wrote is gone. For those who never could see it nothing stands there anyway, so whoever has
 * it asks; who said so does not matter then.
 */
async function actOnGone(hub: Hub, { activity, node, bytes, signer }: Told, id: string): Promise<void> {
  const here = await readerOf(hub, id);
  const { owner } = await knownOf(hub, activity);
  if (!here || owner === undefined) return drop(hub, activity, "not_here");
  const found = await retrieve(hub, id, here.reader);
  if (!("fault" in found)) return drop(hub, activity, "unproven");
  if (found.fault === "unavailable") throw refusal("not_fetched");
  if (found.fault !== "gone") return drop(hub, activity, found.fault);
  // Asking again would say nothing else.
  const gone = { signer: owner, fetched: { asked: id, at: id, type: "" } };
  await act(hub, { activity: { ...activity, id: undefined, actor: owner }, node, bytes, signer, ways: gone }, []);
}

/** That its author has said what was found; undefined where that is not certain. */
function saying(activity: Activity, node: Node, fetched: NonNullable<Ways["fetched"]>): Activity | undefined {
  const actor = authorIn(node);
  if (actor === undefined || !isGenuine(node.id, actor, { fetched })) return undefined;
  return { ...activity, id: undefined, actor, objects: [node], to: node.ids("to"), cc: node.ids("cc") };
}

function drop(hub: Hub, { id, type }: Activity, why: string): void {
  hub.log.debug("{type} {id} has no effect: {why}", { type, id, why });
}
