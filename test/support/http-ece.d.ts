/** What tests use of this library, which has no types of its own. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  type Reading = { privateKey: ECDH; authSecret: Uint8Array } & (
    | { version: "aes128gcm" }
    | { version: "aesgcm"; dh: string; salt: string }
  );
  const ece: { decrypt(body: Buffer, reading: Reading): Buffer };
  // oxlint-disable-next-line import/no-default-export
  export default ece;
}
