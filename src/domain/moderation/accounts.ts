import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { cutPage } from "../../storage/key-page.ts";
import { contains, folded, isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { storageUsed } from "../files/quota.ts";
import { accountFlags, accountRoles, findAccountById, isRemoved } from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";

/** Accounts as those who run the hub look at them. */

/** Which accounts: all, or those that wait, are limited, suspended, administer, or have not confirmed their address. */
export const accountFilters = ["all", "waiting", "limited", "suspended", "administrators", "unconfirmed"] as const;
export type AccountFilter = (typeof accountFilters)[number];

/** The newest first, who was here last first, or by address. */
export const accountOrders = ["newest", "active", "address"] as const;
export type AccountOrder = (typeof accountOrders)[number];

export type AccountChannel = { channel_id: number; channel_name: string; channel_address: string; xchan_id: number };
export type ListedAccount = Account & { channels: AccountChannel[] };

const isFlagged = (flag: keyof typeof accountFlags): RawBuilder<SqlBool> =>
  sql<SqlBool>`account_flags <> 0 and account_flags & ${sql.lit(accountFlags[flag])} <> 0`;

const conditions: Readonly<Record<Exclude<AccountFilter, "all">, RawBuilder<SqlBool>>> = {
  waiting: isFlagged("pending"),
  limited: sql<SqlBool>`account_limited = 1`,
  suspended: isFlagged("blocked"),
  administrators: sql<SqlBool>`account_roles <> 0 and account_roles & ${sql.lit(accountRoles.administrator)} <> 0`,
  unconfirmed: isFlagged("unverified"),
};

const isThere = sql<SqlBool>`account_flags & ${sql.lit(accountFlags.removed)} = 0`;

export type AccountQuery = {
  filter: AccountFilter;
  order: AccountOrder;
  /** What the address has in it, or the name or nick of a channel; empty for everybody. */
  search?: string;
  /** Only those whom this channel has invited. */
  invitedBy?: number | undefined;
  /** The last page's `next`. */
  before?: number | undefined;
  count: number;
};

/** A page of accounts with their channels; removed ones are not among them. */
export async function pageOfAccounts(
  hub: Hub,
  { filter, order, search = "", invitedBy, before, count }: AccountQuery,
): Promise<{ accounts: ListedAccount[]; next: number | undefined }> {
  let query = hub.db.selectFrom("account").select(columns).where(isThere);
  if (filter !== "all") query = query.where(conditions[filter]);
  if (search.trim() !== "") query = query.where(isAbout(hub, search.trim().slice(0, 100)));
  if (invitedBy !== undefined)
    query = query.where("account_invited_by", "=", invitedBy).where("account_invited_by", ">", sql.lit(0));
  if (before !== undefined) query = query.where(after(order, before));
  const rows = await ordered(query, order)
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.account_id);
  return { accounts: await withChannels(hub, page), next };
}

const columns = [
  "account_id",
  "account_parent",
  "account_default_channel",
  "account_email",
  "account_language",
  "account_created",
  "account_lastlog",
  "account_expires",
  "account_password_changed",
  "account_flags",
  "account_roles",
  "account_service_class",
  "account_level",
  "account_second_factor",
  "account_limited",
  "account_reason",
  "account_invited_by",
  "account_theme",
  "account_text_size",
] as const satisfies readonly (keyof Account)[];

type AccountRows = SelectQueryBuilder<Tables, "account", Account>;

function ordered(query: AccountRows, order: AccountOrder): AccountRows {
  if (order === "address") return query.orderBy("account_email");
  if (order === "active") return query.orderBy("account_lastlog", "desc").orderBy("account_id", "desc");
  return query.orderBy("account_id", "desc");
}

/** What comes after this account. */
function after(order: AccountOrder, before: number): RawBuilder<SqlBool> {
  const last = (column: string) =>
    sql`(select ${sql.ref(`b.${column}`)} from account b where b.account_id = ${before})`;
  if (order === "address") return sql<SqlBool>`account_email > ${last("account_email")}`;
  if (order === "active") return sql<SqlBool>`(account_lastlog, account_id) < (${last("account_lastlog")}, ${before})`;
  return sql<SqlBool>`account_id < ${before}`;
}

