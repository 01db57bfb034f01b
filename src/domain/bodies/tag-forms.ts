import type { FoundHashtag, FoundMention, FoundTags } from "./found-tags.ts";

/* The pieces of the pattern. Every repetition is bounded or excludes what may follow it, so matching stays linear. */
const url = String.raw`(?:https?|ftp):\/\/[^\s\[\]<>"]+`;
const sign = "(?<sign>@!?|(?<!!)!!?)";
const braces = String.raw`\{(?<address>[^{}\[\]\r\n]{1,255})\}`;
const quotes = String.raw`"(?<full>[^"\[\]\r\n]{1,255})"`;
const port = String.raw`(?:(?<=[\p{L}\p{N}_]@[\p{L}\p{M}\p{N}.-]{1,253}):\d{1,5}(?!\d))?`;
// A full stop ends a sentence, and an @ without a host belongs to nothing: neither ends a name.
const name = String.raw`(?<name>[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.@~-]{0,253}[\p{L}\p{M}\p{N}_~-])?${port})(?<plus>\+\d{0,15})?`;
const quotedTag = String.raw`"(?<words>[^"\[\]\r\n]{1,255})"`;
const plainTag = String.raw`(?<tag>[^\s,;:?\[\]<>"()#^][^\s,;:?\[\]<>"()]{0,254})`;
const mention = String.raw`(?<![\p{L}\p{N}=\/?@])${sign}(?:${braces}|${quotes}|${name})`;
const hashtag = String.raw`(?<![\p{L}\p{N}=\/?#&])#(?:${quotedTag}|${plainTag})`;

let pattern: RegExp | undefined;

/** Finds the typed forms of mentions and hashtags in text without code and links. */
export function findInText(text: string): FoundTags {
  // URLs are matched, too, so that nothing is found inside of them.
  pattern ??= new RegExp(`${url}|${mention}|${hashtag}`, "giu");
  const found: FoundTags = { mentions: [], hashtags: [], bookmarks: [] };
  if (!/[@!#]/.test(text)) return found;
  for (const match of text.matchAll(pattern)) {
    const parts = match.groups ?? {};
    if (parts["sign"] !== undefined) found.mentions.push(mentionOf(match.index, match[0], parts));
    else {
      const tag = hashtagOf(match.index, match[0], parts);
      if (tag !== undefined) found.hashtags.push(tag);
    }
  }
  return found;
}

type Parts = Record<string, string | undefined>;

function mentionOf(start: number, source: string, parts: Parts): FoundMention {
  const sign = parts["sign"] ?? "";
  const common = {
    start,
    end: start + source.length,
    forum: !sign.startsWith("@") || parts["plus"] === "+",
    private: sign.length === 2,
  };
  if (parts["address"] !== undefined) return { ...common, form: "address", name: parts["address"].trim() };
  if (parts["full"] !== undefined) return { ...common, form: "fullname", name: parts["full"].trim() };
  const name = parts["name"] ?? "";
  if (parts["plus"] !== undefined && parts["plus"] !== "+") {
    return { ...common, form: "connection", name, connectionId: Number(parts["plus"]) };
  }
  return { ...common, form: "name", name };
}

function hashtagOf(start: number, source: string, parts: Parts): FoundHashtag | undefined {
  const written = parts["words"]?.trim() ?? parts["tag"] ?? "";
  const tag = parts["words"] === undefined ? written.replace(/[.!'’”»}*`]+$/, "") : written;
  if (tag === "" || /^\p{N}+$/u.test(tag)) return undefined;
  const end = start + source.length - (written.length - tag.length);
  return { start, end: parts["words"] === undefined ? end : start + source.length, tag };
}
