import { createPrivateKey, createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { refusal } from "../../../errors.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import type { ChannelRecord } from "../sources/records.ts";
import { fit } from "../sources/shape.ts";

/**
 * Refuses an identity that cannot be the one it says: the guid must be signed by the key, and the private key belong to
 * the public one. Throws invalid.
 */
export function checkIdentity(channel: ChannelRecord): void {
  const { channel_guid, channel_guid_sig, channel_pubkey, channel_prvkey, channel_hash } = channel;
  if (channel_guid === "" || channel_hash === "" || /[\s<>[\]]/.test(channel_hash) || !fit(channel_guid, channel_hash))
    throw refusal("export_without_identity");
  const publicKey = readKey(() => createPublicKey(channel_pubkey));
  if (!publicKey) throw refusal("public_key_unreadable");
  if (!verifySignature(publicKey, channel_guid, channel_guid_sig)) throw refusal("identity_forged");
  const privateKey = readKey(() => createPrivateKey(channel_prvkey));
  if (!privateKey) throw refusal("private_key_unreadable");
  if (!createPublicKey(channel_prvkey).equals(publicKey)) throw refusal("private_key_not_fitting");
}

const mostBits = 8192;
const leastBits = 1024;

function readKey(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === "rsa" && bits >= leastBits && bits <= mostBits ? key : undefined;
  } catch {
    return undefined;
  }
}
