import { z } from "zod";
import { id, oneOf, orNull, text, truth, words } from "./kinds.ts";

/** What somebody does not want to read (mastodon contract 11.19, 11.20). */

const context = z
  .array(oneOf(["home", "notifications", "public", "thread", "account"], "Where it counts."))
  .meta({ description: "Where it counts." });

export const FilterKeyword = z.strictObject({
  id: id("Id of the words."),
  keyword: words("The words.", "coffee"),
  whole_word: truth("Only as whole words."),
});

export const FilterStatus = z.strictObject({
  id: id("Id of the entry."),
  status_id: id("Id of the post."),
});

const fields = {
  id: id("Id of the filter."),
  title: words("What it is called.", "Coffee"),
  context,
  expires_at: orNull(z.string(), "When it ends."),
  filter_action: oneOf(["warn", "hide", "blur"], "What happens to posts."),
};

export const Filter = z.strictObject({
  ...fields,
  keywords: z.array(FilterKeyword).meta({ description: "The words." }),
  statuses: z.array(FilterStatus).meta({ description: "Single posts." }),
});

export const FilterResult = z.strictObject({
  filter: z.strictObject(fields).meta({ description: "The filter, without what is in it." }),
  keyword_matches: orNull(z.array(z.string()), "The words that were found."),
  status_matches: orNull(z.array(z.string()), "Ids of the post in the filter."),
});

export const FilterV1 = z.strictObject({
  id: id("Id of the words."),
  phrase: text("The words.", "coffee"),
  context,
  expires_at: orNull(z.string(), "When it ends."),
  irreversible: truth("Posts are left out."),
  whole_word: truth("Only as whole words."),
});
