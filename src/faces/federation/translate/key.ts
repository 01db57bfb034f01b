import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Node } from "./node.ts";

/** A public key as a document gives it: PEM, or a multikey. */
export type KeyText = { id: string; owner: string | undefined; text: string };

/** The keys in an actor's document, for transport and for proofs. */
export function keysOf(actor: Node): KeyText[] {
  return [...actor.nodes("publicKey"), ...actor.nodes("assertionMethod")].flatMap((node) => readKey(node) ?? []);
}

/** The key of this id in a document: the document itself, or a key of the actor that it is. */
export function keyIn(document: Node, id: string): KeyText | undefined {
  const found = [readKey(document) ?? [], keysOf(document)].flat();
  return found.find((key) => isSameId(key.id, id));
}

function readKey(node: Node): KeyText | undefined {
  const text = node.text("publicKeyPem") ?? node.text("publicKeyMultibase");
  const { id } = node;
  if (id === undefined || text === undefined) return undefined;
  return { id, owner: node.oneId("owner") ?? node.oneId("controller"), text };
}
