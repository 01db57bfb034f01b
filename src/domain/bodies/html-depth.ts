const manyTags = 4000;
const deepest = 200;
const selfClosed = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/**
 * Leaves out the start tags of absurdly deep nesting and end tags without a start. The HTML parser takes quadratic
 * time over both; bodies with few tags cannot be deep enough to matter and are not looked at.
 */
export function limitDepth(html: string): string {
  if (!hasManyTags(html)) return html;
  const open = new Map<string, number>();
  let depth = 0;
  return html.replace(/<(\/?)([a-z][a-z0-9-]*)[^<>]*>?/gi, (tag, slash: string, written: string) => {
    const name = written.toLowerCase();
    const change = slash === "" ? 1 : -1;
    const count = (open.get(name) ?? 0) + change;
    if (selfClosed.has(name)) return tag;
    if (count < 0 || depth + change > deepest) return "";
    open.set(name, count);
    depth += change;
    return tag;
  });
}

function hasManyTags(html: string): boolean {
  let found = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    found += 1;
    if (found > manyTags) return true;
  }
  return false;
}
