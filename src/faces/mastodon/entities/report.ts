import { z } from "zod";
import { Account } from "./account.ts";
import { datetime, id, oneOf, orNull, text, truth } from "./kinds.ts";

/** A complaint about somebody (Mastodon contract 11.34). */
export const Report = z.strictObject({
  id: id("Id of the report."),
  action_taken: truth("Somebody has dealt with it."),
  action_taken_at: orNull(datetime("Date."), "When."),
  category: oneOf(["spam", "legal", "violation", "other"], "What it is."),
  comment: text("What is wrong."),
  forwarded: truth("The person's server was told, too."),
  created_at: datetime("When it was made."),
  status_ids: z.array(id("Id of a post.")).meta({ description: "The posts that it is about.", examples: [[]] }),
  rule_ids: z.array(id("Number of a rule.")).meta({ description: "The rules that it is against.", examples: [[]] }),
  collection_ids: z.null().meta({ description: "Always null." }),
  target_account: Account.meta({ description: "Whom it is about." }),
});
