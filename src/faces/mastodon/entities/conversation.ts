import { z } from "zod";
import { Account } from "./account.ts";
import { id, truth } from "./kinds.ts";
import { Status } from "./status.ts";

/** Mastodon contract 11.21. */
export const Conversation = z.strictObject({
  id: id("Id of the first post of a direct thread, or of an exchange of messages."),
  unread: truth("Something in it has not been read."),
  accounts: z
    .array(Account)
    .min(1)
    .meta({ description: "Who takes part besides the caller; the caller where that is nobody." }),
  last_status: Status.meta({ description: "What was said last." }),
});
