import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { methodsOf } from "./endpoint.ts";
import type { Face } from "./face.ts";

/** One parameter, as the reference shows it. */
export type DescribedParameter = {
  name: string;
  otherNames: readonly string[];
  schema: Record<string, unknown>;
  required: boolean;
};

/** The parameters of a row, from the schema that also checks them. */
export function describeParameters(row: Endpoint, face: Face): DescribedParameter[] {
  const { properties = {} } = z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    otherNames: [...(row.otherNames?.[name] ?? []), ...(face.otherNames[name] ?? [])],
    schema: property as Record<string, unknown>,
    required: !(row.input.shape[name] as z.ZodType).safeParse(undefined).success,
  }));
}

/** The OpenAPI 3.1 document of the faces, made from their tables. */
export function openApi(faces: readonly Face[], about: { title: string; version: string; baseUrl: string }): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const face of faces) for (const row of face.rows) addOperations(paths, face, row);
  return {
    openapi: "3.1.0",
    info: { title: about.title, version: about.version },
    servers: [{ url: about.baseUrl }],
    components: { securitySchemes: { basic: { type: "http", scheme: "basic" } } },
    paths,
  };
}

function addOperations(paths: Record<string, Record<string, object>>, face: Face, row: Endpoint): void {
  const [place] = face.places(row);
  if (!place) return;
  const operations = (paths[place.path] ??= {});
  for (const method of methodsOf(row, place.alias)) {
    if (method !== "HEAD") operations[method.toLowerCase()] = operation(face, row, method);
  }
}

function operation(face: Face, row: Endpoint, method: string): object {
  const parameters = describeParameters(row, face);
  const inQuery = method === "GET" || method === "DELETE";
  return {
    operationId: `${face.name}_${method.toLowerCase()}_${row.path.replaceAll("/", "_")}`,
    tags: [face.name],
    summary: row.summary,
    ...(row.access === "channel" && { security: [{ basic: [] }] }),
    ...(inQuery && { parameters: parameters.map(queryParameter) }),
    ...(!inQuery && (parameters.length > 0 || row.files) && { requestBody: formBody(parameters, row) }),
    responses: {
      200: { description: row.answer ?? row.summary, content: contentOf(face, row) },
      default: { description: "The error object of this API." },
    },
  };
}

function queryParameter({ name, schema, required }: DescribedParameter): object {
  return { name: schema["type"] === "array" ? `${name}[]` : name, in: "query", required, schema };
}

function formBody(parameters: readonly DescribedParameter[], row: Endpoint): object {
  const properties: Record<string, unknown> = {};
  for (const { name, schema } of parameters) properties[schema["type"] === "array" ? `${name}[]` : name] = schema;
  for (const name of row.files ?? []) properties[name] = { type: "string", format: "binary" };
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = { type: "object", properties, ...(required.length > 0 && { required }) };
  const form = row.files ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { required: required.length > 0, content: { [form]: { schema } } };
}

function contentOf(face: Face, row: Endpoint): Record<string, object> {
  const content: Record<string, object> = {};
  for (const format of row.formats ?? face.formats) {
    const type = face.writers[format]?.type.split(";")[0];
    if (type) content[type] = {};
  }
  return content;
}
