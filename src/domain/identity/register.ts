import { HubError } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { accountFlags, checkAccount, findAccountById, insertAccount, prepareAccount } from "./accounts.ts";
import type { NewAccount } from "./accounts.ts";
import type { Caller } from "./channel.ts";
import { checkChannel, insertChannel, prepareChannel } from "./create-channel.ts";
import type { NewChannel } from "./create-channel.ts";
import { countSignUp } from "./sign-up-limit.ts";
import { registration } from "./site-settings.ts";

/** Makes an account together with its first channel: both or neither. */
export async function register(hub: Hub, fields: NewAccount & NewChannel): Promise<Caller> {
  // Slow work comes when all is checked, and before the transaction: hashing and keys do not belong there.
  await checkChannel(hub, fields);
  const account = await prepareAccount(hub, fields);
  const channel = await prepareChannel(hub, fields);
  return inTransaction(hub, async (hub) => {
    const { account_id } = await insertAccount(hub, account);
    const first = await insertChannel(hub, account_id, channel);
    return { account: (await findAccountById(hub, account_id))!, channel: first };
  });
}

export type SignUp = Omit<NewAccount, "flags" | "roles"> &
  NewChannel & {
    /** Network address of the visitor. */
    address: string;
  };

/** What a visitor does: as `register`, by the rule of the site (open, after approval, closed), five an hour from one network. */
export async function signUp(hub: Hub, fields: SignUp): Promise<Caller> {
  const rule = await registration(hub);
  if (rule === "closed") throw new HubError("denied", "This hub does not accept new accounts.");
  const { email, password, nick, name, role, timezone, address } = fields;
  await checkChannel(hub, fields);
  await checkAccount(hub, fields);
  const counted = countSignUp(hub, address);
  try {
    const flags = rule === "approval" ? accountFlags.pending : 0;
    return await register(hub, { email, password, nick, name, role, timezone, flags });
  } catch (error) {
    counted.takeBack();
    throw error;
  }
}
