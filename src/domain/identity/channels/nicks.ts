import { refusal } from "../../../errors.ts";

/** First path segments of the web interface, of the APIs and of federation, and the names of native contract 1.12. */
const reserved = new Set(
  `sys principals addressbooks calendars
  channel display item network profile photo photos cloud dav attach page block blocks layouts webpages menu wiki chat
  events event connections connedit connect follow poco viewconnections group mail notifications notify search
  directory folders moderate settings authorize token oauth new_channel manage register login logout import import_items
  uexport getfile help
  api assets setup admin administrator well-known nodeinfo actor inbox outbox followers following featured proxy person
  activities activity approval conversation tag tags lists favicon robots static public home about terms privacy health metrics docs`.split(
    /\s+/,
  ),
);

/** The nick in its stored form. Throws when it breaks the rules of native contract 1.12. */
export function readNick(text: string): string {
  const nick = text.trim().toLowerCase();
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(nick)) {
    throw refusal("nick_wrong");
  }
  if (reserved.has(nick)) throw refusal("nick_reserved");
  return nick;
}
