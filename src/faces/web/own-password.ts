import { logIn } from "../../domain/identity/accounts/log-in.ts";
import { HubError } from "../../errors.ts";
import { fault } from "./faults.ts";
import type { Fields } from "./fields.ts";
import type { MemberContext } from "./page.ts";

/**
 * Whoever finds an open browser must not get hold of the account or of its keys: the password is asked for again, and
 * throttled. Throws a fault of that field.
 */
export async function checkPassword(
  { hub, member, address, device }: MemberContext,
  typed: Fields,
  field = "password",
): Promise<void> {
  try {
    await logIn(hub, { login: member.account.account_email, password: typed.text(field), address, device });
  } catch (error) {
    if (error instanceof HubError && error.kind === "unauthenticated") throw fault(field, "This is not your password.");
    throw error;
  }
}
