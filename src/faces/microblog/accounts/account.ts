import { z } from "zod";
import { languageOf, setLanguage } from "../../../domain/identity/accounts/accounts.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { updateDefaultProfile } from "../../../domain/people/change-profile.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { list, text } from "../parameters.ts";
import { include_entities, skip_status } from "../shared-input.ts";
import { presentApplicationRates } from "./present-application-rates.ts";
import { presentRateLimit, rateLimitElement } from "./present-rate-limit.ts";
import { oneUser, showUser } from "../people/user-answers.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Account } from "../../../domain/identity/accounts/accounts.ts";

/** Microblog contract 8.1. */
export const accountRows = [
  endpoint({
    path: "account/verify_credentials",
    // Friendica's short name for it (decision 31).
    aliases: ["svc/whoami", "whoami"],
    methods: "*",
    access: "channel",
    summary: "The caller's own user; every client asks for it first.",
    input: z.object({ skip_status, include_entities }),
    handle: (hub, caller, input, exchange) => showUser(hub, caller, caller.channel.xchan_id, input, exchange),
    ...oneUser,
  }),
  endpoint({
    path: "account/rate_limit_status",
    methods: "*",
    access: "channel",
    uncounted: true,
    summary: "How many requests are left.",
    answer: "RateLimit",
    input: z.object({}),
    handle: (hub, _caller, _input, exchange) => ({ rate: exchange.rate("read"), now: hub.clock() }),
    present: ({ rate, now }) => presentRateLimit(rate, now),
    xml: rateLimitElement,
  }),
  endpoint({
    path: "application/rate_limit_status",
    methods: ["GET"],
    access: "channel",
    uncounted: true,
    summary: "How many requests are left, by endpoint; `resources` names families.",
    answer: "RateLimits",
    example: { resources: "statuses" },
    input: z.object({ resources: list("Only these families of endpoints, such as `statuses`.") }),
    handle: (hub, _caller, { resources }, exchange) => ({
      rate: exchange.rate("read"),
      now: hub.clock(),
      families: resources,
    }),
    present: ({ rate, now, families }) => presentApplicationRates(rate, now, families),
    xml: "rate_limits",
  }),
  endpoint({
    path: "account/update_profile",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Changes the caller's name and about text; absent ones stay.",
    errors: { bad_name: "Invalid name" },
    example: { name: "Ann Example", description: "Gardener" },
    input: z.object({
      name: text("The full name; an empty one changes nothing."),
      description: text("The text about oneself; an empty one removes it."),
      skip_status,
      include_entities,
    }),
    async handle(hub, caller, { name, description, ...wanted }, exchange) {
      await changeProfile(hub, caller, name, description);
      return showUser(hub, caller, caller.channel.xchan_id, wanted, exchange);
    },
    ...oneUser,
  }),
  endpoint({
    path: "account/settings",
    methods: ["GET"],
    access: "channel",
    summary: "What clients ask about the account.",
    answer: "Settings",
    input: z.object({}),
    handle: (_hub, { account, channel }) => presentSettings(channel, account),
    xml: "settings",
  }),
  endpoint({
    path: "account/settings",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Changes the language; everything else is as it is.",
    answer: "Settings",
    example: { lang: "en" },
    input: z.object({ lang: text("Code of the language, such as `en`.") }),
    async handle(hub, { account, channel }, { lang }) {
      const language = lang?.trim().toLowerCase();
      if (language) await setLanguage(hub, account.account_id, language);
      return presentSettings(channel, { account_language: language || account.account_language });
    },
    xml: "settings",
  }),
];

/** An empty name stays what it was; one of spaces is none (microblog contract 8.1). */
async function changeProfile(hub: Hub, { channel }: Caller, name = "", description: string | undefined): Promise<void> {
  if (name !== "" && name.trim() === "")
    throw new HubError("invalid", "Invalid name", { reason: "bad_name", field: "name" });
  const changes = { ...(name !== "" && { fullname: name }), ...(description !== undefined && { about: description }) };
  if (Object.keys(changes).length === 0) return;
  await updateDefaultProfile(hub, channel.channel_id, changes);
}

/** What clients ask about the account (microblog contract 8.1, account/settings). */
function presentSettings(channel: Channel, { account_language }: Pick<Account, "account_language">): object {
  return {
    screen_name: channel.channel_address,
    language: languageOf({ account_language }),
    protected: false,
    geo_enabled: false,
    always_use_https: true,
    discoverable_by_email: false,
    time_zone: { name: "UTC", tzinfo_name: "Etc/UTC", utc_offset: 0 },
    sleep_time: { enabled: false, start_time: null, end_time: null },
    trend_location: [],
  };
}
