import type { PermissionName } from "../../../../domain/identity/channels/roles.ts";
import type { Say } from "../../languages/say.ts";

/** A permission in words for the one who grants it. */
export function permissionLabel(say: Say, name: PermissionName): string {
  return say(`connections.may-${hyphened(name)}`);
}

type Hyphened<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}-${Hyphened<Rest>}` : Name;

/** A name of the contract in the form of keys. */
export function hyphened<Name extends string>(name: Name): Hyphened<Name> {
  return name.replaceAll("_", "-") as Hyphened<Name>;
}
