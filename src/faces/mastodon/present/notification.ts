import type { z } from "zod";
import type { Subject, Told } from "../../../domain/items/timelines/told.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import { storedMoment } from "../../../http/dates.ts";
import type { NoticeType } from "../entities/notice-types.ts";
import type { Notification } from "../entities/notification.ts";
import type { Report } from "../entities/report.ts";
import { presentAccount } from "./account.ts";
import type { Accounts } from "./account.ts";
import { datetime } from "./dates.ts";
import { presentMail } from "./mail-status.ts";
import type { MailSheet } from "./mail-status.ts";
import { presentReport } from "./report.ts";
import type { ReportAnswers } from "./report.ts";
import { presentStatus } from "./status.ts";
import type { Sheet } from "./sheet.ts";
import type { StatusObject } from "./status-object.ts";

/** Notices with all that is shown of them; `items` are their posts by message, `letters` their direct messages by id. */
export type Notices = {
  told: readonly Told[];
  actors: Accounts;
  sheet: Sheet;
  items: ReadonlyMap<number, ApplicationItem>;
  letters: ReadonlyMap<number, Mail>;
  mails: MailSheet;
  reports: ReadonlyMap<number, Omit<ReportAnswers, "people">>;
};

/** What notices are called here. */
export const typeOf: Readonly<Record<Subject, NoticeType>> = {
  mention: "mention",
  thread: "status",
  like: "favourite",
  share: "reblog",
  quote: "quote",
  request: "follow_request",
  follower: "follow",
  edit: "update",
  poll: "poll",
  "sign-up": "admin.sign_up",
  report: "admin.report",
};

/** Mastodon contract 11.14. */
export function presentNotification(notices: Notices, told: Told): z.infer<typeof Notification> {
  const item = notices.items.get(told.message);
  const status = statusOf(notices, told);
  return {
    id: String(told.id),
    type: typeOf[told.subject],
    group_key: groupKeyOf(told, item),
    created_at: datetime(told.created),
    account: presentAccount(notices.actors, told.actor),
    ...(status && { status }),
    ...reportIn(notices, told),
    ...(told.filtered && { filtered: true }),
  };
}

/** What those who run the hub are told of: that goes with the notice, and with its group. */
export function reportIn({ reports, actors }: Notices, told: Told): { report?: z.infer<typeof Report> } {
  const report = reports.get(told.report);
  return report ? { report: presentReport({ ...report, people: actors }) } : {};
}

/** What a notice is about, where that is no person alone. */
export function statusOf({ items, letters, sheet, mails }: Notices, told: Told): StatusObject | undefined {
  const [item, letter] = [items.get(told.message), letters.get(told.mail)];
  if (item) return presentStatus(sheet, item);
  return letter && presentMail(mails, letter);
}

const grouped: readonly Subject[] = ["like", "share", "follower"];
const halfDay = 12 * 3600 * 1000;

/** Likes and shares of a post, and followers, of the same half day belong together. */
export function groupKeyOf({ id, subject, created }: Told, item: { id: number } | undefined): string {
  if (!grouped.includes(subject)) return `ungrouped-${id}`;
  const half = Math.floor(storedMoment(created).getTime() / halfDay);
  return item ? `${typeOf[subject]}-${item.id}-${half}` : `${typeOf[subject]}-${half}`;
}

/** What a key stands for: one notice, or those of a subject, of a post, of a half day; undefined for what is none. */
export function readGroupKey(
  key: string,
): { id: number } | { subject: Subject; item?: number; between: [Date, Date] } | undefined {
  const [, single] = /^ungrouped-([1-9]\d{0,15})$/.exec(key) ?? [];
  if (single !== undefined) return { id: Number(single) };
  const [, type, item, half] = /^([a-z]+)(?:-([1-9]\d{0,15}))?-(\d{1,7})$/.exec(key) ?? [];
  const subject = grouped.find((one) => typeOf[one] === type);
  if (!subject || (subject === "follower") !== (item === undefined)) return undefined;
  return {
    subject,
    ...(item !== undefined && { item: Number(item) }),
    between: [new Date(Number(half) * halfDay), new Date((Number(half) + 1) * halfDay)],
  };
}
