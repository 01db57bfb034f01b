import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { personalise } from "../bodies/personalise.ts";
import { plainText } from "../bodies/plain-text.ts";
import { renderBody } from "../bodies/render.ts";
import { siteName } from "../identity/site-settings.ts";

/** A bbcode text as people read it, made once when the message is stored. */
export async function renderMessage(hub: Hub, body: string): Promise<{ html: string; plain: string }> {
  const name = /\[sitename\]/i.test(body) ? await siteName(hub) : "";
  const html = renderBody(body, "text/bbcode", { baseUrl: hub.config.baseUrl, name });
  return { html, plain: plainText(personalise(html, undefined), "label") };
}

/** The text of a new message in its stored form. Throws invalid (`no_content`) and too-large. */
export function readText(hub: Hub, text: string): string {
  const body = text.trim();
  if (body === "") throw new HubError("invalid", "no content", { reason: "no_content", field: "body" });
  if ([...body].length > hub.config.limits.body)
    throw new HubError("too-large", "The text is too long.", { reason: "text_too_long", field: "body" });
  return body;
}
