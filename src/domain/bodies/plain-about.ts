import { plainText } from "./plain-text.ts";
import { renderBody } from "./render.ts";

const site = { baseUrl: "", name: "" };

/** An about text without its markup; what has none comes back as it is. */
export function plainAbout(about: string): string {
  return about.includes("[") ? plainText(renderBody(about, "text/bbcode", site), "label") : about.trim();
}
