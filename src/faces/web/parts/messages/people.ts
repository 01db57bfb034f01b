import type { User } from "../../../../domain/people/users.ts";
import type { Say } from "../../languages/say.ts";
import type { Choosable } from "../connections/people-choice.ts";

const mostNamed = 3;

/** With whom one talks, in a few words. */
export function namesOf(
  say: Say,
  people: ReadonlyMap<number, Pick<User, "xchan_name">>,
  ids: readonly number[],
): string {
  const names = ids.map((id) => people.get(id)?.xchan_name ?? say("messages.somebody"));
  if (names.length <= mostNamed) return names.join(", ");
  return say("messages.and-others", {
    names: names.slice(0, mostNamed - 1).join(", "),
    count: names.length - mostNamed + 1,
  });
}

/** Somebody to whom one may write, to be ticked. */
export function recipient(one: Pick<User, "xchan_hash" | "xchan_name" | "xchan_addr">): Choosable {
  return { hash: one.xchan_hash, name: one.xchan_name, about: one.xchan_addr };
}
