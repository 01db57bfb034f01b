import type { ApplicationItem } from "../../../domain/items/columns.ts";
import { readEventObject } from "../../../domain/items/event-item.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import { objectTypes } from "../../../domain/items/vocabulary.ts";
import { parseList } from "../../../domain/groups/lists.ts";
import type { StatusObject } from "./status-object.ts";
import { namesOf } from "./account.ts";
import { datetime, datetimeOrNull } from "./dates.ts";
import type { Sheet } from "./sheet.ts";

type Own = StatusObject["hubbub"];

/** What other servers have no field for (mastodon contract 11.3). */
export function presentHubbub(sheet: Sheet, item: ApplicationItem, details: StatusDetails): Own {
  const { like: _, ...others } = sheet.page.reactions.get(item.id) ?? {};
  const event = eventOf(details);
  return {
    title: item.title,
    thread: String(sheet.echoes.get(item.parent) ?? item.parent),
    ...(details.about !== undefined && { about: String(details.about) }),
    ...(sheet.me === item.author_id && item.item_thread_top === 1 && { audience: audienceOf(sheet, details) }),
    activities: Object.fromEntries(
      Object.entries(others).map(([name, people]) => [name.replace("react#", ""), people.length]),
    ),
    ...(event && { event }),
  };
}

/** For whom the caller's own post is: groups and people that are gone are left out. */
function audienceOf({ listed, hub }: Sheet, details: StatusDetails): NonNullable<Own["audience"]> {
  const groups = (list: string) =>
    parseList(list).flatMap((hash) => {
      const group = listed.groups.get(hash);
      return group ? [{ id: String(group.id), title: group.gname }] : [];
    });
  const people = (list: string) =>
    parseList(list).flatMap((hash) => {
      const person = listed.people.get(hash);
      if (!person) return [];
      const local = person.xchan_addr.endsWith(`@${hub.config.host}`);
      return [{ id: String(person.xchan_id), acct: namesOf({ ...person, local }).acct }];
    });
  return {
    scope: details.public_policy,
    groups: groups(details.allow_gid),
    people: people(details.allow_cid),
    groups_denied: groups(details.deny_gid),
    people_denied: people(details.deny_cid),
  };
}

function eventOf({ obj_type, obj }: StatusDetails): Own["event"] {
  const event = obj_type === objectTypes.event ? readEventObject(obj, "") : undefined;
  if (!event) return undefined;
  const end = event.nofinish === 1 ? null : datetimeOrNull(event.dtend);
  return { start: datetime(event.dtstart), end, title: event.summary, place: event.location };
}