function isAbout(hub: Hub, search: string): RawBuilder<SqlBool> {
  const needle = sql`${search.replace(/^@/, "").toLowerCase()}`;
  const has = (text: RawBuilder<unknown>) => contains(hub.engine, folded(hub.engine, text), needle);
  return sql<SqlBool>`(${has(sql`account_email`)} or exists (select 1 from channel c
    where c.channel_account_id = account.account_id and c.channel_removed = 0
      and ${has(sql`c.channel_address || ' ' || c.channel_name`)}))`;
}

async function withChannels(hub: Hub, accounts: readonly Account[]): Promise<ListedAccount[]> {
  if (accounts.length === 0) return [];
  const ids = accounts.map(({ account_id }) => account_id);
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(["channel_id", "channel_account_id", "channel_name", "channel_address", "xchan_id"])
    .where(isOneOf(hub.engine, sql.ref("channel_account_id"), ids))
    .where("channel_removed", "=", 0)
    .orderBy("channel_id")
    .execute();
  return accounts.map((account) => ({
    ...account,
    channels: rows.filter(({ channel_account_id }) => channel_account_id === account.account_id),
  }));
}

export type AccountCounts = Record<AccountFilter, number>;

/** How many accounts there are of each sort, in one query. */
export async function countAccounts(hub: Hub): Promise<AccountCounts> {
  const number = (condition: RawBuilder<SqlBool>) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  const row = await hub.db
    .selectFrom("account")
    .select((eb) => eb.fn.countAll<number>().as("all"))
    .select([
      number(conditions.waiting).as("waiting"),
      number(conditions.limited).as("limited"),
      number(conditions.suspended).as("suspended"),
      number(conditions.administrators).as("administrators"),
      number(conditions.unconfirmed).as("unconfirmed"),
    ])
    .where(isThere)
    .executeTakeFirstOrThrow();
  return Object.fromEntries(accountFilters.map((name) => [name, Number(row[name])])) as AccountCounts;
}

/** What is known of one account besides: how many bytes it stores, who has invited it, how many it has invited, and reports. */
export type AccountRecord = ListedAccount & {
  storage: number;
  inviter: AccountChannel | undefined;
  invited: number;
  reports: { open: number; closed: number };
};

/** One account with all that a moderator needs. Throws missing for one that is unknown or removed. */
export async function findAccountRecord(hub: Hub, id: number): Promise<AccountRecord> {
  const account = await findAccountById(hub, id);
  if (!account || isRemoved(account)) throw missing("Account");
  const [[listed], storage, inviter, counts] = await Promise.all([
    withChannels(hub, [account]),
    storageUsed(hub, id),
    findInviter(hub, account.account_invited_by),
    countAbout(hub, id),
  ]);
  return { ...listed!, storage, inviter, ...counts };
}

async function findInviter(hub: Hub, channelId: number): Promise<AccountChannel | undefined> {
  if (channelId === 0) return undefined;
  return hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(["channel_id", "channel_name", "channel_address", "xchan_id"])
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
}

async function countAbout({ db }: Hub, id: number): Promise<Pick<AccountRecord, "invited" | "reports">> {
  const channels = db.selectFrom("channel").where("channel_account_id", "=", id);
  const row = await db
    .selectNoFrom([
      db
        .selectFrom("account")
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .where("account_invited_by", "in", channels.select("channel_id"))
        .where("account_invited_by", ">", sql.lit(0))
        .as("invited"),
      sql<number>`(select count(*) from report r where r.person_id in (${channelPeople(id)}) and r.closed_by = 0)`.as(
        "open",
      ),
      sql<number>`(select count(*) from report r where r.person_id in (${channelPeople(id)}) and r.closed_by > 0)`.as(
        "closed",
      ),
    ])
    .executeTakeFirstOrThrow();
  return { invited: Number(row.invited), reports: { open: Number(row.open), closed: Number(row.closed) } };
}

function channelPeople(id: number): RawBuilder<unknown> {
  return sql`select x.xchan_id from channel c join xchan x on x.xchan_hash = c.channel_hash where c.channel_account_id = ${id}`;
}
