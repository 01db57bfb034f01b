import { storedMoment } from "./dates.ts";
import type { Feed, FeedEntry } from "./feed.ts";
import { inTurns } from "./in-turns.ts";
import { writeElement, writeXml, XmlText } from "./xml.ts";
import type { Element } from "./xml.ts";

/** The media type of a feed in this form. */
export const rssType = "application/rss+xml; charset=utf-8";

/** Minutes that readers need not ask again. */
const patience = "40";

/** The feed as RSS 2.0 (microblog contract 4.5). */
export async function writeRss(feed: Feed): Promise<string> {
  const { self, page, title, description, image, next, entries } = feed;
  const channel = [
    text("title", title),
    text("link", page),
    text("description", description),
    text("language", "en"),
    text("ttl", patience),
    ...(image === ""
      ? []
      : [{ name: "image", children: [text("url", image), text("title", title), text("link", page)] }]),
    link("self", self),
    ...(next === undefined ? [] : [link("next", next)]),
    ...(await inTurns(entries, (entry) => new XmlText(writeElement(itemElement(entry))))),
  ];
  const attributes = { version: "2.0", "xmlns:atom": "http://www.w3.org/2005/Atom" };
  return writeXml({ name: "rss", attributes, children: [{ name: "channel", children: channel }] });
}

function itemElement({ id, title, summary, text: words, published, link: page, author }: FeedEntry): Element {
  const guid: Element =
    page === "" ? { name: "guid", attributes: { isPermaLink: "false" }, text: id } : text("guid", page);
  const children = [
    text("title", `${author.name}: ${title}`),
    text("description", asHtml(summary === "" ? words : `${summary}\n\n${words}`)),
    text("pubDate", storedMoment(published).toUTCString()),
    guid,
    ...(page === "" ? [] : [text("link", page)]),
  ];
  return { name: "item", children };
}

/** RSS has no word for these; readers take those of Atom. */
function link(rel: string, href: string): Element {
  return { name: "atom:link", attributes: { rel, type: "application/rss+xml", href } };
}

/** Readers take a description for HTML: text that looks like tags would be lost, or run. */
function asHtml(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function text(name: string, words: string): Element {
  return { name, text: words };
}
