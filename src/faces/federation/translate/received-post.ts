import { plainLine } from "../../../domain/bodies/names.ts";
import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { isForeignId, isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Came } from "../../../domain/items/foreign-documents.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { ReceivedAudience, ReceivedMedia, ReceivedPost } from "../../../domain/items/receiving/received.ts";
import { readDigestMultibase } from "../digest-multibase.ts";
import { everybody } from "../everybody.ts";
import type { Activity } from "./activity.ts";
import { readCollection } from "./collection.ts";
import { textIn } from "./languages.ts";
import type { Media } from "./media.ts";
import type { Text } from "./node.ts";
import type { Post } from "./object.ts";
import { answerersOf } from "./policy.ts";
import { questionOf } from "./question.ts";

/** What came with a post, beside itself. */
export type Circumstances = Came & {
  author: Xchan;
  /** The followers collection of the author. */
  followers: string;
  group?: Xchan | undefined;
  /** The group that hands it on. */
  via?: Xchan | undefined;
  inboxes: readonly number[];
  /** The id of the activity by which its author asks whether it may stand. */
  request?: string | undefined;
  /** In which of its languages it is taken, if it has several: the first of these. */
  languages: readonly string[];
};

/** A post as the domain takes it. Nothing is asked for, and nothing decided. */
export function receivedPost(
  post: Post,
  { author, followers, group, via, inboxes, document, isForwarded, request, languages }: Circumstances,
): ReceivedPost {
  const audience = withMentioned(audienceOf(post, inboxes), post);
  const isNote = ["Note", "ChatMessage"].includes(post.type);
  const written = textIn(post.content, languages);
  const text = written?.text ?? "";
  // A title goes with what is below it.
  const also = written?.language === undefined ? languages : [written.language, ...languages];
  const title = textIn(post.name, also);
  const name = title?.text ?? "";
  return {
    mid: post.id,
    author,
    audience,
    direct: isDirect(post, audience),
    directMessage: directMark(post),
    context: post.context,
    inReplyTo: post.inReplyTo,
    title: isNote ? "" : name,
    summary: textIn(post.summary, also)?.text ?? "",
    content: contentOf(post, text, isNote ? name : ""),
    source: sourceOf(post),
    media: post.attachments.map(mediaOf).filter((media) => media !== undefined),
    link: post.attachments.map(cardOf).find((card) => card !== undefined),
    mentions: post.mentions.map(({ href, name = "" }) => ({ href, name })),
    hashtags: post.hashtags,
    emoji: post.emojis,
    objType: objectType(post),
    question: questionOf(post),
    event: eventOf(post),
    answers: typeof post.replies === "object" ? readCollection(post.replies)?.totalItems : undefined,
    group,
    via,
    isForGroup: group !== undefined || post.audience.some((id) => id !== everybody),
    quote: post.quote,
    quoteStamp: post.quoteStamp,
    replyStamp: post.replyStamp,
    plink: pageOf(post),
    lang: languageIn(written ?? title),
    location: post.place?.name ?? "",
    coord: coordinatesOf(post),
    nsfw: post.sensitive,
    comments: answerersOf(post.policy.reply, followers),
    permits: permitsOf(post, followers),
    published: post.published,
    updated: post.updated,
    expires: post.expires,
    document,
    isForwarded,
    request,
  };
}

/** Whom something is addressed to. */
export function audienceOf(
  { to, cc, audience = [] }: Pick<Activity, "to" | "cc"> & Partial<Pick<Activity, "audience">>,
  inboxes: readonly number[],
): ReceivedAudience {
  const all = [...to, ...cc, ...audience];
  return {
    for: to.includes(everybody) ? "everybody" : all.includes(everybody) ? "everybody, unlisted" : "named",
    addresses: [...new Set(all)].filter((id) => id !== everybody),
    inboxes,
  };
}

/** What everybody may see is for those whom it mentions, too, as if it were addressed to them (federation contract 6.4). */
function withMentioned(audience: ReceivedAudience, { mentions }: Post): ReceivedAudience {
  if (audience.for === "named") return audience;
  return { ...audience, addresses: [...new Set([...audience.addresses, ...mentions.map(({ href }) => href)])] };
}

/** For persons alone, all of whom it mentions (federation contract 5). */
function isDirect(post: Post, { for: whom, addresses }: ReceivedAudience): boolean {
  if (whom !== "named") return false;
  const isMentioned = (id: string): boolean => post.mentions.some(({ href }) => isSameId(href, id));
  return directMark(post) ?? addresses.every(isMentioned);
}

function directMark({ type, directMessage }: Post): boolean | undefined {
  return type === "ChatMessage" ? true : directMessage;
}

function languageIn(text: Text | undefined): string {
  return /^[a-z]{2,3}\b/i.exec(text?.language ?? "")?.[0].toLowerCase() ?? "";
}

/** HTML, unless it says that it is one of these. */
const contentTypes: readonly string[] = ["text/plain", "text/markdown"];

/** What has no text has its name in the place of one. */
function contentOf({ mediaType }: Post, text: string, name: string): ReceivedPost["content"] {
  if (text === "" && name !== "") return { text: `<p>${escapeHtml(name)}</p>`, mimetype: "text/html" };
  return { text, mimetype: typeAmong(contentTypes, mediaType) ?? "text/html" };
}

const sourceTypes: readonly string[] = ["text/bbcode", "text/markdown"];

