import { z } from "zod";
import { proveApp } from "../../../domain/identity/applications/oauth2-apps.ts";
import type { Oauth2App } from "../../../domain/identity/applications/oauth2-apps.ts";
import { exchangeCode, issueAppToken } from "../../../domain/identity/applications/oauth2-codes.ts";
import { revokeBearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import { knownScopes } from "../../../domain/identity/applications/scopes.ts";
import { countAttempt, refuseTooMany } from "../../../domain/identity/accounts/log-in-attempts.ts";
import { HubError, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { keptShortly } from "../headers.ts";
import { text } from "../parameters.ts";
import { presentToken } from "./present-token.ts";

const proof = {
  client_id: text("The application, unless Basic names it."),
  client_secret: text("Its secret, unless Basic has it."),
};

type Proof = { client_id?: string | undefined; client_secret?: string | undefined };

/** Mastodon contract 9.4 and 9.5. */
export const tokenRows = [
  endpoint({
    path: "/oauth/token",
    methods: ["POST"],
    access: "public",
    provesApp: true,
    writes: true,
    summary: "Changes a code that somebody's consent has led to for a token, or gives an application one for itself.",
    answer: "Token",
    example: { grant_type: "client_credentials", client_id: "Fkd3AvjM", client_secret: "Vn2WsFkd" },
    input: z.object({
      ...proof,
      grant_type: text("`authorization_code` or `client_credentials`."),
      code: text("The code."),
      redirect_uri: text("The address that the code was brought to."),
      code_verifier: text("What the challenge was made of."),
      scope: text("What a token for the application alone is for; `read` when left out."),
    }),
    async handle(hub, _caller, input, exchange) {
      if (input.grant_type === undefined) throw refusal("oauth_invalid_request");
      if (input.grant_type !== "authorization_code" && input.grant_type !== "client_credentials")
        throw refusal("oauth_unsupported_grant_type");
      return throttled(hub, exchange, async () => {
        const app = await prove(hub, input, exchange);
        if (input.grant_type === "client_credentials") return issueAppToken(hub, app, input.scope ?? "");
        const { code, redirect_uri: redirect, code_verifier: verifier = "" } = input;
        if (!code || !redirect) throw refusal("oauth_invalid_request");
        return exchangeCode(hub, app, { code, redirect, verifier });
      });
    },
    present: presentToken,
  }),
  endpoint({
    path: "/oauth/revoke",
    methods: ["POST"],
    access: "public",
    provesApp: true,
    writes: true,
    summary: "Ends a token of the application that asks.",
    answer: "Nothing",
    input: z.object({ ...proof, token: text("The token.") }),
    handle: (hub, _caller, input, exchange) =>
      throttled(hub, exchange, async () => {
        if (!input.token) throw refusal("oauth_unauthorized_client");
        await revokeBearer(hub, await proveForRevoking(hub, input, exchange), input.token);
        return {};
      }),
  }),
  endpoint({
    path: "/oauth/userinfo",
    methods: ["GET", "POST"],
    access: "channel",
    scope: ["profile", "read:accounts"],
    summary: "Who a token acts as.",
    answer: "UserInfo",
    input: z.object({}),
    handle: ({ config }, { channel }) => ({ channel, baseUrl: config.baseUrl }),
    present({ channel, baseUrl }) {
      const page = `${baseUrl}/channel/${channel.channel_address}`;
      return {
        iss: `${baseUrl}/`,
        sub: page,
        name: channel.channel_name,
        preferred_username: channel.channel_address,
        profile: page,
        picture: `${baseUrl}/photo/profile/l/${channel.channel_id}`,
      };
    },
  }),
  endpoint({
    path: "/.well-known/oauth-authorization-server",
    methods: ["GET"],
    access: "public",
    summary: "Where everything of OAuth 2 is (RFC 8414).",
    answer: "ServerMetadata",
    input: z.object({}),
    handle: ({ config }) => config.baseUrl,
    headers: () => keptShortly,
    present: (baseUrl) => ({
      issuer: `${baseUrl}/`,
      service_documentation: `${baseUrl}/help`,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      app_registration_endpoint: `${baseUrl}/api/v1/apps`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
      scopes_supported: knownScopes,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
    }),
  }),
];

/** Credentials in two ways count when they are the same: some applications send both. */
async function prove(hub: Hub, input: Proof, { basic }: Exchange): Promise<Oauth2App> {
  const clientId = input.client_id ?? basic?.name;
  const secret = input.client_secret ?? basic?.password;
  if (clientId === undefined || secret === undefined) throw refusal("oauth_invalid_client");
  if (basic && (basic.name !== clientId || basic.password !== secret)) throw refusal("oauth_invalid_request");
  return proveApp(hub, clientId, secret);
}

/** Here also the wrong application is told no more than that it may not. */
async function proveForRevoking(hub: Hub, input: Proof, exchange: Exchange): Promise<Oauth2App> {
  return prove(hub, input, exchange).catch((error: unknown) => {
    throw error instanceof HubError && error.code === "oauth_invalid_client"
      ? refusal("oauth_unauthorized_client")
      : error;
  });
}

const guesses: readonly (string | undefined)[] = ["oauth_invalid_client", "oauth_invalid_grant"];
const login = "application of OAuth 2";

/** Wrong secrets and codes count as failed log-ins of the address. */
async function throttled<T>(hub: Hub, { address }: Exchange, check: () => Promise<T>): Promise<T> {
  await refuseTooMany(hub, login, address);
  try {
    return await check();
  } catch (error) {
    if (error instanceof HubError && guesses.includes(error.code)) await countAttempt(hub, login, address);
    throw error;
  }
}
