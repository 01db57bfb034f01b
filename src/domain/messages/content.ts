import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";

/** The text of a new message in its stored form. Throws invalid (`no_content`) and too-large. */
export function readText(hub: Hub, text: string): string {
  const body = text.trim();
  if (body === "") throw new HubError("invalid", "no content", { reason: "no_content", field: "body" });
  if ([...body].length > hub.config.limits.body)
    throw new HubError("too-large", "The text is too long.", { reason: "text_too_long", field: "body" });
  return body;
}
