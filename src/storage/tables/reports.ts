import type { Generated } from "kysely";

/** A complaint about somebody, by a member or by another hub (federation contract 4.3, 13). */
export type ReportTable = {
  id: Generated<number>;
  /** Names the report between hubs. */
  flag_id: string;
  /** The hub that sent it; empty for one by a member. */
  host: Generated<string>;
  /** Ids of identities: who complains, 0 where that is not told, and of whom. */
  reporter_id: number;
  person_id: number;
  /** Ids of the messages that it is about, as a JSON list. */
  messages: string;
  comment: string;
  /** 1: the hub of the person was told as well. */
  forwarded: Generated<number>;
  created: string;
  /** What it is: spam, legal, violation or other; and numbers of the rules that it is against, as a JSON list. */
  category: Generated<string>;
  rules: Generated<string>;
  /** When somebody has dealt with it, who (an account), and what they noted. */
  closed: Generated<string>;
  closed_by: Generated<number>;
  note: Generated<string>;
};

/** Something that was done about a person: by which account, because of which report (0: none), and why. */
export type ModerationTable = {
  id: Generated<number>;
  report_id: number;
  moderator_id: number;
  /** Id of the identity; 0 where an account had no channel. */
  person_id: number;
  /** Their account, where it was done about that. */
  account_id: Generated<number>;
  measure: string;
  note: Generated<string>;
  /** 1: the owner of the account was told, in the words of the note. */
  told: Generated<number>;
  created: string;
};
