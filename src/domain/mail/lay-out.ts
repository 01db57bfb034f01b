import { escapeHtml } from "../bodies/escape.ts";
import type { Mail, Part } from "./mail.ts";

/** What a mail says, in both forms. */
export type LaidOut = { text: string; html: string };

/** Text and HTML of a mail: the same parts in the same order. HTML has its styles in it, because mail programs load nothing. */
export function layOut({ site, subject, parts }: Pick<Mail, "site" | "subject" | "parts">): LaidOut {
  return {
    text: `${parts.map(textOf).join("\n\n")}\n\n-- \n${oneLine(site)}\n`,
    html: `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(oneLine(subject))}</title></head><body style="${styles.body}"><div style="${styles.sheet}">${parts.map(htmlOf).join("")}<p style="${styles.foot}">${escapeHtml(oneLine(site))}</p></div></body></html>`,
  };
}

/** A text on one line, fit for a header: nothing that a person types begins a new one. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}

const styles = {
  body: "margin:0;padding:24px;background:#f4f5f7;color:#1c1f24;font:16px/1.5 system-ui,sans-serif",
  sheet: "max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:8px",
  button: "display:inline-block;padding:10px 18px;border-radius:6px;background:#2456c8;color:#fff;text-decoration:none",
  quote: "margin:0 0 16px;padding-left:12px;border-left:3px solid #c9ced6;white-space:pre-line",
  foot: "margin:24px 0 0;color:#59606b;font-size:14px",
};

function textOf(part: Part): string {
  if (typeof part === "string") return part;
  if ("heading" in part) return part.heading.toUpperCase();
  if ("quote" in part) return part.quote.replace(/^/gm, "> ");
  if ("entry" in part) return `* ${part.entry}\n  ${part.href}`;
  return `${part.button}:\n${part.href}`;
}

function htmlOf(part: Part): string {
  if (typeof part === "string") return `<p style="white-space:pre-line">${escapeHtml(part)}</p>`;
  if ("heading" in part) return `<h2 style="font-size:18px">${escapeHtml(part.heading)}</h2>`;
  if ("quote" in part) return `<blockquote style="${styles.quote}">${escapeHtml(part.quote)}</blockquote>`;
  if ("entry" in part) return `<p><a href="${escapeHtml(part.href)}">${escapeHtml(part.entry)}</a></p>`;
  return `<p><a style="${styles.button}" href="${escapeHtml(part.href)}">${escapeHtml(part.button)}</a></p>`;
}
