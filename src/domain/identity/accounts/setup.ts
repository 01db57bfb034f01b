import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { oncePerHub } from "../../../caches.ts";
import { missing, certain } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { accountRoles, findAccountById, insertAccount, prepareAccount } from "./accounts.ts";
import type { NewAccount } from "./accounts.ts";
import { callerOf } from "./caller.ts";
import type { Caller } from "./caller.ts";
import { insertChannel, prepareChannel } from "../channels/create-channel.ts";
import type { NewChannel } from "../channels/create-channel.ts";
import { checkPerson } from "./register.ts";
import { getSetting, settleSetting, siteTable } from "../site/site-settings.ts";
import type { SiteSettings } from "../site/site-settings.ts";
import { dropSetupLink } from "../../../storage/setup-link.ts";
import { isSameSecret } from "../same-secret.ts";

/** The token of the one-time set-up link; undefined once there is an administrator. It survives a restart. */
export async function setupToken(hub: Hub): Promise<string | undefined> {
  if (await hasAdministrator(hub)) return undefined;
  return settleSetting(hub, "setupToken", randomBytes(24).toString("base64url"));
}

/** Does the link that was followed carry the current token? */
export async function isSetupToken(hub: Hub, token: string): Promise<boolean> {
  const known = await getSetting(hub, "setupToken");
  if (known === undefined || (await hasAdministrator(hub))) return false;
  return isSameSecret(known, token);
}

/** Makes the administrator's account and channel and uses up the token with its file; a wrong or used token is missing. */
export async function setUp(
  hub: Hub,
  token: string,
  fields: Omit<NewAccount, "flags" | "roles"> & NewChannel,
): Promise<Caller> {
  if (!(await isSetupToken(hub, token))) throw missing("Page");
  await checkPerson(hub, fields);
  const account = await prepareAccount(hub, { ...fields, flags: 0, roles: accountRoles.administrator });
  const channel = await prepareChannel(hub, fields);
  const caller = await inTransaction(hub, async (hub) => {
    const { numDeletedRows } = await hub.db
      .deleteFrom("setting")
      .where("k", "=", siteTable.setupToken.k)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw missing("Page");
    const { account_id } = await insertAccount(hub, account);
    const first = await insertChannel(hub, account_id, channel);
    return callerOf(certain(await findAccountById(hub, account_id), "account"), first);
  });
  await dropSetupLink(hub.config.dataDir);
  return caller;
}

/** Has the hub been set up? Accounts that the operator has made at the command line may come before. */
async function hasAdministrator(hub: Hub): Promise<boolean> {
  const found = await hub.db
    .selectFrom("account")
    .select("account_id")
    .where(sql`account_roles & ${sql.lit(accountRoles.administrator)}`, "<>", sql.lit(0))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

const inhabited = oncePerHub(() => ({ known: false }));

/** Is there anybody yet? Until then the set-up link is the only way in. Rows of accounts stay, so it is asked until somebody is there. */
export async function hasAccounts(hub: Hub): Promise<boolean> {
  const state = inhabited(hub);
  state.known ||= (await hub.db.selectFrom("account").select("account_id").limit(1).executeTakeFirst()) !== undefined;
  return state.known;
}

/** By which rule visitors sign up now: whatever the site says, nobody does before there is anybody. */
export async function registrationNow(hub: Hub): Promise<SiteSettings["registration"]> {
  return (await hasAccounts(hub)) ? getSetting(hub, "registration") : "closed";
}
