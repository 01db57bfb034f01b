/** An XML element: either text or children. A list of children may be empty. */
export type Element = {
  name: string;
  attributes?: Readonly<Record<string, string>>;
  children?: readonly Element[];
  text?: string;
};

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
// What XML 1.0 forbids even when escaped: control characters, lone surrogates and two noncharacters.
const forbidden =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const special = /[&<>"\r]/;
const eachSpecial = /[&<>"\r]/g;
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };

/** The document with this root element, declaration included. */
export function writeXml(root: Element): string {
  return declaration + writeElement(root);
}

/** Text for use between tags or in an attribute; characters that XML forbids are left out. */
export function escapeXml(text: string): string {
  const clean = text.replace(forbidden, "");
  return special.test(clean) ? clean.replace(eachSpecial, escapeOne) : clean;
}

/** A name that XML accepts: what it does not allow becomes `_`. One colon (a prefix) may stay. */
export function xmlName(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_.:-]/g, "_");
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`;
}

function writeElement(element: Element): string {
  const start = element.attributes ? `<${element.name}${writeAttributes(element.attributes)}` : `<${element.name}`;
  const content = element.children ? writeAll(element.children) : escapeXml(element.text ?? "");
  return content === "" ? `${start}/>` : `${start}>${content}</${element.name}>`;
}

function writeAll(elements: readonly Element[]): string {
  let text = "";
  for (const element of elements) text += writeElement(element);
  return text;
}

function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes)) text += ` ${name}="${escapeXml(value)}"`;
  return text;
}

function escapeOne(character: string): string {
  return escapes[character]!;
}
