import type { Addressee } from "../../identity/xchans/actors.ts";
import type { Target } from "../sent-to.ts";

/** One request for each hub, where it has an inbox for everybody. */
export function inboxesOf(people: readonly Addressee[]): Target[] {
  return together(
    people.map(({ xchan_id, inbox, shared_inbox }) => ({
      inbox: shared_inbox || inbox,
      people: [xchan_id],
      shared: shared_inbox !== "",
    })),
  );
}

/** The same for people of one hub who are named one by one: whoever is alone there has an inbox of their own. */
export function inboxesAt(people: readonly Addressee[]): Target[] {
  const [first, ...others] = people;
  if (!first || others.length > 0) return inboxesOf(people);
  return [{ inbox: first.inbox, people: [first.xchan_id], shared: false }];
}

/** One for each inbox, with everybody who is behind it. */
export function together(targets: readonly Target[]): Target[] {
  const merged = new Map<string, Target>();
  for (const { inbox, people, shared } of targets) {
    const known = merged.get(inbox);
    if (known) known.people = [...new Set([...known.people, ...people])];
    else merged.set(inbox, { inbox, people: [...people], shared });
  }
  return [...merged.values()];
}
