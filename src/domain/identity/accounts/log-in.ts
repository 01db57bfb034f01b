import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { refusal } from "../../../errors.ts";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { accountColumns, mayAuthenticate } from "./accounts.ts";
import type { Account } from "./accounts.ts";
import { channelColumns } from "../channels/channel.ts";
import type { Channel } from "../channels/channel.ts";
import type { Caller } from "./caller.ts";
import { guesserOf, rememberPlace } from "./guessers.ts";
import { countAttempt, refuseTooMany } from "./log-in-attempts.ts";
import { passwordFits, passwordIsCached } from "./password-cache.ts";
import { hashOfNobody } from "./passwords.ts";
import { callerIn } from "./caller.ts";

export type Credentials = {
  /** Nick, e-mail address, or nick@host of this hub. */
  login: string;
  password: string;
  /** Network address of the caller, for throttling. */
  address: string;
  /** What the browser keeps of earlier log-ins (devices.ts). */
  device?: string;
};

/**
 * Who these credentials belong to. Every failure is the same `unauthenticated`, after the same time; too many of them
 * are `too-many`. A password that was right a short time ago costs one query.
 */
export async function logIn(hub: Hub, { login, password, address, device }: Credentials): Promise<Caller> {
  const name = login.trim().toLowerCase();
  await refuseTooMany(hub, name, address);
  const row = await findByLogin(hub, name);
  const caller = row && callerIn(row);
  if (row && caller && passwordIsCached(hub, row.account_id, row.account_password, password)) return caller;
  const account = caller?.account;
  const guesser = await guesserOf(hub, { login: name, address, device }, account);
  const attempt = await countAttempt(hub, name, address, guesser);
  const fits = await passwordFits(
    hub,
    row?.account_id ?? 0,
    row?.account_password ?? hashOfNobody(hub),
    password,
  ).catch(async (error: unknown) => {
    await attempt.takeBack();
    throw error;
  });
  if (!caller || !fits) {
    hub.log.info("Log-in of {login} from {address} failed", { login: name.slice(0, 200), address });
    throw refusal("login_needed");
  }
  await attempt.takeBack();
  // Half of a log-in does not make a place the owner's.
  if (!needsSecondFactor(caller.account)) rememberPlace(hub, address, caller.account);
  return caller;
}

/** The same where nobody can be asked for a second factor: throws denied when the account has one. */
export async function logInAtOnce(hub: Hub, credentials: Credentials): Promise<Caller> {
  const caller = await logIn(hub, credentials);
  if (needsSecondFactor(caller.account)) throw refusal("second_factor_on");
  return caller;
}

/** Does the password of the account not let in by itself? */
export function needsSecondFactor({ account_second_factor }: Pick<Account, "account_second_factor">): boolean {
  return account_second_factor !== 0;
}

/** The account acting as that channel of it, if both may still be used. */
export async function findCaller(hub: Hub, accountId: number, channelId: number): Promise<Caller | undefined> {
  const row = await callers(hub, sql`${now(hub)}`)
    .where("account_id", "=", accountId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  return row && callerIn(row);
}

type LogInRow = Account & Channel & { account_password: string };

async function findByLogin(hub: Hub, name: string): Promise<LogInRow | undefined> {
  // No column holds NUL, and PostgreSQL takes none in a question either.
  if (name.includes("\0")) return undefined;
  if (!name.includes("@")) return byNick(hub, name);
  const row = await byEmail(hub, name);
  const at = name.lastIndexOf("@");
  return row ?? (isHere(hub, name.slice(at + 1)) ? nickUnlessAccount(hub, name, name.slice(0, at)) : undefined);
}

/** With Basic the colon before a port would end the login, so the host alone is enough. */
function isHere({ config }: Hub, host: string): boolean {
  const here = config.host.toLowerCase();
  return host === here || host === here.replace(/:\d+$/, "");
}

/** An e-mail address of a blocked account must not open a channel that happens to be called so. */
async function nickUnlessAccount(hub: Hub, email: string, nick: string): Promise<LogInRow | undefined> {
  const account = await hub.db
    .selectFrom("account")
    .select("account_id")
    .where("account_email", "=", email)
    .executeTakeFirst();
  return account ? undefined : byNick(hub, nick);
}

async function byNick(hub: Hub, nick: string): Promise<LogInRow | undefined> {
  const [row] = await compiled(hub, "log-in by nick", { nick, moment: now(hub) }, (slots) =>
    callers(hub, slots.moment).where("channel_address", "=", slots.nick),
  );
  return row;
}

/** The account acting as its default channel, else as the one with the lowest id; undefined when it may not be used. */
export async function findDefaultCaller(hub: Hub, accountId: number): Promise<Caller | undefined> {
  const row = await defaultFirst(callers(hub, sql`${now(hub)}`).where("account_id", "=", accountId)).executeTakeFirst();
  return row && callerIn(row);
}

/** The default channel of the account, else the one with the lowest id. */
async function byEmail(hub: Hub, email: string): Promise<LogInRow | undefined> {
  const [row] = await compiled(hub, "log-in by e-mail", { email, moment: now(hub) }, (slots) =>
    defaultFirst(callers(hub, slots.moment).where("account_email", "=", slots.email)),
  );
  return row;
}

function defaultFirst(all: ReturnType<typeof callers>) {
  return all
    .orderBy((eb) =>
      eb.case().when("channel_id", "=", eb.ref("account_default_channel")).then(sql.lit(0)).else(sql.lit(1)).end(),
    )
    .orderBy("channel_id")
    .limit(sql.lit(1));
}

function callers(hub: Hub, moment: RawBuilder<string>) {
  return hub.db
    .selectFrom("channel")
    .innerJoin("account", "account_id", "channel_account_id")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(accountColumns)
    .select("account_password")
    .select(channelColumns)
    .where(mayAuthenticate(hub, moment))
    .where("channel_removed", "=", sql.lit(0));
}
