import type { AbconfigTable, AbookTable, PgrpMemberTable, PgrpTable } from "./connections.ts";
import type {
  AccountTable,
  ChannelTable,
  ConfigTable,
  HublocTable,
  PhotoTable,
  ProfileTable,
  SessionTable,
  SettingTable,
  XchanTable,
} from "./identity.ts";
import type { IconfigTable, ItemTable, MessageTable, NotifyTable, TermTable } from "./items.ts";
import type { JobTable } from "./jobs.ts";

/** Every table of the database, by name. */
export type Tables = {
  account: AccountTable;
  channel: ChannelTable;
  xchan: XchanTable;
  hubloc: HublocTable;
  profile: ProfileTable;
  config: ConfigTable;
  setting: SettingTable;
  session: SessionTable;
  photo: PhotoTable;
  abook: AbookTable;
  abconfig: AbconfigTable;
  pgrp: PgrpTable;
  pgrp_member: PgrpMemberTable;
  message: MessageTable;
  item: ItemTable;
  term: TermTable;
  iconfig: IconfigTable;
  notify: NotifyTable;
  job: JobTable;
};
