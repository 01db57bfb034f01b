/** Which kinds of notices a device may be told of, by their types (mastodon contract 11.31). */
export const alertTypes = [
  "mention",
  "status",
  "reblog",
  "follow",
  "follow_request",
  "favourite",
  "poll",
  "update",
  "quote",
  "quoted_update",
  "admin.sign_up",
  "admin.report",
] as const;
