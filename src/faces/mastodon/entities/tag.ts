import { z } from "zod";
import { Account } from "./account.ts";
import { day, id, orNull, truth, url, words } from "./kinds.ts";
import { Status } from "./status.ts";

/** Hashtags, and what searches answer (Mastodon contract 11.22, 11.23). */

const Day = z.strictObject({
  day: words("When it began, in seconds since 1970.", "1772366400"),
  uses: words("Always 0.", "0"),
  accounts: words("Always 0.", "0"),
});

const week = [6, 5, 4, 3, 2, 1, 0].map((at) => ({
  day: String(1_771_848_000 + at * 86_400),
  uses: "0",
  accounts: "0",
}));

/** Mastodon contract 11.23. */
export const Tag = z.strictObject({
  id: id("Number of its first use that the caller may see; 0 where there is none.", "0"),
  name: words("The word without its sign.", "tea"),
  url: url("Where the hub looks for it.", "https://hub.example/tags/tea"),
  history: z
    .array(Day)
    .length(7)
    .meta({ description: "The last seven days, the newest first; uses are not counted.", examples: [week] }),
  following: truth("The caller follows it; only with a token.").optional(),
  featuring: truth("It stands on the caller's profile; only with a token.").optional(),
});

/** Mastodon contract 11.36. */
export const FeaturedTag = z.strictObject({
  id: id("Number of the hashtag on the profile."),
  name: words("The word without its sign.", "tea"),
  url: url("Where the hub looks for it.", "https://hub.example/tags/tea"),
  statuses_count: words("How many public posts of the person have it.", "3"),
  last_status_at: orNull(day("Day."), "Day of the newest of them."),
});

/** Mastodon contract 11.22. */
export const Search = z.strictObject({
  accounts: z.array(Account).meta({ description: "People." }),
  statuses: z.array(Status).meta({ description: "Posts, the newest first." }),
  hashtags: z.array(Tag).meta({ description: "Hashtags that begin so, the most used first." }),
});

export const SearchV1 = z.strictObject({
  ...Search.shape,
  hashtags: z.array(words("The word.", "tea")).meta({ description: "Hashtags that begin so.", examples: [["tea"]] }),
});
