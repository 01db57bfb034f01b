import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { followersAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { isHere } from "../../../domain/identity/xchans/web-url.ts";
import { wanting } from "../../../domain/items/receiving/readers.ts";
import { wholePost } from "../../../domain/items/receiving/whole-post.ts";
import { receivePost } from "../../../domain/items/receiving/receive-post.ts";
import type { Looked, LookFault } from "../../../domain/peers/scout.ts";
import { RefusedAddress } from "../../../fetch/fetch.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine } from "../authority.ts";
import { fetchThread } from "../inbox/originals.ts";
import { languagesFor } from "../inbox/languages-for.ts";
import { authorIn, postIn, textOf } from "../inbox/posts-in.ts";
import { readActor } from "../translate/actor.ts";
import { receivedPost } from "../translate/received-post.ts";
import { meet, meetDescribed } from "./actor.ts";
import type { Met } from "./actor.ts";
import { retrieve } from "./retrieve.ts";
import type { Found, RetrieveFault, RetrieveOptions } from "./retrieve.ts";
import { readAddress, webFinger } from "./web-finger.ts";

/** Whose address that is, or what is there: `nick@host`, or the address of a person or a post (federation contract 17). */
export function lookUp(hub: Hub, channel: Channel, text: string, signal: AbortSignal): Promise<Looked> {
  return look(hub, channel, text, { byHand: true, signal });
}

/** The same for work that nobody waits for: a server that has just failed is not asked again. */
export function lookUpQuietly(hub: Hub, channel: Channel, text: string, signal: AbortSignal): Promise<Looked> {
  return look(hub, channel, text, { signal });
}

async function look(hub: Hub, channel: Channel, text: string, options: RetrieveOptions): Promise<Looked> {
  const address = readAddress(text);
  try {
    return await (address === undefined ? at(hub, channel, text, options) : named(hub, address, options));
  } catch (error) {
    if (error instanceof RefusedAddress) return { fault: "refused" };
    if (error instanceof HubError && error.kind !== "unavailable") return { fault: "unusable" };
    hub.log.debug("The look-up of {text} failed: {error}", { text, error });
    return { fault: "silent" };
  }
}

async function named(hub: Hub, address: string, options: RetrieveOptions): Promise<Looked> {
  const finger = await webFinger(hub, address, options);
  if (!finger) return { fault: "unknown" };
  return personIn(await meet(hub, finger.actor, options));
}

async function at(hub: Hub, channel: Channel, url: string, options: RetrieveOptions): Promise<Looked> {
  const found = await retrieve(hub, url, channel, options);
  if ("fault" in found) return { fault: faults[found.fault] };
  const { id } = found.node;
  if (id === undefined) return { fault: "unusable" };
  if (isHere(hub, id)) return { fault: "unknown" };
  // The address of a page answers with the document that it is about; that counts at its own id.
  const own = isSameId(id, url) ? found : await retrieve(hub, id, channel, options);
  if ("fault" in own) return { fault: faults[own.fault] };
  return isSameId(own.node.id ?? "", id) ? take(hub, channel, own, options) : { fault: "unusable" };
}

async function take(hub: Hub, channel: Channel, found: Found, options: RetrieveOptions): Promise<Looked> {
  const { node, bytes } = found;
  const actor = readActor(node);
  if (actor) {
    const isOwn = isGenuine(actor.id, actor.id, found);
    return isOwn ? personIn(await meetDescribed(hub, actor, options)) : { fault: "unusable" };
  }
  const post = postIn(node);
  const writer = authorIn(node);
  if (!post || writer === undefined || !isGenuine(post.id, writer, found)) return { fault: "unusable" };
  const met = await meet(hub, writer, options);
  if ("fault" in met) return personIn(met);
  const author = met.xchan;
  const followers = await followersAddressOf(hub, author.xchan_id);
  const document = textOf({ bytes });
  const inboxes = [channel.channel_id];
  const received = receivedPost(post, {
    author,
    followers,
    inboxes,
    document,
    isForwarded: true,
    languages: await languagesFor(hub, post, author, inboxes),
  });
  const asking = await wanting(hub, author, [channel.channel_id]);
  const taking = { isEdit: false, also: asking.map((reader) => ({ ...reader, follows: false })) };
  const came = wholePost(hub, received);
  if ((await receivePost(hub, came, taking)) === "taken") return { post: post.id };
  await fetchThread(hub, received, taking.also, { byHand: true });
  if ((await receivePost(hub, came, taking)) === "elsewhere") await receivePost(hub, came, { ...taking, alone: true });
  return { post: post.id };
}

function personIn(met: Met): Looked {
  return "xchan" in met ? { person: met.xchan } : { fault: faults[met.fault] };
}

const faults: Readonly<Record<RetrieveFault, LookFault>> = {
  gone: "unknown",
  refused: "refused",
  unavailable: "silent",
  unasked: "silent",
  unusable: "unusable",
};
