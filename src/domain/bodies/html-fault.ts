import { allowedAttributes, allowedTags } from "./allowed-html.ts";

type Open = { name: string; attributes: Map<string, string> };

const voids = new Set("br col hr img input source wbr".split(" "));
const schemes = /^(?:https?:|ftp:|mailto:|tel:|xmpp:|geo:|#|data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,)/i;
const badStyle = /url\(|expression|javascript|behavior|position|@import|\\|\/\*/i;

/**
 * For tests only. A strict reader, independent of the filter's parser: what it accepts leaves no room for interpretation. Returns the
 * first fault of rendered HTML, or '' when it is well-formed and harmless.
 */
export function faultOf(html: string): string {
  const stack: string[] = [];
  const rest = html.replace(/<!--viewer [a-z0-9=! -]+-->/g, "");
  const pattern = /<\/([a-z0-9]+)>|<([a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*)>|[^<>]+|[^]/g;
  for (const [source, closed, opened, attributes = ""] of rest.matchAll(pattern)) {
    if (source === "<" || source === ">") return `stray bracket in ${html}`;
    if (closed !== undefined && stack.pop() !== closed) return `unbalanced </${closed}>`;
    if (opened === undefined) continue;
    const fault = elementFault({ name: opened, attributes: read(attributes) });
    if (fault !== "") return fault;
    if (!voids.has(opened)) stack.push(opened);
  }
  return stack.length === 0 ? "" : `unclosed ${stack.join(" ")}`;
}

function read(source: string): Map<string, string> {
  const pairs = [...source.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)];
  return new Map(pairs.map(([, name = "", value = ""]) => [name, value]));
}

function elementFault({ name, attributes }: Open): string {
  if (!allowedTags.includes(name)) return `element ${name}`;
  if (name === "input" && (attributes.get("type") !== "checkbox" || !attributes.has("disabled"))) {
    return "form control";
  }
  const known = [...(allowedAttributes["*"] ?? []), ...(allowedAttributes[name] ?? []), "class"];
  for (const [key, value] of attributes) {
    if (key.startsWith("on") || !known.includes(key)) return `attribute ${key}`;
    if (["href", "src", "poster", "cite"].includes(key) && !schemes.test(value)) return `${key} ${value}`;
    if (key === "style" && badStyle.test(value)) return `style ${value}`;
    if (key === "id" && !value.startsWith("body-")) return `id ${value}`;
  }
  return "";
}
