import { UsageError } from "./error-message.ts";

/** Numbers from the command line; undefined when there are none. */
export function readIds(rest: readonly string[], what: string): number[] | undefined {
  const ids = rest.map((text) => {
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`"${text}" is not the number of a ${what}.`);
    return Number(text);
  });
  return ids.length > 0 ? ids : undefined;
}
