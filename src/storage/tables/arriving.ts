import type { Generated } from "kysely";

/** Somebody whom the channel does not want to be suggested any more. */
export type DismissedSuggestionTable = { uid: number; xchan_id: number };

/** A link by which so many people may sign up until then; `uid` is the channel that invites them, and `note` what it wrote for itself. */
export type InvitationTable = {
  id: Generated<number>;
  uid: number;
  token: string;
  note: Generated<string>;
  most_uses: number;
  uses: Generated<number>;
  expires: string;
  created: string;
};
