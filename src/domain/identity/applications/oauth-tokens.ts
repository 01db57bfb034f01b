import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { missing } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { fromSqlDate, sqlDate } from "../../../storage/sql.ts";
import { accountColumns, mayAuthenticate } from "../accounts/accounts.ts";
import { channelColumns } from "../channels/channel.ts";
import type { Caller } from "../accounts/caller.ts";
import { findClient } from "./oauth-clients.ts";
import type { OauthClient } from "./oauth-clients.ts";
import type { Once } from "./oauth-nonces.ts";
import { expiredToken, unknownClient, unknownToken } from "./oauth-problems.ts";
import { callerIn } from "../accounts/caller.ts";
import { emit } from "../../live/emit.ts";

/** Access tokens: what an application has that somebody has agreed to. */

/** A token ends so many seconds after it was last used. */
const lifetime = 365 * 24 * 3600;
/** How often that is written down. */
const renewedEvery = 24 * 3600;

/** A token and its secret, as the application gets them. */
export type TokenPair = { token: string; secret: string };

/** Somebody's consent, with what a signature is checked with. */
export type Granted = {
  caller: Caller;
  application: { name: string; secret: string };
  token: { id: number; secret: string; expires: string };
  /** The nonce is that of an earlier request that has changed something. */
  nonceUsed: boolean;
};

/** A new token and secret: 128 bits each. */
export function newPair(): TokenPair {
  return { token: randomBytes(16).toString("hex"), secret: randomBytes(16).toString("hex") };
}

/** Gives the application a token to act as the channel. */
export async function issueToken(hub: Hub, client: Pick<OauthClient, "id">, uid: number): Promise<TokenPair> {
  const pair = newPair();
  await hub.db
    .insertInto("oauth_token")
    .values({ client_id: client.id, uid, kind: "access", ...pair, created: now(hub), expires: endOf(hub) })
    .execute();
  return pair;
}

/**
 * The application and the channel that belong to a key and a token, and whether the nonce of this digest has been kept, in
 * one query. Whoever cannot authenticate, such as a blocked account, has no valid tokens. Throws an OauthProblem.
 */
export async function findGranted(hub: Hub, { key, token }: Once, digest: string): Promise<Granted> {
  const values = { key, token, moment: now(hub), digest };
  const [row] = await compiled(hub, "oauth: access token", values, (slots) =>
    granted(hub, slots.moment)
      .select((eb) =>
        eb.selectFrom("oauth_nonce").select("digest").where("digest", "=", slots.digest).as("oauth_used_nonce"),
      )
      .where("oauth_token.token", "=", slots.token)
      .where("client_key", "=", slots.key)
      .where("oauth_token.expires", ">", slots.moment),
  );
  if (!row) throw await reasonFor(hub, key, token);
  return {
    caller: callerIn(row),
    application: { name: row.oauth_name, secret: row.oauth_app_secret },
    token: { id: row.oauth_token_id, secret: row.oauth_token_secret, expires: row.oauth_token_expires },
    nonceUsed: row.oauth_used_nonce !== null,
  };
}

function granted(hub: Hub, moment: Parameters<typeof mayAuthenticate>[1]) {
  return hub.db
    .selectFrom("oauth_token")
    .innerJoin("oauth_client", "oauth_client.id", "oauth_token.client_id")
    .innerJoin("channel", "channel.channel_id", "oauth_token.uid")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(accountColumns)
    .select(channelColumns)
    .select(["oauth_client.name as oauth_name", "oauth_client.secret as oauth_app_secret"])
    .select([
      "oauth_token.id as oauth_token_id",
      "oauth_token.secret as oauth_token_secret",
      "oauth_token.expires as oauth_token_expires",
    ])
    .where("kind", "=", sql.lit("access"))
    .where("channel_removed", "=", sql.lit(0))
    .where(mayAuthenticate(hub, moment));
}

async function reasonFor(hub: Hub, key: string, token: string): Promise<Error> {
  const client = await findClient(hub, key);
  if (!client) return unknownClient(key);
  const found = await hub.db
    .selectFrom("oauth_token")
    .select("expires")
    .where("token", "=", token)
    .where("client_id", "=", client.id)
    .where("kind", "=", "access")
    .executeTakeFirst();
  return found && found.expires <= now(hub) ? expiredToken("access") : unknownToken("access", token);
}

/** Counts the year of a token from now on; written down once a day at most. */
export async function renewToken(hub: Hub, { id, expires }: Granted["token"]): Promise<void> {
  const left = fromSqlDate(expires).getTime() - hub.clock().getTime();
  if (left > (lifetime - renewedEvery) * 1000) return;
  await hub.db
    .updateTable("oauth_token")
    .set({ expires: endOf(hub) })
    .where("id", "=", id)
    .where("expires", "=", expires)
    .execute();
}

/** A token as its owner sees it: for which channel of theirs it is, and `used`, the day of its last use. */
export type ListedToken = {
  token: string;
  name: string;
  key: string;
  icon: string;
  channel: string;
  created: string;
  used: string;
};

/** The applications that act as the channels of this account, the newest first. */
export async function listTokens(hub: Hub, accountId: number): Promise<ListedToken[]> {
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("oauth_token", "oauth_token.uid", "channel.channel_id")
    .innerJoin("oauth_client", "oauth_client.id", "oauth_token.client_id")
    .select(["token", "oauth_client.name", "client_key as key", "icon", "channel_name as channel"])
    .select(["oauth_token.created", "oauth_token.expires"])
    .where("channel_account_id", "=", accountId)
    .where("kind", "=", sql.lit("access"))
    .where("oauth_token.expires", ">", now(hub))
    .orderBy("oauth_token.id", "desc")
    .execute();
  return rows.map(({ expires, ...row }) => ({ ...row, used: before(expires, lifetime) }));
}

/** Takes a token back that is for a channel of this account. Throws missing for those of others. */
export async function revokeToken(hub: Hub, accountId: number, token: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numDeletedRows } = await hub.db
      .deleteFrom("oauth_token")
      .where("token", "=", token)
      .where("uid", "in", (eb) =>
        eb.selectFrom("channel").select("channel_id").where("channel_account_id", "=", accountId),
      )
      .where("kind", "=", "access")
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw missing("Token");
    await emit(hub, { what: "access", account: accountId });
  });
}

function endOf(hub: Hub): string {
  return momentIn(hub, lifetime * 1000);
}

function before(date: string, seconds: number): string {
  return sqlDate(new Date(fromSqlDate(date).getTime() - seconds * 1000));
}
