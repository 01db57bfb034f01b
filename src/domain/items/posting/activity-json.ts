import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";

/** The JSON that programs bring along when they build items themselves. */

const mostAttachments = 100;

/** An object of an activity as JSON text. Throws invalid for anything else, too-large. */
export function activityObject(hub: Hub, json: string, field: string): string {
  const value = parse(hub, json, field);
  if (Array.isArray(value)) throw refusal("not_an_object", { field });
  return JSON.stringify(value);
}

/**
 * Attachments as JSON text; a single one may come without its list. Throws invalid when one has no address of the web:
 * clients lead people there.
 */
export function attachmentList(hub: Hub, json: string): string {
  const value = parse(hub, json, "attach");
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length > mostAttachments || !entries.every(isAttachment)) throw refusal("not_a_file_list");
  return entries.length === 0 ? "" : JSON.stringify(entries);
}

function parse(hub: Hub, json: string, field: string): object {
  if (json.length > hub.config.limits.body) throw refusal("activity_too_long", { field });
  const value = read(json);
  if (typeof value !== "object" || value === null) throw refusal("not_json", { field });
  return value;
}

function read(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isAttachment(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null || !("href" in entry)) return false;
  return typeof entry.href === "string" && /^https?:\/\/[^\s/<>"]/i.test(entry.href);
}
