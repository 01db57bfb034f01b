/** An item as far as it says what it answers. */
type Answer = { id: number; thr_parent_id: number; parent: number; item_thread_top: number };

/**
 * What a status answers, from the top of the thread down, and what answers it, each before its own answers (mastodon contract 5.4). What
 * answers something that is not there counts as an answer to the top.
 */
export function contextOf<T extends Answer>(
  thread: readonly T[],
  { id }: Pick<Answer, "id">,
): { ancestors: T[]; descendants: T[] } {
  const byId = new Map(thread.map((item) => [item.id, item]));
  const parentOf = (item: T): T | undefined =>
    item.item_thread_top === 1 ? undefined : (byId.get(item.thr_parent_id) ?? byId.get(item.parent));
  const answers = new Map<number, T[]>();
  for (const item of thread.toSorted((one, other) => one.id - other.id)) {
    const parent = parentOf(item);
    if (parent && parent.id !== item.id) answers.set(parent.id, [...(answers.get(parent.id) ?? []), item]);
  }
  const ancestors: T[] = [];
  const start = byId.get(id);
  for (let at = start && parentOf(start); at && !ancestors.includes(at); at = parentOf(at)) ancestors.unshift(at);
  const below = (of: number): T[] => (answers.get(of) ?? []).flatMap((item) => [item, ...below(item.id)]);
  return { ancestors, descendants: below(id) };
}
