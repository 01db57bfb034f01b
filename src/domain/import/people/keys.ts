import { createPrivateKey, createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { HubError } from "../../../errors.ts";
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
    throw refused("The export does not say whose channel it is.");
  const publicKey = readKey(() => createPublicKey(channel_pubkey));
  if (!publicKey) throw refused("The public key of the channel cannot be read.");
  if (!verifySignature(publicKey, channel_guid, channel_guid_sig))
    throw refused("The signature of the channel's identity does not fit its key: the export is forged or damaged.");
  const privateKey = readKey(() => createPrivateKey(channel_prvkey));
  if (!privateKey) throw refused("The private key of the channel is missing or cannot be read.");
  if (!createPublicKey(channel_prvkey).equals(publicKey))
    throw refused("The private key of the channel does not belong to its public key.");
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

function refused(sentence: string): HubError {
  return new HubError("invalid", sentence, { field: "file" });
}
