import type { Mail } from "../../../domain/messages/types.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import { idsOf } from "../ids.ts";
import { storedJson } from "../../../stored-json.ts";

/** Whom a direct message goes to, by id and address, the id that it has there, and that of the one that it answers. */
export type Written = { nick: string; mail: Mail; note: string; person: string; address: string; answers: string };

/** A direct message to somebody of elsewhere (federation contract 5): a post that is for one person, and names them. */
export function writingOf(hub: Hub, written: Written): object {
  const { nick, mail, note, person, address, answers } = written;
  const { actor } = idsOf(hub, nick);
  const object = {
    id: note,
    type: "Note",
    attributedTo: actor,
    to: [person],
    cc: [],
    directMessage: true,
    ...(mail.title !== "" && { name: mail.title }),
    content: personalise(mail.html, undefined),
    source: { content: mail.body, mediaType: "text/bbcode" },
    published: isoDate(mail.created),
    ...(answers !== "" && { inReplyTo: answers }),
    tag: [{ type: "Mention", href: person, name: `@${address}` }],
    attachment: attached(mail),
  };
  return { id: `${note}#create`, type: "Create", actor, published: object.published, to: [person], cc: [], object };
}

/** It is taken back. */
export function recallOf(hub: Hub, nick: string, mid: string, person: string): object {
  const { actor } = idsOf(hub, nick);
  return { id: `${mid}#delete`, type: "Delete", actor, to: [person], object: { id: mid, type: "Tombstone" } };
}

/** The files that the text's codes stood for. */
function attached({ attach }: Mail): object[] {
  if (attach === "") return [];
  const files = storedJson<{ href: string; type: string; title: string }[]>(attach);
  return files.map(({ href, type, title }) => ({
    type: "Document",
    mediaType: type,
    url: href,
    name: decodeURIComponent(title),
  }));
}
