import type { Messages } from "../../refusals/messages.ts";
import type { pushRefusals } from "../../refusals/push.ts";

export const pushWords: Messages<typeof pushRefusals> = {
  push_endpoint_wrong: "This is not the public https address of a push service.",
  push_keys_wrong: "These are not the keys of a browser or an application.",
};
