import { z } from "zod";
import { askForConsent, exchangeToken } from "../../../domain/identity/applications/oauth-consent.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { OwnForm } from "../../../http/endpoint.ts";
import type { Failure } from "../../../http/exchange.ts";
import { refusals } from "../../../refusals/refusals.ts";
import type { Code } from "../../../refusals/refusals.ts";
import { text } from "../parameters.ts";

/** Libraries know a failure by `oauth_problem`. */
const encoded: OwnForm = {
  type: "application/x-www-form-urlencoded; charset=utf-8",
  write: (value) => pairs(value as Record<string, string | number>),
  writeFailure: (failure) => pairs({ error: failure.sentence, oauth_problem: problemIn(failure) }),
};

/** What the hub refuses for reasons of its own, in the names that libraries may know; any other one goes by its kind. */
const problems: Readonly<Partial<Record<string, string>>> = {
  permission_denied: "permission_denied",
  log_ins_failed: "rate_limited",
  disk_full: "disk_refuses",
  disk_read_only: "disk_refuses",
} satisfies Partial<Record<Code, string>>;

function problemIn({ reason, kind }: Failure): string {
  const named = reason !== undefined && Object.hasOwn(refusals, reason) ? problems[reason] : reason;
  return named ?? kind.replaceAll("-", "_");
}

const protocol = {
  oauth_consumer_key: text("Key of the application."),
  oauth_signature_method: text("`HMAC-SHA1`, or `PLAINTEXT` over HTTPS."),
  oauth_timestamp: text("Seconds since 1970."),
  oauth_nonce: text("A text that is used only once."),
  oauth_version: text("`1.0`; may be left out."),
  oauth_signature: text("The signature."),
};

/** Tokens for applications. Their parameters may also stand in the Authorization header. */
export const oauthRows = [
  endpoint({
    path: "oauth/request_token",
    aliases: ["/oauth/request_token"],
    methods: "*",
    access: "public",
    writes: true,
    givesToken: "request",
    summary: "A token with which an application asks somebody for consent, at oauth/authorize.",
    answer: "RequestToken",
    ownForm: encoded,
    example: { oauth_callback: "oob" },
    input: z.object({
      ...protocol,
      oauth_callback: text("Where the person is sent afterwards; `oob` shows a number to type instead."),
    }),
    async handle(hub, _caller, _input, { tokenRequest }) {
      const { client, parameters: said } = tokenRequest!;
      const { token, secret } = await askForConsent(hub, client, said.get("oauth_callback") ?? "");
      return { oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: "true" };
    },
  }),
  endpoint({
    path: "oauth/access_token",
    aliases: ["/oauth/access_token"],
    methods: "*",
    access: "public",
    writes: true,
    givesToken: "access",
    summary: "The token with which an application acts as the channel, once somebody has agreed.",
    answer: "AccessToken",
    ownForm: encoded,
    example: { oauth_verifier: "12345678" },
    input: z.object({
      ...protocol,
      oauth_token: text("The request token."),
      oauth_verifier: text("What came back with the consent."),
    }),
    async handle(hub, _caller, _input, { tokenRequest }) {
      const { client, consent, parameters: said } = tokenRequest!;
      const { token, secret, channel } = await exchangeToken(hub, client, consent!, said.get("oauth_verifier") ?? "");
      const { xchan_id, channel_address } = channel;
      return { oauth_token: token, oauth_token_secret: secret, user_id: xchan_id, screen_name: channel_address };
    },
  }),
];

function pairs(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
