import { HubError } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { accountFlags, findAccountById, insertAccount, prepareAccount } from "./accounts.ts";
import type { NewAccount } from "./accounts.ts";
import type { Caller } from "./channel.ts";
import { insertChannel, prepareChannel } from "./create-channel.ts";
import type { NewChannel } from "./create-channel.ts";
import { registration } from "./site-settings.ts";

/** Makes an account together with its first channel: both or neither. */
export async function register(hub: Hub, fields: NewAccount & NewChannel): Promise<Caller> {
  // Slow work first: hashing and keys do not belong into a transaction.
  const account = await prepareAccount(hub, fields);
  const channel = await prepareChannel(hub, fields);
  return inTransaction(hub, async (hub) => {
    const { account_id } = await insertAccount(hub, account);
    const first = await insertChannel(hub, account_id, channel);
    return { account: (await findAccountById(hub, account_id))!, channel: first };
  });
}

/** What a visitor does: as `register`, by the rule of the site (open, after approval, closed). */
export async function signUp(hub: Hub, fields: Omit<NewAccount, "flags" | "roles"> & NewChannel): Promise<Caller> {
  const rule = await registration(hub);
  if (rule === "closed") throw new HubError("denied", "This hub does not accept new accounts.");
  const { email, password, nick, name, role, timezone } = fields;
  const flags = rule === "approval" ? accountFlags.pending : 0;
  return register(hub, { email, password, nick, name, role, timezone, flags });
}
