import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeAccount } from "../connections/remove-account.ts";
import { issueAccountToken } from "../identity/accounts/account-tokens.ts";
import {
  accountFlags,
  findAccountById,
  isAdministrator,
  isRemoved,
  setAccountFlag,
  setAdministrator,
  setLimited,
} from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { endAccess } from "../identity/accounts/end-access.ts";
import { findChannelById } from "../identity/channels/find-channel.ts";
import { sendsMail } from "../mail/queue-mail.ts";
import { notify } from "../notifications/notify.ts";
import { tell } from "../recovery/told.ts";
import type { Words } from "../recovery/told.ts";
import { accountMeasures, readNote, recordMeasure } from "./log.ts";
import type { AccountMeasure } from "./log.ts";

export type Act = {
  measure: AccountMeasure;
  /** Words about it; `tells`: those which the owner of the account gets. */
  note: string;
  tells: boolean;
};

/** What the owner of an account is mailed about a measure, with these words of whoever took it; `token` opens what the mail offers. */
export type MeasureMail = (account: Account, measure: AccountMeasure, note: string, token?: string) => Words;

/** By which account, and because of which report and about which identity in it. */
type Because = { moderator: number; report?: number; person?: number };

/** Only these are taken about somebody who administers the hub. */
const aboutAdministrators: readonly AccountMeasure[] = ["demote", "note"];

/** What the owner learns on a page of the hub, besides by mail. */
const noticed: readonly AccountMeasure[] = ["warn", "limit", "unlimit"];

/** The measures that can be taken about this account as it stands. */
export function measuresFor(
  account: Pick<Account, "account_flags" | "account_roles" | "account_limited">,
): AccountMeasure[] {
  const { account_flags: flags, account_limited: limited } = account;
  const has = (flag: keyof typeof accountFlags): boolean => (flags & accountFlags[flag]) !== 0;
  const administers = isAdministrator(account);
  const fits: Record<AccountMeasure, boolean> = {
    approve: has("pending"),
    refuse: has("pending"),
    warn: flags === 0,
    limit: limited === 0 && !has("pending"),
    unlimit: limited === 1,
    block: !has("blocked") && !has("pending"),
    unblock: has("blocked"),
    password: (flags & ~accountFlags.unverified) === 0,
    "log-out": flags === 0,
    promote: flags === 0 && !administers,
    demote: administers,
    remove: !has("pending"),
    note: true,
  };
  const reached = (measure: AccountMeasure): boolean => !administers || aboutAdministrators.includes(measure);
  return has("removed") ? [] : accountMeasures.filter((measure) => fits[measure] && reached(measure));
}

/**
 * Takes a measure about an account, writes down who did, and tells its owner where that is wanted. Where the hub sends no mail, the
 * token of a link to a new password is answered, for whoever hands it over. Throws missing; denied for what cannot be done about
 * this account; invalid for a warning or note without words; conflict for the last administrator.
 */
export async function actOnAccount(
  hub: Hub,
  id: number,
  { moderator, report, person }: Because,
  { measure, note: words, tells }: Act,
  mail: MeasureMail,
): Promise<{ token?: string }> {
  const note = readNote(words);
  return inTransaction(hub, async (hub) => {
    const account = await findAccountById(hub, id);
    if (!account || isRemoved(account)) throw missing("Account");
    if (!measuresFor(account).includes(measure)) throw refusal("beyond_moderation");
    if (note === "" && (measure === "warn" || measure === "note")) throw refusal("note_needed");
    const channel = await findChannelById(hub, account.account_default_channel);
    const told = measure === "warn" || (tells && measure !== "note");
    // Before the account is gone, and with it its address.
    const token = await mailOwner(hub, account, { measure, note, told }, mail);
    await take(hub, account, measure);
    if (told && channel && noticed.includes(measure)) await notify(hub, [{ kind: "warned", to: channel, actor: 0 }]);
    await recordMeasure(hub, {
      report,
      moderator,
      person: person ?? channel?.xchan_id,
      account: id,
      measure,
      note,
      told,
    });
    return token === undefined ? {} : { token };
  });
}

async function mailOwner(
  hub: Hub,
  account: Account,
  { measure, note, told }: { measure: AccountMeasure; note: string; told: boolean },
  mail: MeasureMail,
): Promise<string | undefined> {
  if (measure === "password") {
    const { token, expires } = await issueAccountToken(hub, "password", account.account_id);
    await tell(hub, account.account_email, mail(account, measure, note, token), expires);
    return sendsMail(hub) ? undefined : token;
  }
  if (told) await tell(hub, account.account_email, mail(account, measure, note));
  return undefined;
}

async function take(hub: Hub, account: Account, measure: AccountMeasure): Promise<void> {
  const id = account.account_id;
  if (measure === "approve") await setAccountFlag(hub, id, "pending", false);
  else if (measure === "refuse") await removeAccount(hub, account, undefined, "are free");
  else if (measure === "limit" || measure === "unlimit") await setLimited(hub, id, measure === "limit");
  else if (measure === "block" || measure === "unblock") await setAccountFlag(hub, id, "blocked", measure === "block");
  else if (measure === "log-out") await endAccess(hub, id, ["guests", "places"]);
  else if (measure === "promote" || measure === "demote") await setAdministrator(hub, id, measure === "promote");
  else if (measure === "remove") await removeAccount(hub, account, undefined);
}
