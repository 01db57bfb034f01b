const units = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["week", 7 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How long ago a moment was, in words of one unit: `1 hour ago`. */
export function ago(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? [];
  if (unit === undefined) return "less than a second ago";
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
