import type { Rate } from "../../../http/exchange.ts";

/** What clients look up by name; all reads are counted together. */
const paths = [
  "/account/verify_credentials",
  "/account/settings",
  "/application/rate_limit_status",
  "/blocks/ids",
  "/blocks/list",
  "/direct_messages",
  "/direct_messages/sent",
  "/favorites/list",
  "/followers/ids",
  "/followers/list",
  "/friends/ids",
  "/friends/list",
  "/friendships/incoming",
  "/friendships/lookup",
  "/friendships/outgoing",
  "/friendships/show",
  "/help/configuration",
  "/lists/list",
  "/lists/members",
  "/lists/memberships",
  "/lists/ownerships",
  "/lists/show",
  "/lists/statuses",
  "/saved_searches/list",
  "/search/tweets",
  "/statuses/home_timeline",
  "/statuses/lookup",
  "/statuses/mentions_timeline",
  "/statuses/retweets_of_me",
  "/statuses/show/:id",
  "/statuses/user_timeline",
  "/users/lookup",
  "/users/search",
  "/users/show/:id",
] as const;

/** What servers without limits say. */
const unlimited = 150;
const window = 900;

type Figures = { limit: number; remaining: number; reset: number };

export type ApplicationRates = {
  rate_limit_context: { access_token: string };
  resources: Record<string, Record<string, Figures>>;
};

/** The limits in the form of Twitter 1.1, of these families or of all. */
export function presentApplicationRates(
  rate: Rate | undefined,
  now: Date,
  families: readonly string[],
): ApplicationRates {
  const reset = rate ? Math.floor(rate.resetsAt.getTime() / 1000) : Math.floor(now.getTime() / 1000) + window;
  const figures: Figures = { limit: rate?.limit ?? unlimited, remaining: rate?.remaining ?? unlimited, reset };
  const resources: ApplicationRates["resources"] = {};
  for (const path of paths) {
    const family = path.split("/")[1]!;
    if (families.length === 0 || families.includes(family)) (resources[family] ??= {})[path] = figures;
  }
  return { rate_limit_context: { access_token: "" }, resources };
}
