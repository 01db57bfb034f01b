import type { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findStatuses } from "../../../domain/items/timelines/find-statuses.ts";
import type { Subject, Told } from "../../../domain/items/timelines/told.ts";
import { subjects } from "../../../domain/items/timelines/told.ts";
import { ownMessages } from "../../../domain/messages/messages.ts";
import type { Hub } from "../../../hub.ts";
import { flag, optionalId, optionalTexts } from "../parameters.ts";
import { typeOf } from "../present/notification.ts";
import type { Notices } from "../present/notification.ts";
import { showMails } from "../statuses/mail-answers.ts";
import { showStatuses } from "../statuses/status-answers.ts";

/** Loads what notices are shown with; those whose post is gone, or is not to be seen any more, are left out. */
export async function showNotices(hub: Hub, caller: Caller, all: readonly Told[]): Promise<Notices> {
  const found = await findStatuses(
    hub,
    caller.observer,
    all.flatMap(({ item }) => (item > 0 ? [item] : [])),
  );
  const items = new Map(found.map((item) => [item.message_id, item]));
  const letters = await ownMessages(
    hub,
    caller.channel,
    all.flatMap(({ mail }) => (mail > 0 ? [mail] : [])),
  );
  const told = all.filter(
    ({ subject, message, mail }) => items.has(message) || letters.has(mail) || isAboutPeople(subject),
  );
  const [sheet, mails] = await Promise.all([
    showStatuses(hub, caller, found, { people: told.map(({ actor }) => actor) }),
    showMails(hub, caller, [...letters.values()]),
  ]);
  const actors = sheet.accounts;
  return { told: told.filter(({ actor }) => actors.users.has(actor)), sheet, actors, items, letters, mails };
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
