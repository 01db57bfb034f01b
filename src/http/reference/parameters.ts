import { z } from "zod";
import type { Endpoint } from "../endpoint.ts";
import type { Format } from "../exchange.ts";
import { formatsOf } from "../face.ts";
import type { Face } from "../face.ts";

/** JSON Schema, as OpenAPI has it. */
export interface JsonSchema extends z.core.JSONSchema.BaseSchema {
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
}

/** One parameter, as the reference shows it. */
export type DescribedParameter = {
  name: string;
  otherNames: readonly string[];
  schema: JsonSchema;
  /** The sentence that says what it means. */
  meaning: string;
  required: boolean;
};

/** The parameters of a row, from the schema that also checks them. */
export function describeParameters(row: Endpoint, face: Face): DescribedParameter[] {
  const { properties = {} } = z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { description = "", ...schema } = property as JsonSchema;
    return {
      name,
      otherNames: [...(row.otherNames?.[name] ?? []), ...(face.otherNames[name] ?? [])],
      schema,
      meaning: description,
      required: !(row.input.shape[name] as z.ZodType).safeParse(undefined).success,
    };
  });
}

/** The formats that an endpoint answers in, the usual one first; none for those with a form of their own. */
export function formatsShown(face: Face, row: Endpoint): readonly Format[] {
  return row.ownForm ? [] : formatsOf(face, row);
}

/** A media type without its parameters. */
export function bareType(type: string): string {
  return type.replace(/;.*$/, "");
}

/** The type of a parameter, in a word. */
export function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.format === "moment") return "date";
  const { type } = schema;
  if (type === "array") return "list";
  return typeof type === "string" ? type : "text";
}

/** Says what files a part of a form may hold. */
export const fileMeaning = "A file; several are sent as several parts.";

/** A path as references write it: what may stand in a segment in braces. */
export function inBraces(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}
