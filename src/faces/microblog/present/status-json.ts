import { JsonText } from "../../../http/json-text.ts";
import type { PresentedStatus } from "./status.ts";
import type { UserObject } from "./user.ts";

/** A page of statuses as JSON. Most of such a page are its people, again and again, so each is written once and repeated. */
export function statusesJson(statuses: readonly PresentedStatus[]): JsonText {
  const write = statusWriter();
  return new JsonText(`[${statuses.map(write).join(",")}]`);
}

/** One status as JSON. */
export function statusJson(status: PresentedStatus): JsonText {
  return new JsonText(statusWriter()(status));
}

function statusWriter(): (status: PresentedStatus) => string {
  const written = new Map<UserObject, string>();
  const user = (person: UserObject): string => {
    let text = written.get(person);
    if (text === undefined) written.set(person, (text = JSON.stringify(person)));
    return text;
  };
  const users = (people: readonly UserObject[]): string =>
    people.length === 0 ? "[]" : `[${people.map(user).join(",")}]`;
  const activities = (lists: object): string => {
    const fields = Object.entries(lists as Record<string, UserObject[]>);
    return `{${fields.map(([name, people]) => `"${name}":${users(people)}`).join(",")}}`;
  };
  return function write({ said, people, shared }: PresentedStatus): string {
    let text = JSON.stringify(said).slice(0, -1);
    if (people.user) text += `,"user":${user(people.user)}`;
    text += `,"svc_author":${user(people.svc_author)},"svc_owner":${user(people.svc_owner)}`;
    text += `,"svc_activities":${activities(people.svc_activities)}`;
    if (people.friendica_author) text += `,"friendica_author":${user(people.friendica_author)}`;
    if (people.friendica_owner) text += `,"friendica_owner":${user(people.friendica_owner)}`;
    if (people.friendica_activities) text += `,"friendica_activities":${activities(people.friendica_activities)}`;
    if (shared) text += `,"${shared.as}":${write(shared.status)}`;
    return `${text}}`;
  };
}
