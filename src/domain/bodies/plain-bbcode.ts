import { plainText } from "./plain-text.ts";
import { renderBody } from "./render.ts";

const site = { baseUrl: "", name: "" };

/** A short bbcode text without its markup; what has none comes back as it is. */
export function plainBbcode(text: string): string {
  return text.includes("[") ? plainText(renderBody(text, "text/bbcode", site), "label") : text.trim();
}
