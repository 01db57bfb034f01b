import { z } from "zod";
import type { Endpoint, Format } from "./endpoint.ts";
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

/** Ways to authenticate; OpenAPI has no word for OAuth 1.0a, so that is a scheme of the Authorization header. */
const securitySchemes = {
  basic: { type: "http", scheme: "basic", description: "Nick or e-mail address, and the password." },
  oauth1: {
    type: "http",
    scheme: "OAuth",
    description:
      "OAuth 1.0a: HMAC-SHA1, or PLAINTEXT over HTTPS. The oauth_ parameters may also stand in the query or in a form. " +
      "Tokens come from /oauth/request_token, /oauth/authorize and /oauth/access_token.",
  },
};

/** The OpenAPI 3.1 document of the faces, made from their tables. */
export function openApi(faces: readonly Face[], about: { title: string; version: string; baseUrl: string }): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const face of faces) for (const row of face.rows) addOperations(paths, face, row);
  return {
    openapi: "3.1.0",
    info: { title: about.title, version: about.version },
    servers: [{ url: about.baseUrl }],
    components: { securitySchemes },
    paths,
  };
}

function addOperations(paths: Record<string, Record<string, object>>, face: Face, row: Endpoint): void {
  const [place] = face.places(row);
  if (!place) return;
  const forms = row.pathId === undefined ? [place.path] : [place.path, `${place.path}/{${row.pathId}}`];
  for (const path of forms) {
    const operations = (paths[path] ??= {});
    const inPath = path === place.path ? undefined : row.pathId;
    for (const method of methodsOf(row, place.alias))
      if (method !== "HEAD") operations[method.toLowerCase()] = operation(face, row, method, inPath);
  }
}

/** `inPath` is the parameter that stands in the path. */
function operation(face: Face, row: Endpoint, method: string, inPath: string | undefined): object {
  const all = describeParameters(row, face);
  const rest = all.filter(({ name }) => name !== inPath);
  const inQuery = method === "GET" || method === "DELETE";
  const parameters = [
    ...all.filter(({ name }) => name === inPath).map(pathParameter),
    ...(inQuery ? rest.map(queryParameter) : []),
  ];
  const name = `${face.name}_${method.toLowerCase()}_${row.path.replaceAll("/", "_")}`;
  return {
    operationId: inPath === undefined ? name : `${name}_by_${inPath}`,
    tags: [face.name],
    summary: row.summary,
    description: remarks(face, row),
    security: securityOf(row),
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && (rest.length > 0 || row.files) && { requestBody: formBody(rest, row) }),
    responses: {
      200: { description: row.answer ?? row.summary, content: contentOf(face, row) },
      default: { description: "The error object of this API." },
    },
  };
}

/** What the structure of OpenAPI has no place for: formats are suffixes of the path, and paths have other names. */
function remarks(face: Face, row: Endpoint): string {
  const formats = formatsOf(face, row);
  const suffixes = formats.map((format) => `\`.${format}\``).join(", ");
  const others = face.places(row).slice(1);
  return [
    ...(formats.length > 1 ? [`The path may end in one of ${suffixes}; without, it is \`.${formats[0]}\`.`] : []),
    ...(others.length > 0 ? [`Also at ${others.map(({ path }) => `\`${path}\``).join(", ")}.`] : []),
  ].join(" ");
}

/** An empty entry means that nobody need say who they are. */
function securityOf(row: Endpoint): object[] {
  if (row.givesToken) return [{ oauth1: [] }];
  const ways = [{ basic: [] }, ...(row.ownPassword ? [] : [{ oauth1: [] }])];
  return row.access === "public" ? [{}, ...ways] : ways;
}

function pathParameter({ name, schema }: DescribedParameter): object {
  return { name, in: "path", required: true, schema };
}

function queryParameter({ name, schema, required }: DescribedParameter): object {
  return { name: schema["type"] === "array" ? `${name}[]` : name, in: "query", required, schema };
}

function formBody(parameters: readonly DescribedParameter[], row: Endpoint): object {
  const properties: Record<string, unknown> = {};
  for (const { name, schema } of parameters) properties[schema["type"] === "array" ? `${name}[]` : name] = schema;
  const texts = { ...properties };
  for (const name of row.files ?? []) properties[name] = { type: "string", format: "binary" };
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const formOf = (fields: object) => ({
    schema: { type: "object", properties: fields, ...(required.length > 0 && { required }) },
  });
  const content = {
    ...(row.files && { "multipart/form-data": formOf(properties) }),
    ...((!row.files || row.base64) && !row.alwaysJson && { "application/x-www-form-urlencoded": formOf(texts) }),
    ...(row.jsonBody !== undefined && { "application/json": { schema: properties[row.jsonBody] ?? {} } }),
  };
  return { required: required.length > 0, content };
}

function contentOf(face: Face, row: Endpoint): Record<string, object> {
  if (row.ownForm) return { [bareType(row.ownForm.type)]: {} };
  const content: Record<string, object> = {};
  for (const format of formatsOf(face, row)) {
    const type = face.writers[format]?.type;
    if (type) content[bareType(type)] = {};
  }
  return content;
}

function bareType(type: string): string {
  return type.split(";")[0]!;
}

/** The formats that an endpoint answers in, the usual one first. */
export function formatsOf(face: Face, row: Endpoint): readonly Format[] {
  return row.ownForm ? [] : (row.formats ?? face.formats);
}
