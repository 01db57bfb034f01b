import { sql } from "kysely";
import type { HubError } from "../../../errors.ts";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import { fromSqlDate, sqlDate } from "../../../storage/sql.ts";
import { accountColumns, accountFlags, isInOrder, untilWith } from "../accounts/accounts.ts";
import type { Account } from "../accounts/accounts.ts";
import { callerIn } from "../accounts/caller.ts";
import type { Caller } from "../accounts/caller.ts";
import { emit } from "../../live/emit.ts";
import { channelColumns } from "../channels/channel.ts";
import type { Channel } from "../channels/channel.ts";
import { digestOf, newSecret } from "../secrets.ts";
import { recordAppUse } from "./oauth2-apps.ts";
import type { Oauth2App } from "./oauth2-apps.ts";

/** Bearer tokens (Mastodon contract 9.4): the hub keeps digests of them. */

/** A token ends so many milliseconds after it was last used. */
const lifetime = 365 * 24 * 3600 * 1000;
/** How often that is written down. */
const renewedEvery = 24 * 3600 * 1000;

/** What an application shows with each request; a token without a caller stands for the application alone. */
export type Bearer = {
  id: number;
  /** As it was shown. */
  token: string;
  scopes: readonly string[];
  application: { id: number; clientId: string; name: string; website: string; redirects: string[]; scopes: string[] };
  caller: Caller | undefined;
};

/** A token as the application gets it. */
export type IssuedBearer = { id: number; token: string; scopes: readonly string[]; created: string };

/** Gives an application a token: for a channel, or with `uid` 0 for itself. */
export async function issueBearer(
  hub: Hub,
  app: Pick<Oauth2App, "id">,
  uid: number,
  scopes: readonly string[],
): Promise<IssuedBearer> {
  const token = newSecret();
  const created = now(hub);
  const { id } = await hub.db
    .insertInto("oauth2_token")
    .values({
      digest: digestOf(token),
      app_id: app.id,
      uid,
      scopes: scopes.join(" "),
      created,
      expires: momentIn(hub, lifetime),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordAppUse(hub, app);
  return { id, token, scopes, created };
}

/**
 * What a token stands for, in one query. Throws unauthenticated for one that is unknown, has run out or whose channel is removed, and denied,
 * with words for whoever holds it, for one whose account may not log in.
 */
export async function findBearer(hub: Hub, token: string): Promise<Bearer> {
  const [row] = await compiled(hub, "oauth2: bearer", { digest: digestOf(token), moment: now(hub) }, (slots) =>
    hub.db
      .selectFrom("oauth2_token")
      .innerJoin("oauth2_app", "oauth2_app.id", "oauth2_token.app_id")
      .leftJoin("channel", (join) =>
        join.onRef("channel.channel_id", "=", "oauth2_token.uid").on("channel.channel_removed", "=", sql.lit(0)),
      )
      .leftJoin("account", "account.account_id", "channel.channel_account_id")
      .leftJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
      .select(accountColumns)
      .select(channelColumns)
      .select(["oauth2_token.id as oauth_id", "oauth2_token.uid as oauth_uid", "oauth2_token.scopes as oauth_scopes"])
      .select(["oauth2_token.expires as oauth_expires", "oauth2_app.id as oauth_app", "client_id as oauth_client"])
      .select(["oauth2_app.name as oauth_name", "oauth2_app.website as oauth_website"])
      .select(["oauth2_app.redirects as oauth_redirects", "oauth2_app.scopes as oauth_app_scopes"])
      .where("oauth2_token.digest", "=", slots.digest)
      .where("oauth2_token.expires", ">", slots.moment),
  );
  if (!row || (row.oauth_uid > 0 && row.channel_id === null)) throw refusal("token_invalid");
  const caller = row.channel_id === null ? undefined : callerIn(row as Account & Channel);
  if (caller && !isInOrder(hub, caller.account)) throw disabled(caller.account);
  await renew(hub, row.oauth_id, row.oauth_expires);
  return {
    id: row.oauth_id,
    token,
    scopes: row.oauth_scopes.split(" "),
    application: {
      id: row.oauth_app,
      clientId: row.oauth_client,
      name: row.oauth_name,
      website: row.oauth_website,
      redirects: row.oauth_redirects.split("\n"),
      scopes: row.oauth_app_scopes.split(" "),
    },
    caller,
  };
}

function disabled({ account_flags: flags }: Account): HubError {
  if ((flags & accountFlags.pending) !== 0) return refusal("login_disabled", { why: "pending" });
  return refusal("login_disabled", { why: (flags & accountFlags.unverified) === 0 ? "blocked" : "unverified" });
}

/** Takes a token back for the application that has it; an unknown one is none. Throws `oauth_unauthorized_client` for those of others. */
export async function revokeBearer(hub: Hub, app: Oauth2App, token: string): Promise<void> {
  const digest = digestOf(token);
  const known = await hub.db
    .selectFrom("oauth2_token")
    .leftJoin("channel", "channel.channel_id", "oauth2_token.uid")
    .select(["app_id", "channel_account_id"])
    .where("digest", "=", digest)
    .executeTakeFirst();
  if (known && known.app_id !== app.id) throw refusal("oauth_unauthorized_client");
  await inTransaction(hub, async (hub) => {
    await hub.db.deleteFrom("oauth2_token").where("digest", "=", digest).execute();
    if (known?.channel_account_id) await emit(hub, { what: "access", account: known.channel_account_id });
  });
}

/** A token as its owner sees it, for which channel of theirs it is, and the day of its last use. */
export type ListedBearer = {
  id: number;
  name: string;
  channel: string;
  scopes: string[];
  created: string;
  used: string;
};

/** The applications that act as the channels of this account by bearer tokens, the newest first. */
export async function listBearers(hub: Hub, accountId: number): Promise<ListedBearer[]> {
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("oauth2_token", "oauth2_token.uid", "channel.channel_id")
    .innerJoin("oauth2_app", "oauth2_app.id", "oauth2_token.app_id")
    .select(["oauth2_token.id", "oauth2_app.name", "channel_name as channel", "oauth2_token.scopes"])
    .select(["oauth2_token.created", "oauth2_token.expires"])
    .where("channel_account_id", "=", accountId)
    .where("oauth2_token.expires", ">", now(hub))
    .orderBy("oauth2_token.id", "desc")
    .execute();
  return rows.map(({ expires, scopes, ...row }) => ({ ...row, scopes: scopes.split(" "), used: usedOn(expires) }));
}

/** Ends a token that is for a channel of this account. Throws missing for those of others. */
export async function endBearer(hub: Hub, accountId: number, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numDeletedRows } = await hub.db
      .deleteFrom("oauth2_token")
      .where("id", "=", id)
      .where("uid", "in", (eb) =>
        eb.selectFrom("channel").select("channel_id").where("channel_account_id", "=", accountId),
      )
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw missing("Token");
    await emit(hub, { what: "access", account: accountId });
  });
}

