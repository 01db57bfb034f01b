/** XML that is written already: whole elements, or what stands between the tags of one. */
export class XmlText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An XML element: either text or children. A list of children may be empty. */
export type Element = {
  name: string;
  attributes?: Readonly<Record<string, string>>;
  children?: readonly (Element | XmlText)[];
  text?: string;
};

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
// What XML 1.0 forbids even when escaped: control characters, lone surrogates and two noncharacters.
const forbidden =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const forbiddenButSurrogates = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const special = /[&<>\r]/;

/** The document with this root element, declaration included. */
export function writeXml(root: Element | XmlText): string {
  return declaration + writeElement(root);
}

/** The element, without a declaration. */
export function writeElement(element: Element | XmlText): string {
  if (element instanceof XmlText) return element.text;
  const start = element.attributes ? `${element.name}${writeAttributes(element.attributes)}` : element.name;
  return writeTag(start, element.name, element.children ? writeAll(element.children) : escapeXml(element.text ?? ""));
}

/** An element around what is written already. */
export function inTag(name: string, content: string): string {
  return writeTag(name, name, content);
}

/** Text for use between tags; characters that XML forbids are left out. */
export function escapeXml(text: string): string {
  const clean = forbiddenButSurrogates.test(text) || !text.isWellFormed() ? text.replace(forbidden, "") : text;
  if (!special.test(clean)) return clean;
  const escaped = clean.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replaceAll("\r", "&#13;");
}

/** A name that XML accepts: what it does not allow becomes `_`. One colon (a prefix) may stay. */
export function xmlName(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_.:-]/g, "_");
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`;
}

/** Attributes with a space before each, for use in a tag. */
export function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes)) text += ` ${name}="${escapeAttribute(value)}"`;
  return text;
}

/** Readers make spaces of bare line ends and tabs in attributes. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

function writeTag(start: string, name: string, content: string): string {
  return content === "" ? `<${start}/>` : `<${start}>${content}</${name}>`;
}

function writeAll(elements: readonly (Element | XmlText)[]): string {
  let text = "";
  for (const element of elements) text += writeElement(element);
  return text;
}
