import { z } from "zod";

export { always, count, digits, empty, orNull, text, truth, url, words } from "../../../http/answer-kinds.ts";

/** The kinds of fields of Mastodon contract 4 and 11 that other APIs do not have. */

/** The number of a record, as text without leading zeros. */
export function id(description: string, example = "17"): z.ZodString {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/)
    .meta({ description, examples: [example] });
}

/** A moment: always UTC, three digits and `Z`, because clients take any other form for no date. */
export function datetime(description: string): z.ZodString {
  return z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ description, examples: ["2026-03-01T12:00:00.000Z"] });
}

/** A day. */
export function day(description: string): z.ZodString {
  return z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .meta({ description, examples: ["2026-03-01"] });
}

/** One of these words. */
export function oneOf<const T extends readonly [string, ...string[]]>(
  names: T,
  description: string,
): z.ZodEnum<{ [N in T[number]]: N }> {
  return z.enum(names).meta({ description, examples: [names[0]] });
}

/** A list of texts. */
export function list(description: string, ...examples: string[]): z.ZodArray<z.ZodString> {
  return z.array(z.string()).meta({ description, examples: [examples] });
}

/** Always nothing. */
export function nothing(description: string): z.ZodNull {
  return z.null().meta({ description });
}
