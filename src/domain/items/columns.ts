import type { ColumnName, RowOf } from "../../storage/row-of.ts";

/** What an item shows of its message. */
export const contentColumns = [
  "message.mid",
  "message.uuid",
  "message.parent_mid",
  "message.thr_parent",
  "message.edited",
  "message.expires",
  "message.comments_closed",
  "message.mimetype",
  "message.title",
  "message.summary",
  "message.body",
  "message.html",
  "message.plain",
  "message.app",
  "message.lang",
  "message.revision",
  "message.verb",
  "message.obj_type",
  "message.obj",
  "message.tgt_type",
  "message.target",
  "message.layout_mid",
  "message.plink",
  "message.resource_id",
  "message.resource_type",
  "message.attach",
  "message.sig",
  "message.fed_meta",
  "message.location",
  "message.coord",
  "message.item_consensus",
  "message.item_nocomment",
  "message.item_nsfw",
  "message.item_verified",
  "message.item_rss",
  "message.shared_id",
] as const satisfies readonly ColumnName[];

/** An item as far as it is its message. */
export type MessageContent = RowOf<typeof contentColumns>;

/** What statuses show of the row that somebody has of a message. */
export const statusCopyColumns = [
  "item.id",
  "item.uid",
  "item.parent",
  "item.thr_parent_id",
  "item.message_id",
  "item.author_id",
  "item.owner_id",
  "item.created",
  "item.item_private",
  "item.item_starred",
  "item.item_thread_top",
  "item.item_unseen",
] as const satisfies readonly ColumnName[];

/** What statuses show of items. */
export const statusColumns = [
  ...statusCopyColumns,
  "message.title",
  "message.summary",
  "message.body",
  "message.html",
  "message.plain",
  "message.mimetype",
  "message.app",
  "message.lang",
  "message.plink",
  "message.attach",
  "message.location",
  "message.coord",
  "message.item_nsfw",
  "message.item_rss",
  "message.shared_id",
] as const satisfies readonly ColumnName[];

/** As much of an item as a status shows. */
export type StatusItem = RowOf<typeof statusColumns>;

/** What applications show of items: some of what statuses show. */
export const applicationColumns = [
  "item.id",
  "item.parent",
  "item.thr_parent_id",
  "item.message_id",
  "item.author_id",
  "item.owner_id",
  "item.created",
  "item.item_private",
  "item.item_thread_top",
  "message.title",
  "message.summary",
  "message.html",
  "message.app",
  "message.lang",
  "message.plink",
  "message.attach",
  "message.item_nsfw",
  "message.shared_id",
] as const satisfies readonly ColumnName[];

/** As much of an item as applications show; the body counts where it shares something, and need not be there for others. */
export type ApplicationItem = RowOf<typeof applicationColumns> & Pick<StatusItem, "body">;

/** What the streams of the native API show of items: their texts once, and neither HTML nor lists. */
export const streamColumns = [
  "item.id",
  "item.uid",
  "item.message_id",
  "item.parent",
  "item.author_id",
  "item.owner_id",
  "item.source_id",
  "item.created",
  "item.commented",
  "item.public_policy",
  "item.comment_policy",
  "item.route",
  "item.item_private",
  "item.item_unseen",
  "item.item_starred",
  "item.item_mentionsme",
  "item.item_deleted",
  "item.item_hidden",
  "item.item_notshown",
  "item.item_thread_top",
  "message.mid",
  "message.parent_mid",
  "message.thr_parent",
  "message.edited",
  "message.expires",
  "message.comments_closed",
  "message.mimetype",
  "message.title",
  "message.summary",
  "message.body",
  "message.app",
  "message.verb",
  "message.obj_type",
  "message.obj",
  "message.tgt_type",
  "message.target",
  "message.plink",
  "message.resource_id",
  "message.resource_type",
  "message.attach",
  "message.sig",
  "message.fed_meta",
  "message.location",
  "message.coord",
  "message.item_consensus",
  "message.item_nocomment",
  "message.item_nsfw",
] as const satisfies readonly ColumnName[];

/** An item as far as streams show it. */
export type StreamItem = RowOf<typeof streamColumns>;

/** What the full form has besides: still no HTML, which whoever reads it makes for itself. */
export const fullColumns = [
  ...streamColumns,
  "item.allow_cid",
  "item.allow_gid",
  "item.deny_cid",
  "item.deny_gid",
  "item.postopts",
  "item.item_origin",
  "item.item_uplink",
  "item.item_wall",
  "item.item_relay",
  "item.item_retained",
  "item.item_type",
  "item.item_kind",
  "item.item_unpublished",
  "item.item_delayed",
  "item.item_pending_remove",
  "item.item_blocked",
  "message.revision",
  "message.layout_mid",
  "message.item_verified",
  "message.item_rss",
] as const satisfies readonly ColumnName[];

/** An item as far as its full form shows it. */
export type FullItem = RowOf<typeof fullColumns>;
