import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Node } from "./node.ts";

/** A public key as a document gives it: PEM, or a multikey. */
export type KeyText = { id: string; owner: string | undefined; text: string };

/** The keys in an actor's document, for transport and for proofs. One that names no owner is that of the actor of whom it is a part. */
export function keysOf(actor: Node): KeyText[] {
  const nodes = [...actor.nodes("publicKey"), ...actor.nodes("assertionMethod")];
  return nodes.flatMap((node) => readKey(node, actor.id) ?? []);
}

/** The key of this id in a document: the document itself, or a key of the actor that it is. */
export function keyIn(document: Node, id: string): KeyText | undefined {
  const found = [readKey(document) ?? [], keysOf(document)].flat();
  return found.find((key) => isSameId(inAscii(key.id), inAscii(id)));
}

/** Requests name keys in letters that a header can hold, whatever their documents do. */
function inAscii(id: string): string {
  return id.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}

function readKey(node: Node, whole?: string): KeyText | undefined {
  const text = node.text("publicKeyPem") ?? node.text("publicKeyMultibase");
  const { id } = node;
  if (id === undefined || text === undefined) return undefined;
  const isPart = whole !== undefined && isSameId(id.replace(/#.*$/s, ""), whole);
  return { id, owner: node.oneId("owner") ?? node.oneId("controller") ?? (isPart ? whole : undefined), text };
}
