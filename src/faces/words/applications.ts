import type { applicationsRefusals } from "../../refusals/applications.ts";
import type { Messages } from "../../refusals/messages.ts";

const disabled = {
  blocked: "Your login is currently disabled",
  pending: "Your login is currently pending approval",
  unverified: "Your login is missing a confirmed e-mail address",
} as const;

export const applicationsWords: Messages<typeof applicationsRefusals> = {
  callback_wrong: "The callback is an address such as https://app.example/callback or myapp://login.",
  application_unknown: "This application cannot be edited.",
  application_name_needed: "Name is required",
  key_and_secret_needed: "Key and Secret are required",
  application_name_too_long: ({ most }) => `A name has at most ${most} characters.`,
  key_wrong: "A key has 1 to 64 letters, digits, dots, dashes and underscores.",
  secret_too_long: "The secret is too long.",
  icon_wrong: "The icon is the address of a picture on the web.",
  key_taken: "There is an application with this key already.",
  token_invalid: "The access token is invalid",
  login_disabled: ({ why }) => disabled[why],
  redirects_wrong: "Redirect URI must be an absolute URI without a fragment",
  scopes_unknown: "Scopes do not name anything that this server knows",
  oauth_access_denied: "The resource owner or authorization server denied the request.",
  oauth_invalid_client:
    "Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.",
  oauth_invalid_grant:
    "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.",
  oauth_invalid_request:
    "The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.",
  oauth_invalid_scope: "The requested scope is invalid, unknown, or malformed.",
  oauth_unauthorized_client: "You are not authorized to revoke this token",
  oauth_unsupported_grant_type: "The authorization grant type is not supported by the authorization server.",
  oauth_unsupported_response_type: "The authorization server does not support this response type.",
};
