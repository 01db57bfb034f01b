import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { findAccountById, isInOrder } from "../../identity/accounts/accounts.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/find-channel.ts";
import { getSetting } from "../../identity/site/site-settings.ts";
import type { Mail } from "../../mail/mail.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { takeToMail } from "../../notifications/mail-times.ts";
import type { MailWay } from "../../notifications/mail-times.ts";
import { unsubscribeToken } from "../../notifications/unsubscribe.ts";
import { pageOfGroups } from "./notice-groups.ts";
import type { NoticeGroup } from "./notice-groups.ts";

/** What a mail tells: groups of notices, the newest first, perhaps not all of them. */
export type MailedNotices = {
  channel: Channel;
  /** That of its account; empty where it has chosen none. */
  language: string;
  site: string;
  way: MailWay;
  groups: NoticeGroup[];
  more: boolean;
  /** What the link that ends such mails carries. */
  token: string;
};

type Words = (told: MailedNotices) => Pick<Mail, "subject" | "parts" | "unsubscribe">;

/** So many groups stand in a mail. */
const most = 30;

/**
 * Mails what waits to be mailed to the channel; a job. What has been seen meanwhile is not told once more, and accounts that may not
 * log in, or whose address nobody has confirmed, get nothing. Notices and mail are settled in one transaction, so nothing is mailed twice.
 */
export async function mailNotices(hub: Hub, uid: number, way: MailWay, words: Words): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const among = await takeToMail(hub, uid, way);
    const channel = await findChannelById(hub, uid);
    const account = channel && (await findAccountById(hub, channel.channel_account_id));
    if (among.length === 0 || !account || !isInOrder(hub, account) || channel.channel_removed === 1) return;
    const { groups, next } = await pageOfGroups(hub, channel, { among }, { count: most });
    if (groups.length === 0) return;
    const [site, token] = [await getSetting(hub, "name"), await unsubscribeToken(hub, channel)];
    const { account_email: to, account_language: language } = account;
    const mail = words({ channel, language, site, way, groups, more: next !== undefined, token });
    await queueMail(hub, { to, site, ...mail });
  });
}
