import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { HubError } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { mayAuthenticate } from "./accounts.ts";
import { channelColumns } from "./channel.ts";
import type { Caller } from "./channel.ts";
import { countAttempt, refuseTooMany } from "./log-in-attempts.ts";
import { passwordFits, passwordIsRemembered } from "./remembered-passwords.ts";
import { hashOfNobody } from "./passwords.ts";
import { splitCaller } from "./split-caller.ts";
import type { CallerRow } from "./split-caller.ts";

export type Credentials = {
  /** Nick, e-mail address, or nick@host of this hub. */
  login: string;
  password: string;
  /** Network address of the caller, for throttling. */
  address: string;
};

/**
 * Who these credentials belong to (native contract 1.9, microblog contract 6.2). Every failure is the same
 * `unauthenticated`, after the same time; too many of them are `too-many`. A password that was right a short time
 * ago costs one query.
 */
export async function logIn(hub: Hub, { login, password, address }: Credentials): Promise<Caller> {
  const name = login.trim().toLowerCase();
  refuseTooMany(hub, name, address);
  const row = await findByLogin(hub, name);
  const found = row && splitCaller(row);
  if (found && passwordIsRemembered(hub, found.caller.account.account_id, found.stored, password)) return found.caller;
  const attempt = countAttempt(hub, name, address);
  const fits = await passwordFits(
    hub,
    found?.caller.account.account_id ?? 0,
    found?.stored ?? storedOfNobody(hub),
    password,
  );
  if (!found || !fits) {
    hub.log.info("Log-in of {login} from {address} failed", { login: name.slice(0, 200), address });
    throw new HubError("unauthenticated", "This API requires login");
  }
  attempt.takeBack();
  return found.caller;
}

async function findByLogin(hub: Hub, name: string): Promise<CallerRow | undefined> {
  if (!name.includes("@")) return firstRow(hub, byNick(hub), name);
  const row = await firstRow(hub, byEmail(hub), name);
  const [, nick, host] = /^(.*)@([^@]*)$/.exec(name)!;
  return row ?? (host === hub.config.host.toLowerCase() ? nickUnlessAccount(hub, name, nick!) : undefined);
}

/** An e-mail address of a blocked account must not open a channel that happens to be called so. */
async function nickUnlessAccount(hub: Hub, email: string, nick: string): Promise<CallerRow | undefined> {
  const account = await hub.db
    .selectFrom("account")
    .select("account_id")
    .where("account_email", "=", email)
    .executeTakeFirst();
  return account ? undefined : firstRow(hub, byNick(hub), nick);
}

/** Runs a remembered statement: this is on the way of every request, and building it costs more than running it. */
async function firstRow(hub: Hub, query: CompiledQuery<CallerRow>, login: string): Promise<CallerRow | undefined> {
  const { rows } = await hub.db.executeQuery<CallerRow>({ ...query, parameters: [now(hub), login] });
  return rows[0];
}

function byNick(hub: Hub): CompiledQuery<CallerRow> {
  return remembered(hub, "nick", () => callers(hub).where("channel_address", "=", "").compile());
}

/** The default channel of the account, else the one with the lowest id. */
function byEmail(hub: Hub): CompiledQuery<CallerRow> {
  return remembered(hub, "email", () =>
    callers(hub)
      .where("account_email", "=", "")
      .orderBy((eb) =>
        eb.case().when("channel_id", "=", eb.ref("account_default_channel")).then(sql.lit(0)).else(sql.lit(1)).end(),
      )
      .orderBy("channel_id")
      .limit(sql.lit(1))
      .compile(),
  );
}

/** Its first parameter is the current time. */
function callers(hub: Hub) {
  return hub.db
    .selectFrom("channel")
    .innerJoin("account", "account_id", "channel_account_id")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .selectAll("account")
    .select(channelColumns)
    .where(mayAuthenticate(hub))
    .where("channel_removed", "=", sql.lit(0));
}

function remembered(hub: Hub, name: string, make: () => CompiledQuery<CallerRow>): CompiledQuery<CallerRow> {
  const statements = hub.memory.map<string, CompiledQuery<CallerRow>>("identity: log-in statements", 2);
  const known = statements.get(name) ?? make();
  statements.set(name, known);
  return known;
}

function storedOfNobody(hub: Hub): string {
  const map = hub.memory.map<string, string>("identity: password of nobody", 1);
  const known = map.get("") ?? hashOfNobody();
  map.set("", known);
  return known;
}
