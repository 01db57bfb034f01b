import { escapeHtml, withoutBrackets } from "../../../domain/bodies/escape.ts";
import { withEmoji } from "../../../domain/bodies/emoji.ts";
import { leavesSite, safeUrl } from "../../../domain/bodies/safe-url.ts";
import type { Telling } from "../../../domain/portable/notice-sentence.ts";

/** What a notice says as HTML and as plain text: what its bbcode means, without reading that (a test compares them). */
export function noticeText(
  baseUrl: string,
  person: { name: string; url: string },
  { does, thing, after }: Telling,
  link: string,
): { html: string; plain: string } {
  const name = withEmoji(withoutBrackets(person.name));
  // As the filter of all HTML writes text.
  const label = escapeHtml(name).replaceAll("&quot;", '"');
  const what = thing === "" ? "" : ` ${linked(baseUrl, link, thing)}`;
  const words = thing === "" ? "" : ` ${thing}`;
  // The hub itself has no name.
  const who = label === "" ? "" : `${linked(baseUrl, person.url, label)} `;
  return {
    html: `${who}${does}${what}${after}`,
    plain: `${name} ${does}${words}${after}`.replace(/ +/g, " ").trim(),
  };
}

function linked(baseUrl: string, address: string, label: string): string {
  // Nearly all are addresses of the hub's own making.
  if (address.startsWith(`${baseUrl}/`)) return `<a class="zrl" href="${escapeHtml(address)}">${label}</a>`;
  const url = safeUrl(address, "link", baseUrl);
  if (url === undefined) return label;
  const rel = leavesSite(url, baseUrl) ? ' rel="nofollow noopener"' : "";
  return `<a class="zrl" href="${escapeHtml(url)}"${rel}>${label}</a>`;
}
