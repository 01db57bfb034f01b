import type { Generated } from "kysely";

/** Where a device is told of notices (mastodon contract 15): for a token of an application, or for a log-in of a browser. */
export type PushSubscriptionTable = {
  id: Generated<number>;
  uid: number;
  /** 0 for one of a browser. */
  token_id: Generated<number>;
  /** Empty for one of an application. */
  session: Generated<string>;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** 1: RFC 8291; 0: the draft before it. */
  standard: Generated<number>;
  alerts: string;
  policy: string;
  /** What a browser says of languages, for those whose account names none; empty for an application. */
  language: Generated<string>;
  /** The token of the application, locked. */
  secret: Generated<string>;
  /** How many messages in a row the push service did not take. */
  failures: Generated<number>;
  last_error: Generated<string>;
  created: string;
};
