import type { Feed, FeedEntry } from "./feed.ts";
import { inTurns } from "./in-turns.ts";
import { writeElement, writeXml, XmlText } from "./xml.ts";
import type { Element } from "./xml.ts";

/** The media type of a feed in this form. */
export const atomType = "application/atom+xml; charset=utf-8";

/** The feed as Atom (RFC 4287) (microblog contract 4.5). */
export async function writeAtom(feed: Feed): Promise<string> {
  const { self, page, title, description, image, updated, next, entries } = feed;
  const children = [
    text("id", self),
    text("title", title),
    text("subtitle", description),
    text("updated", moment(updated)),
    link("self", self, { type: "application/atom+xml" }),
    link("alternate", page, { type: "text/html" }),
    ...(next === undefined ? [] : [link("next", next, { type: "application/atom+xml" })]),
    ...(image === "" ? [] : [text("logo", image)]),
    ...(await inTurns(entries, (entry) => new XmlText(writeElement(entryElement(entry))))),
  ];
  return writeXml({ name: "feed", attributes: { xmlns: "http://www.w3.org/2005/Atom" }, children });
}

function entryElement({ id, title, summary, html, published, updated, link: page, author }: FeedEntry): Element {
  const { nick, name, url, avatar } = author;
  const children = [
    text("id", id),
    text("title", title),
    ...(summary === "" ? [] : [text("summary", summary)]),
    { name: "content", attributes: { type: "html" }, text: html },
    text("published", moment(published)),
    text("updated", moment(updated)),
    ...(page === "" ? [] : [link("alternate", page, { type: "text/html" })]),
    ...(avatar === "" ? [] : [link("related", avatar)]),
    {
      name: "author",
      children: [text("name", `${nick} (${name})`), ...(url === "" ? [] : [text("uri", url)])],
    },
  ];
  return { name: "entry", children };
}

function text(name: string, words: string): Element {
  return { name, text: words };
}

function link(rel: string, href: string, more: Record<string, string> = {}): Element {
  return { name: "link", attributes: { rel, ...more, href } };
}

function moment(stored: string): string {
  return `${stored.replace(" ", "T")}Z`;
}
