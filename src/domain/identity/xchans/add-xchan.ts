import { certain, refusal } from "../../../errors.ts";
import { isPrivateHost } from "../../../fetch/private-hosts.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { recordOf } from "../../../record-of.ts";
import { addJob } from "../../../jobs/queue.ts";
import { avatarUrls } from "./avatar-urls.ts";
import { becomeKnown } from "./become-known.ts";
import { isHashOfGuest } from "./guest-hash.ts";
import { identityHash, verifySignature } from "./signing.ts";
import { isHere, isWebUrl } from "./web-url.ts";
import { findXchan } from "./xchans.ts";
import type { Xchan } from "./xchans.ts";
import { fitsList } from "../records/access-list.ts";

/** An identity as a bridge describes it; absent texts are empty. */
export type ForeignIdentity = {
  hash?: string | undefined;
  guid?: string | undefined;
  guid_sig?: string | undefined;
  key?: string | undefined;
  address?: string | undefined;
  url?: string | undefined;
  connurl?: string | undefined;
  follow?: string | undefined;
  connpage?: string | undefined;
  name?: string | undefined;
  network?: string | undefined;
  photo?: string | undefined;
};

/**
 * Makes an identity known that the hub has not met; a known hash stays as it is, but for one that is hearsay and now
 * proven. It shows the default picture until the job `fetch-avatar` has fetched its own.
 */
export async function addXchan(hub: Hub, identity: ForeignIdentity): Promise<Xchan> {
  const given = trimmed(identity);
  const hash = given.hash || given.guid;
  if (!hash) throw refusal("hash_or_guid_needed");
  // Said before anything is looked up, so that nobody learns who somebody's guests are.
  if (await isHashOfGuest(hub, hash)) throw refusal("guests_are_made");
  const known = await findXchan(hub, { hash });
  if (known && !(known.xchan_hearsay === 1 && given.network === "zot")) return known;
  checkIdentity(hub, hash, given);
  return inTransaction(hub, async (hub) => {
    const made = known
      ? await becomeKnown(hub, rowOf(hub, hash, given))
      : await hub.db
          .insertInto("xchan")
          .values(rowOf(hub, hash, given))
          .onConflict((conflict) => conflict.doNothing())
          .returning("xchan_id")
          .executeTakeFirst();
    if (made && given.photo) await addJob(hub, "fetch-avatar", { xchan: made.xchan_id, url: given.photo });
    return certain(await findXchan(hub, { hash }), "xchan");
  });
}

type Given = Required<{ [Name in keyof ForeignIdentity]: string }>;

const names = [
  "hash",
  "guid",
  "guid_sig",
  "key",
  "address",
  "url",
  "connurl",
  "follow",
  "connpage",
  "name",
  "network",
  "photo",
] as const satisfies (keyof ForeignIdentity)[];

function trimmed(identity: ForeignIdentity): Given {
  const given: Given = recordOf(names, (name) => identity[name]?.trim() ?? "");
  // The end of line is part of a PEM text, and so of the hash, but easily lost on the way.
  return { ...given, key: given.key && `${given.key}\n` };
}

function rowOf(hub: Hub, hash: string, given: Given) {
  const nobody = avatarUrls(hub, 0);
  return {
    xchan_hash: hash,
    xchan_guid: given.guid,
    xchan_guid_sig: given.guid_sig,
    xchan_pubkey: given.key,
    xchan_photo_mimetype: "image/png",
    xchan_photo_l: nobody.l,
    xchan_photo_m: nobody.m,
    xchan_photo_s: nobody.s,
    xchan_addr: given.address,
    xchan_url: given.url || hub.config.baseUrl,
    xchan_connurl: given.connurl,
    xchan_follow: given.follow,
    xchan_connpage: given.connpage,
    xchan_name: given.name || "unknown",
    xchan_network: given.network || "unknown",
    xchan_photo_date: now(hub),
    xchan_name_date: now(hub),
    xchan_created: now(hub),
  };
}

function checkIdentity(hub: Hub, hash: string, given: Given): void {
  for (const name of names) {
    if (given[name].length > mostCharacters(name)) throw refusal("value_too_long", { field: name });
  }
  if (!fitsList(hash)) throw refusal("hash_wrong");
  checkNetwork(hash, given);
  checkAddress(hub, given.address);
  for (const name of ["url", "connurl", "follow", "connpage", "photo"] as const) {
    if (given[name] && !isWebUrl(given[name])) throw refusal("web_address_wrong", { field: name });
  }
  if (given.photo && isPrivateHost(new URL(given.photo).hostname)) throw refusal("photo_not_public");
}

/** Ids of other hubs stand as hashes. */
function mostCharacters(name: keyof Given): number {
  if (name === "key") return 8192;
  return name === "hash" || name === "guid" ? 2048 : 1024;
}

/** Can this be the name of a network? */
export function isNetwork(name: string): boolean {
  return /^[a-z][a-z0-9_-]{0,31}$/.test(name);
}

function checkNetwork(hash: string, { network, guid, guid_sig, key }: Given): void {
  if (network && !isNetwork(network)) throw refusal("network_unknown");
  // Actors are fetched from their own origin, and guests are made by those whom they visit.
  if (["activitypub", "token", "anon"].includes(network)) throw refusal("network_not_added");
  if (network !== "zot") return;
  if (!verifySignature(key, guid, guid_sig)) throw refusal("guid_signature_wrong");
  if (hash !== identityHash(guid, key)) throw refusal("hash_not_fitting");
}

function checkAddress(hub: Hub, address: string): void {
  if (isHere(hub, address)) {
    throw refusal("address_is_ours");
  }
}
