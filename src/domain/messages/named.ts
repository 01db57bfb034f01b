import { findInText } from "../bodies/tag-forms.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import type { Hub } from "../../hub.ts";

/** A name in a text, and whom it means. */
export type Named = { start: number; end: number; person: Xchan };

/** Where a text names which of these people: by an address, or by a nick, which means somebody of this hub first. */
export function namedIn({ config }: Pick<Hub, "config">, people: readonly Xchan[], text: string): Named[] {
  const find = (address: string) => people.find(({ xchan_addr }) => xchan_addr.toLowerCase() === address);
  const meant = (name: string) => {
    if (name.includes("@")) return find(name);
    return (
      find(`${name}@${config.host}`) ?? people.find(({ xchan_addr }) => xchan_addr.toLowerCase().startsWith(`${name}@`))
    );
  };
  return findInText(text).mentions.flatMap(({ start, end, name }) => {
    const person = meant(name.toLowerCase());
    return person ? [{ start, end, person }] : [];
  });
}

/** The text with the whole addresses of those whom it names: they mean the same to all who read it. */
export function spelledOut(text: string, named: readonly Named[]): string {
  return named.reduceRight(
    (so, { start, end, person }) => `${so.slice(0, start)}@${person.xchan_addr}${so.slice(end)}`,
    text,
  );
}
