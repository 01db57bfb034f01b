import { mediaOf } from "./media.ts";
import type { Node } from "./node.ts";
import { isDocumentType } from "../document-types.ts";

/** What a post marks in its text. */
export type Tags = {
  mentions: { href: string; name: string | undefined }[];
  hashtags: string[];
  emojis: { code: string; url: string; updated: Date | undefined }[];
};

const mostEmojis = 64;
const code = /^:?([\w-]{1,64}):?$/;

export function tagsOf(node: Node): Tags {
  const tags = node.nodes("tag");
  const ofType = (type: string): Node[] => tags.filter(({ types }) => types.includes(type));
  return {
    mentions: ofType("Mention").flatMap((tag) => (tag.address ? [{ href: tag.address, name: tag.text("name") }] : [])),
    hashtags: ofType("Hashtag").flatMap((tag) => tag.text("name")?.replace(/^#/, "") || []),
    emojis: ofType("Emoji").flatMap(emojiOf).slice(0, mostEmojis),
  };
}

function emojiOf(tag: Node): Tags["emojis"] {
  const [, name] = code.exec(tag.text("name") ?? "") ?? [];
  const url = mediaOf(tag, "icon")[0]?.links[0]?.href;
  return name === undefined || url === undefined ? [] : [{ code: name, url, updated: tag.date("updated") }];
}

/** The post that is quoted, in whichever way that is said (federation contract 7). */
export function quoteOf(node: Node): string | undefined {
  const named = ["quote", "quoteUrl", "quoteUri", "_misskey_quote"].flatMap((name) => node.ids(name));
  const links = node
    .nodes("tag")
    .filter((tag) => tag.types.includes("Link") && isDocumentType(tag.text("mediaType") ?? ""));
  return [...named, ...links.flatMap((link) => link.address ?? [])][0];
}
