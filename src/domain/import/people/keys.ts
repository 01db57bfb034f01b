import { createPrivateKey, createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { refusal } from "../../../errors.ts";
import type { KeyPair } from "../../../keys.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import type { ChannelRecord } from "../sources/records.ts";
import { fit } from "../sources/shape.ts";
import { fitsList } from "../../identity/records/access-list.ts";

/**
 * Refuses an identity that cannot be the one it says: the guid must be signed by the key, and the private key belong to
 * the public one. Throws invalid.
 */
export function checkIdentity(channel: ChannelRecord): void {
  const { channel_guid, channel_guid_sig, channel_pubkey, channel_prvkey, channel_hash } = channel;
  if (channel_guid === "" || !fitsList(channel_hash) || !fit(channel_guid, channel_hash))
    throw refusal("export_without_identity");
  const publicKey = readKey(() => createPublicKey(channel_pubkey));
  if (!publicKey) throw refusal("public_key_unreadable");
  if (!verifySignature(publicKey, channel_guid, channel_guid_sig)) throw refusal("identity_forged");
  const privateKey = readKey(() => createPrivateKey(channel_prvkey));
  if (!privateKey) throw refusal("private_key_unreadable");
  if (!createPublicKey(channel_prvkey).equals(publicKey)) throw refusal("private_key_not_fitting");
}

/**
 * The keys for proofs that an export brings; undefined where it has none, as older hubs and other programs write them. Throws
 * invalid for a pair that does not belong together.
 */
export function proofKeysOf({ channel_ed25519_pubkey, channel_ed25519_prvkey }: ChannelRecord): KeyPair | undefined {
  if (channel_ed25519_pubkey === "" || channel_ed25519_prvkey === "") return undefined;
  const [publicKey, privateKey] = [
    readAny(() => createPublicKey(channel_ed25519_pubkey)),
    readAny(() => createPrivateKey(channel_ed25519_prvkey)),
  ];
  if (publicKey?.asymmetricKeyType !== "ed25519") throw refusal("public_key_unreadable");
  if (privateKey?.asymmetricKeyType !== "ed25519") throw refusal("private_key_unreadable");
  if (!createPublicKey(privateKey).equals(publicKey)) throw refusal("private_key_not_fitting");
  return { publicKey: channel_ed25519_pubkey, privateKey: channel_ed25519_prvkey };
}

const mostBits = 8192;
const leastBits = 1024;

function readKey(read: () => KeyObject): KeyObject | undefined {
  const key = readAny(read);
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  return key?.asymmetricKeyType === "rsa" && bits >= leastBits && bits <= mostBits ? key : undefined;
}

function readAny(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
