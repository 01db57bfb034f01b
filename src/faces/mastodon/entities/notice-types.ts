/** What notices tell: applications refuse a page for a type that they do not know (mastodon contract 11.14). */
export const noticeTypes = [
  "mention",
  "status",
  "favourite",
  "reblog",
  "quote",
  "follow_request",
  "follow",
  "update",
  "poll",
  "admin.sign_up",
  "admin.report",
] as const;
export type NoticeType = (typeof noticeTypes)[number];
