import type { FoundHashtag, FoundMention, FoundTags } from "./found-tags.ts";

/** Whom a mention means: their page and their name. */
export type ResolvedMention = { url: string; name: string };

type Edit = { start: number; end: number; text: string };

/**
 * Writes resolved mentions and all hashtags as links; what is unresolved, already a link, or in a type other than
 * bbcode and multicode stays as it is.
 */
export function rewriteTags(
  body: string,
  mimetype: string,
  found: FoundTags,
  resolved: (mention: FoundMention) => ResolvedMention | undefined,
  baseUrl: string,
): string {
  if (mimetype !== "text/bbcode" && mimetype !== "text/x-multicode") return body;
  const mentions = found.mentions.flatMap((mention) => rewriteMention(body, mention, resolved));
  const hashtags = found.hashtags.flatMap((hashtag) => rewriteHashtag(body, hashtag, baseUrl));
  return applied(
    body,
    [...mentions, ...hashtags].sort((a, b) => a.start - b.start),
  );
}

function rewriteMention(
  body: string,
  mention: FoundMention,
  resolve: (mention: FoundMention) => ResolvedMention | undefined,
): Edit[] {
  const { start, end } = mention;
  const sign = /^(?:@!?|!!?)/.exec(body.slice(start, start + 2))?.[0] ?? "@";
  if (body[start + sign.length] === "[") return [];
  const person = resolve(mention);
  if (person === undefined) return [];
  // The plus sign asks a forum to deliver the post again, and hubs look for it in the label.
  const plus = mention.forum && sign.startsWith("@") ? "+" : "";
  return [
    {
      start,
      end,
      text: `${sign}[zrl=${safeUrl(person.url)}]${safeLabel(person.name)}${plus}[/zrl]`,
    },
  ];
}

function rewriteHashtag(body: string, { start, end, tag }: FoundHashtag, baseUrl: string): Edit[] {
  if (body[start + 1] === "[") return [];
  const url = `${baseUrl}/search?tag=${encodeURIComponent(tag.toWellFormed())}`;
  return [{ start, end, text: `#[zrl=${url}]${tag}[/zrl]` }];
}

/** Names come from other hubs and must not be able to end the tag. */
function safeLabel(name: string): string {
  return name.replaceAll("[", "(").replaceAll("]", ")").replace(/\s+/g, " ").trim();
}

function safeUrl(url: string): string {
  return url.replaceAll("[", "%5B").replaceAll("]", "%5D").replace(/\s+/g, "%20");
}

function applied(body: string, edits: Edit[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, text } of edits) {
    result += body.slice(done, start) + text;
    done = end;
  }
  return result + body.slice(done);
}
