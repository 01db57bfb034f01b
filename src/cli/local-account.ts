import { findAccount } from "../domain/identity/accounts/accounts.ts";
import type { Account } from "../domain/identity/accounts/accounts.ts";
import { missing } from "../errors.ts";
import type { Hub } from "../hub.ts";

/** The account of this hub that the operator means. */
export async function localAccount(hub: Hub, email: string): Promise<Account> {
  const account = await findAccount(hub, email);
  if (!account) throw missing(`Account ${email}`);
  return account;
}
