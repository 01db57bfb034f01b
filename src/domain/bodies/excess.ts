import { refusal } from "../../errors.ts";
import type { FoundTags } from "./found-tags.ts";

/** Footnotes and what refers to them: more than the longest scholarly text has, and what reading them costs grows faster. */
const mostFootnotes = 2000;

/** More than anybody means; each is looked up, or stored as a row of its own and shown beside the text. */
const mostTags: Record<keyof FoundTags, number> = { mentions: 1000, hashtags: 500, bookmarks: 500 };

/** Refuses a text that no person writes, and that would cost far more than others of its length. Throws invalid. */
export function refuseFootnotes(body: string, mimetype: string): void {
  if (mimetype !== "text/markdown" && mimetype !== "text/x-multicode") return;
  let count = 0;
  for (let at = body.indexOf("[^"); at !== -1; at = body.indexOf("[^", at + 2)) count += 1;
  if (count > mostFootnotes) throw refusal("footnotes_too_many");
}

/** Refuses a text with more tags than anybody means. Throws invalid. */
export function refuseManyTags({ mentions, hashtags, bookmarks }: FoundTags): void {
  const tags = new Set(hashtags.map(({ tag }) => tag));
  const counts = { mentions: mentions.length, hashtags: tags.size, bookmarks: bookmarks.length };
  for (const kind of ["mentions", "hashtags", "bookmarks"] as const)
    if (counts[kind] > mostTags[kind]) throw refusal("tags_too_many", { most: mostTags[kind], kind });
}
