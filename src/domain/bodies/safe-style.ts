const colour = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d\s.,%]{1,40}\))$/i;
const length = /^(?:\d{1,4}(?:\.\d{1,3})?(?:px|em|rem|pt|%)?|auto)$/i;
const fontSize = /^(?:\d{1,3}(?:\.\d{1,3})?(?:px|em|rem|pt|%)|(?:xx?-)?(?:small|large)|medium|smaller|larger)$/i;

/** The style properties that stay, and what their values may be. */
const properties = new Map<string, RegExp>([
  ["color", colour],
  ["background-color", colour],
  ["font-size", fontSize],
  ["font-family", /^[\p{L}\d\s,'"-]{1,100}$/u],
  ["text-align", /^(?:left|right|center|justify|start|end)$/i],
  ["text-decoration", /^(?:none|underline|overline|line-through)$/i],
  ["float", /^(?:left|right|none)$/i],
  ["width", length],
  ["height", length],
  ["max-width", length],
  ["list-style-type", /^[a-z-]{1,30}$/i],
]);

/** Keeps the harmless declarations of a style attribute; may return ''. */
export function safeStyle(style: string): string {
  const kept = style.split(";").map(safeDeclaration);
  return kept.filter((declaration) => declaration !== "").join(";");
}

function safeDeclaration(declaration: string): string {
  const colon = declaration.indexOf(":");
  const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const value = declaration.slice(colon + 1).trim();
  return properties.get(property)?.test(value) ? `${property}:${value}` : "";
}

/** Whether a value is a colour as bodies may name it: a word or a hex number. */
export function isColour(value: string): boolean {
  return /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30})$/i.test(value);
}
