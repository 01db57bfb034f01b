import { sql } from "kysely";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { accountFlags, closeAccount } from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { listChannels } from "../identity/channels/find-channel.ts";
import { holdAccount } from "../identity/channels/hold.ts";
import { releaseNick } from "../identity/channels/release-nick.ts";
import { dropFactors } from "../identity/factors/factors.ts";
import { dropPasskeys } from "../identity/factors/passkeys.ts";
import { tell } from "../recovery/told.ts";
import type { Words } from "../recovery/told.ts";
import { removeChannel } from "./remove-channel.ts";

/**
 * Removes an account with its channels and what they wrote and stored. Nicks stay taken, so that nobody else can be them, unless
 * nobody has ever been them (`nicks`). Throws conflict for the last administrator.
 */
export async function removeAccount(
  hub: Hub,
  { account_id: id, account_email: email }: Pick<Account, "account_id" | "account_email">,
  told: Words | undefined,
  nicks: "stay taken" | "are free" = "stay taken",
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await holdAccount(hub, id);
    for (const { channel_id: channel } of await listChannels(hub, id)) {
      await removeChannel(hub, channel);
      if (nicks === "are free") await releaseNick(hub, channel);
    }
    await dropFactors(hub, id);
    await dropPasskeys(hub, id);
    await closeAccount(hub, id);
    if (told) await tell(hub, email, told);
  });
}

const unconfirmedFor = 14 * 24 * 3600 * 1000;
const oneStep = 50;

/**
 * Removes accounts that were made two weeks ago and have never been confirmed: their nicks and addresses are free again. A
 * scheduled job.
 */
export async function dropUnconfirmed(hub: Hub): Promise<void> {
  for (let found = oneStep; found === oneStep;) {
    const accounts = await hub.db
      .selectFrom("account")
      .select(["account_id", "account_email"])
      .where("account_flags", "<>", sql.lit(0))
      .where("account_flags", "in", [accountFlags.unverified, accountFlags.unverified | accountFlags.pending])
      .where("account_lastlog", "=", sql.lit(zeroDate))
      .where("account_created", "<", momentIn(hub, -unconfirmedFor))
      .orderBy("account_id")
      .limit(oneStep)
      .execute();
    for (const account of accounts) await removeAccount(hub, account, undefined, "are free");
    found = accounts.length;
  }
}
