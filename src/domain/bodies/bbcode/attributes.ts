const pattern = /([a-z_][a-z0-9_-]{0,30})=(?:'([^']*)'|"([^"]*)"|&quot;(.*?)&quot;|([^\s'"]+))/gi;

/** Reads the named attributes of a tag such as `[share author='..' link='..']`; names in lower case. */
export function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", single, double, encoded, bare] of text.matchAll(pattern)) {
    attributes.set(name.toLowerCase(), single ?? double ?? encoded ?? bare ?? "");
  }
  return attributes;
}
