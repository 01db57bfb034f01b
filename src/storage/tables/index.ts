import type { AnnouncementReactionTable, AnnouncementTable, DismissedAnnouncementTable } from "./announcements.ts";
import type { ArchivePlaceTable } from "./archives.ts";
import type { DismissedSuggestionTable, InvitationTable } from "./arriving.ts";
import type { DeliveryTable, InboxActivityTable, InboxRecipientTable, OutboxActivityTable } from "./delivery.ts";
import type {
  ActorKeyTable,
  ActorTable,
  BlockListTable,
  EmojiTable,
  LinkCardTable,
  ListedBlockTable,
  MessageLinkTable,
  FetchBudgetTable,
  PeerTable,
  RemoteMediaTable,
  SiteBlockTable,
} from "./elsewhere.ts";
import type { EventTable } from "./events.ts";
import type { FigureTable } from "./figures.ts";
import type { AttachTable, LostBlobTable, MessageFileTable } from "./files.ts";
import type {
  AbconfigTable,
  AbookTable,
  HostBlockTable,
  PgrpMemberTable,
  PgrpTable,
  SentFollowTable,
} from "./connections.ts";
import type {
  AccountTable,
  ChannelTable,
  ConfigTable,
  HublocTable,
  PhotoTable,
  ProfileTable,
  SessionTable,
  SettingTable,
  TransportKeyTable,
  XchanTable,
} from "./identity.ts";
import type {
  AddressedToTable,
  ApprovalTable,
  DeletedIdTable,
  FollowedTagTable,
  FirstContactTable,
  ForeignDocumentTable,
  IconfigTable,
  ItemTable,
  MessageTable,
  MessageVersionTable,
  NotifyTable,
  PollVoteTable,
  SearchRangeTable,
  SearchTable,
  SentToTable,
  TakenBackTable,
  TermTable,
  ThreadFetchTable,
  WordFilterTable,
  FilterTable,
  FilterStatusTable,
} from "./items.ts";
import type { JobTable, LongStepTable } from "./jobs.ts";
import type { LetterTable } from "./letters.ts";
import type { LiveEventTable } from "./live.ts";
import type { ConvTable, MailTable } from "./messages.ts";
import type { PushSubscriptionTable } from "./push.ts";
import type { WebhookDeliveryTable, WebhookTable } from "./webhooks.ts";
import type {
  IdempotencyTable,
  MarkerTable,
  Oauth2AppTable,
  Oauth2CodeTable,
  Oauth2TokenTable,
  OauthClientTable,
  OauthNonceTable,
  OauthTokenTable,
} from "./oauth.ts";
import type {
  AppTable,
  AtokenTable,
  ChatLineTable,
  ChatroomTable,
  ImportRunTable,
  LikesTable,
  ListImportEntryTable,
  ListImportTable,
  MenuItemTable,
  MenuTable,
  ObjTable,
} from "./records.ts";
import type { AccountTokenTable, PasskeyTable, RecoveryCodeTable, TotpTable } from "./factors.ts";
import type { ModerationTable, ReportTable } from "./reports.ts";
import type { PostedSketchTable, SketchTable, UnattachedTable } from "./sketches.ts";
import type { TallyTable } from "./throttles.ts";
import type { UploadPieceTable, UploadTable } from "./uploads.ts";

/** Every table of the database, by name. */
export type Tables = {
  account: AccountTable;
  channel: ChannelTable;
  transport_key: TransportKeyTable;
  xchan: XchanTable;
  hubloc: HublocTable;
  actor: ActorTable;
  actor_key: ActorKeyTable;
  fetch_budget: FetchBudgetTable;
  peer: PeerTable;
  site_block: SiteBlockTable;
  block_list: BlockListTable;
  listed_block: ListedBlockTable;
  word_filter: WordFilterTable;
  followed_tag: FollowedTagTable;
  filter: FilterTable;
  filter_status: FilterStatusTable;
  archive_place: ArchivePlaceTable;
  sketch: SketchTable;
  posted_sketch: PostedSketchTable;
  unattached: UnattachedTable;
  remote_media: RemoteMediaTable;
  emoji: EmojiTable;
  link_card: LinkCardTable;
  message_link: MessageLinkTable;
  outbox_activity: OutboxActivityTable;
  delivery: DeliveryTable;
  inbox_activity: InboxActivityTable;
  inbox_recipient: InboxRecipientTable;
  report: ReportTable;
  moderation: ModerationTable;
  profile: ProfileTable;
  config: ConfigTable;
  setting: SettingTable;
  session: SessionTable;
  account_token: AccountTokenTable;
  totp: TotpTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  photo: PhotoTable;
  push_subscription: PushSubscriptionTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  abook: AbookTable;
  abconfig: AbconfigTable;
  host_block: HostBlockTable;
  sent_follow: SentFollowTable;
  dismissed_suggestion: DismissedSuggestionTable;
  invitation: InvitationTable;
  announcement: AnnouncementTable;
  dismissed_announcement: DismissedAnnouncementTable;
  announcement_reaction: AnnouncementReactionTable;
  pgrp: PgrpTable;
  pgrp_member: PgrpMemberTable;
  message: MessageTable;
  item: ItemTable;
  tally: TallyTable;
  term: TermTable;
  search: SearchTable;
  search_range: SearchRangeTable;
  deleted_id: DeletedIdTable;
  contraction: { step: string };
  first_contact: FirstContactTable;
  foreign_document: ForeignDocumentTable;
  addressed_to: AddressedToTable;
  approval: ApprovalTable;
  thread_fetch: ThreadFetchTable;
  message_version: MessageVersionTable;
  taken_back: TakenBackTable;
  iconfig: IconfigTable;
  poll_vote: PollVoteTable;
  sent_to: SentToTable;
  attach: AttachTable;
  lost_blob: LostBlobTable;
  message_file: MessageFileTable;
  event: EventTable;
  conv: ConvTable;
  mail: MailTable;
  chatroom: ChatroomTable;
  chat_line: ChatLineTable;
  app: AppTable;
  menu: MenuTable;
  menu_item: MenuItemTable;
  obj: ObjTable;
  likes: LikesTable;
  atoken: AtokenTable;
  import_run: ImportRunTable;
  list_import: ListImportTable;
  list_import_entry: ListImportEntryTable;
  oauth_client: OauthClientTable;
  oauth_token: OauthTokenTable;
  oauth_nonce: OauthNonceTable;
  oauth2_app: Oauth2AppTable;
  oauth2_code: Oauth2CodeTable;
  oauth2_token: Oauth2TokenTable;
  idempotency: IdempotencyTable;
  marker: MarkerTable;
  upload: UploadTable;
  upload_piece: UploadPieceTable;
  notify: NotifyTable;
  job: JobTable;
  letter: LetterTable;
  live_event: LiveEventTable;
  figure: FigureTable;
  long_step: LongStepTable;
};
