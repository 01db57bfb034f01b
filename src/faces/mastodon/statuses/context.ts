/** An item as far as it says what it answers. */
type Answer = { id: number; thr_parent_id: number; parent: number; item_thread_top: number };

/** How many are answered at most, and how deep. */
type Bounds = { ancestors: number; descendants: number; depth: number };

/**
 * What a status answers, from the top of the thread down, and what answers it, each before its own answers (mastodon contract 5.4). What
 * answers something that is not there counts as an answer to the top. Beyond the bounds the first ancestors are left out, and the last
 * descendants.
 */
export function contextOf<T extends Answer>(
  thread: readonly T[],
  { id }: Pick<Answer, "id">,
  most: Bounds,
): { ancestors: T[]; descendants: T[] } {
  const byId = new Map(thread.map((item) => [item.id, item]));
  const parentOf = (item: T): T | undefined =>
    item.item_thread_top === 1 ? undefined : (byId.get(item.thr_parent_id) ?? byId.get(item.parent));
  const answers = new Map<number, T[]>();
  for (const item of thread.toSorted((one, other) => one.id - other.id)) {
    const parent = parentOf(item);
    if (!parent || parent.id === item.id) continue;
    const siblings = answers.get(parent.id);
    if (siblings) siblings.push(item);
    else answers.set(parent.id, [item]);
  }
  const ancestors: T[] = [];
  const seen = new Set<number>();
  const start = byId.get(id);
  for (let at = start && parentOf(start); at && !seen.has(at.id); at = parentOf(at)) {
    seen.add(at.id);
    ancestors.push(at);
  }
  return { ancestors: ancestors.slice(0, most.ancestors).toReversed(), descendants: below(answers, id, most) };
}

/** Depth first; a thread may be deeper than calls may nest. */
function below<T extends Answer>(answers: ReadonlyMap<number, T[]>, id: number, most: Bounds): T[] {
  const found: T[] = [];
  const waiting = (answers.get(id) ?? []).map((item) => ({ item, depth: 1 })).toReversed();
  for (let next = waiting.pop(); next && found.length < most.descendants; next = waiting.pop()) {
    const { item, depth } = next;
    found.push(item);
    if (depth >= most.depth) continue;
    for (const answer of (answers.get(item.id) ?? []).toReversed()) waiting.push({ item: answer, depth: depth + 1 });
  }
  return found;
}
