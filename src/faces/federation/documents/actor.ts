import { createPrivateKey } from "node:crypto";
import { cache } from "../../../caches.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { avatarUrls } from "../../../domain/identity/xchans/avatar-urls.ts";
import { transportKeysOf } from "../../../domain/identity/channels/transport-keys.ts";
import { nobodyHere } from "../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { findReachable } from "../../../domain/people/reachable.ts";
import type { Reachable } from "../../../domain/people/reachable.ts";
import { ownerOfProgram } from "../../../domain/people/program-owner.ts";
import { describeItself, kindOf } from "../../../domain/people/self-description.ts";
import type { SelfDescription } from "../../../domain/people/self-description.ts";
import { coverOf } from "../../../domain/photos/use.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate, storedMoment } from "../../../http/dates.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { idsOf, siteIds } from "../ids.ts";
import { actorContext, plainContext } from "./context.ts";
import { canQuote } from "../present/interaction-policy.ts";
import { publicKeys } from "./public-keys.ts";
import { multikey } from "../signatures/multikey.ts";
import { privateKeysOf } from "../../../domain/identity/xchans/signing.ts";
import { identityStatement } from "../signatures/identity-proofs.ts";
import { storedJson } from "../../../stored-json.ts";

/** Who a channel is, for other hubs (federation contract 1.2). */
export const actorDocuments: readonly Address[] = [
  { path: "/channel/:nick", beside: "page", kept: true, mayBeStale: true, get: find },
];

const types = { forum: "Group", person: "Person", organization: "Organization", service: "Service" } as const;

async function find({ hub, params, anybody: asAnybody }: Question): Promise<Document> {
  const found = await findReachable(hub, params["nick"] ?? "");
  if (!found) throw missing("Channel");
  return found.gone ? tombstone(hub, found) : documentOf(hub, found, await asAnybody());
}

async function documentOf(hub: Hub, found: Reachable, anybody: Observer): Promise<Document> {
  if (anybody.seesPublic) return kept(hub, anybody, found);
  return jsonDocument(await reduced(hub, found.channel, types[await kindOf(hub, found)]));
}

/** The document of a channel that is there, to be sent: without its context, and with the number of its version. */
export async function actorAt(
  hub: Hub,
  nick: string,
): Promise<{ object: object; context: readonly unknown[]; revision: number } | undefined> {
  const found = await findReachable(hub, nick);
  if (!found || found.gone) return undefined;
  const document = storedJson<Record<string, unknown>>(
    (await documentOf(hub, found, await nobodyHere(hub))).bytes.toString(),
  );
  const { "@context": context, ...object } = document;
  return { object, context: context as unknown[], revision: found.revision };
}

const actors = cache<number, { revision: number; document: Document }>(1000);

/** The document is made once for each change of the channel. */
async function kept(hub: Hub, anybody: Observer, found: Reachable): Promise<Document> {
  const made = actors(hub);
  const known = made.get(found.channel.channel_id);
  if (known?.revision === found.revision) return known.document;
  const value = await whole(hub, anybody, found);
  const document = jsonDocument(value);
  // Whoever owns a program may step out of the directory at any time.
  if (value.type !== types.service) made.set(found.channel.channel_id, { revision: found.revision, document });
  return document;
}

async function whole(hub: Hub, anybody: Observer, found: Reachable) {
  const { channel, listed, picture, updated } = found;
  const [said, cover] = await Promise.all([describeItself(hub, anybody, found), coverOf(hub, anybody, channel)]);
  const owner = said.kind === "service" ? await ownerOfProgram(hub, channel) : undefined;
  const { baseUrl, host } = hub.config;
  const nick = channel.channel_address;
  return {
    ...(await reduced(hub, channel, types[said.kind])),
    name: channel.channel_name,
    summary: said.about,
    url: idsOf(hub, nick).actor,
    published: isoDate(channel.channel_created),
    updated: isoDate(updated),
    icon: { type: "Image", mediaType: picture, url: avatarUrls(hub, channel.channel_id).l },
    ...(cover && {
      image: { type: "Image", mediaType: cover.mimetype, url: `${baseUrl}/photo/${cover.resource_id}-7` },
    }),
    webfinger: `${nick}@${host}`,
    manuallyApprovesFollowers: !said.approvesByItself,
    discoverable: listed,
    indexable: listed,
    attachment: [...said.fields.map(field), ...(await statementOf(hub, channel, storedMoment(updated)))],
    guid: channel.channel_guid,
    guidSignature: channel.channel_guid_sig,
    ...(said.aliases.length > 0 && { alsoKnownAs: said.aliases }),
    ...(owner !== undefined && { attributedTo: idsOf(hub, owner).actor }),
    ...(said.authorSites.length > 0 && { attributionDomains: said.authorSites }),
    featuredTags: idsOf(hub, nick).featuredTags,
    interactionPolicy: { canQuote: canQuote(hub, nick, said.quoters) },
    generator: { type: "Application", id: siteIds(hub).actor, name: "Hubbub", url: baseUrl, implements: standards },
    ...(said.movedTo !== undefined && { movedTo: said.movedTo }),
  };
}

/** What requests may be signed by (FEP-844e). */
const standards = [
  { href: "https://datatracker.ietf.org/doc/html/rfc9421", name: "RFC-9421: HTTP Message Signatures" },
];

/** The key that comes along wherever the channel goes says that it stands behind it (FEP-c390). */
async function statementOf(hub: Hub, channel: Channel, moment: Date): Promise<object[]> {
  const { ed25519 } = await privateKeysOf(hub, channel.channel_id);
  if (ed25519 === "") return [];
  const key = { multikey: multikey(channel.channel_ed25519_pubkey), object: createPrivateKey(ed25519) };
  return [await identityStatement(idsOf(hub, channel.channel_address).actor, key, moment)];
}

/** What is needed to reach the channel and to check what it has signed: all that a site for members only shows. */
async function reduced(hub: Hub, channel: Channel, type: string) {
  const { actor, inbox, outbox, followers, following, featured } = idsOf(hub, channel.channel_address);
  const keys = { rsa: await transportKeysOf(hub, channel), ed25519: channel.channel_ed25519_pubkey };
  return {
    "@context": actorContext,
    id: actor,
    type,
    preferredUsername: channel.channel_address,
    inbox,
    outbox,
    followers,
    following,
    featured,
    endpoints: { sharedInbox: siteIds(hub).inbox },
    ...publicKeys(actor, keys),
  };
}

function field({ name, html }: SelfDescription["fields"][number]) {
  return { type: "PropertyValue", name, value: html };
}

/** The key stays, so that what the channel has signed can be checked (federation contract 18.2). */
async function tombstone(hub: Hub, found: Reachable): Promise<Document> {
  const { id, publicKey } = await reduced(hub, found.channel, "");
  const since = found.gone?.since;
  const value = {
    "@context": plainContext,
    id,
    type: "Tombstone",
    formerType: types[await kindOf(hub, found)],
    ...(since !== undefined && { deleted: isoDate(since) }),
    publicKey,
  };
  return jsonDocument(value, undefined, 410);
}
