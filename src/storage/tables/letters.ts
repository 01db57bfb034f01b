import type { Generated } from "kysely";

/** An e-mail that waits to be sent; its row goes when the mail server has taken it. */
export type LetterTable = {
  id: Generated<number>;
  recipient: string;
  /** Name of the site, which it comes from. */
  site: string;
  subject: string;
  /** What it says (JSON). */
  parts: string;
  /** The same at each try, so that whoever gets it twice can see that it is one. */
  message_id: string;
  /** Where the recipient ends such letters; empty for those that cannot be ended. */
  unsubscribe: Generated<string>;
  created: string;
  /** After that nobody has a use for it. */
  keep_until: string;
};
