import type { z } from "zod";
import { isAdministrator } from "../../../domain/identity/accounts/accounts.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findStatuses } from "../../../domain/items/timelines/find-statuses.ts";
import { loadOriginals } from "../../../domain/items/timelines/statuses.ts";
import type { Subject, Told } from "../../../domain/items/timelines/told.ts";
import { subjects } from "../../../domain/items/timelines/told.ts";
import { ownMessages } from "../../../domain/messages/messages.ts";
import { findReports } from "../../../domain/reports/list.ts";
import type { MadeReport } from "../../../domain/reports/report.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";
import { flag, optionalId, optionalTexts } from "../parameters.ts";
import { typeOf } from "../present/notification.ts";
import type { Notices } from "../present/notification.ts";
import { showMails } from "../statuses/mail-answers.ts";
import { showStatuses } from "../statuses/status-answers.ts";

/** Loads what notices are shown with; those whose post is gone, or is not to be seen any more, are left out. */
export async function showNotices(hub: Hub, caller: Caller, all: readonly Told[]): Promise<Notices> {
  const brought = new Map(all.flatMap(({ post }) => (post ? [[post.message_id, post] as const] : [])));
  const others = all.flatMap(({ item, message }) => (item > 0 && !brought.has(message) ? [item] : []));
  const found = [...brought.values(), ...(await findStatuses(hub, caller.observer, others))];
  const items = new Map(found.map((item) => [item.message_id, item]));
  const letters = await ownMessages(
    hub,
    caller.channel,
    all.flatMap(({ mail }) => (mail > 0 ? [mail] : [])),
  );
  const made = await reportsTold(hub, caller, all);
  const told = all.filter(
    ({ subject, message, mail, report }) =>
      items.has(message) || letters.has(mail) || made.has(report) || isAboutPeople(subject),
  );
  const people = [...told.map(({ actor }) => actor), ...[...made.values()].map(({ person_id }) => person_id)];
  const [sheet, mails, reports] = await Promise.all([
    showStatuses(hub, caller, found, { people }),
    showMails(hub, caller, [...letters.values()]),
    withStatuses(hub, caller, made),
  ]);
  const actors = sheet.accounts;
  const isKnown = (person: number | undefined): boolean => person === undefined || actors.users.has(person);
  const shown = told.filter(({ actor, report }) => isKnown(actor) && isKnown(made.get(report)?.person_id));
  return { told: shown, sheet, actors, items, letters, mails, reports };
}

/** Reports are shown to those who administer the hub today. */
async function reportsTold(hub: Hub, { account }: Caller, all: readonly Told[]): Promise<Map<number, MadeReport>> {
  const ids = all.flatMap(({ report }) => (report > 0 ? [report] : []));
  return isAdministrator(account) ? findReports(hub, ids) : new Map();
}

/** The same with the posts that the caller may see. */
async function withStatuses(
  hub: Hub,
  { observer }: Caller,
  made: ReadonlyMap<number, MadeReport>,
): Promise<Notices["reports"]> {
  const named = [...made.values()].map((one) => ({ made: one, messages: storedJson<number[]>(one.messages) }));
  const seen = await loadOriginals(
    hub,
    observer,
    named.flatMap(({ messages }) => messages.map((shared_id) => ({ shared_id }))),
  );
  return new Map(
    named.map(({ made, messages }) => [made.id, { made, statuses: messages.flatMap((id) => seen.get(id)?.id ?? []) }]),
  );
}

function isAboutPeople(subject: Subject): boolean {
  return subject === "request" || subject === "follower" || subject === "sign-up";
}

/** Whether those are wanted that the policy keeps apart. */
export const include_filtered = flag("Also those that the policy of the caller keeps apart.");

/** Which notices are wanted. */
export const noticeFilter = {
  types: optionalTexts("Only these types; unknown ones are dropped."),
  exclude_types: optionalTexts("Not these types."),
  account_id: optionalId("Only what this person did."),
};

type FilterInput = { [name in keyof typeof noticeFilter]: z.output<(typeof noticeFilter)[name]> };

/** The subjects of these types; where only types were named that nobody knows there are none. */
export function filterOf({ types, exclude_types: excluded, account_id: actor }: FilterInput): {
  subjects: Subject[];
  actor: number | undefined;
} {
  const wanted = subjects.filter((subject) => {
    const type: string = typeOf[subject];
    return (types === undefined || types.includes(type)) && !excluded?.includes(type);
  });
  return { subjects: wanted, actor };
}
