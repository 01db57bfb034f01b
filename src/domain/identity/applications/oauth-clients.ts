import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { HubError } from "../../../errors.ts";
import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { emit } from "../../live/emit.ts";
import { isDuplicate, isOneOf } from "../../../storage/sql.ts";
import type { OauthClientTable } from "../../../storage/tables/oauth.ts";
import { inOneLine } from "../hidden-signs.ts";
import { readRedirect } from "./oauth-callbacks.ts";

/** An application that may ask people for access; `uid` 0 is one of the whole hub. */
export type OauthClient = Selectable<OauthClientTable>;

/** What somebody fills in about an application. */
export type ClientFields = { name: string; key: string; secret: string; redirect?: string; icon?: string };

const longestName = 100;
const longestSecret = 255;
const longestIcon = 2000;

/** Sixteen random letters and digits, for a key or a secret. */
export function randomWord(): string {
  return randomBytes(48).toString("base64").replace(/[+/]/g, "").slice(0, 16);
}

/** Registers an application for a channel, or with `uid` 0 for the whole hub. */
export async function createClient(hub: Hub, uid: number, fields: ClientFields): Promise<OauthClient> {
  const row = await hub.db
    .insertInto("oauth_client")
    .values({ uid, created: now(hub), ...readFields(fields) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw keyTaken();
  return row;
}

/** Changes an application of this channel; its tokens stay. Throws missing for those of others. */
export async function changeClient(hub: Hub, uid: number, key: string, fields: ClientFields): Promise<OauthClient> {
  const read = readFields(fields);
  return inTransaction(hub, async (hub) => {
    const client = await ownClient(hub, uid, key);
    await hub.db
      .updateTable("oauth_client")
      .set(read)
      .where("id", "=", client.id)
      .execute()
      .catch((error: unknown) => {
        throw isDuplicate(error) ? keyTaken() : error;
      });
    return { ...client, ...read };
  });
}

/** Removes an application of this channel with all its tokens, whoever gave them. */
export async function deleteClient(hub: Hub, uid: number, key: string): Promise<OauthClient> {
  return inTransaction(hub, async (hub) => {
    const client = await ownClient(hub, uid, key);
    const ended = await hub.db.deleteFrom("oauth_token").where("client_id", "=", client.id).returning("uid").execute();
    await emitToHolders(hub, ended);
    await hub.db.deleteFrom("oauth_client").where("id", "=", client.id).execute();
    return client;
  });
}

/** The application with this key that the channel registered itself (0: the hub). Throws missing for those of others. */
export async function ownClient(hub: Hub, uid: number, key: string): Promise<OauthClient> {
  const client = await findClient(hub, key);
  if (client?.uid !== uid) throw refusal("application_unknown");
  return client;
}

/** The application with this key, whoever registered it. */
export async function findClient(hub: Hub, key: string): Promise<OauthClient | undefined> {
  return hub.db.selectFrom("oauth_client").selectAll().where("client_key", "=", key).executeTakeFirst();
}

/** The applications of one owner (0: of the whole hub), in the order in which they were registered. */
export async function listClients(hub: Hub, uid: number): Promise<OauthClient[]> {
  return hub.db.selectFrom("oauth_client").selectAll().where("uid", "=", uid).orderBy("id").execute();
}

/** Takes away what a channel that is removed has registered, and whatever acted in its name; part of a transaction. */
export async function removeApplications(hub: Hub, uid: number): Promise<void> {
  const own = hub.db.selectFrom("oauth_client").select("id").where("uid", "=", uid);
  const ended = await hub.db
    .deleteFrom("oauth_token")
    .where((eb) => eb.or([eb("uid", "=", uid), eb("client_id", "in", own)]))
    .returning("uid")
    .execute();
  await emitToHolders(hub, ended);
  await hub.db.deleteFrom("oauth_client").where("uid", "=", uid).execute();
  const apps = hub.db.selectFrom("oauth2_app").select("id").where("uid", "=", uid);
  for (const table of ["oauth2_token", "oauth2_code"] as const)
    await hub.db
      .deleteFrom(table)
      .where((eb) => eb.or([eb("uid", "=", uid), eb("app_id", "in", apps)]))
      .execute();
  await hub.db.deleteFrom("oauth2_app").where("uid", "=", uid).execute();
}

/** Whoever listens by one of these tokens hears that it has ended. */
async function emitToHolders(hub: Hub, tokens: readonly { uid: number }[]): Promise<void> {
  const accounts = await hub.db
    .selectFrom("channel")
    .select("channel_account_id as account")
    .distinct()
    .where(
      isOneOf(
        hub.engine,
        sql.ref("channel_id"),
        tokens.map(({ uid }) => uid),
      ),
    )
    .execute();
  await emit(hub, ...accounts.map(({ account }) => ({ what: "access", account }) as const));
}

function readFields({ name, key, secret, redirect = "", icon = "" }: ClientFields) {
  const read = { name: inOneLine(name), client_key: key.trim(), secret: secret.trim() };
  if (read.name === "") throw refusal("application_name_needed");
  if (read.client_key === "") throw refusal("key_and_secret_needed");
  if (read.secret === "") throw refusal("key_and_secret_needed", { field: "secret" });
  if ([...read.name].length > longestName) throw refusal("application_name_too_long", { most: longestName });
  if (!/^(?!\.+$)[A-Za-z0-9._-]{1,64}$/.test(read.client_key)) throw refusal("key_wrong");
  if (read.secret.length > longestSecret) throw refusal("secret_too_long");
  return { ...read, redirect: readRedirect(redirect), icon: readIcon(icon) };
}

function readIcon(text: string): string {
  const icon = text.trim();
  if (icon === "") return "";
  const isWeb = icon.length <= longestIcon && URL.canParse(icon) && /^https?:$/.test(new URL(icon).protocol);
  if (!isWeb) throw refusal("icon_wrong");
  return new URL(icon).href;
}

function keyTaken(): HubError {
  return refusal("key_taken");
}
