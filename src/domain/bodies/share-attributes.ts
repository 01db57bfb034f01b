import { readAttributes } from "./bbcode/attributes.ts";

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

function decoded(author: string): string {
  try {
    // Existing hubs write spaces as plus signs.
    return decodeURIComponent(author.replaceAll("+", " ")).replace(/\p{Cc}/gu, "");
  } catch {
    return author;
  }
}
