const special: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Makes text safe as HTML text and inside double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => special[character] ?? "");
}

/** A name within bbcode, where its brackets would begin or end a tag. */
export function withoutBrackets(name: string): string {
  return name.replace(/[[\]]/g, "");
}

const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

/** Reads back the entities that filtered HTML can contain: the escaped four, `'`, space and numbers. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, decodeOne);
}

function decodeOne(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "";
}

/** An HTML attribute with a leading space, or nothing for an empty value. */
export function attribute(name: string, value: string | number | undefined): string {
  return value === undefined || value === "" || value === 0 ? "" : ` ${name}="${escapeHtml(String(value))}"`;
}
