import type { Node } from "../translate/node.ts";
import { readPost } from "../translate/object.ts";
import type { Post } from "../translate/object.ts";
import type { Incoming } from "./incoming.ts";

const noPosts = ["Tombstone", "Person", "Group", "Service", "Organization", "Application"];

/** The post that a node is; undefined for an actor, an activity, and for what is gone. */
export function postIn(node: Node): Post | undefined {
  const isAnother = node.types.some((type) => noPosts.includes(type)) || node.has("object") || node.has("inbox");
  return isAnother ? undefined : readPost(node);
}

/**
 * A document as text, for those to whom it is handed on. Whom its author told in secret, nobody else is told: without that it may not
 * be proven any more, and is asked for at its id.
 */
export function textOf({ bytes }: Pick<Incoming, "bytes">): string {
  const text = Buffer.from(bytes).toString().replaceAll("\0", "\ufffd");
  if (!secretly.test(text)) return text;
  return JSON.stringify(JSON.parse(text, (name, value: unknown) => (secretNames.test(name) ? undefined : value)));
}

const secretNames = /^(?:as:|https:\/\/www\.w3\.org\/ns\/activitystreams#)?b(?:to|cc)$/;
const secretly = /"[^"\\]*\bb(?:to|cc)"/;

/** The author of something that was found at its own id: the first one that it names. */
export function authorIn(node: Node): string | undefined {
  return node.oneId("attributedTo") ?? node.oneId("actor");
}
