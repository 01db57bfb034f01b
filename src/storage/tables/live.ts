import type { Generated } from "kysely";

/** What has changed, for those who want to hear of it at once: a row for each transaction that had something to tell. */
export type LiveEventTable = {
  id: Generated<number>;
  /** A list of what was told, as JSON. */
  told: string;
  created: string;
};
