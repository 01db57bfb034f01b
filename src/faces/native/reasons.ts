import type { Code } from "../../refusals/refusals.ts";

/** Status of each reason of native contract 1.8; `text` where the contract fixes it, `as` for one that it has no word for. */
export const reasons = {
  unauthorized: { status: 401 },
  missing_parameter: { status: 400 },
  bad_parameter: { status: 400 },
  no_content: { status: 400, text: "no content" },
  forbidden_content_type: { status: 403, text: "forbidden content type" },
  permission_denied: { status: 403, text: "permission denied" },
  author_refuses: { status: 403, as: "permission_denied" },
  second_factor: { status: 403, as: "permission_denied" },
  wrong_channel: { status: 403 },
  not_found: { status: 404 },
  not_implemented: { status: 404, text: "not implemented" },
  method_not_allowed: { status: 405 },
  conflict: { status: 409 },
  comments_closed: { status: 403 },
  too_large: { status: 413 },
  unsupported_media: { status: 415 },
  limit_reached: { status: 403 },
  rate_limited: { status: 429 },
  server_error: { status: 500, text: "system error" },
  disk_refuses: { status: 503, as: "server_error" },
} as const satisfies Record<string, { status: number; text?: string; as?: string }>;

export type Reason = keyof typeof reasons;

/** The reasons of native contract 1.8 that say more than the kind of a refusal. */
export const reasonsOf: Readonly<Partial<Record<Code, Reason>>> = {
  permission_denied: "permission_denied",
  likes_limited: "author_refuses",
  shares_limited: "author_refuses",
  quotes_limited: "author_refuses",
  second_factor_on: "second_factor",
  wrong_channel: "wrong_channel",
  not_your_channel: "wrong_channel",
  hash_or_guid_needed: "missing_parameter",
  no_content: "no_content",
  tag_needed: "no_content",
  forbidden_content_type: "forbidden_content_type",
  comments_closed: "comments_closed",
  storage_full: "limit_reached",
  searches_full: "limit_reached",
  followed_tags_full: "limit_reached",
  webhooks_full: "limit_reached",
  overloaded: "disk_refuses",
  blobs_away: "disk_refuses",
  disk_full: "disk_refuses",
  disk_read_only: "disk_refuses",
};
