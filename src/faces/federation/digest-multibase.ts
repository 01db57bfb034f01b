import { fromBase58, toBase58 } from "./signatures/base58.ts";

/** `digestMultibase`: the SHA-256 of a file as a multihash in multibase, so that others see whether they got that file. */

/** Of a multihash: the function, and the length of what follows. */
const sha256 = Buffer.from([0x12, 32]);

/** From what it is in hex. */
export function digestMultibase(hex: string): string {
  return `z${toBase58(Buffer.concat([sha256, Buffer.from(hex, "hex")]))}`;
}

/** In hex; empty for what is no such digest. */
export function readDigestMultibase(text: string): string {
  const bytes = decoded(text);
  return bytes?.length === sha256.length + 32 && bytes.subarray(0, 2).equals(sha256)
    ? bytes.subarray(2).toString("hex")
    : "";
}

/** The bases that the specification of Data Integrity names. */
function decoded(text: string): Buffer | undefined {
  const rest = text.slice(1);
  if (text.startsWith("z")) return fromBase58(rest);
  return text.startsWith("u") && /^[\w-]*$/.test(rest) ? Buffer.from(rest, "base64url") : undefined;
}
