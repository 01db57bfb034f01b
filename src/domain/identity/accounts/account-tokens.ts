import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import { digestOf, newSecret } from "../secrets.ts";

/** What a token is good for, with the time that it holds: a new password, the rest of a log-in, an address of one's own. */
const lifetimes = {
  password: 3600 * 1000,
  "log-in": 10 * 60 * 1000,
  confirm: 7 * 24 * 3600 * 1000,
  address: 24 * 3600 * 1000,
} as const;
export type TokenPurpose = keyof typeof lifetimes;

export type AccountToken = { account: number; about: string };

/** A secret that lets whoever has it do one thing of an account once; the hub keeps a digest. Part of a transaction. */
export async function issueAccountToken(
  hub: Hub,
  purpose: TokenPurpose,
  accountId: number,
  about = "",
): Promise<{ token: string; expires: string }> {
  const token = newSecret();
  const expires = momentIn(hub, lifetimes[purpose]);
  await sweep(hub);
  await hub.db
    .insertInto("account_token")
    .values({ token_digest: digestOf(token), purpose, account_id: accountId, about, created: now(hub), expires })
    .execute();
  return { token, expires };
}

/** Whose token this is and what it is about; undefined for one that is unknown, of another kind, used or too old. */
export async function findAccountToken(
  hub: Hub,
  purpose: TokenPurpose,
  token: string,
): Promise<AccountToken | undefined> {
  return hub.db
    .selectFrom("account_token")
    .select(["account_id as account", "about"])
    .where(isToken(hub, purpose, token))
    .executeTakeFirst();
}

/** The same, and it is used up; part of a transaction. */
export async function takeAccountToken(
  hub: Hub,
  purpose: TokenPurpose,
  token: string,
): Promise<AccountToken | undefined> {
  return hub.db
    .deleteFrom("account_token")
    .where(isToken(hub, purpose, token))
    .returning(["account_id as account", "about"])
    .executeTakeFirst();
}

/**
 * Remembers that something that works once has been used, until it is too old anyway; false where it was used before. Part of a
 * transaction.
 */
export async function spend(hub: Hub, secret: string, accountId: number, milliseconds: number): Promise<boolean> {
  await sweep(hub);
  const { numInsertedOrUpdatedRows } = await hub.db
    .insertInto("account_token")
    .values({
      token_digest: digestOf(secret),
      purpose: spent,
      account_id: accountId,
      created: now(hub),
      expires: momentIn(hub, milliseconds),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** What is good for nothing any more. */
const spent = "spent";

/** New ones sweep out those that have run out. */
async function sweep(hub: Hub): Promise<void> {
  await hub.db.deleteFrom("account_token").where("expires", "<=", now(hub)).execute();
}

function isToken(hub: Hub, purpose: TokenPurpose, token: string) {
  return (eb: ExpressionBuilder<Tables, "account_token">): Expression<SqlBool> =>
    eb.and([eb("token_digest", "=", digestOf(token)), eb("purpose", "=", purpose), eb("expires", ">", now(hub))]);
}

/** How many tokens of this kind have been issued for the account since then, and neither used nor swept out. */
export async function countAccountTokens(
  hub: Hub,
  purpose: TokenPurpose,
  accountId: number,
  since: string,
): Promise<number> {
  const { count } = await hub.db
    .selectFrom("account_token")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("purpose", "=", purpose)
    .where("created", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ends what was offered to whoever has a token of the account, besides confirming that its address is theirs. */
export async function dropAccountTokens(hub: Hub, accountId: number): Promise<void> {
  await hub.db
    .deleteFrom("account_token")
    .where("account_id", "=", accountId)
    .where("purpose", "not in", ["confirm", spent])
    .execute();
}
