import type { Generated } from "kysely";

/** What a person did here, in the bytes that go out (federation contract 12.2); one row for each deed and variant. */
export type OutboxActivityTable = {
  id: Generated<number>;
  deed: string;
  variant: string;
  /** The channel that signs. */
  sender: number;
  object_id: string;
  bytes: string;
  /** 1: before it nobody elsewhere had anything of the object. */
  begins: Generated<number>;
  created: string;
};

/** One request to one inbox. */
export type DeliveryTable = {
  id: Generated<number>;
  activity: number;
  inbox: string;
  host: string;
  object_id: string;
  /** Those who are reached by it: ids of identities, as a JSON list. */
  recipients: string;
  /** waiting, done, failed, given up or held. */
  state: string;
  /** 1: an inbox of all who live there. */
  shared: Generated<number>;
  /** What is smaller goes first. */
  priority: Generated<number>;
  attempts: Generated<number>;
  next_at: string;
  last_status: Generated<number>;
  last_error: Generated<string>;
  /** A worker has it until then. */
  lease_until: Generated<string>;
  created: string;
  /** When it left the state `waiting`. */
  ended: Generated<string>;
};

/** An activity that came in with a signature that holds (federation contract 12.3). */
export type InboxActivityTable = {
  id: Generated<number>;
  activity_id: string;
  /** The actor whose key has signed, and where that one lives. */
  signer: string;
  host: string;
  scheme: string;
  object_id: string;
  /** What else has to happen in order, if that is known. */
  thread_id: Generated<string>;
  /** Empty once it has taken effect. */
  bytes: string;
  /** waiting, done or failed. */
  state: string;
  attempts: Generated<number>;
  received: string;
  next_at: string;
  last_error: Generated<string>;
  lease_until: Generated<string>;
  ended: Generated<string>;
};

/** A channel in whose own inbox it came. */
export type InboxRecipientTable = { inbox_activity: number; channel_id: number };
