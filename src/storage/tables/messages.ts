import type { Generated } from "kysely";

/** A conversation of direct messages, native contract 2.15; each side has its own row. */
export type ConvTable = {
  id: Generated<number>;
  uid: number;
  guid: string;
  recips: string;
  creator: string;
  created: string;
  updated: string;
  subject: Generated<string>;
};

/** A direct message, native contract 2.15; `html` and `plain` are the body, rendered when it was stored. */
export type MailTable = {
  id: Generated<number>;
  convid: number;
  mail_flags: Generated<number>;
  conv_guid: string;
  from_xchan: string;
  to_xchan: string;
  /** Who else gets it, as an access list of hashes. */
  also_to: Generated<string>;
  account_id: number;
  channel_id: number;
  title: Generated<string>;
  body: Generated<string>;
  html: Generated<string>;
  plain: Generated<string>;
  sig: Generated<string>;
  attach: Generated<string>;
  fed_meta: Generated<string>;
  mid: string;
  parent_mid: string;
  mail_deleted: Generated<number>;
  mail_replied: Generated<number>;
  mail_isreply: Generated<number>;
  mail_seen: Generated<number>;
  mail_recalled: Generated<number>;
  created: string;
  expires: Generated<string>;
};
