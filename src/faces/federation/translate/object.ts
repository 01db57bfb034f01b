import { eventOf, placeOf } from "./event.ts";
import type { EventTimes, Place } from "./event.ts";
import { linksOf, mediaOf } from "./media.ts";
import type { Link, Media } from "./media.ts";
import type { Node, Text } from "./node.ts";
import { policyOf } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { pollOf } from "./poll.ts";
import type { Poll } from "./poll.ts";
import { quoteOf, tagsOf } from "./tags.ts";
import type { Tags } from "./tags.ts";

/** A post or comment from elsewhere, as it is told. Nothing of it is judged yet, and no HTML is filtered (federation contract 9, 4.1). */
export type Post = Tags & {
  id: string;
  type: string;
  attributedTo: string[];
  to: string[];
  cc: string[];
  audience: string[];
  inReplyTo: string | undefined;
  context: string | undefined;
  conversation: string | undefined;
  name: Text[];
  summary: Text[];
  content: Text[];
  mediaType: string | undefined;
  source: { content: string; mediaType: string | undefined } | undefined;
  links: Link[];
  attachments: Media[];
  sensitive: boolean;
  directMessage: boolean | undefined;
  published: Date | undefined;
  updated: Date | undefined;
  expires: Date | undefined;
  replies: Node | string | undefined;
  quote: string | undefined;
  quoteStamp: string | undefined;
  replyStamp: string | undefined;
  poll: Poll | undefined;
  event: EventTimes | undefined;
  place: Place | undefined;
  policy: Policy;
};

const mostAttachments = 32;

/** Undefined for what has no id or no type: such an object cannot be stored. */
export function readPost(node: Node): Post | undefined {
  const { id } = node;
  const [type] = node.types;
  if (id === undefined || type === undefined) return undefined;
  return { id, type, ...addressesOf(node), ...textsOf(node), ...factsOf(node), ...tagsOf(node) };
}

function addressesOf(node: Node) {
  return {
    attributedTo: node.ids("attributedTo"),
    to: node.ids("to"),
    cc: node.ids("cc"),
    audience: node.ids("audience"),
    inReplyTo: node.oneId("inReplyTo"),
    context: node.oneId("context") ?? node.text("context"),
    conversation: node.text("conversation"),
    replies: node.members("replies")[0],
    quote: quoteOf(node),
    quoteStamp: node.oneId("quoteAuthorization"),
    replyStamp: node.oneId("replyAuthorization") ?? node.oneId("approvedBy"),
  };
}

function textsOf(node: Node) {
  const source = node.nodes("source")[0];
  const content = source?.text("content");
  return {
    name: node.texts("name"),
    summary: node.texts("summary"),
    content: node.texts("content"),
    mediaType: node.text("mediaType"),
    source: content === undefined ? undefined : { content, mediaType: source?.text("mediaType") },
  };
}

function factsOf(node: Node) {
  return {
    links: linksOf(node, "url"),
    attachments: [...mediaOf(node, "attachment"), ...ownMedia(node)].slice(0, mostAttachments),
    sensitive: node.flag("sensitive") ?? false,
    directMessage: node.flag("directMessage"),
    published: node.date("published"),
    updated: node.date("updated"),
    expires: node.date("expires") ?? node.date("expiry"),
    poll: pollOf(node),
    event: eventOf(node),
    place: placeOf(node),
    policy: policyOf(node),
  };
}

const mediaTypes = ["Image", "Audio", "Video", "Document"];

/** A film or picture that is a post by itself: its addresses are those of the file, in all its sizes. */
function ownMedia(node: Node): Media[] {
  const type = node.types.find((one) => mediaTypes.includes(one));
  const links = [...linksOf(node, "url"), ...filesOfLists(node)].filter(isFile);
  if (type === undefined || links.length === 0) return [];
  const size = { width: node.number("width"), height: node.number("height") };
  return [{ type, links, description: node.text("name"), blurhash: node.text("blurhash"), ...size }];
}

/** Of a film that is a list of pieces (HLS) the files in whole, which PeerTube writes out below the address of the list. */
function filesOfLists(node: Node): Link[] {
  const below = node.nodes("url").flatMap((list) => linksOf(list, "tag"));
  return below.filter(({ mediaType = "" }) => mediaType.startsWith("video/"));
}

/** Neither a page nor a list of pieces. */
function isFile({ mediaType }: Link): boolean {
  return mediaType !== undefined && !/^text\/html|mpegurl/i.test(mediaType);
}
