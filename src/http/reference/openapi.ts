import type { Endpoint, Method } from "../endpoint.ts";
import { shownMethods } from "./access.ts";
import type { Area, Face } from "../face.ts";
import { answerSchema, capitalized, componentName, schemasOf } from "./answers.ts";
import type { Schemas } from "./answers.ts";
import { exampleOf } from "./examples.ts";
import { failuresOf, meanings } from "./failures.ts";
import { bareType, describeParameters, fileMeaning, formatsShown, inBraces } from "./parameters.ts";
import type { DescribedParameter, JsonSchema } from "./parameters.ts";

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
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "OAuth 2: tokens come from /api/v1/apps, /oauth/authorize and /oauth/token, and are good for scopes.",
  },
};

/** Every endpoint takes it. */
const channelParameter = {
  name: "channel",
  in: "query",
  description: "Nick of the channel to act as, if the account has several.",
  required: false,
  schema: { type: "string" },
};

type About = { title: string; version: string; baseUrl: string };
type Paths = Record<string, Record<string, object>>;
type Context = {
  face: Face;
  area: Area;
  row: Endpoint;
  method: Method;
  examples: Record<string, object>;
  responses: Record<string, object>;
  schemas: Schemas;
};

/** The OpenAPI 3.1 document of the faces, made from their tables. */
export async function openApi(faces: readonly Face[], about: About): Promise<object> {
  const paths: Paths = {};
  const schemas: Record<string, JsonSchema> = {};
  const examples: Record<string, object> = {};
  const responses: Record<string, object> = {};
  const tags: object[] = [];
  for (const face of faces) {
    Object.assign(schemas, await schemasOf(face));
    const areas = await face.areas();
    tags.push(...areas.map((area) => tagOf(face, area)));
    for (const area of areas)
      for (const row of area.rows) addOperations(paths, { face, area, row, examples, responses, schemas });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: about.title,
      version: about.version,
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" },
    },
    servers: [{ url: about.baseUrl }],
    tags,
    components: {
      securitySchemes,
      parameters: { channel: channelParameter },
      responses,
      examples,
      schemas,
    },
    paths,
  };
}

function tagOf(face: Face, { title, rows }: Area): { name: string; description: string } {
  const names = [...new Set(rows.map(({ path }) => path))];
  return { name: `${capitalized(face.name)}: ${title}`, description: `${names.join(", ")}.` };
}

function addOperations(paths: Paths, context: Omit<Context, "method">): void {
  const { face, row } = context;
  const [place] = face.paths(row);
  if (!place) return;
  const named = [...place.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const bare = inBraces(place.path);
  const forms: [path: string, inPath: string[]][] = [[bare, named]];
  if (row.pathId !== undefined) forms.push([`${bare}/{${row.pathId}}`, [...named, row.pathId]]);
  for (const [path, inPath] of forms) {
    const operations = (paths[path] ??= {});
    for (const method of shownMethods(row, place.alias))
      operations[method.toLowerCase()] = operation({ ...context, method }, inPath);
  }
}

/** `inPath` are the parameters that stand in the path. */
function operation(context: Context, inPath: readonly string[]): object {
  const { face, area, row, method } = context;
  const all = describeParameters(row, face);
  const rest = all.filter(({ name }) => !inPath.includes(name));
  const inQuery = method === "GET" || method === "DELETE";
  const parameters = [
    ...all.filter(({ name }) => inPath.includes(name)).map((one) => parameter(row, one, "path")),
    ...(inQuery ? rest.map((one) => parameter(row, one, "query")) : []),
    ...(row.givesToken || face.credentials === "bearer" || all.some(({ name }) => name === "channel")
      ? []
      : [{ $ref: "#/components/parameters/channel" }]),
  ];
  const name = `${face.name}_${method.toLowerCase()}_${row.path.replace(/[/:]+/g, "_")}`;
  return {
    operationId: row.pathId !== undefined && inPath.includes(row.pathId) ? `${name}_by_${row.pathId}` : name,
    tags: [tagOf(face, area).name],
    summary: row.summary,
    description: remarks(face, row),
    security: securityOf(face, row),
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && (rest.length > 0 || row.files) && { requestBody: requestBody(rest, row) }),
    responses: responsesOf(context),
  };
}

