import type { Hub } from "../../hub.ts";
import { accountFlags, findAccountById, listAdministrators } from "../identity/accounts/accounts.ts";
import { findChannelById } from "../identity/channels/find-channel.ts";
import { notify } from "../notifications/notify.ts";

/** Tells those who administer the hub that this account waits for their word; a job. */
export async function notifySignUp(hub: Hub, accountId: number): Promise<void> {
  const account = await findAccountById(hub, accountId);
  if (account?.account_flags !== accountFlags.pending) return;
  const newcomer = await findChannelById(hub, account.account_default_channel);
  if (!newcomer) return;
  for (const { account_default_channel } of await listAdministrators(hub)) {
    const to = await findChannelById(hub, account_default_channel);
    if (to) await notify(hub, [{ kind: "sign-up", to, actor: newcomer.xchan_id }]);
  }
}
