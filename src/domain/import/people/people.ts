import { createHash, createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { addXchans } from "../../identity/restoring/restore-xchans.ts";
import type { RestoredXchan } from "../../identity/restoring/restore-xchans.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { findKnown } from "../../identity/xchans/find-known.ts";
import type { Known } from "../../identity/xchans/find-known.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { isHere } from "../../identity/xchans/web-url.ts";
import { harmlessXchan } from "./hearsay.ts";
import type { Short } from "./short-xchan.ts";
import { fit } from "../sources/shape.ts";
import { boundedMap } from "../../../caches.ts";
import { fitsList } from "../../identity/records/access-list.ts";
import { isNetwork } from "../../identity/xchans/add-xchan.ts";

/** Somebody whom items name, as this hub knows them. */
export type Person = {
  xchanId: number;
  hash: string;
  /** Lives on this hub. */
  local: boolean;
  /** Only of those whom the hub met itself: what a key proves that is hearsay is nothing. */
  key: KeyObject | undefined;
};

/** Whose import it is. */
export type Own = Pick<Channel, "channel_guid" | "channel_guid_sig" | "channel_hash" | "channel_pubkey" | "xchan_id">;

/** Whom the imported records name: remembered for the length of an import, because it is always the same few. */
export class People {
  readonly #hub: Hub;
  readonly #own: Own;
  readonly #known = boundedMap<string, { person: Person | undefined }>(mostRemembered);

  constructor(hub: Hub, own: Own) {
    this.#hub = hub;
    this.#own = own;
  }

  /** The person, if known: by guid and its signature, or in other networks by hash and address. */
  async find(short: Short): Promise<Person | undefined> {
    const key = nameOf(short);
    const known = this.#known.get(key);
    if (known) return known.person;
    const person = await this.#look(short);
    this.#known.set(key, { person });
    return person;
  }

  /** The same; somebody unknown becomes an identity with what the short form says. Undefined when that is nothing. */
  async meet(short: Short): Promise<Person | undefined> {
    const found = await this.find(short);
    if (found) return found;
    const xchan = await this.#identityOf(short);
    if (!xchan) return undefined;
    await inTransaction(this.#hub, (hub) => addXchans(hub, [xchan]));
    const person = await this.#look({ ...short, hash: xchan.xchan_hash });
    this.#known.set(nameOf(short), { person });
    return person;
  }

  async #look(short: Short): Promise<Person | undefined> {
    const { channel_guid, channel_guid_sig, channel_hash, xchan_id, channel_pubkey } = this.#own;
    if (short.guid === channel_guid && short.guidSignature === channel_guid_sig) {
      return { xchanId: xchan_id, hash: channel_hash, local: true, key: readKey(channel_pubkey) };
    }
    const found = await findKnown(this.#hub, short);
    return found && personOf(found);
  }

  /**
   * Nobody can check a hash without the key. One that is free is taken as it is, so that access lists stay right; the
   * identity cannot do anything here before its key is known.
   */
  async #identityOf(short: Short): Promise<RestoredXchan | undefined> {
    const hub = this.#hub;
    if (isHere(hub, short.address) || isHere(hub, short.url)) return undefined;
    const hash = short.hash || (short.guid === "" ? short.url : derivedHash(short));
    if (!fitsList(hash)) return undefined;
    if (!fit(hash, short.guid, short.address, short.url)) return undefined;
    const verified = short.key !== "" && verifySignature(short.key, short.guid, short.guidSignature);
    const taken = await findXchan(hub, { hash });
    return harmlessXchan(hub, {
      xchan_hash: taken ? derivedHash(short) : hash,
      xchan_guid: short.guid,
      xchan_guid_sig: short.guidSignature,
      xchan_pubkey: verified ? short.key : "",
      xchan_name: short.name || "unknown",
      xchan_addr: short.address,
      xchan_url: short.url,
      xchan_network: isNetwork(short.network) ? short.network : "unknown",
      xchan_photo_mimetype: short.photoType,
      xchan_photo_l: short.photo,
      xchan_photo_m: short.photo,
      xchan_photo_s: short.photo,
    });
  }
}

const mostRemembered = 5000;

function nameOf({ guid, guidSignature, hash, url, network }: Short): string {
  return guid === "" ? `${network} ${hash} ${url}` : `${guid} ${guidSignature}`;
}

function derivedHash({ guid, guidSignature, url, address }: Short): string {
  return createHash("sha512")
    .update(JSON.stringify([guid, guidSignature, url, address]))
    .digest("base64url");
}

function personOf({ xchan_id, xchan_hash, xchan_pubkey, xchan_hearsay, local }: Known): Person {
  return { xchanId: xchan_id, hash: xchan_hash, local, key: xchan_hearsay === 1 ? undefined : readKey(xchan_pubkey) };
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return pem === "" ? undefined : createPublicKey(pem);
  } catch {
    return undefined;
  }
}
