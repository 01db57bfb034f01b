import { account } from "./en/account.ts";
import { admin } from "./en/admin.ts";
import { announcements } from "./en/announcements.ts";
import { channels } from "./en/channels.ts";
import { chat } from "./en/chat.ts";
import { composer } from "./en/composer.ts";
import { connections } from "./en/connections.ts";
import { done } from "./en/done.ts";
import { events } from "./en/events.ts";
import { files } from "./en/files.ts";
import { forms } from "./en/forms.ts";
import { help } from "./en/help.ts";
import { items } from "./en/items.ts";
import { keys } from "./en/keys.ts";
import { layout } from "./en/layout.ts";
import { lists } from "./en/lists.ts";
import { mails } from "./en/mails.ts";
import { messages } from "./en/messages.ts";
import { moving } from "./en/moving.ts";
import { notices } from "./en/notices.ts";
import { pages } from "./en/pages.ts";
import { security } from "./en/security.ts";
import { settings } from "./en/settings.ts";
import { site } from "./en/site.ts";
import { webhooks } from "./en/webhooks.ts";

/** The English catalogues by their areas: what a text may be, and what it takes, follows from them. */
export const english = {
  account,
  admin,
  announcements,
  channels,
  chat,
  composer,
  connections,
  done,
  events,
  files,
  forms,
  help,
  items,
  keys,
  layout,
  lists,
  mails,
  messages,
  moving,
  notices,
  pages,
  security,
  settings,
  site,
  webhooks,
} as const;
