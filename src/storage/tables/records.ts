import type { Generated } from "kysely";

/** The smaller records of native contract 2.15, as they are exported, and the imports that are under way. */

export type ChatroomTable = {
  cr_id: Generated<number>;
  cr_aid: number;
  cr_uid: number;
  cr_name: string;
  cr_created: string;
  cr_edited: string;
  cr_expire: number;
  allow_cid: Generated<string>;
  allow_gid: Generated<string>;
  deny_cid: Generated<string>;
  deny_gid: Generated<string>;
};

/** What was said in a chatroom. */
export type ChatLineTable = {
  id: Generated<number>;
  room_id: number;
  author_id: number;
  body: string;
  created: string;
};

export type AppTable = {
  id: Generated<number>;
  app_channel: number;
  app_id: string;
  app_sig: Generated<string>;
  app_page: Generated<string>;
  app_requires: Generated<string>;
  app_price: Generated<string>;
  app_version: Generated<string>;
  app_plugin: Generated<string>;
  app_author: Generated<string>;
  app_addr: Generated<string>;
  app_name: string;
  app_desc: Generated<string>;
  app_url: Generated<string>;
  app_photo: Generated<string>;
  app_options: Generated<number>;
  app_deleted: Generated<number>;
  app_system: Generated<number>;
  app_created: string;
  app_edited: string;
};

/** Flags: 1 system, 2 bookmark. */
export type MenuTable = {
  menu_id: Generated<number>;
  menu_channel_id: number;
  menu_name: string;
  menu_desc: Generated<string>;
  menu_flags: Generated<number>;
  menu_created: string;
  menu_edited: string;
};

/** Flags: 1 zid, 2 new window, 4 chatroom. */
export type MenuItemTable = {
  mitem_id: Generated<number>;
  mitem_menu_id: number;
  mitem_channel_id: number;
  mitem_link: string;
  mitem_desc: string;
  mitem_flags: Generated<number>;
  mitem_order: Generated<number>;
};

/** A thing. */
export type ObjTable = {
  obj_id: Generated<number>;
  obj_page: Generated<string>;
  obj_verb: Generated<string>;
  obj_type: Generated<number>;
  obj_obj: string;
  obj_channel: number;
  obj_term: Generated<string>;
  obj_url: Generated<string>;
  obj_imgurl: Generated<string>;
  obj_created: string;
  obj_edited: string;
  obj_quantity: Generated<number>;
  allow_cid: Generated<string>;
  allow_gid: Generated<string>;
  deny_cid: Generated<string>;
  deny_gid: Generated<string>;
};

/** A like of the profile or of a thing. */
export type LikesTable = {
  id: Generated<number>;
  channel_id: number;
  liker: string;
  likee: string;
  iid: Generated<number>;
  i_mid: Generated<string>;
  verb: string;
  target_type: Generated<string>;
  target_id: Generated<string>;
  target: Generated<string>;
};

/** A guest's key. The guest's xchan hash is the first 16 characters of the channel hash, a dot, and the guid or else the name. */
export type AtokenTable = {
  atoken_id: Generated<number>;
  atoken_aid: number;
  atoken_uid: number;
  atoken_name: string;
  atoken_token: string;
  /** Only guests who came from elsewhere with one have it. */
  atoken_guid: Generated<string>;
  /** Unset: never. */
  atoken_expires: Generated<string>;
};

/** An import that waits, runs or is over; the last four columns are JSON except `source`. */
export type ImportRunTable = {
  id: Generated<number>;
  account_id: number;
  /** The channel that it made or found; 0 before. */
  channel_id: Generated<number>;
  state: string;
  source: string;
  options: string;
  progress: string;
  report: string;
  /** Names the bytes that are imported; empty when they are not the hub's, or when it is over. */
  blob: Generated<string>;
  created: string;
  updated: string;
};

/** A list of people or servers that a channel brings along; only the job with the number of its `turn` goes on with it. */
export type ListImportTable = {
  id: Generated<number>;
  uid: number;
  kind: string;
  state: string;
  filename: string;
  turn: number;
  created: string;
  updated: string;
  /** When it goes on, while it waits for that. */
  goes_on: Generated<string>;
  /** Of those who followed the channel at another place: the id that it had there; else empty. */
  former: Generated<string>;
};

/** What a list names, and what became of it: `reason` says why nothing did, `looked` when others were asked for it. */
export type ListImportEntryTable = {
  id: Generated<number>;
  list_id: number;
  uid: number;
  name: string;
  state: string;
  reason: Generated<string>;
  tries: Generated<number>;
  next_at: Generated<string>;
  looked: Generated<string>;
};
