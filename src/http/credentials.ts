import type { Caller } from "../domain/identity/accounts/caller.ts";
import type { Nonce } from "../domain/identity/applications/oauth-nonces.ts";
import { logIn } from "../domain/identity/accounts/log-in.ts";
import { HubError, refusal } from "../errors.ts";
import type { Hub } from "../hub.ts";
import { verifyRequest } from "./oauth/verify.ts";
import type { SignedRequest } from "./oauth/verify.ts";

/** What a request says about who sends it. */
export type Credentials = SignedRequest & {
  /** It has something of OAuth in it. */
  signed: boolean;
};

/**
 * Who calls; `application` names the one that acts for them, and is empty for their own password. `byNick` is said of log-ins
 * that name a channel and not an account. What an application has signed has a nonce.
 */
export type Authenticated = { caller: Caller | undefined; application: string; byNick: boolean; nonce?: Nonce };

export const nobody: Authenticated = { caller: undefined, application: "", byNick: false };

/** Says too that a right log-in of another kind, such as a bearer token, is none here. */
const requiresLogin = "This API requires login";

/**
 * Who calls; nobody without credentials. Wrong ones are refused, also where none are needed, and a request with
 * anything of OAuth in it is judged by that alone. Cookies are never looked at.
 */
export async function authenticate(hub: Hub, credentials: Credentials): Promise<Authenticated> {
  if (credentials.signed) return oauth(hub, credentials);
  const { authorization, address } = credentials;
  if (authorization === null) return nobody;
  const [, scheme = "", rest] = /^(\S*)(?: (.*))?$/s.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== "basic" || rest === undefined) throw new HubError("unauthenticated", requiresLogin);
  return basic(hub, rest, address);
}

/** Throws denied for credentials of any kind but the account's own password. */
export function refuseApplications({ authorization, signed }: Credentials): void {
  if (signed || (authorization !== null && !/^basic(\s|$)/i.test(authorization))) throw refusal("permission_denied");
}

/** What a public endpoint does not need and others refuse to go without. */
export function noCredentials(): HubError {
  return new HubError("unauthenticated", requiresLogin, { reason: "no_credentials" });
}

/**
 * The challenges of a 401 (microblog contract 6.1). Browsers get none that would make them ask for a password and keep
 * it (native contract 6.6).
 */
export function challenges(hub: Hub, { fromBrowser, signed }: { fromBrowser: boolean; signed: boolean }): string {
  const basic = 'Basic realm="Hubbub"';
  const oauth = `OAuth realm="${hub.config.baseUrl}/"`;
  if (fromBrowser) return oauth;
  return signed ? `${basic}, ${oauth}` : basic;
}

async function oauth(hub: Hub, request: Credentials): Promise<Authenticated> {
  const { caller, application, nonce } = await verifyRequest(hub, request);
  return { caller, application: application.name, byNick: false, nonce };
}

/** Microblog contract 6.2: the first colon ends the login, spaces around the login do not count. */
async function basic(hub: Hub, credentials: string, address: string): Promise<Authenticated> {
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0) throw new HubError("unauthenticated", requiresLogin);
  const login = pair.slice(0, colon).trim();
  const caller = await logIn(hub, { login, password: pair.slice(colon + 1), address });
  return { caller, application: "", byNick: login.toLowerCase() !== caller.account.account_email };
}
