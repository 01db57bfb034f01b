import type { Generated } from "kysely";

/** Native contract 2.15; `html` is the description, rendered when it was stored. */
export type EventTable = {
  id: Generated<number>;
  aid: number;
  uid: number;
  cal_id: Generated<number>;
  event_xchan: string;
  event_hash: string;
  created: string;
  edited: string;
  dtstart: Generated<string>;
  dtend: Generated<string>;
  summary: Generated<string>;
  description: Generated<string>;
  html: Generated<string>;
  location: Generated<string>;
  etype: string;
  nofinish: Generated<number>;
  adjust: Generated<number>;
  dismissed: Generated<number>;
  allow_cid: Generated<string>;
  allow_gid: Generated<string>;
  deny_cid: Generated<string>;
  deny_gid: Generated<string>;
  event_status: Generated<string>;
  event_status_date: Generated<string>;
  event_percent: Generated<number>;
  event_sequence: Generated<number>;
  event_priority: Generated<number>;
  event_repeat: Generated<string>;
  event_vdata: Generated<string>;
};
