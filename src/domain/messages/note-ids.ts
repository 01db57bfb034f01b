import type { Hub } from "../../hub.ts";
import { recipientsOf } from "./conversations.ts";
import type { Mail } from "./types.ts";

/**
 * Elsewhere a message to several is a note for each of them, and each note has an id of its own (federation contract 5). These ids begin
 * with that of the message, so that whoever has one of the notes knows the others for the same.
 */

const several = /^(.+\/item\/[\da-f-]{36})\/\d{1,3}$/;

/** The id that the message has for one of those who get it elsewhere. */
export function idFor(mail: Pick<Mail, "mid" | "to_xchan" | "also_to">, reader: string): string {
  const readers = recipientsOf(mail);
  return readers.length === 1 ? mail.mid : `${mail.mid}/${readers.toSorted().indexOf(reader) + 1}`;
}

/** The id of the message that a note is one of; its own id where it is the only one. */
export function messageOf(note: string): string {
  return several.exec(note)?.[1] ?? note;
}

/** The id of what is answered, as one of those who get the answer elsewhere has it: what came from elsewhere has one id for all. */
export function answeredFor(
  { config }: Pick<Hub, "config">,
  answered: Pick<Mail, "mid" | "from_xchan" | "to_xchan" | "also_to">,
  reader: string,
): string {
  const ours = answered.mid.startsWith(`${config.baseUrl}/`) && recipientsOf(answered).includes(reader);
  return ours ? idFor(answered, reader) : answered.mid;
}
