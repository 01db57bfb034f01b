import { readAttributes } from "./bbcode/attributes.ts";
import { escapeHtml } from "./escape.ts";

/** A repeated post: whose it is, where it came from, and its body. */
export type Share = {
  author: string;
  profile: string;
  avatar: string;
  link: string;
  posted: string;
  messageId: string;
  body: string;
};

/** Reads the attributes of a `[share]` tag; the author is URL-encoded there. */
export function readShare(attributes: string): Omit<Share, "body"> {
  const written = readAttributes(attributes);
  const value = (name: string): string => written.get(name) ?? "";
  return {
    author: decoded(value("author")),
    profile: value("profile"),
    avatar: value("avatar"),
    link: value("link"),
    posted: value("posted"),
    messageId: value("message_id"),
  };
}

/** How a shared post is shown of which only the mark is left that it was there; pages say that in the language of who reads. */
export function removedShare(words = "This post was removed."): string {
  return `<article class="shared"><p>${escapeHtml(words)}</p></article>`;
}

/** Is that all that is left of it? */
export function isRemoved({ author, profile, link, posted, body }: Share): boolean {
  return [author, profile, link, posted, body.trim()].every((part) => part === "");
}

const postedAt = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?=(?:<\/a>)?<\/header>)/g;

/** The HTML of a body, where shared posts say when they were written in the words of who reads, in place of the stored form. */
export function withPostedTimes(html: string, say: (stored: string) => string): string {
  if (!html.includes('<article class="shared">')) return html;
  return html.replaceAll(postedAt, (stored) => (Number.isNaN(Date.parse(`${stored}Z`)) ? stored : say(stored)));
}

function decoded(author: string): string {
  try {
    // Existing hubs write spaces as plus signs.
    return decodeURIComponent(author.replaceAll("+", " ")).replace(/\p{Cc}/gu, "");
  } catch {
    return author;
  }
}
