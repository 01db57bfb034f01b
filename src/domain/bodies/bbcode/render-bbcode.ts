import type { Site } from "../site.ts";
import { renderTree } from "./render-tree.ts";
import { scanTags } from "./scan.ts";
import { buildTree, pairTags, splitAtTags } from "./tree.ts";

/** Renders bbcode to unfiltered HTML. */
export function renderBbcode(body: string, site: Site, salt: string): string {
  const tags = scanTags(body);
  pairTags(tags);
  return renderTree(buildTree(splitAtTags(body, tags)), site, false, salt);
}
