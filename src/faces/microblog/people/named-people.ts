import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findPeopleById, findPeopleByNick } from "../../../domain/people/find-people.ts";
import type { Hub } from "../../../hub.ts";
import { list } from "../parameters.ts";

/** The parameters that name several people. */
export const peopleInput = {
  user_id: list("Ids of the people, at most 100."),
  screen_name: list("Nicks of the people, at most 100 together with the ids."),
};

export type PeopleInput = { user_id: readonly string[]; screen_name: readonly string[] };

/** How many one request may name. */
export const mostPeople = 100;

/**
 * Those whom a request names, ids first, each once, in its order; `unknown` are the names that mean nobody. What is named
 * beyond the hundred is not looked at.
 */
export async function namedPeople(
  hub: Hub,
  { channel }: Caller,
  { user_id, screen_name }: PeopleInput,
): Promise<{ people: Xchan[]; unknown: string[] }> {
  const ids = user_id.slice(0, mostPeople);
  const names = screen_name.slice(0, mostPeople - ids.length);
  const numbers = ids.map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : 0));
  const byId = await findPeopleById(hub, channel, numbers);
  const byNick = await findPeopleByNick(hub, channel, names);
  const found = [...numbers.map((number) => byId.get(number)), ...names.map((name) => byNick.get(name))];
  const asked = [...ids, ...names];
  return {
    people: [...new Map(found.flatMap((person) => (person ? [[person.xchan_id, person]] : []))).values()],
    unknown: asked.filter((_, index) => found[index] === undefined),
  };
}
