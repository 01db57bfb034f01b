import type { BbTag } from "./bbcode/scan.ts";
import { signBefore } from "./bbcode/link-tags.ts";
import type { Sign } from "./bbcode/link-tags.ts";
import type { FoundTags } from "./found-tags.ts";

type Link = { sign: Sign; start: number; end: number; url: string; label: string };

/** Finds the links that a sign makes a mention, a hashtag or a bookmark. */
export function findLinked(body: string, tags: BbTag[]): FoundTags {
  const found: FoundTags = { mentions: [], hashtags: [], bookmarks: [] };
  let done = 0;
  for (const tag of tags) {
    const link = linkOf(body.slice(Math.max(done, tag.start - 4), tag.start), body, tag);
    if (link !== undefined) add(found, link);
    done = tag.end;
  }
  return found;
}

function linkOf(before: string, body: string, tag: BbTag): Link | undefined {
  const isLink = tag.name === "url" || tag.name === "zrl";
  if (!isLink || tag.closing || (tag.raw === undefined && tag.partner === undefined)) return undefined;
  const sign = signBefore(before, tag.name);
  if (sign === undefined) return undefined;
  const label = (tag.raw ?? body.slice(tag.end, tag.partner?.start)).trim();
  const end = tag.partner?.end ?? tag.end;
  return { sign, start: tag.start - sign.length, end, url: (tag.value ?? label).trim(), label };
}

function add(found: FoundTags, { sign, start, end, url, label }: Link): void {
  if (sign === "#^") found.bookmarks.push({ url, title: label });
  else if (sign === "#") found.hashtags.push({ start, end, tag: label });
  else {
    const forum = sign.startsWith("!") || label.endsWith("+");
    found.mentions.push({
      start,
      end,
      name: url,
      form: "address",
      forum,
      private: sign.length === 2,
    });
  }
}
