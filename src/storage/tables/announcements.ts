import type { Generated } from "kysely";

/** What those who run the hub say to all members; shown from `published` (unset: a draft) until `ends` (unset: for good). */
export type AnnouncementTable = {
  id: Generated<number>;
  /** As it was typed, and as it is shown. */
  body: string;
  html: string;
  published: Generated<string>;
  ends: Generated<string>;
  created: string;
  updated: string;
};

/** A channel that does not want to be shown an announcement any more. */
export type DismissedAnnouncementTable = { uid: number; announcement_id: number };

/** What somebody said to an announcement, by an emoji. Unique by all three. */
export type AnnouncementReactionTable = { announcement_id: number; name: string; uid: number; created: string };
