import { callerOfBearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { findStatuses } from "../../../domain/items/timelines/find-statuses.ts";
import { findTold } from "../../../domain/items/timelines/told.ts";
import type { ComposePush } from "../../../domain/push/deliver-push.ts";
import { unlockToken } from "../../../domain/push/sealed-token.ts";
import type { NoticeType } from "../entities/notice-types.ts";
import { showNotices } from "../notifications/notice-answers.ts";
import { typeOf } from "../present/notification.ts";

const longestTitle = 120;
const longestBody = 140;

/** What an application is told of a notice (Mastodon contract 15), made with the conditions of every page. */
export const composePush: ComposePush = async (hub, device, notice) => {
  const caller = await callerOfBearer(hub, device.token_id);
  const token = caller && (await unlockToken(hub, device.secret));
  const told = caller && (await findTold(hub, caller.channel, notice, { anyWay: true }));
  if (!caller || token === undefined || !told) return undefined;
  const [post] = await findStatuses(hub, caller.observer, told.item > 0 ? [told.item] : []);
  const shown = await showNotices(hub, caller, [{ ...told, post }]);
  if (shown.told.length === 0) return undefined;
  const type = typeOf[told.subject];
  const user = shown.actors.users.get(told.actor)!;
  const text = {
    access_token: token,
    preferred_locale: "en",
    notification_id: told.id,
    notification_type: type,
    icon: user.xchan_photo_l,
    title: shorten(titles[type](user.xchan_name, post), longestTitle),
    body: shorten(post ? textOf(post) : (shown.letters.get(told.mail)?.plain ?? ""), longestBody),
  };
  return { asked: { alert: type, actor: told.actor }, urgent: type === "mention", text: JSON.stringify(text) };
};

const titles: Readonly<Record<NoticeType, (name: string, post?: StatusItem) => string>> = {
  mention: (name) => `${name} wrote to you`,
  status: (name, post) => (post?.item_thread_top === 1 ? `${name} has posted` : `${name} wrote in a thread of yours`),
  favourite: (name) => `${name} likes your post`,
  reblog: (name) => `${name} shared your post`,
  quote: (name) => `${name} quoted your post`,
  follow_request: (name) => `${name} would like to follow you`,
  follow: (name) => `${name} follows you`,
  update: (name) => `${name} edited a post`,
  poll: (name) => `A poll of ${name} has ended`,
  "admin.sign_up": (name) => `${name} would like to join`,
  "admin.report": (name) => `${name} has reported somebody`,
};

/** The warning hides what is behind it here as well. */
function textOf({ summary, title, plain }: StatusItem): string {
  return summary || `${title} ${plain}`;
}

function shorten(text: string, most: number): string {
  const letters = [...text.replace(/\s+/g, " ").trim()];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}
