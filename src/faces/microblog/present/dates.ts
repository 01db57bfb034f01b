const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
/** Shifts of the months for the day of the week, after Sakamoto. */
const shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4] as const;

/** A stored date as clients split it by fixed places: `Sat Feb 29 00:00:00 +0000 2020` (microblog contract 4.3). */
export function twitterDate(stored: string): string {
  const year = stored.slice(0, 4);
  const month = Number(stored.slice(5, 7));
  const day = stored.slice(8, 10);
  return `${weekday(Number(year), month, Number(day))} ${months[month - 1]} ${day} ${stored.slice(11, 19)} +0000 ${year}`;
}

function weekday(year: number, month: number, day: number): string {
  const y = month < 3 ? year - 1 : year;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return days[(y + leaps + shifts[month - 1]! + day) % 7]!;
}
