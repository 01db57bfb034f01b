import { z } from "zod";

export { always, count, digits, empty, orNull, text, truth, url, words } from "../../../http/answer-kinds.ts";

/**
 * The kinds of fields of microblog contract 4 and 7. Each takes the sentence that says what its field means, and what such a
 * field may hold, for examples.
 */

/** The number of a record. */
export function id(description: string, example = 17): z.ZodInt {
  return z
    .int()
    .positive()
    .meta({ description, examples: [example] });
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
