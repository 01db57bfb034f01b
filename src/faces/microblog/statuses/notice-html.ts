import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { runningText } from "../../../domain/bodies/running-text.ts";
import { leavesSite, safeUrl } from "../../../domain/bodies/safe-url.ts";
import type { Telling } from "../../../domain/portable/notice-sentence.ts";

/** What a notice says as HTML: what its bbcode means, without reading that (a test compares them). */
export function noticeHtml(
  baseUrl: string,
  person: { name: string; url: string },
  { does, thing, after }: Telling,
  link: string,
): string {
  const label = runningText(person.name.replace(/[[\]]/g, ""), { links: false, emoji: true });
  // As the filter of all HTML writes text.
  const name = label.replaceAll("&quot;", '"');
  const what = thing === "" ? "" : ` ${linked(baseUrl, link, thing)}`;
  return `${linked(baseUrl, person.url, name)} ${does}${what}${after}`;
}

function linked(baseUrl: string, address: string, label: string): string {
  const url = safeUrl(address, "link", baseUrl);
  if (url === undefined) return label;
  const rel = leavesSite(url, baseUrl) ? ' rel="nofollow noopener"' : "";
  return `<a class="zrl" href="${escapeHtml(url)}"${rel}>${label}</a>`;
}
