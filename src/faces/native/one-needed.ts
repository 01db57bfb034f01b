import { HubError } from "../../errors.ts";

/** The last of several parameters that name the same thing: one of them has to be there. Throws missing_parameter. */
export function oneNeeded<T>(value: T | undefined, ...names: readonly [string, string, ...string[]]): NonNullable<T> {
  if (value !== undefined && value !== null && value !== "") return value;
  const words = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  throw new HubError("invalid", `One of ${words} is needed.`, { reason: "missing_parameter", field: names[0] });
}
