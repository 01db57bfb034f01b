import { isRoleName, roles } from "../domain/identity/channels/roles.ts";
import type { RoleName } from "../domain/identity/channels/roles.ts";
import { UsageError } from "./error-message.ts";

/** The role that the operator wrote. */
export function readRole(text: string | undefined): RoleName | undefined {
  if (text === undefined || isRoleName(text)) return text;
  throw new UsageError(`There is no role "${text}"; there are ${Object.keys(roles).join(", ")}.`);
}
