import {
  Activity,
  CryptographicKey,
  Emoji,
  Hashtag,
  isActor,
  Link,
  Mention,
  Object as Thing,
  PropertyValue,
} from "@fedify/vocab";
import type { Actor } from "@fedify/vocab";
import { getDocumentLoader } from "@fedify/vocab-runtime";

/** What Fedify's vocabulary, which goes the whole way through JSON-LD, makes of a document. */

const bundled = getDocumentLoader();

/** What contexts say that are not among the bundled ones, as far as it matters. */
const others: Record<string, object> = {
  "https://pleroma.example/schemas/litepub-0.1.jsonld": litepub(),
  "https://akkoma.example/schemas/litepub-0.1.jsonld": litepub(),
};

function litepub() {
  return {
    "@context": [
      "https://www.w3.org/ns/activitystreams",
      "https://w3id.org/security/v1",
      {
        litepub: "http://litepub.social/ns#",
        toot: "http://joinmastodon.org/ns#",
        vcard: "http://www.w3.org/2006/vcard/ns#",
        fedibird: "http://fedibird.com/ns#",
        manuallyApprovesFollowers: "as:manuallyApprovesFollowers",
        sensitive: "as:sensitive",
        Hashtag: "as:Hashtag",
        Emoji: "toot:Emoji",
        discoverable: "toot:discoverable",
        alsoKnownAs: { "@id": "as:alsoKnownAs", "@type": "@id" },
        quoteUrl: "as:quoteUrl",
        quoteUri: "fedibird:quoteUri",
        ChatMessage: "litepub:ChatMessage",
        EmojiReact: "litepub:EmojiReact",
        directMessage: "litepub:directMessage",
      },
    ],
  };
}

function contextLoader(url: string) {
  const document = others[url];
  return document ? Promise.resolve({ contextUrl: null, documentUrl: url, document }) : bundled(url);
}

const options = {
  contextLoader,
  documentLoader: () => Promise.reject(new Error("Nothing is fetched here")),
  suppressError: true,
};

export function thingOf(document: unknown): Promise<Thing> {
  return Thing.fromJsonLd(Array.isArray(document) ? document[0] : document, options);
}

export async function keyDocumentFacts(document: unknown) {
  return keyFacts(await CryptographicKey.fromJsonLd(document, options));
}

const href = (url: URL | null | undefined): string | undefined => url?.href;
const hrefs = (urls: readonly URL[]): string[] => urls.map((url) => url.href);
const text = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value);
const stamp = (moment: { epochMilliseconds: number } | null): number | undefined => moment?.epochMilliseconds;

export async function actorFacts(actor: Actor) {
  const keys: object[] = [];
  for await (const key of actor.getPublicKeys(options)) keys.push(await keyFacts(key));
  const icon = await actor.getIcon(options);
  return {
    id: href(actor.id),
    type: actor.constructor.name,
    inbox: href(actor.inboxId),
    outbox: href(actor.outboxId),
    followers: href(actor.followersId),
    following: href(actor.followingId),
    featured: href(actor.featuredId),
    sharedInbox: href(actor.endpoints?.sharedInbox),
    preferredUsername: text(actor.preferredUsername),
    name: text(actor.name),
    summary: text(actor.summary),
    icon: linkOf(icon?.url),
    manuallyApprovesFollowers: actor.manuallyApprovesFollowers ?? false,
    discoverable: actor.discoverable ?? undefined,
    sensitive: actor.sensitive ?? false,
    indexable: actor.indexable ?? undefined,
    published: stamp(actor.published),
    updated: stamp(actor.updated),
    alsoKnownAs: hrefs(actor.aliasIds),
    attributedTo: hrefs(actor.attributionIds),
    emojis: await emojisOf(actor),
    keys,
  };
}

async function emojisOf(thing: Thing): Promise<object[]> {
  const emojis: object[] = [];
  for await (const tag of thing.getTags(options)) {
    if (!(tag instanceof Emoji)) continue;
    const [code, url] = [text(tag.name)?.replaceAll(":", ""), linkOf((await tag.getIcon(options))?.url)];
    emojis.push({ code, url, updated: stamp(tag.updated) });
  }
  return emojis;
}

async function keyFacts(key: CryptographicKey) {
  const spki = key.publicKey
    ? Buffer.from(await crypto.subtle.exportKey("spki", key.publicKey)).toString("base64")
    : undefined;
  return { id: href(key.id), owner: href(key.ownerId), spki };
}

export function activityFacts(activity: Activity) {
  return {
    id: href(activity.id),
    type: activity.constructor.name,
    actor: href(activity.actorId),
    objects: hrefs(activity.objectIds),
    targets: hrefs(activity.targetIds),
    to: hrefs(activity.toIds),
    cc: hrefs(activity.ccIds),
    content: text(activity.content),
    published: stamp(activity.published),
  };
}

export async function objectOf(activity: Activity): Promise<Thing | undefined> {
  return (await activity.getObject(options)) ?? undefined;
}

export async function postFacts(thing: Thing) {
  const mentions: (string | undefined)[] = [];
  const hashtags: (string | undefined)[] = [];
  for await (const tag of thing.getTags(options)) {
    if (tag instanceof Mention) mentions.push(href(tag.href));
    if (tag instanceof Hashtag) hashtags.push(text(tag.name)?.replace(/^#/, ""));
  }
  const attachments: object[] = [];
  for await (const part of thing.getAttachments(options)) attachments.push(mediaFacts(part));
  const replies = await thing.getReplies(options);
  return {
    id: href(thing.id),
    type: thing.constructor.name,
    attributedTo: hrefs(thing.attributionIds),
    to: hrefs(thing.toIds),
    cc: hrefs(thing.ccIds),
    audience: hrefs(thing.audienceIds),
    inReplyTo: href(thing.replyTargetId),
    name: text(thing.name),
    summary: text(thing.summary),
    contents: thing.contents.map(String),
    mediaType: thing.mediaType ?? undefined,
    source: text(thing.source?.content),
    links: thing.urls.map(linkOf),
    sensitive: thing.sensitive ?? false,
    published: stamp(thing.published),
    updated: stamp(thing.updated),
    start: stamp(thing.startTime),
    end: stamp(thing.endTime),
    replies: href(replies?.id ?? thing.repliesId),
    mentions,
    hashtags,
    attachments,
  };
}

function mediaFacts(part: Thing | Link | PropertyValue): object {
  if (part instanceof PropertyValue) return { type: "PropertyValue" };
  const [name, mediaType] = [text(part.name), part.mediaType ?? undefined];
  const width = (part as { width?: number | null }).width ?? undefined;
  const links = part instanceof Link ? [href(part.href)] : part.urls.map(linkOf);
  return { type: part.constructor.name, links, name, mediaType, width };
}

function linkOf(url: URL | Link | null | undefined): string | undefined {
  return url instanceof Link ? href(url.href) : href(url);
}

export { Activity, isActor };
