import { createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";

let key: KeyObject | undefined;

/** Is the request signed by this key, the way of draft-cavage? Throws where it is not; one verification, and nothing else. */
export function checkSignature({ method, url, headers }: IncomingMessage, pem: string): void {
  const signature = String(headers["signature"]);
  const names = /headers="([^"]*)"/.exec(signature)![1]!.split(" ");
  const target = `${method!.toLowerCase()} ${url}`;
  const lines = names.map((name) => `${name}: ${name === "(request-target)" ? target : String(headers[name])}`);
  const value = Buffer.from(/signature="([^"]*)"/.exec(signature)![1]!, "base64");
  if (!verify("sha256", Buffer.from(lines.join("\n")), (key ??= createPublicKey(pem)), value))
    throw new Error("The signature does not hold");
}
