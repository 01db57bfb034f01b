import { z } from "zod";
import { Account } from "./account.ts";
import { count, datetime, id, oneOf, text, truth, words } from "./kinds.ts";
import { policyRules } from "../../../domain/notifications/policy.ts";
import { noticeTypes } from "./notice-types.ts";
import { Report } from "./report.ts";
import { Status } from "./status.ts";

/** What somebody is told, and how far they have read (mastodon contract 11.14 to 11.16, 11.24). */

const type = oneOf(noticeTypes, "What happened.");

/** Mastodon contract 11.14. */
export const Notification = z.strictObject({
  id: id("Id of the notice."),
  type,
  group_key: words("What alike notices have in common.", "ungrouped-17"),
  created_at: datetime("When it happened."),
  account: Account.meta({ description: "Who did it." }),
  status: Status.optional().meta({ description: "The post; absent where it is about people alone." }),
  report: Report.optional().meta({ description: "The report; only with `admin.report`." }),
  filtered: truth("The policy of the caller keeps it apart; only then there.", true).optional(),
});

const NotificationGroup = z.strictObject({
  group_key: words("What the notices of the group have in common.", "favourite-812-41200"),
  notifications_count: count("How many notices the group has on this page.", 2),
  type,
  most_recent_notification_id: z.int().meta({ description: "Id of the newest notice, a number.", examples: [17] }),
  page_min_id: id("Id of the oldest notice of the group on this page."),
  page_max_id: id("Id of the newest."),
  latest_page_notification_at: datetime("When the newest happened."),
  sample_account_ids: z
    .array(id("Id of a person."))
    .min(1)
    .max(8)
    .meta({ description: "Ids of those who did it, the last first." }),
  status_id: id("Id of the post.").optional(),
  report: Report.optional().meta({ description: "The report; only with `admin.report`." }),
});

const PartialAccount = z.strictObject({
  id: id("Id of the person."),
  acct: words("Nick of somebody of this hub, else the whole address.", "ann"),
  url: z.url().meta({ description: "Page of the person.", examples: ["https://hub.example/channel/ann"] }),
  avatar: z.url().meta({ description: "Picture of the person.", examples: ["https://hub.example/photo/profile/l/1"] }),
  avatar_static: z.url().meta({ description: "The same.", examples: ["https://hub.example/photo/profile/l/1"] }),
  avatar_description: text("Always empty."),
  locked: truth("Whoever wants to follow asks first."),
  bot: truth("It is a program."),
});

/** Mastodon contract 11.15. */
export const GroupedNotifications = z.strictObject({
  accounts: z.array(Account).meta({ description: "The people of the groups." }),
  partial_accounts: z
    .array(PartialAccount)
    .optional()
    .meta({
      description: "Those of whom only pictures are shown; with `expand_accounts=partial_avatars`.",
      examples: [[]],
    }),
  statuses: z.array(Status).meta({ description: "The posts of the groups." }),
  notification_groups: z.array(NotificationGroup).meta({ description: "The groups, the newest first." }),
});

export const UnreadCount = z.strictObject({ count: count("How many are not read.", 3) });

const ruleFor = (who: string) =>
  oneOf(policyRules, `Notices from ${who} are told, kept apart as requests, or not even stored.`);

const keptApart = (who: string) => truth(`Notices from ${who} are not told.`);

const summary = z
  .strictObject({
    pending_requests_count: count("How many people wait."),
    pending_notifications_count: count("How many notices of theirs wait."),
  })
  .meta({ description: "What is kept apart." });

/** Mastodon contract 11.16. */
export const NotificationPolicy = z.strictObject({
  for_not_following: ruleFor("people whom the caller does not follow"),
  for_not_followers: ruleFor("people who do not follow the caller"),
  for_new_accounts: ruleFor("people whom the hub has known for less than 30 days"),
  for_private_mentions: ruleFor("strangers who write privately, unasked"),
  for_limited_accounts: ruleFor("people whom the hub limits"),
  for_bots: ruleFor("programs"),
  summary,
});

export const NotificationPolicyV1 = z.strictObject({
  filter_not_following: keptApart("people whom the caller does not follow"),
  filter_not_followers: keptApart("people who do not follow the caller"),
  filter_new_accounts: keptApart("people whom the hub has known for less than 30 days"),
  filter_private_mentions: keptApart("strangers who write privately, unasked"),
  summary,
});

/** Mastodon contract 11.16. */
export const NotificationRequest = z.strictObject({
  id: id("Id of the request: that of its oldest notice."),
  created_at: datetime("When the oldest happened."),
  updated_at: datetime("When the newest happened."),
  account: Account.meta({ description: "Who did it." }),
  notifications_count: words("How many notices wait, as text.", "3"),
  last_status: Status.optional().meta({ description: "The post of the newest notice; absent where it has none." }),
});

export const MergedRequests = z.strictObject({ merged: truth("Always true.", true) });

const Marker = z.strictObject({
  last_read_id: id("Id of the last entry that was read."),
  version: count("How often it was set.", 1),
  updated_at: datetime("When it was set."),
});

/** Mastodon contract 11.24. */
export const Markers = z.strictObject({
  home: Marker.optional().meta({ description: "In the home time line." }),
  notifications: Marker.optional().meta({ description: "Among the notices." }),
});
