import { cache } from "../../../../caches.ts";
import type { PageContext } from "../../page.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A number of bytes as people read it. */
export function size(context: PageContext, bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return format(context, unit, value < 10 && unit > 0 ? 1 : 0).format(value);
}

/** As those of times, formatters are kept. */
const formats = cache<string, Intl.NumberFormat>(100);

function format(context: PageContext, unit: number, digits: number): Intl.NumberFormat {
  const { locale } = context.language;
  const known = formats(context.hub);
  const name = `${locale} ${unit} ${digits}`;
  const formatter =
    known.get(name) ??
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit: units[unit],
      unitDisplay: unit === 0 ? "long" : "short",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    });
  known.set(name, formatter);
  return formatter;
}
