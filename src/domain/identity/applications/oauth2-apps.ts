import type { Selectable } from "kysely";
import { refusal } from "../../../errors.ts";
import { momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import type { Oauth2AppTable } from "../../../storage/tables/oauth.ts";
import { inOneLine } from "../hidden-signs.ts";
import { digestOf, newSecret } from "../secrets.ts";
import { isSameSecret } from "../same-secret.ts";
import { webUrl } from "../xchans/web-url.ts";
import { readScopes } from "./scopes.ts";

/** Applications that speak OAuth 2: they register themselves, and anybody may run one (Mastodon contract 9.2). */

/** An application, without its secret. */
export type Oauth2App = Omit<Selectable<Oauth2AppTable>, "secret_digest" | "redirects" | "scopes"> & {
  redirects: string[];
  scopes: string[];
};

/** What an application says of itself. */
export type NewApp = { name: string; redirects: readonly string[]; scopes: string; website: string };

/** Stands for a page on which people find a code that they type into the application. */
export const outOfBand2 = "urn:ietf:wg:oauth:2.0:oob";

const longestName = 100;
const longestAddress = 2000;
const mostRedirects = 10;
/** What browsers run or open themselves. */
const forbiddenSchemes: readonly string[] = ["javascript:", "data:", "vbscript:", "file:", "about:", "blob:"];
/** An application that nobody has used goes after so many milliseconds. */
const unusedFor = 365 * 24 * 3600 * 1000;

/** Registers an application of somebody's own (`uid` 0: of nobody); its secret is told here and never again. */
export async function registerApp(hub: Hub, uid: number, app: NewApp): Promise<{ app: Oauth2App; secret: string }> {
  const secret = newSecret();
  const row = await hub.db
    .insertInto("oauth2_app")
    .values({
      ...checked(app),
      client_id: newSecret(),
      secret_digest: digestOf(secret),
      uid,
      created: now(hub),
      used: now(hub),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { app: appOf(row), secret };
}

/** The application with this id. */
export async function findApp(hub: Hub, clientId: string): Promise<Oauth2App | undefined> {
  const row = await rowOf(hub, clientId);
  return row && appOf(row);
}

/** The application that shows who it is by its secret. Throws `oauth_invalid_client`. */
export async function proveApp(hub: Hub, clientId: string, secret: string): Promise<Oauth2App> {
  const row = await rowOf(hub, clientId);
  if (!row || !isSameSecret(row.secret_digest, digestOf(secret))) throw refusal("oauth_invalid_client");
  return appOf(row);
}

/** The address that stands for the one that was asked for; undefined where it is none that was registered. */
export function redirectOf({ redirects }: Oauth2App, asked: string): string | undefined {
  if (asked === "") return redirects.length === 1 ? redirects[0] : undefined;
  return redirects.find((one) => one === asked);
}

/** Notes on what day an application last got a token. */
export async function recordAppUse(hub: Hub, { id }: Pick<Oauth2App, "id">): Promise<void> {
  await hub.db
    .updateTable("oauth2_app")
    .set({ used: now(hub) })
    .where("id", "=", id)
    .execute();
}

/** Removes applications that have had no token for a year. */
export async function sweepApps(hub: Hub): Promise<void> {
  const idle = hub.db
    .selectFrom("oauth2_app")
    .select("id")
    .where("used", "<", momentIn(hub, -unusedFor))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("oauth2_token").select("id").whereRef("app_id", "=", "oauth2_app.id"))),
    );
  await removeInSteps((most) => hub.db.deleteFrom("oauth2_app").where("id", "in", idle.limit(most)).executeTakeFirst());
}

function rowOf(hub: Hub, clientId: string): Promise<Selectable<Oauth2AppTable> | undefined> {
  return hub.db.selectFrom("oauth2_app").selectAll().where("client_id", "=", clientId).executeTakeFirst();
}

/** An application as its row has it. */
function appOf({ secret_digest: _digest, redirects, scopes, ...row }: Selectable<Oauth2AppTable>): Oauth2App {
  return { ...row, redirects: redirects.split("\n"), scopes: scopes.split(" ") };
}

function checked({ name, redirects, scopes, website }: NewApp) {
  const read = inOneLine(name);
  if (read === "") throw refusal("application_name_needed", { field: "client_name" });
  if ([...read].length > longestName)
    throw refusal("application_name_too_long", { most: longestName, field: "client_name" });
  const addresses = [...new Set(redirects)];
  if (addresses.length === 0 || addresses.length > mostRedirects || !addresses.every(isRedirect))
    throw refusal("redirects_wrong");
  const known = readScopes(scopes);
  if (known.length === 0) throw refusal("scopes_unknown");
  const site = website.length <= longestAddress ? webUrl(website.trim()) : "";
  return { name: read, redirects: addresses.join("\n"), scopes: known.join(" "), website: site };
}

/** What apps register is compared letter by letter, so nothing of it is changed (Mastodon contract 9.2). */
function isRedirect(address: string): boolean {
  if (address === outOfBand2) return true;
  if (address.length > longestAddress || /[\s#]/.test(address) || !/^[a-z][a-z0-9+.-]*:/i.test(address)) return false;
  if (!URL.canParse(address)) return false;
  return !forbiddenSchemes.includes(new URL(address).protocol);
}
