import { createPublicKey } from "node:crypto";
import { readActivity } from "../../src/faces/federation/translate/activity.ts";
import { readActor } from "../../src/faces/federation/translate/actor.ts";
import { readJson } from "../../src/faces/federation/translate/json.ts";
import { keyIn } from "../../src/faces/federation/translate/key.ts";
import type { KeyText } from "../../src/faces/federation/translate/key.ts";
import type { Media } from "../../src/faces/federation/translate/media.ts";
import { Node } from "../../src/faces/federation/translate/node.ts";
import { readPost } from "../../src/faces/federation/translate/object.ts";
import * as oracle from "./vocabulary-oracle.ts";

/** Documents by the table of names, beside the same by JSON-LD. */

type Facts = Record<string, unknown>;

function nodeOf(document: unknown): Node {
  const read = readJson(Buffer.from(JSON.stringify(document)));
  return Node.of("value" in read ? read.value : undefined)!;
}

/** What the reader makes of a document, and what Fedify makes of it. */
export async function factsOf(document: unknown): Promise<{ ours: Facts; theirs: Facts }> {
  const node = nodeOf(document);
  if (node.types.includes("CryptographicKey"))
    return { ours: keyFacts(keyIn(node, node.id!)!), theirs: await oracle.keyDocumentFacts(document) };
  const thing = await oracle.thingOf(document);
  if (oracle.isActor(thing)) return { ours: actorFacts(node), theirs: await oracle.actorFacts(thing) };
  if (!(thing instanceof oracle.Activity) || node.types.includes("Question"))
    return { ours: postFacts(node), theirs: await oracle.postFacts(thing) };
  const [ours, theirs] = await innerFacts(node, thing);
  return { ours: { ...activityFacts(node), object: ours }, theirs: { ...oracle.activityFacts(thing), object: theirs } };
}

/** What is written out in an activity, where that is a post. */
async function innerFacts(node: Node, activity: InstanceType<typeof oracle.Activity>): Promise<[unknown, unknown]> {
  const [object] = node.nodes("object");
  const thing = object?.has("content") ? await oracle.objectOf(activity) : undefined;
  return object && thing ? [postFacts(object), await oracle.postFacts(thing)] : [undefined, undefined];
}

function actorFacts(node: Node) {
  const actor = readActor(node)!;
  const {
    links: _,
    image: _image,
    webfinger: _webfinger,
    fields: _fields,
    keyIds: _keys,
    movedTo: _moved,
    statements: _statements,
    guid: _guid,
    guidSignature: _signature,
    ...facts
  } = actor;
  return {
    ...facts,
    icon: actor.icon?.links[0]?.href,
    emojis: actor.emojis.map((emoji) => ({ ...emoji, updated: emoji.updated?.getTime() })),
    published: actor.published?.getTime(),
    updated: actor.updated?.getTime(),
    keys: actor.keys.filter(({ text }) => text.startsWith("-")).map(keyFacts),
  };
}

function keyFacts({ id, owner, text }: KeyText) {
  return { id, owner, spki: createPublicKey(text).export({ type: "spki", format: "der" }).toString("base64") };
}

function activityFacts(node: Node) {
  const activity = readActivity(node);
  if (typeof activity === "string") return { fault: activity };
  const { id, type, actor, to, cc, content, published } = activity;
  const idsOf = (members: (Node | string)[]) => members.map((one) => (typeof one === "string" ? one : one.id));
  const [objects, targets] = [idsOf(activity.objects), idsOf(activity.targets)];
  return { id, type, actor, objects, targets, to, cc, content, published: published?.getTime() };
}

function postFacts(node: Node) {
  const post = readPost(node)!;
  const { id, type, attributedTo, to, cc, audience, inReplyTo, mediaType, sensitive, hashtags } = post;
  return {
    id,
    type,
    attributedTo,
    to,
    cc,
    audience,
    inReplyTo,
    mediaType,
    sensitive,
    hashtags,
    name: post.name[0]?.text,
    summary: post.summary[0]?.text,
    contents: post.content.map(({ text }) => text),
    source: post.source?.content,
    links: post.links.map((link) => link.href),
    published: post.published?.getTime(),
    updated: post.updated?.getTime(),
    start: post.event?.start.getTime(),
    end: (post.event?.end ?? post.poll?.ends)?.getTime(),
    replies: typeof post.replies === "string" ? post.replies : post.replies?.id,
    mentions: post.mentions.map((mention) => mention.href),
    attachments: post.attachments.map(mediaFacts),
  };
}

function mediaFacts({ type, links, description, width }: Media) {
  return {
    type,
    links: links.map((link) => new URL(link.href).href),
    name: description,
    mediaType: links[0]?.mediaType,
    width,
  };
}
