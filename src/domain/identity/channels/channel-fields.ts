import { refusal } from "../../../errors.ts";
import { inOneLine } from "../hidden-signs.ts";
import { isRoleName } from "./roles.ts";
import type { RoleName } from "./roles.ts";

/** A display name in its stored form. */
export function readName(text: string): string {
  const name = inOneLine(text);
  if (name === "") throw refusal("name_needed");
  if ([...name].length > 191) throw refusal("name_too_long");
  return name;
}

/** An IANA time zone. */
export function readTimezone(text: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    throw refusal("time_zone_unknown");
  }
}

/** The name of a role. */
export function readRole(text: string): RoleName {
  if (!isRoleName(text)) throw refusal("role_unknown");
  return text;
}
