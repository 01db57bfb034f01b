import type { Caller } from "../domain/identity/accounts/caller.ts";
import type { Nonce } from "../domain/identity/applications/oauth-nonces.ts";
import { logInAtOnce } from "../domain/identity/accounts/log-in.ts";
import { findBearer } from "../domain/identity/applications/oauth2-tokens.ts";
import type { Bearer } from "../domain/identity/applications/oauth2-tokens.ts";
import { holdsScope } from "../domain/identity/applications/scopes.ts";
import { HubError, refusal } from "../errors.ts";
import type { Hub } from "../hub.ts";
import { verifyRequest } from "./oauth/verify.ts";
import type { SignedRequest } from "./oauth/verify.ts";
import type { Endpoint } from "./endpoint.ts";
import { readPairs } from "./parameters.ts";
import { asText, lastOf } from "./values.ts";

/** What a request says about who sends it. */
export type Credentials = SignedRequest & {
  /** It has something of OAuth in it. */
  signed: boolean;
};

/**
 * Who calls; `application` names the one that acts for them, and is empty for their own password. `byNick` is said of log-ins
 * that name a channel and not an account. What an application has signed has a nonce.
 */
export type Authenticated = {
  caller: Caller | undefined;
  application: string;
  byNick: boolean;
  nonce?: Nonce;
  bearer?: Bearer;
};

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

/**
 * Who calls a face that knows bearer tokens alone: in the header, or in a form as `access_token` or `bearer_token`, in the query only for streams (mastodon
 * contract 9.1, 14.1). Whatever else was sent in their place is a wrong one.
 */
export async function authenticateBearer(
  hub: Hub,
  { authorization, form, query }: Pick<Credentials, "authorization" | "form" | "query">,
  { tokenInQuery = false }: Pick<Endpoint, "tokenInQuery"> = {},
): Promise<Authenticated> {
  const token = authorization === null ? inPairs(tokenInQuery ? query : form) : inHeader(authorization);
  if (token === undefined) return nobody;
  const bearer = await findBearer(hub, token);
  return { caller: bearer.caller, application: bearer.application.name, byNick: false, bearer };
}

function inHeader(authorization: string): string {
  return /^bearer ([\x21-\x7e]{1,500})$/i.exec(authorization)?.[1] ?? "";
}

function inPairs(text: string | undefined): string | undefined {
  if (text === undefined || !/(?:access|bearer)_token=/.test(text)) return undefined;
  const said = readPairs(text, "replace");
  const values = said.get("access_token") ?? said.get("bearer_token");
  return values && (asText(lastOf(values)) ?? "");
}

/** Throws where a token is missing, is of the wrong kind, or is not good for this (Mastodon contract 8.2). */
export function checkBearer(
  { access, scope, anyToken }: Pick<Endpoint, "access" | "scope" | "anyToken">,
  bearer: Bearer | undefined,
): void {
  const needed = access === "channel" || anyToken;
  if (!bearer) {
    if (needed) throw new HubError("unauthenticated", needsUser, { reason: "no_credentials" });
    return;
  }
  if (access === "channel" && !bearer.caller)
    throw new HubError("invalid", "This method requires an authenticated user", { reason: "user_needed" });
  const wanted = scope === undefined ? [] : [scope].flat();
  if (wanted.length > 0 && !wanted.some((one) => holdsScope(bearer.scopes, one)))
    throw new HubError("denied", "This action is outside the authorized scopes", { reason: "scope_missing" });
}

/** What a face with bearer tokens says to whoever has none and needs one. */
export const needsUser = "This API requires an authenticated user";

/** Name and password of Basic credentials; undefined for others. */
export function readBasic(authorization: string | null): { name: string; password: string } | undefined {
  const [, encoded] = /^basic (.+)$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

async function oauth(hub: Hub, request: Credentials): Promise<Authenticated> {
  const { caller, application, nonce } = await verifyRequest(hub, request);
  return { caller, application: application.name, byNick: false, nonce };
}

/** Microblog contract 6.2: the first colon ends the login, spaces around the login do not count. */
async function basic(hub: Hub, credentials: string, address: string): Promise<Authenticated> {
  const pair = readBasic(`Basic ${credentials}`);
  if (!pair) throw new HubError("unauthenticated", requiresLogin);
  const login = pair.name.trim();
  const caller = await logInAtOnce(hub, { login, password: pair.password, address });
  return { caller, application: "", byNick: login.toLowerCase() !== caller.account.account_email };
}
