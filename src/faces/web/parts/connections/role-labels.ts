import { roleNames } from "../../../../domain/identity/channels/roles.ts";
import type { RoleName } from "../../../../domain/identity/channels/roles.ts";
import type { Say } from "../../languages/say.ts";
import { hyphened } from "./permission-labels.ts";

/** Roles in words. */
export function roleChoices(say: Say): [RoleName, string, string][] {
  return roleNames.map((name) => {
    const key = hyphened(name);
    return [name, say(`connections.role-${key}`), say(`connections.role-${key}-hint`)];
  });
}
