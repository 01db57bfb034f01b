import type { Messages } from "../../refusals/messages.ts";
import type { refusals } from "../../refusals/refusals.ts";
import { words } from "../words/words.ts";

/** What pages say to people. */
export const messages: Messages<typeof refusals> = { ...words };
