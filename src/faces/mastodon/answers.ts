import * as account from "./entities/account.ts";
import * as announcement from "./entities/announcement.ts";
import * as application from "./entities/application.ts";
import * as conversation from "./entities/conversation.ts";
import * as filter from "./entities/filter.ts";
import * as instance from "./entities/instance.ts";
import * as notification from "./entities/notification.ts";
import * as push from "./entities/push.ts";
import * as report from "./entities/report.ts";
import * as status from "./entities/status.ts";
import * as tag from "./entities/tag.ts";

/** What the endpoints answer: the entities of Mastodon contract 11. */
export const answers = {
  ...account,
  ...announcement,
  ...application,
  ...conversation,
  ...filter,
  ...instance,
  ...notification,
  ...push,
  ...report,
  ...status,
  ...tag,
} as const;
