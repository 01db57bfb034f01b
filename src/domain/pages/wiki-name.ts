import { refusal } from "../../errors.ts";
import { plainLine } from "../bodies/names.ts";

/** A name that a wiki or a page of one can have: one segment of an address. Throws invalid. */
export function wikiName(text: string, field: string): string {
  const name = plainLine(text, 191);
  if (name === "") throw refusal("name_needed", { field });
  if (name.includes("/") || name === "." || name === "..") throw refusal("wiki_name_wrong", { field });
  return name;
}
