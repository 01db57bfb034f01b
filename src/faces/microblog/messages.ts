import type { Messages } from "../../refusals/messages.ts";
import type { refusals } from "../../refusals/refusals.ts";
import { words } from "../words/words.ts";

/** Where old clients know words of their own; what single endpoints say stands in their rows. */
export const messages: Messages<typeof refusals> = {
  ...words,
  permission_denied: "permission denied",
  login_needed: "This API requires login",
  duplicate_post: "duplicate post",
  repeated: "operation cancelled",
  no_content: "no content",
  forbidden_content_type: "forbidden content type",
  not_shareable: "Forbidden",
  unknown_verb: "Unknown activity verb",
  post_id_unknown: "invalid post id",
  not_following: "Not following Contact",
  not_an_image: "Unsupported filetype",
  image_unreadable: "unable to process image data",
};
