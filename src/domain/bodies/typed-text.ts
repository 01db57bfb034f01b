import type { FoundTags } from "./found-tags.ts";
import { shareSpan } from "./share.ts";

/** A stored text in its parts: what was typed, the block of what it quotes, and the codes of its media. */
export type TextParts = { text: string; share: string; media: string[] };

const ownPage = String.raw`[^\]\s)"]*/photos/[^\]\s)"]*/image/[0-9a-f]{64}`;
const bbcodes = new RegExp(
  String.raw`^(?:\[zrl=${ownPage}\]\[zmg[^\]]*\][^[\]]*\[/zmg\]\[/zrl\]|\[audio[^\]]*\][^[\]]*\[/audio\]|\[video[^\]]*\][^[\]]*\[/video\])$`,
);
/** What posting puts at the end of a text for a file, in each format. */
const mediaCodes: Readonly<Record<string, RegExp>> = {
  "text/bbcode": bbcodes,
  "text/x-multicode": bbcodes,
  "text/markdown": new RegExp(String.raw`^\[!\[[^\]]*\]\([^)\s]*\)\]\(${ownPage}\)$`),
  "text/html": new RegExp(String.raw`^<a href="${ownPage}"><img [^<>]*></a>$`),
  "text/plain": new RegExp(`^${ownPage}$`),
};

/** Takes a stored text apart again; each code is a paragraph of its own, behind everything else. */
export function partsOf(body: string, mimetype: string): TextParts {
  const code = mediaCodes[mimetype];
  const paragraphs = body.split("\n\n");
  const media: string[] = [];
  while (code?.test((paragraphs.at(-1) ?? "").trim())) media.unshift(paragraphs.pop()!.trim());
  const rest = paragraphs.join("\n\n");
  const span = shareSpan(rest);
  if (!span || rest.slice(span.end).trim() !== "") return { text: rest.trim(), share: "", media };
  return { text: rest.slice(0, span.start).trim(), share: rest.slice(span.start, span.end), media };
}

/** The parts in one text again. */
export function joinedParts({ text, share, media }: TextParts): string {
  return [text.trim(), share, ...media].filter((part) => part !== "").join("\n\n");
}

/** A text with its mentions and hashtags as people type them; `addressOf` gives what stands behind the sign, where it is known. */
export function asTyped(
  text: string,
  found: FoundTags,
  addressOf: (url: string, label: string) => string | undefined,
): string {
  const mentions = found.mentions.map(({ start, end, name, forum }) => {
    const [sign = ""] = /^(?:@!?|!!?)/.exec(text.slice(start, start + 2)) ?? [];
    const label = /\](?<label>[^[\]]*)\[/.exec(text.slice(start, end))?.groups?.["label"] ?? "";
    const address = text[start + sign.length] === "[" ? addressOf(name, label) : undefined;
    return { start, end, text: address && sign + address + (forum && sign.startsWith("@") ? "+" : "") };
  });
  const hashtags = found.hashtags.map(({ start, end, tag }) => {
    const typed = /^[^\s"]+$/.test(tag) ? `#${tag}` : `#"${tag}"`;
    return { start, end, text: text[start + 1] === "[" ? typed : undefined };
  });
  let typed = "";
  let done = 0;
  for (const tag of [...mentions, ...hashtags].toSorted((one, other) => one.start - other.start)) {
    if (tag.text === undefined || tag.start < done) continue;
    typed += text.slice(done, tag.start) + tag.text;
    done = tag.end;
  }
  return typed + text.slice(done);
}
