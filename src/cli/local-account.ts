import { findAccount } from "../domain/identity/accounts/accounts.ts";
import type { Account } from "../domain/identity/accounts/accounts.ts";
import type { Hub } from "../hub.ts";
import { CommandError } from "./error-message.ts";

/** The account of this hub that the operator means. */
export async function localAccount(hub: Hub, email: string): Promise<Account> {
  const account = await findAccount(hub, email);
  if (!account) throw new CommandError(`Account ${email} not found.`);
  return account;
}
