import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { LinkCard } from "../../../domain/link-cards/link-cards.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import type { FilterMatch } from "../../../domain/items/word-filters.ts";
import type { StatusPage } from "../../../domain/items/timelines/statuses.ts";
import type { Hub } from "../../../hub.ts";
import type { Accounts } from "./account.ts";

/** Groups and people of access lists. */
export type Listed = {
  groups: ReadonlyMap<string, { id: number; gname: string }>;
  people: ReadonlyMap<string, Xchan>;
};

/** Statuses with all that is shown of them. */
export type Sheet = {
  page: StatusPage<ApplicationItem>;
  accounts: Accounts;
  /** What is known of the pages to which they lead, by message. */
  cards: ReadonlyMap<number, LinkCard>;
  /** Of posts that are quoted by those that are quoted: ids of copies that the caller may see, by message. */
  quotedIds: ReadonlyMap<number, number>;
  /** Names of those for whom the caller's own posts are, by hash. */
  listed: Listed;
  /** What the caller's filters have found, by message. */
  filtered: ReadonlyMap<number, readonly FilterMatch[]>;
  /** Ids by which the caller has named messages: they are answered by these. */
  named: ReadonlyMap<number, number>;
  /** The same by the ids of the copies that the caller has of them. */
  echoes: ReadonlyMap<number, number>;
  /** Id of the caller's xchan; undefined for nobody. */
  me: number | undefined;
  /** Id of the caller's channel; 0 for nobody. */
  channelId: number;
  hub: Hub;
};
