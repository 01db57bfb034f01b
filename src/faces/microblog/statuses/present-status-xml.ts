import { inTurns } from "../../../http/in-turns.ts";
import { inTag, writeElement, XmlText } from "../../../http/xml.ts";
import { fieldsOf, namespaces } from "../xml.ts";
import type { PresentedStatus } from "./present-status.ts";
import type { UserObject } from "../people/present-user.ts";

/** A page of statuses as XML; like in JSON (status-json.ts), its people are written once and repeated. */
export async function statusesXml(statuses: readonly PresentedStatus[]): Promise<XmlText> {
  const write = statusWriter();
  const written = await inTurns(statuses, (status) => inTag("status", write(status)));
  return root("statuses", written);
}

/** One status as XML. */
export function statusXml(status: PresentedStatus): XmlText {
  return root("status", [statusWriter()(status)]);
}

function root(name: string, content: readonly string[]): XmlText {
  const children = content.map((text) => new XmlText(text));
  return new XmlText(writeElement({ name, attributes: namespaces, children }));
}

/** Writes what stands between the tags of a status; the fields in their order in JSON. */
function statusWriter(): (status: PresentedStatus) => string {
  const written = new Map<UserObject, string>();
  const user = (name: string, person: UserObject): string => {
    let text = written.get(person);
    if (text === undefined) written.set(person, (text = fieldsOf("user", person)));
    return inTag(name, text);
  };
  const activities = (lists: object): string => {
    let text = "";
    for (const [name, people] of Object.entries(lists as Record<string, UserObject[]>))
      text += inTag(`svc:${name}`, people.map((person) => user("user", person)).join(""));
    return inTag("svc:activities", text);
  };
  return function write({ fields, people, shared }: PresentedStatus): string {
    let text = fieldsOf("status", fields);
    if (people.user) text += user("user", people.user);
    text += user("svc:author", people.svc_author) + user("svc:owner", people.svc_owner);
    text += activities(people.svc_activities);
    return shared ? text + inTag(shared.as, write(shared.status)) : text;
  };
}