function sourceOf({ source, attributedTo }: Post): ReceivedPost["source"] {
  const mimetype = typeAmong(sourceTypes, source?.mediaType);
  if (!source || mimetype === undefined || source.content.trim() === "" || attributedTo.length > 1) return undefined;
  return { body: source.content, mimetype };
}

/** The one of these types that is meant, with or without parameters. */
function typeAmong(types: readonly string[], said = ""): string | undefined {
  const name = said.replace(/;.*$/s, "").trim().toLowerCase();
  return types.find((type) => type === name);
}

const objectTypes: Readonly<Record<string, string>> = {
  ChatMessage: "note",
  Article: "article",
  Page: "article",
  Image: "photo",
  Event: "event",
};

/** What is unknown keeps its name, and is shown like a note. */
function objectType({ type, inReplyTo }: Post): string {
  if (type === "Note") return inReplyTo === undefined ? "note" : "comment";
  return objectTypes[type] ?? plainLine(type, 100);
}

function pageOf({ links, id }: Post): string {
  const page = links.find(({ mediaType }) => mediaType === "text/html") ?? links[0];
  const href = page?.mediaType === undefined || page.mediaType === "text/html" ? page?.href : undefined;
  return href ?? id;
}

function coordinatesOf({ place }: Post): string {
  if (place?.latitude === undefined || place.longitude === undefined) return "";
  return `${place.latitude} ${place.longitude}`;
}

/** Some give a place its address as a name as well. */
function eventOf({ event, place }: Post): ReceivedPost["event"] {
  const { name = "", address = "" } = place ?? {};
  const location = name.includes(address) ? name : [name, address].filter((line) => line !== "").join(", ");
  return event && { ...event, location };
}

const mostPermitted = 100;

/** Who may like, share and quote it, at once or after asking: whoever is asked decides there. */
function permitsOf({ policy: { reply, like, announce, quote } }: Post, followers: string): ReceivedPost["permits"] {
  const among = (rule: Post["policy"]["like"]): string[] | undefined => {
    const all = rule ? [...rule.automatic, ...rule.manual].slice(0, mostPermitted) : [];
    if (all.length === 0 || all.includes(everybody)) return undefined;
    return all.map((id) => (followers !== "" && isSameId(id, followers) ? "followers" : id));
  };
  const [answers, likes, shares, quotes] = [among(reply), among(like), among(announce), among(quote)];
  const unasked = unaskedIn({ reply, like, share: announce });
  return {
    ...(answers && { reply: answers }),
    ...(likes && { like: likes }),
    ...(shares && { share: shares }),
    ...(quotes && { quote: quotes }),
    ...(Object.keys(unasked).length > 0 && { unasked }),
  };
}

/** Whoever may as one of a collection shows a stamp as well, since others do not see who is in it. */
function unaskedIn(rules: Record<"reply" | "like" | "share", Post["policy"]["like"]>) {
  const some = Object.entries(rules).flatMap(([what, rule]) => {
    const isSaid = rule && rule.automatic.length + rule.manual.length > 0;
    return isSaid && !rule.automatic.includes(everybody) ? [[what, rule.automatic.slice(0, mostPermitted)]] : [];
  });
  return Object.fromEntries(some) as NonNullable<ReceivedPost["permits"]["unasked"]>;
}

const kinds: Readonly<Record<string, ReceivedMedia["kind"]>> = { image: "image", video: "video", audio: "audio" };
const mostLines = 720;

/** The largest that every browser plays without much waiting, else the smallest; one without lines is sound alone. */
function filmAmong(links: Media["links"]): Media["links"][number] | undefined {
  const linesOf = ({ height = mostLines }: Media["links"][number]): number => height;
  const films = links
    .filter((one) => one.mediaType?.startsWith("video/mp4") && linesOf(one) > 0)
    .toSorted((one, other) => linesOf(one) - linesOf(other));
  return films.findLast((one) => linesOf(one) <= mostLines) ?? films[0];
}

function mediaOf(media: Media): ReceivedMedia | undefined {
  const { type, links, description = "", width = 0, height = 0, blurhash = "", focus, digest = "" } = media;
  const link = filmAmong(links) ?? links[0];
  if (!link) return undefined;
  const kind = kinds[link.mediaType?.split("/")[0] ?? ""] ?? kinds[type.toLowerCase()] ?? "file";
  return {
    kind,
    url: link.href,
    mediaType: link.mediaType ?? "",
    description,
    width: Math.max(0, Math.trunc(link.width ?? width)),
    height: Math.max(0, Math.trunc(link.height ?? height)),
    blurhash,
    focus: focus ? focus.map((part) => Math.min(1, Math.max(-1, part)).toFixed(2)).join(",") : "",
    // Of several addresses nobody knows which one is meant.
    digest: links.length === 1 ? readDigestMultibase(digest) : "",
  };
}

function cardOf({ page, links: [link] }: Media): ReceivedPost["link"] {
  if (!page || !link || !isForeignId(link.href) || !(link.mediaType ?? "text/html").startsWith("text/html"))
    return undefined;
  const picture = page.picture && mediaOf(page.picture);
  return {
    url: link.href,
    title: page.title,
    description: page.description,
    language: page.language,
    picture: picture?.url ?? "",
    pictureText: picture?.description ?? "",
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    blurhash: picture?.blurhash ?? "",
  };
}
