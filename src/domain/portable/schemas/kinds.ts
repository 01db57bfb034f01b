import { z } from "zod";

/**
 * The kinds of fields of native contract 1. Each takes the sentence that says what its field means, and what such a
 * field may hold, for examples.
 */

/** S: free text, which may be empty. */
export function text(description: string, example = ""): z.ZodString {
  return z.string().meta({ description, examples: [example] });
}

/** H: the hash of an identity, or another opaque hash. */
export function hash(description: string, example = "Qm3vT8wLk2aZ"): z.ZodString {
  return text(description, example);
}

/** D: decimal digits. */
export function digits(description: string, example = "0"): z.ZodString {
  return z
    .string()
    .regex(/^\d+$/)
    .meta({ description, examples: [example] });
}

/** F: yes or no. */
export function flag(description: string, example: "0" | "1" = "0"): z.ZodEnum<{ 0: "0"; 1: "1" }> {
  return z.enum(["0", "1"]).meta({ description, examples: [example] });
}

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** T: a date and time in UTC. */
export function time(description: string, example = "2026-03-01 12:00:00"): z.ZodString {
  return z
    .string()
    .regex(moment)
    .meta({ description, examples: [example] });
}

/** T of a record that is not set. */
export function unsetTime(description: string): z.ZodString {
  return time(description, "0001-01-01 00:00:00");
}

/** J: the text of a JSON object or list, or nothing. */
export function jsonText(description: string): z.ZodString {
  return z
    .string()
    .refine((value) => value === "" || typeof JSON.parse(value) === "object")
    .meta({ description, examples: [""] });
}

/** L: an access list, `<hash><hash>`. */
export function list(description: string): z.ZodString {
  return z
    .string()
    .regex(/^(<[^<>\s]+>)*$/)
    .meta({ description, examples: [""] });
}

/** U: an absolute address, or nothing. */
export function url(description: string, example = ""): z.ZodString {
  return z
    .string()
    .regex(/^(https?:\/\/\S+)?$/)
    .meta({ description, examples: [example] });
}

/** The four lists that say for whom a record is. */
export const lists = {
  allow_cid: list("Hashes of the people who may see it."),
  allow_gid: list("Hashes of the groups that may see it."),
  deny_cid: list("Hashes of the people who may not see it."),
  deny_gid: list("Hashes of the groups that may not see it."),
};
