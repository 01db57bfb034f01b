import { HubError } from "../../../errors.ts";
import { isRoleName } from "./roles.ts";
import type { RoleName } from "./roles.ts";

/** A display name in its stored form. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === "") throw new HubError("invalid", "A name is needed.", { field: "name" });
  if ([...name].length > 191)
    throw new HubError("invalid", "The name is longer than 191 characters.", { field: "name" });
  return name;
}

/** An IANA time zone. */
export function readTimezone(text: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    throw new HubError("invalid", "This time zone is not known.", { field: "timezone" });
  }
}

/** The name of a role. */
export function readRole(text: string): RoleName {
  if (!isRoleName(text)) throw new HubError("invalid", "This role is not known.", { field: "role" });
  return text;
}
