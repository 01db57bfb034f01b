const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A number of bytes in the largest unit of which there is one, with as many digits as people want to read. */
export type Measured = { value: number; unit: (typeof units)[number]; digits: number };

export function measured(bytes: number): Measured {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return { value, unit: units[unit]!, digits: value < 10 && unit > 0 ? 1 : 0 };
}

/** Writes sizes of such a unit in a language. */
export function sizeFormat(locale: string, { unit, digits }: Measured): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: unit === "byte" ? "long" : "short",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
}
