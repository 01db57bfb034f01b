/** Marks that stand for what HTML only means until it is known what else breaks the line there. */

/** The edge of a block, which is a line break unless there is one already. */
export const edge = "\ufdd0";
/** The edge of a paragraph, which is a blank line. */
export const paragraph = "\ufdd1";
/** White space that is only shown between words, unlike that of verbatim text. */
export const space = "\ufdd2";

/** Text from outside, in which no mark may stand. */
export function withoutMarks(text: string): string {
  return text.replace(/[\ufdd0-\ufdd2]/g, "");
}

/** The text with what its marks come to. */
export function tidied(text: string): string {
  return text
    .replace(/\ufdd2+/g, space)
    .replace(/\ufdd2?([\n\ufdd0\ufdd1])\ufdd2?/g, "$1")
    .replace(/[\n\ufdd0\ufdd1]+/g, lineBreaks)
    .replaceAll(space, " ")
    .trim();
}

/** A run of breaks: typed ones count each, edges of blocks together make at most what they need. */
function lineBreaks(run: string): string {
  const typed = run.split("\n").length - 1;
  return typed > 1 || run.includes(paragraph) ? "\n\n" : "\n";
}
