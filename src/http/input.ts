import { z } from "zod";
import { HubError } from "../errors.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Face } from "./face.ts";
import type { Parameters } from "./parameters.ts";

/** What one parameter was sent as; undefined when it is absent. */
export type Values = readonly unknown[] | undefined;

/** Refuses a value; the sentence goes on after the parameter's name. */
export type Refuse = (sentence: string, reason?: "bad_parameter" | "missing_parameter") => never;

/** JSON Schema of a parameter, for the reference; its description is the sentence that says what the parameter means. */
type ParameterSchema = { type: string; description: string; [keyword: string]: unknown };

class Refused extends Error {
  readonly reason: string;

  constructor(sentence: string, reason: string) {
    super(sentence);
    this.reason = reason;
  }
}

/** A kind of parameter: how its values are read, and how the reference describes it. */
export function kind<T>(schema: ParameterSchema, read: (values: Values, refuse: Refuse) => T): z.ZodType<T> {
  // Alone, and not behind a schema for any value: there are hundreds of them, and each schema takes its room while the hub rests.
  const reader = z.transform((values, context): T => {
    try {
      return read(values as Values, refuse);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      context.issues.push({
        code: "custom",
        message: error.message,
        params: { reason: error.reason },
        input: values,
      });
      return z.NEVER;
    }
  });
  // Unlike `meta`, this makes no copy of the schema.
  z.globalRegistry.add(reader, schema);
  return reader;
}

/** What a path says besides its row: one more segment than the row has, and the row's `:name` segments. */
export type InPath = { pathId: string | undefined; named: Readonly<Record<string, string>> };

/** Reads the input of one row from the parameters of a request; what stands in the path wins. */
export type InputReader = (parameters: Parameters, inPath: InPath) => unknown;

/** Prepares the reading of a row's input: its names, their other names, and the schema. */
export function prepareInput(row: Endpoint, face: Face): InputReader {
  const fields = Object.keys(row.input.shape).map((name) => ({
    name,
    names: [name, ...(row.otherNames?.[name] ?? []), ...(face.otherNames[name] ?? [])],
  }));
  return (parameters, { pathId, named }) => {
    const raw: Record<string, unknown> = {};
    for (const { name, names } of fields) raw[name] = firstOf(parameters, names);
    if (pathId !== undefined && row.pathId !== undefined) raw[row.pathId] = [pathId];
    for (const [name, value] of Object.entries(named)) raw[name] = [value];
    const read = row.input.safeParse(raw);
    if (!read.success) throw refusal(read.error.issues[0]!);
    return read.data;
  };
}

function firstOf(parameters: Parameters, names: readonly string[]): Values {
  for (const name of names) {
    const values = parameters.get(name);
    if (values) return values;
  }
  return undefined;
}

function refuse(sentence: string, reason = "bad_parameter"): never {
  throw new Refused(sentence, reason);
}

function refusal(issue: z.core.$ZodIssue): HubError {
  const field = String(issue.path[0] ?? "");
  const reason = issue.code === "custom" ? String(issue.params?.["reason"] ?? "bad_parameter") : "bad_parameter";
  return new HubError("invalid", `The parameter ${field} ${issue.message}.`, { reason, field });
}
