import { z } from "zod";
import type { Face } from "../face.ts";
import type { JsonSchema } from "./parameters.ts";

/** The schemas of a face's answers, as parts of the document; their names there begin with the face's. */

export type Schemas = Readonly<Record<string, JsonSchema>>;

const place = "#/components/schemas/";

/** All of a face's schemas by their names in the document. */
export async function schemasOf(face: Face): Promise<Schemas> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(await face.answers()))
    registry.add(schema, { id: componentName(face, name) });
  const { schemas } = z.toJSONSchema(registry, { uri: (name) => place + name, override: plain });
  const { __shared, ...named } = schemas as Record<string, JsonSchema>;
  const inner = __shared?.$defs ?? {};
  return Object.fromEntries(
    Object.entries(named)
      .toSorted(byName)
      .map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, withInner(schema, inner)]),
  );
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Answers may get further fields, and numbers are what JSON numbers are. */
function plain({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** What lies between schemas that hold each other has no name of its own, and is put where it is meant. */
function withInner<T>(value: T, inner: Record<string, unknown>): T {
  if (Array.isArray(value)) return value.map((entry: unknown) => withInner(entry, inner)) as T;
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as JsonSchema;
  const name = /__shared#\/\$defs\/(\w+)$/.exec($ref ?? "")?.[1];
  if (name !== undefined) return withInner(inner[name], inner) as T;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withInner(entry, inner)])) as T;
}

/** The schema that a row's `answer` names. */
export function answerSchema(face: Face, answer: string): JsonSchema {
  const [first, ...others] = answer.split(" | ").map((name) => oneSchema(face, name));
  return others.length === 0 ? first! : { anyOf: [first!, ...others] };
}

function oneSchema(face: Face, name: string): JsonSchema {
  return name.endsWith("[]") ? { type: "array", items: reference(face, name.slice(0, -2)) } : reference(face, name);
}

function reference(face: Face, name: string): JsonSchema {
  return { $ref: place + componentName(face, name) };
}

/** A schema's name in the document, such as `MicroblogStatus`. */
export function componentName(face: Face, name: string): string {
  return capitalized(face.name) + name;
}

/** The same without the face's. */
export function bareName(face: Face, name: string): string {
  return name.slice(face.name.length);
}

/** The name of the schema that this refers to. */
export function referredName($ref: string): string {
  return $ref.slice(place.length);
}

/** The word with a capital at its beginning. */
export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
