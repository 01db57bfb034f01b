/** The content types a body may have (native contract 5.1). */
export const bodyMimetypes: readonly string[] = [
  "text/bbcode",
  "text/markdown",
  "text/html",
  "text/plain",
  "text/x-multicode",
];

/** The content types of page elements: those of bodies, and the layout language (native contract 5.1). */
export const pageMimetypes: readonly string[] = [...bodyMimetypes, "application/x-pdl"];
