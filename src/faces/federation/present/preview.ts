import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { plainText } from "../../../domain/bodies/plain-text.ts";

type Long = { title: string; summary: string; content: string; about: object; url: string };

const mostWords = 500;

/** What stands for an article where only short posts are shown (FEP-b2b8): its title, how it begins, and where it is. */
export function previewOf({ title, summary, content, about, url }: Long): object {
  const words = summary === "" ? beginningOf(content) : summary;
  const address = escapeHtml(url);
  const paragraphs = [
    `<strong>${escapeHtml(title)}</strong>`,
    escapeHtml(words),
    `<a href="${address}">${address}</a>`,
  ];
  const shown = paragraphs.filter((paragraph) => paragraph !== "").map((paragraph) => `<p>${paragraph}</p>`);
  return { type: "Note", ...about, content: shown.join("").replaceAll("\n", "<br>") };
}

/** No more of the text is read than may be shown. */
function beginningOf(content: string): string {
  const plain = plainText(content.slice(0, 10 * mostWords), "label").trim();
  return plain.length <= mostWords ? plain : `${plain.slice(0, mostWords).toWellFormed().trimEnd()} …`;
}
