import { z } from "zod";

/**
 * Kinds of fields that answers have. Each takes the sentence that says what its field means, and what such a field may hold, for
 * examples.
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
