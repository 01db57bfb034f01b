import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import type { StatusPage } from "../../../domain/items/timelines/statuses.ts";
import type { Hub } from "../../../hub.ts";
import type { Accounts } from "./account.ts";

/** Statuses with all that is shown of them. */
export type Sheet = {
  page: StatusPage;
  accounts: Accounts;
  details: ReadonlyMap<number, StatusDetails>;
  /** Ids by which the caller has named messages: they are answered by these. */
  named: ReadonlyMap<number, number>;
  /** Id of the caller's xchan; undefined for nobody. */
  me: number | undefined;
  hub: Hub;
};
