import type { Face } from "../face.ts";
import { bareName, referredName } from "./answers.ts";
import type { JsonSchema } from "./parameters.ts";

/** One field of an answer, as the reference shows it; within another one its name is `site.name` or `scales[].link`. */
export type DescribedField = { name: string; type: string; meaning: string };

/** The fields of a schema, those of nameless objects within it included. */
export function fieldsOf(face: Face, schema: JsonSchema, before = ""): DescribedField[] {
  const { required = [] } = schema;
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const place = before + name;
    const own = {
      name: place,
      type: typeIn(face, field) + (required.includes(name) ? "" : ", may be absent"),
      meaning: field.description ?? "",
    };
    const { inner, mark } = innerOf(field);
    return [own, ...(inner ? fieldsOf(face, inner, place + mark) : [])];
  });
}

/** The nameless object that a field holds, alone or in a list. */
function innerOf(field: JsonSchema): { inner: JsonSchema | undefined; mark: string } {
  const [first] = field.anyOf ?? [];
  if (first?.properties) return { inner: first, mark: "." };
  if (field.items?.properties) return { inner: field.items, mark: "[]." };
  return { inner: field.properties ? field : undefined, mark: "." };
}

function typeIn(face: Face, schema: JsonSchema): string {
  const { $ref, anyOf, type, items } = schema;
  if ($ref !== undefined) return bareName(face, referredName($ref));
  if (anyOf) return anyOf.map((one) => typeIn(face, one)).join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (type === "array") return items && !items.not ? `list of ${typeIn(face, items)}` : "list";
  return String(type ?? "any");
}
