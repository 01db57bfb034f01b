import type { Caller } from "../domain/identity/channel.ts";
import { logIn } from "../domain/identity/log-in.ts";
import { HubError } from "../errors.ts";
import type { Hub } from "../hub.ts";
import type { Exchange } from "./exchange.ts";

type Scheme = (hub: Hub, credentials: string, exchange: Exchange) => Promise<Caller>;

/**
 * The ways to authenticate, by the first word of the Authorization header. OAuth 1.0a joins here with its issue; it also takes
 * `oauth_*` parameters, so it needs the parameters as sent. Cookies are never looked at (native contract 1.9).
 */
const schemes: Readonly<Record<string, Scheme>> = { basic };

/** Who calls, or undefined without credentials. Wrong ones are refused, also where none are needed. */
export async function authenticate(
  hub: Hub,
  authorization: string | null,
  exchange: Exchange,
): Promise<Caller | undefined> {
  if (authorization === null) return undefined;
  const space = authorization.indexOf(" ");
  const name = (space < 0 ? authorization : authorization.slice(0, space)).toLowerCase();
  const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  if (!scheme || space < 0)
    throw new HubError("unauthenticated", "These credentials are of a kind that is not accepted here.");
  return scheme(hub, authorization.slice(space + 1), exchange);
}

/** Throws denied for credentials of any kind but the account's own password. */
export function refuseApplications(authorization: string | null): void {
  if (authorization !== null && !/^basic(\s|$)/i.test(authorization))
    throw new HubError("denied", "permission denied", { reason: "permission_denied" });
}

/** What a public endpoint does not need and others refuse to go without. */
export function noCredentials(): HubError {
  return new HubError("unauthenticated", "This API requires login", { reason: "no_credentials" });
}

/** The challenges of a 401. Browsers get none that would make them ask for a password and keep it (microblog contract 6.6). */
export function challenge(hub: Hub, fromBrowser: boolean): string {
  return fromBrowser ? `OAuth realm="${hub.config.baseUrl}/"` : 'Basic realm="Hubbub"';
}

/** Microblog contract 6.2: the first colon ends the login, spaces around the login do not count. */
async function basic(hub: Hub, credentials: string, exchange: Exchange): Promise<Caller> {
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0) throw new HubError("unauthenticated", "The credentials cannot be read.");
  const login = pair.slice(0, colon).trim();
  return logIn(hub, { login, password: pair.slice(colon + 1), address: exchange.address });
}
