import type { Messages } from "../../refusals/messages.ts";
import type { refusals } from "../../refusals/refusals.ts";
import { words } from "../words/words.ts";

/** Where applications know words of their own. */
export const messages: Messages<typeof refusals> = {
  ...words,
  permission_denied: "This action is not allowed",
  database_away: "There was a temporary problem serving your request, please try again",
  overloaded: "There was a temporary problem serving your request, please try again",
  blobs_away: "There was a temporary problem serving your request, please try again",
  filter_words_needed: "Validation failed: Keyword can't be blank",
  filter_title_needed: "Validation failed: Title can't be blank",
  filter_context_needed: "Validation failed: Context must be given",
  filters_full: ({ most }) => `Validation failed: A filter has at most ${most} of them`,
  push_endpoint_wrong: "Validation failed: Endpoint is not the public https address of a push service",
  push_keys_wrong: "Validation failed: Keys are no keys of a push subscription",
  not_fetched: "Remote data could not be fetched",
};
