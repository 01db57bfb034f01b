/** The content types a body may have. */
export const bodyMimetypes: readonly string[] = [
  "text/bbcode",
  "text/markdown",
  "text/html",
  "text/plain",
  "text/x-multicode",
];

/** The content types of page elements: those of bodies, and the layout language. */
export const pageMimetypes: readonly string[] = [...bodyMimetypes, "application/x-pdl"];
