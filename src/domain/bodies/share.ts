import { scanTags } from "./bbcode/scan.ts";
import type { BbTag } from "./bbcode/scan.ts";
import { pairTags } from "./bbcode/tree.ts";
import { readShare } from "./share-attributes.ts";
import type { Share } from "./share-attributes.ts";

export type { Share } from "./share-attributes.ts";

/** The `[share]` block that repeats a post. */
export function makeShare(share: Share): string {
  const attributes = [
    `author='${encoded(share.author)}'`,
    `profile='${safeValue(share.profile)}'`,
    `avatar='${safeValue(share.avatar)}'`,
    `link='${safeValue(share.link)}'`,
    `posted='${safeValue(share.posted)}'`,
    `message_id='${safeValue(share.messageId)}'`,
  ];
  return `[share ${attributes.join(" ")}]${withoutStrayShares(share.body)}[/share]`;
}

function encoded(author: string): string {
  return encodeURIComponent(author.toWellFormed()).replaceAll("'", "%27");
}

/** A value may end neither its quotes nor the tag. */
function safeValue(value: string): string {
  const code = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
  return value.replace(/[\s'"[\]]/g, (found) => (found === " " ? found : code(found)));
}

/** A share tag without its partner would end the block too early or never. */
function withoutStrayShares(body: string): string {
  let safe = "";
  let done = 0;
  for (const tag of pairedTags(body)) {
    if (tag.name !== "share" || tag.partner !== undefined) continue;
    safe += `${body.slice(done, tag.start)}(${tag.source.slice(1, -1)})`;
    done = tag.end;
  }
  return safe + body.slice(done);
}

/** What a text is written in that has a share beside words of this format: Markdown and HTML alone do not know the block. */
export function formatBesideShare(mimetype: string): string {
  return ["text/markdown", "text/html", "text/x-multicode"].includes(mimetype) ? "text/x-multicode" : "text/bbcode";
}

/** The first share of a body, outermost where they are nested, and the text around it. */
export function findShare(body: string): { share: Share; added: string } | undefined {
  if (!/\[share/i.test(body)) return undefined;
  const opener = pairedTags(body).find(isShare);
  const end = opener?.partner;
  if (opener === undefined || end === undefined) return undefined;
  const inside = body.slice(opener.end, end.start).trim();
  const around = [body.slice(0, opener.start).trim(), body.slice(end.end).trim()];
  const added = around.filter((text) => text !== "").join("\n");
  return { share: { ...readShare(opener.attributes), body: inside }, added };
}

/** Does a body repeat a post and add nothing? One that adds words quotes it. */
export function isPureShare(body: string): boolean {
  return findShare(body)?.added === "";
}

/** Where the first share of a body stands; undefined without one. */
export function shareSpan(body: string): { start: number; end: number } | undefined {
  if (!/\[share/i.test(body)) return undefined;
  const opener = pairedTags(body).find(isShare);
  return opener?.partner && { start: opener.start, end: opener.partner.end };
}

/** The ids of the posts that a body shares, also of those that stand in what it shares. */
export function sharedIds(body: string): string[] {
  if (!/\[share/i.test(body)) return [];
  const ids = pairedTags(body)
    .filter(isShare)
    .map(({ attributes }) => readShare(attributes).messageId);
  return [...new Set(ids)].filter((id) => id !== "");
}

/** The same body with nothing but a mark in the place of what it shares of these posts. */
export function withoutShared(body: string, gone: ReadonlySet<string>): string {
  if (gone.size === 0) return body;
  let rest = "";
  let done = 0;
  for (const tag of pairedTags(body)) {
    if (!isShare(tag) || tag.start < done) continue;
    const { messageId } = readShare(tag.attributes);
    if (!gone.has(messageId)) continue;
    rest += `${body.slice(done, tag.start)}[share message_id='${safeValue(messageId)}'][/share]`;
    done = tag.partner!.end;
  }
  return rest + body.slice(done);
}

/** The same body with a line that leads there in the place of its first share. */
export function withoutShare(body: string, address: string): string {
  const found = findShare(body);
  return found ? `${found.added}\n\nRE: ${address}`.trim() : body;
}

/** The post that was first shared when a share repeats a share. */
export function innermostShare(share: Share): Share {
  let innermost = share;
  let inside: BbTag | undefined;
  const tags = pairedTags(share.body);
  // In one walk: each share that begins inside of the one found before is a step inwards.
  for (const tag of tags) {
    if (!isShare(tag) || (inside !== undefined && tag.start > (inside.partner?.start ?? 0))) continue;
    inside = tag;
    const body = share.body.slice(tag.end, tag.partner?.start).trim();
    innermost = { ...readShare(tag.attributes), body };
  }
  return innermost;
}

function isShare(tag: BbTag): boolean {
  return tag.name === "share" && !tag.closing && tag.partner !== undefined;
}

function pairedTags(body: string): BbTag[] {
  const tags = scanTags(body);
  pairTags(tags);
  return tags;
}
