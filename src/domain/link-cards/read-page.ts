import { setImmediate } from "node:timers/promises";
import { Parser } from "htmlparser2";
import { languageTag, oneLine, webAddress } from "./one-line.ts";

/** What a page says of itself; texts are plain, and empty where it says nothing. */
export type PageWords = {
  title: string;
  description: string;
  site: string;
  author: string;
  language: string;
  /** Of its picture: the whole address, and words for it. */
  picture: string;
  pictureText: string;
};

/** So many characters are parsed in one go: less than a millisecond. */
const piece = 16_384;

/** Nobody nests a head so deep; the parser takes the longer for each tag, the more of them are open. */
const deepest = 100;

/** What is looked at besides the title, in the order in which it counts. */
const names = {
  title: ["og:title", "twitter:title"],
  description: ["og:description", "twitter:description", "description"],
  site: ["og:site_name", "application-name"],
  author: ["author", "article:author"],
  picture: ["og:image:secure_url", "og:image:url", "og:image", "twitter:image", "twitter:image:src"],
  pictureText: ["og:image:alt", "twitter:image:alt"],
} as const;

const wanted: ReadonlySet<string> = new Set(Object.values(names).flat());

const longest = {
  title: 300,
  description: 500,
  site: 100,
  author: 100,
  language: 35,
  pictureText: 1500,
};

/** What the head of a page says, read a piece at a time so that nobody waits for it; `url` is where the page was found. */
export async function readPage(html: string, url: string): Promise<PageWords> {
  const found = new Map<string, string>();
  let [isOver, depth] = [false, 0];
  /** The title, while it is read. */
  let title: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (isOver) return;
        depth++;
        if (name === "html") found.set("language", attributes["lang"] ?? "");
        else if (name === "body" || depth > deepest) isOver = true;
        else if (name === "title" && !found.has("title")) title = "";
        else if (name === "meta") keepMeta(found, attributes);
      },
      ontext(text) {
        if (title !== undefined && title.length < 2 * longest.title) title += text;
      },
      onclosetag(name) {
        depth--;
        if (name === "title" && title !== undefined) {
          found.set("title", title);
          title = undefined;
        } else if (name === "head") isOver = true;
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && !isOver; at += piece) {
    parser.write(html.slice(at, at + piece));
    await setImmediate();
  }
  return pageWords(found, url);
}

/** The first one of a name counts. */
function keepMeta(found: Map<string, string>, attributes: Record<string, string>): void {
  const name = (attributes["property"] ?? attributes["name"] ?? "").trim().toLowerCase();
  const content = attributes["content"] ?? "";
  if (wanted.has(name) && !found.has(name) && content.trim() !== "") found.set(name, content);
}

function pageWords(found: ReadonlyMap<string, string>, url: string): PageWords {
  const of = (key: keyof typeof names): string =>
    names[key].map((name) => found.get(name)).find((value) => value !== undefined) ?? "";
  const author = oneLine(of("author"), longest.author);
  return {
    title: oneLine(of("title") || (found.get("title") ?? ""), longest.title),
    description: oneLine(of("description"), longest.description),
    site: oneLine(of("site"), longest.site),
    // Some name a page there.
    author: /^https?:/i.test(author) ? "" : author,
    language: languageTag(found.get("language") ?? ""),
    picture: webAddress(of("picture").trim(), url),
    pictureText: oneLine(of("pictureText"), longest.pictureText),
  };
}
