import { sql } from "kysely";
import type { ExpressionBuilder, SqlBool, Expression } from "kysely";
import type { HubError } from "../../../errors.ts";
import { missing, refusal, certain } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { hasCome } from "../../../lasting.ts";
import { zeroDate } from "../../../storage/sql.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import { siteTable } from "../site/site-settings.ts";
import { accountFlags } from "../channels/account-flags.ts";
import type { AccountFlag } from "../channels/account-flags.ts";
import { applyLimit } from "../channels/limited.ts";
import { endAccess, endSessions } from "./end-access.ts";
import type { Access } from "./end-access.ts";
import { checkNewPassword, hashPassword } from "./passwords.ts";

export { accountFlags, isClosed, isRemoved } from "../channels/account-flags.ts";

/** The columns of an Account. The password stays where it is. */
export const accountColumns = [
  "account.account_id",
  "account.account_parent",
  "account.account_default_channel",
  "account.account_email",
  "account.account_language",
  "account.account_created",
  "account.account_lastlog",
  "account.account_expires",
  "account.account_password_changed",
  "account.account_flags",
  "account.account_roles",
  "account.account_service_class",
  "account.account_level",
  "account.account_second_factor",
  "account.account_limited",
  "account.account_reason",
  "account.account_invited_by",
  "account.account_theme",
  "account.account_text_size",
] as const satisfies readonly ColumnName[];

/** An account as the rest of the program sees it: without the password. */
export type Account = RowOf<typeof accountColumns>;

/** Bits of `account_roles`. */
export const accountRoles = { administrator: 4096 } as const;
/** What is read by accounts that have chosen nothing. */
export const usualLanguage = "en";

export type NewAccount = {
  email: string;
  password: string;
  flags?: number | undefined;
  roles?: number | undefined;
  /** Why they want to join, where the site asks. */
  reason?: string | undefined;
  /** Id of the channel that has invited them. */
  invitedBy?: number | undefined;
};

/** Makes an account; the e-mail address must be free, whatever its case. */
export async function createAccount(hub: Hub, account: NewAccount): Promise<Account> {
  const checked = await prepareAccount(hub, account);
  return inTransaction(hub, (hub) => insertAccount(hub, checked));
}

/** An account that has passed all checks; its password is hashed outside of any transaction, because that is slow. */
export type PreparedAccount = {
  email: string;
  hash: string;
  flags: number;
  roles: number;
  reason?: string;
  invitedBy?: number;
};

/** Checks the fields of a new account and hashes its password. */
export async function prepareAccount(hub: Hub, account: NewAccount): Promise<PreparedAccount> {
  const { password, flags = 0, roles = 0, reason = "", invitedBy = 0 } = account;
  const email = await checkEmail(hub, account.email);
  await checkNewPassword(hub, password);
  return { email, hash: await hashPassword(hub, password), flags, roles, reason: readReason(reason), invitedBy };
}

/** The address of a new account in its stored form. Throws when it is none, or taken. */
export async function checkEmail(hub: Hub, text: string): Promise<string> {
  const email = readEmail(text);
  if (await findAccount(hub, email)) throw emailTaken();
  return email;
}

