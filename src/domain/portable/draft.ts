import type { Sketch } from "../items/posting/sketches.ts";

/** What a channel has typed and not sent. */
export function draftRecord({ name, place, fields, changed }: Sketch): Record<string, unknown> {
  return { name, place, fields: fields.map(([field, value]) => ({ name: field, value })), changed };
}
