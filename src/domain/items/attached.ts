import { isRecord } from "../../record-of.ts";

/** The entries of an item's list of attachments (native contract 2.8); what came from elsewhere may be anything. */
export function attachedTo(attach: string): Record<string, unknown>[] {
  if (attach === "") return [];
  try {
    const value: unknown = JSON.parse(attach);
    return Array.isArray(value) ? value.filter(isRecord) : [];
  } catch {
    return [];
  }
}
