import { cache } from "../../../../caches.ts";
import { measured, sizeFormat } from "../../languages/sizes.ts";
import type { PageContext } from "../../page.ts";

/** As those of times, formatters are kept. */
const formats = cache<string, Intl.NumberFormat>(100);

/** A number of bytes as people read it. */
export function size({ hub, language: { locale } }: PageContext, bytes: number): string {
  const found = measured(bytes);
  const known = formats(hub);
  const name = `${locale} ${found.unit} ${found.digits}`;
  const format = known.get(name) ?? sizeFormat(locale, found);
  known.set(name, format);
  return format.format(found.value);
}
