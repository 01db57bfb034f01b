import { row } from "./row.ts";

/** Applications that act for a channel. */
export const applicationsRefusals = {
  callback_wrong: row("invalid", "redirect"),
  application_unknown: row("missing"),
  application_name_needed: row("invalid", "name"),
  key_and_secret_needed: row("invalid", "key"),
  application_name_too_long: row<{ most: number }>("invalid", "name"),
  key_wrong: row("invalid", "key"),
  secret_too_long: row("invalid", "secret"),
  icon_wrong: row("invalid", "icon"),
  key_taken: row("conflict", "key"),
  token_invalid: row("unauthenticated"),
  login_disabled: row<{ why: "blocked" | "pending" | "unverified" }>("denied"),
  redirects_wrong: row("invalid", "redirect_uris"),
  scopes_unknown: row("invalid", "scopes"),
  /** What goes wrong in OAuth 2; applications know the words behind the first (RFC 6749, 4.1.2.1 and 5.2). */
  oauth_access_denied: row("denied"),
  oauth_invalid_client: row("unauthenticated"),
  oauth_invalid_grant: row("invalid"),
  oauth_invalid_request: row("invalid"),
  oauth_invalid_scope: row("invalid"),
  oauth_unauthorized_client: row("denied"),
  oauth_unsupported_grant_type: row("invalid"),
  oauth_unsupported_response_type: row("invalid"),
};
