import { sqlDate } from "../../storage/sql.ts";

/** The moment so many calendar months before another, in its stored form; where that month is too short, its last day. */
export function monthsBefore(moment: Date, months: number): string {
  const earlier = new Date(moment);
  const day = earlier.getUTCDate();
  earlier.setUTCDate(1);
  earlier.setUTCMonth(earlier.getUTCMonth() - months);
  const days = new Date(Date.UTC(earlier.getUTCFullYear(), earlier.getUTCMonth() + 1, 0)).getUTCDate();
  earlier.setUTCDate(Math.min(day, days));
  return sqlDate(earlier);
}
