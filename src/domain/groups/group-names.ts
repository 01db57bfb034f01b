import { refusal } from "../../errors.ts";

/** A name as it is stored: in the composed form of Unicode, in which names compare. Throws invalid. */
export function readGroupName(text: string): string {
  const name = text.normalize("NFC").trim();
  if (name === "") throw refusal("group_name_needed");
  if ([...name].length > 191) throw refusal("name_too_long");
  return name;
}

/** By which address lines find a group: names with the same key may be taken for each other (mastodon contract 6.3). */
export function groupNameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll("_", " ").trim();
}
