import { sql } from "kysely";
import { HubError, missing, refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { emit } from "../../live/emit.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { fromSqlDate } from "../../../storage/sql.ts";
import { accountColumns, mayAuthenticate, untilWith } from "./accounts.ts";
import type { Account } from "./accounts.ts";
import { channelColumns } from "../channels/channel.ts";
import type { Caller } from "./caller.ts";
import { callerIn } from "./caller.ts";
import { digestOf, newSecret } from "../secrets.ts";

const lifetime = 30 * 24 * 3600 * 1000;
/** How often the use of a log-in is written down. */
const notedEvery = 3600 * 1000;

/** A log-in of a browser, and until when it lasts, in the stored form. */
export type Session = Caller & { csrfToken: string; until: string };

/** Opens a log-in for a browser; the token is known to the browser alone, the hub keeps a digest of it. */
export async function openSession(
  hub: Hub,
  account: Pick<Account, "account_id">,
  channelId: number,
  browser = "",
): Promise<{ token: string; csrfToken: string; until: string }> {
  const token = newSecret();
  const csrfToken = newSecret();
  const until = momentIn(hub, lifetime);
  await inTransaction(hub, async (hub) => {
    // New log-ins sweep out those that have run out, so that the table does not grow for ever.
    await hub.db.deleteFrom("session").where("expires", "<=", now(hub)).execute();
    await hub.db
      .insertInto("session")
      .values({
        token_digest: digestOf(token),
        account_id: account.account_id,
        channel_id: channelId,
        csrf_token: csrfToken,
        created: now(hub),
        used: now(hub),
        browser,
        expires: until,
      })
      .execute();
    await hub.db
      .updateTable("account")
      .set({ account_lastlog: now(hub) })
      .where("account_id", "=", account.account_id)
      .execute();
  });
  return { token, csrfToken, until };
}

/** Who the browser with this token is; undefined when the log-in, the account or the channel has ended. */
export async function findSession(hub: Hub, token: string): Promise<Session | undefined> {
  const row = await readSession(hub, digestOf(token));
  if (!row) return undefined;
  const { csrf_token: csrfToken, used } = row;
  if (hub.clock().getTime() - fromSqlDate(used).getTime() >= notedEvery) await recordUse(hub, token);
  return { ...callerIn(row), csrfToken, until: untilWith(row, row.expires) };
}

/** As whom a browser acts, by the digest of its token; undefined when the log-in, the account or the channel has ended. */
export async function callerOfSession(hub: Hub, digest: string): Promise<Caller | undefined> {
  const row = await readSession(hub, digest);
  return row && callerIn(row);
}

async function readSession(hub: Hub, digest: string) {
  const [row] = await compiled(hub, "log-in of a browser", { digest, moment: now(hub) }, (slots) =>
    hub.db
      .selectFrom("session")
      .innerJoin("account", "account.account_id", "session.account_id")
      .innerJoin("channel", "channel.channel_id", "session.channel_id")
      .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
      .select(accountColumns)
      .select(channelColumns)
      .select(["session.csrf_token", "session.used", "session.expires"])
      .where("token_digest", "=", slots.digest)
      .where("session.expires", ">", slots.moment)
      .whereRef("channel.channel_account_id", "=", "account.account_id")
      .where("channel_removed", "=", sql.lit(0))
      .where(mayAuthenticate(hub, slots.moment)),
  );
  return row;
}

/** That somebody looks at a page must not fail because nothing can be written: then it is noted next time. */
async function recordUse(hub: Hub, token: string): Promise<void> {
  try {
    await hub.db
      .updateTable("session")
      .set({ used: now(hub) })
      .where("token_digest", "=", digestOf(token))
      .execute();
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "unavailable") throw error;
  }
}

/** A log-in as its owner sees it; `used` is exact to the hour; `isTold` says that the browser is told of notices. */
export type ListedSession = {
  id: string;
  browser: string;
  created: string;
  used: string;
  isThis: boolean;
  isTold: boolean;
};

/** Where the account is logged in, the last one used first; `token` is that of the browser that asks. */
export async function listSessions(hub: Hub, accountId: number, token: string): Promise<ListedSession[]> {
  const rows = await hub.db
    .selectFrom("session")
    .leftJoin("push_subscription", (join) =>
      join
        .onRef("push_subscription.session", "=", "session.token_digest")
        .on("push_subscription.session", "<>", sql.lit("")),
    )
    .select(["token_digest as id", "browser", "session.created", "used", "push_subscription.id as push"])
    .where("account_id", "=", accountId)
    .where("expires", ">", now(hub))
    .orderBy("used", "desc")
    .orderBy("session.created", "desc")
    .orderBy("token_digest")
    .limit(200)
    .execute();
  return rows.map(({ push, ...row }) => ({ ...row, isThis: row.id === digestOf(token), isTold: push !== null }));
}

/** Ends one log-in of this account. Throws missing for those of others. */
export async function endSessionOf(hub: Hub, accountId: number, id: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numDeletedRows } = await hub.db
      .deleteFrom("session")
      .where("token_digest", "=", id)
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw missing("Log-in");
    await emit(hub, { what: "access", account: accountId });
  });
}

/** Lets the browser act as another channel of the same account. */
export async function useChannel(hub: Hub, token: string, channelId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const changed = await hub.db
      .updateTable("session")
      .set({ channel_id: channelId })
      .where("token_digest", "=", digestOf(token))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("channel")
            .select("channel_id")
            .where("channel.channel_id", "=", channelId)
            .whereRef("channel_account_id", "=", "session.account_id")
            .where("channel_removed", "=", 0),
        ),
      )
      .returning("account_id")
      .executeTakeFirst();
    if (!changed) throw refusal("not_your_channel");
    await emit(hub, { what: "access", account: changed.account_id });
  });
}

/** Ends the log-in; harmless when it has ended. */
export async function closeSession(hub: Hub, token: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const ended = await hub.db
      .deleteFrom("session")
      .where("token_digest", "=", digestOf(token))
      .returning("account_id")
      .execute();
    for (const { account_id: account } of ended) await emit(hub, { what: "access", account });
  });
}
