import type { Focus } from "../../../domain/cloud/describe.ts";
import { entriesOf, within } from "../../../http/nested.ts";
import { asText, lastOf } from "../../../http/values.ts";
import { longestDescription } from "../offered.ts";
import { invalid, readId } from "../parameters.ts";

/** What applications say of files (mastodon contract 13.9). */

/** A description. Throws invalid for one that is too long. */
export function descriptionIn(description: string): string {
  if ([...description].length > longestDescription) throw invalid("Description is too long");
  return description;
}

/** A focal point, `x,y`; undefined for none. Throws invalid. */
export function focusIn(focus = ""): Focus | undefined {
  if (focus.trim() === "") return undefined;
  const [x = Number.NaN, y = Number.NaN, ...more] = focus.split(",").map((part) => Number(part.trim() || Number.NaN));
  if (more.length > 0 || !(Math.abs(x) <= 1 && Math.abs(y) <= 1)) throw invalid("Focus is invalid");
  return [x, y];
}

/** What is said of files of a post in `media_attributes`, by their ids. Throws invalid. */
export function changedMedia(values: readonly unknown[] | undefined): {
  descriptions?: Map<number, string>;
  focuses?: Map<number, Focus>;
} {
  const descriptions = new Map<number, string>();
  const focuses = new Map<number, Focus>();
  for (const entry of entriesOf(values ?? [])) {
    const id = readId(lastOf(within(entry, "id")));
    const description = asText(lastOf(within(entry, "description")));
    const focus = focusIn(asText(lastOf(within(entry, "focus"))));
    if (id === undefined) continue;
    if (description !== undefined) descriptions.set(id, descriptionIn(description));
    if (focus) focuses.set(id, focus);
  }
  return { ...(descriptions.size > 0 && { descriptions }), ...(focuses.size > 0 && { focuses }) };
}
