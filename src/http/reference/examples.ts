import { referredName } from "./answers.ts";
import type { Schemas } from "./answers.ts";
import type { JsonSchema } from "./parameters.ts";

/**
 * An example of what a schema describes, put together from those of its fields. Fields that may be absent are there when they
 * have an example of their own, and nothing stands within itself.
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas, within: readonly string[] = []): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref !== undefined) {
    const name = referredName(schema.$ref);
    return exampleOf(schemas[name]!, schemas, [...within, name]);
  }
  const [first] = schema.anyOf ?? [];
  if (first) return exampleOf(first, schemas, within);
  if (schema.type === "array") return listExample(schema, schemas, within);
  if (schema.type === "object") return objectExample(schema, schemas, within);
  return schema.type === "null" ? null : "";
}

function listExample(
  { items, minItems = 0, maxItems }: JsonSchema,
  schemas: Schemas,
  within: readonly string[],
): unknown[] {
  const entry = items ?? {};
  return maxItems === 0 || (minItems === 0 && isWithin(entry, within)) ? [] : [exampleOf(entry, schemas, within)];
}

function objectExample(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Schemas,
  within: readonly string[],
): object {
  const entries = Object.entries(properties);
  const shown = entries.filter(([name, field]) => required.includes(name) || (field.examples && !isEmpty(field)));
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, schemas, within)]));
}

/** People stand in what people do, and so on: once is enough. */
function isWithin({ $ref }: JsonSchema, within: readonly string[]): boolean {
  return $ref !== undefined && (within.length > 1 || within.includes(referredName($ref)));
}

function isEmpty({ examples }: JsonSchema): boolean {
  return examples?.[0] === "";
}
