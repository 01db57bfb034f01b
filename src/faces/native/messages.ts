import type { Messages } from "../../refusals/messages.ts";
import type { refusals } from "../../refusals/refusals.ts";
import { words } from "../words/words.ts";

/** Where the native contract has words of its own. */
export const messages: Messages<typeof refusals> = {
  ...words,
  login_needed: "This API requires login",
  duplicate_post: "duplicate post",
  repeated: "operation cancelled",
  unknown_verb: "Unknown activity verb",
  post_id_unknown: "invalid post id",
  not_an_image: "Unsupported filetype",
  image_unreadable: "unable to process image data",
};