/** Writes a prepared account; part of a transaction. */
export async function insertAccount(hub: Hub, account: PreparedAccount): Promise<Account> {
  const { email, hash, flags, roles, reason = "", invitedBy = 0 } = account;
  const written = await hub.db
    .insertInto("account")
    .values({
      account_email: email,
      account_password: hash,
      account_created: now(hub),
      account_flags: flags,
      account_roles: roles,
      account_reason: reason,
      account_invited_by: invitedBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("account_id")
    .executeTakeFirst();
  if (!written) throw emailTaken();
  await hub.db
    .updateTable("account")
    .set({ account_parent: written.account_id })
    .where("account_id", "=", written.account_id)
    .execute();
  return certain(await findAccountById(hub, written.account_id), "account");
}

/** The account with this e-mail address, in any case. */
export async function findAccount(hub: Hub, email: string): Promise<Account | undefined> {
  return hub.db
    .selectFrom("account")
    .select(accountColumns)
    .where("account_email", "=", email.trim().toLowerCase())
    .executeTakeFirst();
}

/** The account with this id. */
export async function findAccountById(hub: Hub, accountId: number): Promise<Account | undefined> {
  return hub.db.selectFrom("account").select(accountColumns).where("account_id", "=", accountId).executeTakeFirst();
}

/** The accounts with these ids. */
export async function findAccounts(hub: Hub, ids: readonly number[]): Promise<Account[]> {
  if (ids.length === 0) return [];
  return hub.db
    .selectFrom("account")
    .select(accountColumns)
    .where("account_id", "in", [...ids])
    .execute();
}

/** All accounts of the hub, by id. */
export async function listAccounts(hub: Hub): Promise<Account[]> {
  return hub.db.selectFrom("account").select(accountColumns).orderBy("account_id").execute();
}

/**
 * Gives the account a new password; whatever else lets in to it ends with the old one, besides what is kept. `besides` is done in the
 * same transaction.
 */
export async function setPassword(
  hub: Hub,
  accountId: number,
  password: string,
  keep: readonly Access[] = [],
  besides: (hub: Hub) => Promise<void> = () => Promise.resolve(),
): Promise<Account> {
  await checkNewPassword(hub, password);
  const hash = await hashPassword(hub, password);
  return inTransaction(hub, async (hub) => {
    await besides(hub);
    await changeAccount(hub, accountId, { account_password: hash, account_password_changed: now(hub) });
    await endAccess(hub, accountId, keep);
    return certain(await findAccountById(hub, accountId), "account");
  });
}

/** The language that the account has chosen, as a tag such as `en` or `pt-br`; nothing leaves it to the browser. */
export async function setLanguage(hub: Hub, accountId: number, language: string): Promise<void> {
  const tag = language.trim().toLowerCase();
  if (tag !== "" && !/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/.test(tag)) throw refusal("language_unknown");
  await changeAccount(hub, accountId, { account_language: tag });
}

/** The language of the account for those who have to name one. */
export function languageOf({ account_language }: Pick<Account, "account_language">): string {
  return account_language || usualLanguage;
}

/** Gives the account another e-mail address, in its stored form (`checkEmail`); part of a transaction. Throws conflict when it is taken. */
export async function changeEmail(hub: Hub, accountId: number, email: string): Promise<void> {
  if (await findAccount(hub, email)) throw emailTaken();
  await changeAccount(hub, accountId, { account_email: email });
}

/**
 * Nobody logs in to this account any more, and nothing says whose it was: its address is free again. Part of a transaction. Throws
 * conflict for the last administrator.
 */
export async function closeAccount(hub: Hub, accountId: number): Promise<void> {
  await refuseLastAdministrator(hub, accountId);
  await changeAccount(hub, accountId, {
    account_email: `removed ${accountId}`,
    account_password: "",
    account_flags: accountFlags.removed,
    account_roles: 0,
  });
  await endAccess(hub, accountId);
}

/** Limits the account, or ends that: what its channels say is shown to nobody who has not asked for it. Part of a transaction. */
export async function setLimited(hub: Hub, accountId: number, on: boolean): Promise<void> {
  await changeAccount(hub, accountId, { account_limited: on ? 1 : 0 });
  await applyLimit(hub, accountId);
}

/** Makes the account one that administers the site, or one that does not. Throws conflict for the last administrator. */
export async function setAdministrator(hub: Hub, accountId: number, on: boolean): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (!on) await refuseLastAdministrator(hub, accountId);
    const bit = accountRoles.administrator;
    await changeAccount(hub, accountId, {
      account_roles: on ? sql<number>`account_roles | ${sql.lit(bit)}` : sql<number>`account_roles & ${sql.lit(~bit)}`,
    });
  });
}

/** The accounts that administer the site and may log in. */
export async function listAdministrators(hub: Hub): Promise<Account[]> {
  return hub.db
    .selectFrom("account")
    .select(accountColumns)
    .where("account_roles", "<>", sql.lit(0))
    .where(isAdministering)
    .where("account_flags", "=", 0)
    .orderBy("account_id")
    .execute();
}

