const day = 24 * 3600 * 1000;

/** Of the latest so many days, weeks (from Monday) and months that have a backup, the newest of each stays. */
const rules: readonly [count: number, slotOf: (stamp: string) => string][] = [
  [7, (stamp) => stamp.slice(0, 8)],
  [4, weekOf],
  [12, (stamp) => stamp.slice(0, 6)],
];

/** Those of the moments (`20260301T120000`, UTC) whose backups stay. */
export function retained(stamps: readonly string[]): Set<string> {
  const newestFirst = stamps.toSorted().toReversed();
  const stays = new Set<string>();
  for (const [count, slotOf] of rules) {
    const slots = new Set<string>();
    for (const stamp of newestFirst) {
      const slot = slotOf(stamp);
      if (slots.has(slot)) continue;
      if (slots.size === count) break;
      slots.add(slot);
      stays.add(stamp);
    }
  }
  return stays;
}

function weekOf(stamp: string): string {
  const date = new Date(`${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`);
  const monday = date.getTime() - ((date.getUTCDay() + 6) % 7) * day;
  return new Date(monday).toISOString().slice(0, 10);
}
