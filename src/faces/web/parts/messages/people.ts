import type { User } from "../../../../domain/people/users.ts";

const mostNamed = 3;

/** With whom one talks, in a few words. */
export function namesOf(people: ReadonlyMap<number, User>, ids: readonly number[]): string {
  const names = ids.map((id) => people.get(id)?.xchan_name ?? "Somebody");
  if (names.length <= mostNamed) return names.join(", ");
  return `${names.slice(0, mostNamed - 1).join(", ")} and ${names.length - mostNamed + 1} others`;
}
