/** A menu of the channel's pages. Dates in the stored form. */
export type Menu = {
  id: number;
  /** What pages and layouts call it. */
  name: string;
  title: string;
  /** Sum of menuFlags. */
  flags: number;
  created: string;
  edited: string;
  entries: MenuEntry[];
};

/** One link of a menu; entries stand in the order of `order`, then as they were made. */
export type MenuEntry = {
  /** An address; `[channelurl]`, `[pageurl]`, `[cloudurl]` and `[baseurl]` stand for the channel's own. */
  link: string;
  label: string;
  order: number;
  /** Sum of entryFlags. */
  flags: number;
};

/** Stored bits and the names that they have in the portable form. */
export const menuFlags = { system: 1, bookmark: 2 } as const;
export const entryFlags = { zid: 1, "new-window": 2, chatroom: 4 } as const;
