import type { Generated } from "kysely";

/** An address to which a channel has events told. */
export type WebhookTable = {
  id: Generated<number>;
  uid: number;
  url: string;
  /** Names of events, as a JSON list. */
  events: string;
  /** 1: some of them are of items. */
  of_items: Generated<number>;
  /** What requests are signed with, locked. */
  secret: string;
  /** The old secret, locked, and until when requests are signed with it as well. */
  former_secret: Generated<string>;
  former_until: Generated<string>;
  is_on: Generated<number>;
  /** Since when it is off because the password of the account was changed. */
  paused: Generated<string>;
  /** How many requests in a row have failed, and until when none is made for that. */
  failures: Generated<number>;
  resting_until: Generated<string>;
  created: string;
};

/** One event for one webhook: what it is about, never what it says. */
export type WebhookDeliveryTable = {
  id: Generated<number>;
  webhook_id: number;
  /** By this name the receiver knows it again. */
  name: string;
  event: string;
  /** Id of the item, message, person or report that it is about; 0 for a test. */
  subject: number;
  state: string;
  attempts: Generated<number>;
  /** Which of its jobs counts: one that has been added since makes those before it void. */
  turn: Generated<number>;
  /** Of the last answer; 0 without one. */
  status: Generated<number>;
  error: Generated<string>;
  created: string;
  tried: Generated<string>;
};
