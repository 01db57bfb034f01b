import { z } from "zod";

/**
 * The kinds of fields of microblog contract 4 and 7. Each takes the sentence that says what its field means, and what such a
 * field may hold, for examples.
 */

export function text(description: string, example = ""): z.ZodString {
  return z.string().meta({ description, examples: [example] });
}

/** Text that is never empty. */
export function words(description: string, example: string): z.ZodString {
  return z
    .string()
    .min(1)
    .meta({ description, examples: [example] });
}

export function url(description: string, example: string): z.ZodURL {
  return z.url().meta({ description, examples: [example] });
}

/** The number of a record. */
export function id(description: string, example = 17): z.ZodInt {
  return z
    .int()
    .positive()
    .meta({ description, examples: [example] });
}

/** A number from 0. */
export function count(description: string, example = 0): z.ZodInt {
  return z
    .int()
    .nonnegative()
    .meta({ description, examples: [example] });
}

/** A number as text. */
export function digits(description: string, example = "17"): z.ZodString {
  return z
    .string()
    .regex(/^\d+$/)
    .meta({ description, examples: [example] });
}

export function truth(description: string, example = false): z.ZodBoolean {
  return z.boolean().meta({ description, examples: [example] });
}

/** Always the same. */
export function always<const T extends string | number | boolean>(value: T, description: string): z.ZodLiteral<T> {
  return z.literal(value).meta({ description });
}

/** 1 for yes and 0 for no. */
export function bit(description: string, example: 0 | 1 = 0): z.ZodLiteral<0 | 1> {
  return z.literal([0, 1]).meta({ description, examples: [example] });
}

const day = "(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \\d\\d";
const twitterDate = new RegExp(`^${day} \\d\\d:\\d\\d:\\d\\d \\+0000 \\d{4}$`);

/** A date as microblog contract 4.3 has it. */
export function date(description: string): z.ZodString {
  return z
    .string()
    .regex(twitterDate)
    .meta({ description, examples: ["Sun Mar 01 12:00:00 +0000 2026"] });
}

/** A date in the form in which records are stored. */
export function stored(description: string): z.ZodString {
  return z
    .string()
    .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    .meta({ description, examples: ["2026-03-01 12:00:00"] });
}

/** Always an empty list. */
export function empty(description: string): z.ZodArray<z.ZodNever> {
  return z
    .array(z.never())
    .max(0)
    .meta({ description, examples: [[]] });
}

/** What may be null, and mostly is. */
export function orNull<T extends z.ZodType>(schema: T, description: string): z.ZodNullable<T> {
  return schema.nullable().meta({ description, examples: [null] });
}
