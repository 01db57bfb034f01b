import { escapeHtml } from "../../../../domain/bodies/escape.ts";
import { withPictureCodes } from "../../../../domain/bodies/picture-codes.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { emojiUrl } from "../../../../domain/proxy/emoji.ts";
import { html, raw } from "../../html.ts";
import { withoutHost } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";

export type Named = Pick<Xchan, "xchan_name"> & Partial<Pick<Xchan, "xchan_emoji" | "xchan_hash">>;

/** What somebody calls themself, with the pictures that their server has for codes in it. */
export function nameOf(
  { hub }: PageContext,
  { xchan_name: name, xchan_emoji: emoji, xchan_hash: id = "" }: Named,
): Html {
  if (!emoji || !URL.canParse(id)) return html`${name}`;
  const { host } = new URL(id);
  const address = (code: string): string => withoutHost(hub.config.baseUrl, emojiUrl(hub, host, code));
  return html`${raw(withPictureCodes(escapeHtml(name), emoji.split(" "), address))}`;
}
