import type { Hub } from "../../hub.ts";
import { renderBody } from "../bodies/render.ts";
import { siteName } from "../identity/site-settings.ts";

/** A description as people read it, made once when it is stored. */
export async function renderDescription(hub: Hub, description: string): Promise<string> {
  const name = /\[sitename\]/i.test(description) ? await siteName(hub) : "";
  return renderBody(description, "text/bbcode", { baseUrl: hub.config.baseUrl, name });
}
