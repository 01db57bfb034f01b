import type { Refuse, Values } from "./input.ts";

/** The value that counts where one is expected: the last, as forms have it. */
export function lastOf(values: Values): unknown {
  return values?.[values.length - 1];
}

/** A value as text; undefined for a list or an object, which no text stands for. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The text of a parameter; undefined when it is absent, and refused when it is a list or an object. */
export function textOf(values: Values, refuse: Refuse): string | undefined {
  const value = lastOf(values);
  return value === undefined ? undefined : (asText(value) ?? refuse("must be a single value"));
}

/** A whole number of digits with an optional sign, small enough to be exact; undefined otherwise. */
export function asInteger(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,16}$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The entries of a list: repeated values, or one text with commas; empty entries are dropped. Undefined when one is no text. */
export function asTexts(values: readonly unknown[]): string[] | undefined {
  const texts = values.map(asText);
  if (!texts.every((text) => text !== undefined)) return undefined;
  const entries = texts.length === 1 ? texts[0]!.split(",") : texts;
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}
