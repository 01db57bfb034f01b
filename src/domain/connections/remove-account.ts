import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { closeAccount } from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { listChannels } from "../identity/channels/find-channel.ts";
import { dropFactors } from "../identity/factors/factors.ts";
import { dropPasskeys } from "../identity/factors/passkeys.ts";
import { tell } from "../recovery/told.ts";
import type { Words } from "../recovery/told.ts";
import { removeChannel } from "./remove-channel.ts";

/**
 * Removes an account with its channels, and, by jobs, what they wrote and stored; other hubs are told that they are gone. Nicks stay taken, so
 * that nobody else can be them. Throws conflict for the last administrator.
 */
export async function removeAccount(
  hub: Hub,
  { account_id: id, account_email: email }: Pick<Account, "account_id" | "account_email">,
  told: Words,
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const { channel_id: channel, xchan_id: xchan } of await listChannels(hub, id)) {
      await removeChannel(hub, channel);
      await addJob(hub, "forget-person", { xchan });
      await addJob(hub, "empty-cloud", { channel });
    }
    await dropFactors(hub, id);
    await dropPasskeys(hub, id);
    await closeAccount(hub, id);
    await tell(hub, email, told);
  });
}
