import { bound, flag, optionalFlag, text } from "./parameters.ts";

/** Parameters that many endpoints take, each with its one sentence. */

export const include_entities = optionalFlag(
  "With `entities`: what is named in the text and where; links are then written out.",
);
export const skip_status = flag("Leaves out the newest status of each person.");
export const exclude_replies = flag("Only what is no answer to something else.");
export const since_id = bound("Only what has a greater id.");
export const max_id = bound("Only what has this id or a smaller one.");
export const user_id = text("Id of the person; an address of a profile is understood too.");
export const screen_name = text("Nick of the person, or `nick@host`.");
export const profileurl = text("Address of the person's profile.");
export const stringify_ids = flag("Ids as text instead of numbers.");

/** Every endpoint takes it; it stands among the input where links to other pages repeat it. */
export const actAs = text("Nick of the channel to act as, if the account has several.");