/** Removes tokens that nobody has used for a year. */
export async function sweepBearers(hub: Hub): Promise<void> {
  const old = hub.db.selectFrom("oauth2_token").select("id").where("expires", "<=", now(hub));
  await removeInSteps((most) =>
    hub.db.deleteFrom("oauth2_token").where("id", "in", old.limit(most)).executeTakeFirst(),
  );
}

async function renew(hub: Hub, id: number, expires: string): Promise<void> {
  const left = fromSqlDate(expires).getTime() - hub.clock().getTime();
  if (left > lifetime - renewedEvery) return;
  await hub.db
    .updateTable("oauth2_token")
    .set({ expires: momentIn(hub, lifetime) })
    .where("id", "=", id)
    .where("expires", "=", expires)
    .execute();
}

function usedOn(expires: string): string {
  return sqlDate(new Date(fromSqlDate(expires).getTime() - lifetime));
}

/** Until when the token with this id is good, as far as is known; undefined where it is not. Of requests that go on it is asked again. */
export async function bearerUntil(hub: Hub, id: number): Promise<string | undefined> {
  const row = await readBearer(hub, id);
  return row && untilWith(row, row.oauth_expires);
}

/** Whom the token with this id stands for while it is good. That it is asked for does not count as its use. */
export async function callerOfBearer(hub: Hub, id: number): Promise<Caller | undefined> {
  const row = await readBearer(hub, id);
  return row && callerIn(row);
}

async function readBearer(hub: Hub, id: number) {
  const row = await hub.db
    .selectFrom("oauth2_token")
    .innerJoin("channel", "channel.channel_id", "oauth2_token.uid")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(accountColumns)
    .select(channelColumns)
    .select("oauth2_token.expires as oauth_expires")
    .where("oauth2_token.id", "=", id)
    .where("oauth2_token.expires", ">", now(hub))
    .where("channel.channel_removed", "=", 0)
    .executeTakeFirst();
  return row && isInOrder(hub, row) ? row : undefined;
}
