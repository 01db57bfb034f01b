import { actorTypes } from "../../../domain/identity/xchans/foreign-actor.ts";
import type { ActorType } from "../../../domain/identity/xchans/foreign-actor.ts";
import { statementType } from "../signatures/identity-proofs.ts";
import type { Json } from "./json.ts";
import { keysOf } from "./key.ts";
import type { KeyText } from "./key.ts";
import { linksOf, mediaOf } from "./media.ts";
import type { Link, Media } from "./media.ts";
import type { Node } from "./node.ts";
import { policyOf } from "./policy.ts";
import type { Rule } from "./policy.ts";
import { tagsOf } from "./tags.ts";
import type { Tags } from "./tags.ts";

/** Somebody elsewhere, as their document describes them. Nothing of it is judged yet (federation contract 9). */
export type Actor = {
  id: string;
  type: ActorType;
  preferredUsername: string | undefined;
  name: string | undefined;
  summary: string | undefined;
  links: Link[];
  icon: Media | undefined;
  image: Media | undefined;
  inbox: string;
  sharedInbox: string | undefined;
  outbox: string | undefined;
  followers: string | undefined;
  following: string | undefined;
  featured: string | undefined;
  webfinger: string | undefined;
  manuallyApprovesFollowers: boolean;
  /** Who may answer what they write, where it does not say so itself. */
  reply: Rule;
  discoverable: boolean | undefined;
  sensitive: boolean;
  indexable: boolean | undefined;
  published: Date | undefined;
  updated: Date | undefined;
  alsoKnownAs: string[];
  movedTo: string | undefined;
  attributedTo: string[];
  fields: { name: string; value: string }[];
  emojis: Tags["emojis"];
  /** By which keys say that they stand behind it (FEP-c390), as they are written. */
  statements: { [key: string]: Json }[];
  /** Of a channel of this kind of hub: what its identity is derived from. */
  guid: string;
  guidSignature: string;
  keys: KeyText[];
  /** Keys that stand in documents of their own. */
  keyIds: string[];
};

const mostFields = 16;
const mostStatements = 4;
const longestName = 255;
const longestValue = 2047;

/** Undefined for what is no actor: it lacks an id, an inbox, or a type that says so. */
export function readActor(node: Node): Actor | undefined {
  const { id } = node;
  const inbox = node.oneId("inbox");
  const keys = keysOf(node);
  const keyIds = [...node.ids("publicKey"), ...node.ids("assertionMethod")];
  const type = actorTypes.find((one) => node.types.includes(one)) ?? (keyIds.length > 0 ? "Service" : undefined);
  if (id === undefined || inbox === undefined || type === undefined) return undefined;
  return {
    id,
    type,
    inbox,
    keys,
    keyIds: keyIds.filter((keyId) => !keys.some((key) => key.id === keyId)),
    ...collectionsOf(node),
    ...whatIsSaidOf(node),
    fields: fieldsOf(node),
    statements: attached(node, statementType)
      .slice(0, mostStatements)
      .map(({ written }) => written),
    guid: node.text("guid") ?? "",
    guidSignature: node.text("guidSignature") ?? "",
    emojis: tagsOf(node).emojis,
  };
}

function collectionsOf(node: Node) {
  return {
    sharedInbox: node.nodes("endpoints")[0]?.oneId("sharedInbox"),
    outbox: node.oneId("outbox"),
    followers: node.oneId("followers"),
    following: node.oneId("following"),
    featured: node.oneId("featured"),
  };
}

function whatIsSaidOf(node: Node) {
  return {
    preferredUsername: node.text("preferredUsername"),
    name: node.text("name"),
    summary: node.text("summary"),
    links: linksOf(node, "url"),
    icon: mediaOf(node, "icon")[0],
    image: mediaOf(node, "image")[0],
    webfinger: node.text("webfinger")?.replace(/^acct:/, ""),
    manuallyApprovesFollowers: node.flag("manuallyApprovesFollowers") ?? false,
    reply: policyOf(node).reply,
    discoverable: node.flag("discoverable"),
    sensitive: node.flag("sensitive") ?? false,
    indexable: node.flag("indexable"),
    published: node.date("published"),
    updated: node.date("updated"),
    alsoKnownAs: node.ids("alsoKnownAs"),
    movedTo: node.oneId("movedTo"),
    attributedTo: node.ids("attributedTo"),
  };
}

function attached(node: Node, type: string): Node[] {
  return node.nodes("attachment").filter(({ types }) => types.includes(type));
}

function fieldsOf(node: Node): Actor["fields"] {
  const fields = attached(node, "PropertyValue");
  return fields.slice(0, mostFields).map((field) => ({
    name: (field.text("name") ?? "").slice(0, longestName),
    value: (field.text("value") ?? "").slice(0, longestValue),
  }));
}
