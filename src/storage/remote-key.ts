import { createHash } from "node:crypto";

/** A short name for a thing of another service, because what services call their things is too long for an index. */
export function remoteKey(namespace: string, remoteId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([namespace, remoteId]))
    .digest("base64url");
}
