import type { Generated } from "kysely";

/** Where the owner of a channel has its archives sent, and how that goes; one for each channel. */
export type ArchivePlaceTable = {
  id: Generated<number>;
  uid: number;
  /** webdav or s3 */
  kind: string;
  address: string;
  login: string;
  region: string;
  /** Password and passphrase, sealed (domain/archives/sealed.ts). */
  sealed: string;
  /** day, week or month */
  every: string;
  keep: number;
  /** Since when none goes there because the password of the account was changed. */
  paused: Generated<string>;
  /** When the next one is due. */
  next_at: string;
  /** The name of the one that is being made, and whether it has arrived. */
  under_way: Generated<string>;
  sent: Generated<number>;
  /** The last one that arrived. */
  last_name: Generated<string>;
  last_size: Generated<number>;
  last_done: Generated<string>;
  /** How often in a row it has failed since, why, and when last. */
  failures: Generated<number>;
  reason: Generated<string>;
  detail: Generated<string>;
  last_failed: Generated<string>;
};