/** What the structure of OpenAPI has no place for: formats are suffixes of the path, and paths have other names. */
function remarks(face: Face, row: Endpoint): string {
  const formats = formatsShown(face, row);
  const suffixes = formats.map((format) => `\`.${format}\``).join(", ");
  const others = face.paths(row).slice(1);
  const scopes = row.scope === undefined ? [] : [row.scope].flat();
  return [
    ...(scopes.length > 0 ? [`Scope: ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`] : []),
    ...(formats.length > 1 ? [`The path may end in one of ${suffixes}; without, it is \`.${formats[0]}\`.`] : []),
    ...(others.length > 0 ? [`Also at ${others.map(({ path }) => `\`${path}\``).join(", ")}.`] : []),
  ].join(" ");
}

/** An empty entry means that nobody need say who they are. */
function securityOf(face: Face, row: Endpoint): object[] {
  if (face.credentials === "bearer") {
    if (row.provesApp) return [{}];
    const bearer = { bearer: [] };
    return row.access === "public" && !row.anyToken ? [{}, bearer] : [bearer];
  }
  if (row.givesToken) return [{ oauth1: [] }];
  const ways = [{ basic: [] }, ...(row.ownPassword ? [] : [{ oauth1: [] }])];
  return row.access === "public" ? [{}, ...ways] : ways;
}

function parameter(row: Endpoint, { name, schema, meaning, required }: DescribedParameter, place: "path" | "query") {
  const inPath = place === "path";
  const example = row.example?.[name];
  return {
    name: schema.type === "array" && !inPath ? `${name}[]` : name,
    in: place,
    description: meaning,
    required: inPath || required,
    schema: inPath && schema.type === "array" ? schema.items : schema,
    ...(example !== undefined && { example: typed(schema, example) }),
  };
}

/** The example of a parameter as JSON has it. */
function typed({ type, items }: JsonSchema, example: string): unknown {
  if (type === "array") return example.split(",").map((entry) => typed(items ?? {}, entry));
  if (type === "integer") return Number(example);
  if (type === "boolean") return example === "true";
  return type === "object" ? JSON.parse(example) : example;
}

/** Forms name their lists with brackets, JSON does not. */
function requestBody(parameters: readonly DescribedParameter[], row: Endpoint): object {
  const texts = bodyOf(parameters, row, (name, { type }) => (type === "array" ? `${name}[]` : name));
  const files = Object.fromEntries(
    (row.files ?? []).map((name) => [name, { type: "string", format: "binary", description: fileMeaning }]),
  );
  const whole = parameters.find(({ name }) => name === row.jsonBody);
  const json = row.alwaysJson && whole ? wholeBody(whole, row) : bodyOf(parameters, row, (name) => name);
  const content = {
    ...(row.files && {
      "multipart/form-data": {
        schema: { ...texts.schema, properties: { ...texts.schema.properties, ...files } },
        ...(texts.example && { example: texts.example }),
      },
    }),
    ...((!row.files || row.base64) && !row.alwaysJson && { "application/x-www-form-urlencoded": texts }),
    ...((!row.files || row.base64) && { "application/json": json }),
  };
  return { required: texts.schema.required !== undefined, content };
}

function bodyOf(
  parameters: readonly DescribedParameter[],
  row: Endpoint,
  nameOf: (name: string, schema: JsonSchema) => string,
) {
  const properties = parameters.map(({ name, schema, meaning }): [string, JsonSchema] => [
    nameOf(name, schema),
    { ...schema, description: meaning },
  ]);
  const required = parameters.filter((one) => one.required).map(({ name, schema }) => nameOf(name, schema));
  const example = parameters.flatMap(({ name, schema }) => {
    const value = row.example?.[name];
    return value === undefined ? [] : [[nameOf(name, schema), typed(schema, value)]];
  });
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    },
    ...(example.length > 0 && { example: Object.fromEntries(example) as object }),
  };
}

function wholeBody({ name, schema, meaning }: DescribedParameter, row: Endpoint): object {
  const value = row.example?.[name];
  return { schema: { ...schema, description: meaning }, ...(value !== undefined && { example: typed(schema, value) }) };
}

function responsesOf(context: Context): Record<string, object> {
  const { face, row, method } = context;
  const failures = [...failuresOf(face, row, method)].map(([status, words]): [number, object] => [
    status,
    words.length === 0 && !row.ownForm
      ? sharedFailure(context, String(status), status)
      : { description: words.join(" · ") || meanings[status], content: failureContent(face, row) },
  ]);
  return {
    200: { description: `${row.answer.replaceAll("|", "or")}.`, content: contentOf(context) },
    ...Object.fromEntries(failures),
    default: sharedFailure(context, "Failure"),
  };
}

function contentOf({ face, row, examples, schemas }: Context): Record<string, object> {
  const schema = answerSchema(face, row.answer);
  if (row.ownForm) return { [bareType(row.ownForm.type)]: { schema } };
  if (row.textType !== undefined) return { [bareType(row.textType)]: { schema } };
  const content: Record<string, object> = {};
  for (const format of formatsShown(face, row)) {
    const type = face.writers[format]?.type;
    if (!type) continue;
    content[bareType(type)] =
      format === "json"
        ? { schema, examples: exampleRef(face, row, schema, examples, schemas) }
        : xmlContent(row, schema, format);
  }
  return content;
}

/** Endpoints that answer the same share an example. */
function exampleRef(
  face: Face,
  row: Endpoint,
  schema: JsonSchema,
  examples: Record<string, object>,
  schemas: Schemas,
): object {
  const name = componentName(face, row.answer.replaceAll("[]", "List").replaceAll(" | ", "Or"));
  examples[name] ??= { value: exampleOf(schema, schemas) };
  return { example: { $ref: `#/components/examples/${name}` } };
}

/** XML that differs from JSON in the name of its root only is described by the same schema. */
function xmlContent({ xml }: Endpoint, schema: JsonSchema, format: string): object {
  if (format !== "xml" || typeof xml !== "string") return {};
  const isList = schema.type === "array";
  return { schema: { ...schema, xml: { name: xml, ...(isList && { wrapped: true }) } } };
}

/** Endpoints that say nothing of their own about a status share what it means. */
function sharedFailure({ face, responses }: Context, name: string, status?: number): object {
  const component = componentName(face, name);
  responses[component] ??= {
    description: (status && meanings[status]) || "The error object of this API.",
    ...(status === 429 && { headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } } }),
    content: errorContent(face),
  };
  return { $ref: `#/components/responses/${component}` };
}

function failureContent(face: Face, row: Endpoint): object {
  return row.ownForm
    ? { [bareType(row.ownForm.type)]: { schema: answerSchema(face, "TokenError") } }
    : errorContent(face);
}

function errorContent(face: Face): object {
  return { "application/json": { schema: answerSchema(face, "Error") } };
}
