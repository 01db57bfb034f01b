/** One thing that a layout puts into a region. */
export type LayoutPart = { kind: "content" } | { kind: "block" | "menu"; name: string };

export type Region = { name: string; parts: LayoutPart[] };

/** How a page is laid out; regions in the order in which the layout names them. */
export type Layout = { template: string; regions: Region[] };

/** The region of what stands in none, and of the page's own text where no region takes it. */
const mainRegion = "content";

const tags =
  /\[region=["']?([\w-]{1,40})["']?\]|(\[\/region\])|\[(template|block|menu)(?:=[^[\]\n]{0,200})?\]([^[\]\n]{1,200})\[\/\3\]|(\[content\]|\$content\b)/gi;

/**
 * Reads a layout description: regions `[region=aside]...[/region]` with `[content]`, `[block]name[/block]` and
 * `[menu]name[/menu]` in them, and `[template]name[/template]`. Everything else is ignored; no text can be wrong.
 */
export function parseLayout(text: string): Layout {
  const regions = new Map<string, LayoutPart[]>();
  const add = (region: string, part: LayoutPart): void =>
    void regions.set(region, [...(regions.get(region) ?? []), part]);
  let template = "default";
  let region = mainRegion;
  let hasContent = false;
  for (const [, opened, closed, tag, name = "", content] of text.matchAll(tags)) {
    if (opened !== undefined) region = opened.toLowerCase();
    else if (closed !== undefined) region = mainRegion;
    else if (content !== undefined) {
      // A page is shown once, however often its layout asks for it.
      if (!hasContent) add(region, { kind: "content" });
      hasContent = true;
    } else if (tag?.toLowerCase() === "template") template = name.trim().toLowerCase();
    else add(region, { kind: tag?.toLowerCase() === "menu" ? "menu" : "block", name: name.trim() });
  }
  if (!hasContent) regions.set(mainRegion, [{ kind: "content" }, ...(regions.get(mainRegion) ?? [])]);
  return { template, regions: [...regions].map(([name, parts]) => ({ name, parts })) };
}
