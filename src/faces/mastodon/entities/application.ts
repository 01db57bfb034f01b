import { z } from "zod";
import { always, id, list, orNull, text, url, words } from "./kinds.ts";

/** Applications and their tokens (Mastodon contract 11.29, 11.30, 9.5). */

const fields = {
  id: id("Id of the application."),
  name: words("What it is called.", "Crow"),
  website: orNull(z.string(), "Its page."),
  scopes: list("What it may ask for.", "read", "write"),
  redirect_uris: list("Where it may be led back to.", "crow-app://login"),
  redirect_uri: text("The same, one a line.", "crow-app://login"),
  vapid_key: text("By which push services know the hub."),
};

export const Application = z.strictObject(fields);

export const CredentialApplication = z.strictObject({
  ...fields,
  client_id: words("Its name in OAuth.", "Fkd3AvjMgHU06bnLkHmJPHtUCnbb7u5FjXmXfKVn2Ws"),
  client_secret: words("Its secret, which is told here alone.", "Vn2WsFkd3AvjMgHU06bnLkHmJPHtUCnbb7u5FjXmXfK"),
  client_secret_expires_at: always(0, "Always 0: it does not expire."),
});

export const Token = z.strictObject({
  access_token: words("The token.", "LkHmJPHtUCnbb7u5FjXmXfKVn2WsFkd3AvjMgHU06bn"),
  token_type: always("Bearer", "Always `Bearer`."),
  scope: words("What was granted, with spaces between.", "read write"),
  created_at: z
    .int()
    .positive()
    .meta({ description: "When, in seconds since 1970.", examples: [1772366400] }),
});

/** RFC 8414. */
export const ServerMetadata = z.strictObject({
  issuer: url("The hub.", "https://hub.example/"),
  service_documentation: url("What people read about it.", "https://hub.example/help"),
  authorization_endpoint: url("Where people are asked.", "https://hub.example/oauth/authorize"),
  token_endpoint: url("Where tokens come from.", "https://hub.example/oauth/token"),
  app_registration_endpoint: url("Where applications register.", "https://hub.example/api/v1/apps"),
  revocation_endpoint: url("Where tokens end.", "https://hub.example/oauth/revoke"),
  userinfo_endpoint: url("Who a token acts as.", "https://hub.example/oauth/userinfo"),
  scopes_supported: list("Every scope that is granted.", "read", "write"),
  response_types_supported: list("Always `code`.", "code"),
  response_modes_supported: list("Always `query`.", "query"),
  grant_types_supported: list("What tokens are given for.", "authorization_code", "client_credentials"),
  token_endpoint_auth_methods_supported: list(
    "How applications show who they are.",
    "client_secret_basic",
    "client_secret_post",
  ),
  code_challenge_methods_supported: list("Always `S256`.", "S256"),
});

export const UserInfo = z.strictObject({
  iss: url("The hub.", "https://hub.example/"),
  sub: url("Name of the person among servers.", "https://hub.example/channel/ann"),
  name: text("Name of the person.", "Ann Example"),
  preferred_username: words("Nick.", "ann"),
  profile: url("Page of the person.", "https://hub.example/channel/ann"),
  picture: url("Picture of the person.", "https://hub.example/photo/profile/l/1"),
});

export const Nothing = z.strictObject({}).meta({ description: "Nothing: it worked." });

/** Mastodon contract 8.1. */
export const Error = z.strictObject({
  error: words("A sentence for people; in OAuth a code.", "Record not found"),
  error_description: text("The sentence that goes with a code.").optional(),
  details: z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          error: words("What is wrong, as a word.", "ERR_TAKEN"),
          description: words("What is wrong.", "This nick is taken."),
        }),
      ),
    )
    .optional()
    .meta({ description: "What is wrong with each field of a sign-up." }),
});

/** Mastodon contract 14.3. */
export const StreamText = z.string().meta({
  description: "Events, each with the name of what happened and one line of JSON; else a word.",
  examples: ["event: delete\ndata: 17\n\n"],
});