/**
 * Is this the channel by which somebody runs the hub, where the site shows that? Of several channels of an account it is the first one: the
 * others may be somebody else to the world. Of the tables `channel`. The setting is looked up once a statement, and the offset keeps
 * PostgreSQL from finding all who run the hub first, among all accounts.
 */
export const isShownAdministrator = sql<number>`(exists (select 1 from setting rs where rs.k = ${sql.lit(siteTable.showsAdministrators.k)} and rs.v = '1')
  and exists (select 1 from account ra where ra.account_id = channel.channel_account_id
    and ra.account_default_channel = channel.channel_id
    and ra.account_roles & ${sql.lit(accountRoles.administrator)} <> 0 limit 1 offset 0))`;

const isAdministering = sql<SqlBool>`account_roles & ${sql.lit(accountRoles.administrator)} <> 0`;

/** Of several who go at the same time one finds that nobody else is left. Part of a transaction. */
async function refuseLastAdministrator(hub: Hub, accountId: number): Promise<void> {
  if (hub.engine === "postgres")
    await hub.db
      .selectFrom("account")
      .select("account_id")
      .where(isAdministering)
      .orderBy("account_id")
      .forNoKeyUpdate()
      .execute();
  if (await isLastAdministrator(hub, accountId)) throw refusal("last_administrator");
}

/** Would nobody administer the site without this account? */
export async function isLastAdministrator(hub: Hub, accountId: number): Promise<boolean> {
  const [first, ...others] = await listAdministrators(hub);
  return first?.account_id === accountId && others.length === 0;
}

/** Sets or clears one flag; an account with any flag cannot authenticate. */
export async function setAccountFlag(hub: Hub, accountId: number, flag: AccountFlag, on: boolean): Promise<Account> {
  const bit = accountFlags[flag];
  return inTransaction(hub, async (hub) => {
    await changeAccount(hub, accountId, {
      account_flags: on ? sql<number>`account_flags | ${sql.lit(bit)}` : sql<number>`account_flags & ${sql.lit(~bit)}`,
    });
    if (on) await endSessions(hub, accountId);
    return certain(await findAccountById(hub, accountId), "account");
  });
}

/** May this account change the site? */
export function isAdministrator(account: Pick<Account, "account_roles">): boolean {
  return (account.account_roles & accountRoles.administrator) !== 0;
}

/** May the account authenticate, now or at the `moment`? A piece of every query that lets somebody in. */
export function mayAuthenticate(hub: Hub, moment: string | Expression<string> = now(hub)) {
  return (eb: ExpressionBuilder<Tables, "account">): Expression<SqlBool> =>
    eb.and([
      eb("account_flags", "=", sql.lit(0)),
      eb.or([eb("account_expires", "=", sql.lit(zeroDate)), eb("account_expires", ">", moment)]),
    ]);
}

/** The same of an account that has been read. */
export function isInOrder(
  hub: Hub,
  { account_flags, account_expires }: Pick<Account, "account_flags" | "account_expires">,
): boolean {
  return account_flags === 0 && (account_expires === zeroDate || !hasCome(hub, account_expires));
}

/** Until when the account lets in by something that lasts until then: it may end before that. */
export function untilWith({ account_expires }: Pick<Account, "account_expires">, expires: string): string {
  return account_expires === zeroDate || account_expires > expires ? expires : account_expires;
}

export async function changeAccount(hub: Hub, accountId: number, values: object): Promise<void> {
  const { numUpdatedRows } = await hub.db
    .updateTable("account")
    .set(values)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw missing("Account");
}

function emailTaken(): HubError {
  return refusal("email_taken");
}

const longestReason = 1000;

/** Why somebody wants to join, in the stored form. Throws for too many words. */
export function readReason(text: string): string {
  const reason = text.trim();
  if (reason.length > longestReason) throw refusal("reason_too_long", { most: longestReason });
  return reason;
}

function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !/^[^\s@\0]+@[^\s@\0]+$/.test(email)) {
    throw refusal("email_wrong");
  }
  return email;
}
