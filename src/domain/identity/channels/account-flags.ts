import type { Selectable } from "kysely";
import type { AccountTable } from "../../../storage/tables/identity.ts";

/** Bits of `account_flags`. */
export const accountFlags = { unverified: 1, blocked: 2, expired: 4, removed: 8, pending: 16 } as const;
export type AccountFlag = keyof typeof accountFlags;

export type Flagged = Pick<Selectable<AccountTable>, "account_flags">;

/** Has it been locked out or removed? Whoever runs the hub works for one that waits to be let in for the first time, too. */
export function isClosed({ account_flags }: Flagged): boolean {
  return (account_flags & (accountFlags.blocked | accountFlags.removed)) !== 0;
}

/** Has it been removed, with all its channels? */
export function isRemoved({ account_flags }: Flagged): boolean {
  return (account_flags & accountFlags.removed) !== 0;
}
