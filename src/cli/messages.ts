import { words } from "../faces/words/words.ts";
import type { Messages } from "../refusals/messages.ts";
import type { refusals } from "../refusals/refusals.ts";

/** What commands say to operators. */
export const messages: Messages<typeof refusals> = { ...words, permission_denied: "The channel may not do that." };
