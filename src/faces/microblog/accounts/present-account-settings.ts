import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Account } from "../../../domain/identity/accounts/accounts.ts";

/** What clients ask about the account (microblog contract 8.1, account/settings). */
export function presentSettings(channel: Channel, { account_language }: Pick<Account, "account_language">): object {
  return {
    screen_name: channel.channel_address,
    language: account_language,
    protected: false,
    geo_enabled: false,
    always_use_https: true,
    discoverable_by_email: false,
    time_zone: { name: "UTC", tzinfo_name: "Etc/UTC", utc_offset: 0 },
    sleep_time: { enabled: false, start_time: null, end_time: null },
    trend_location: [],
  };
}
