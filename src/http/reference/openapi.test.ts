import { beforeAll, describe, expect, test } from "vitest";
import { faces } from "../../main.ts";
import { rowsOf } from "../face.ts";
import { shownMethods } from "./access.ts";
import { componentName, schemasOf } from "./answers.ts";
import { nestedPairs } from "../nested.ts";
import { exampleOf } from "./examples.ts";
import { fieldsOf } from "./fields.ts";
import { openApi } from "./openapi.ts";
import { describeParameters, inBraces } from "./parameters.ts";

/** The OpenAPI document against the tables that it is made of. */

type Operation = {
  operationId: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, { format?: string }> } }> };
  responses: { 200: { content: Record<string, unknown> } };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { type: string; scheme: string }> };
};

let document: Document;

beforeAll(async () => {
  const about = { title: "Hubbub", version: "1", baseUrl: "https://hub.example" };
  document = JSON.parse(JSON.stringify(await openApi(faces, about))) as Document;
});

test("every endpoint is there with its methods, and nothing is named twice", async () => {
  for (const face of faces) {
    for (const row of await rowsOf(face)) {
      const place = face.paths(row)[0]!;
      const bare = inBraces(place.path);
      const forms = row.pathId ? [bare, `${bare}/{${row.pathId}}`] : [bare];
      for (const path of forms)
        for (const method of shownMethods(row, place.alias))
          expect(document.paths[path]).toHaveProperty(method.toLowerCase());
    }
  }
  const names = Object.values(document.paths).flatMap((one) =>
    Object.values(one).map(({ operationId }) => operationId),
  );
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("what stands in braces in a path is a parameter of it", () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const { parameters = [] } of Object.values(operations)) {
      const inPath = parameters.filter((one) => one.in === "path");
      expect([path, inPath.map(({ name }) => name)]).toEqual([path, named]);
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(parameters.filter((one) => one.in === "query" && named.includes(one.name))).toEqual([]);
    }
  }
});

const rows = await Promise.all(
  faces.map(async (face) => (await rowsOf(face)).map((row) => ({ face, row, path: row.path, methods: row.methods }))),
);

describe.each(rows.flat())("$path $methods", ({ face, row }) => {
  test("answers what the face has a schema for", async () => {
    const known = Object.keys(await face.answers());
    for (const name of row.answer.split(" | ")) expect(known).toContain(name.replace(/\[\]$/, ""));
  });

  test("says in a sentence what each of its parameters means", () => {
    for (const { name, meaning } of describeParameters(row, face))
      expect([name, meaning]).toEqual([name, expect.stringMatching(/^[^a-z].*[.]$/)]);
  });

  test("has an example with all that it needs and nothing that it does not know", () => {
    const { example = {}, input } = row;
    const given =
      face.names === "nested"
        ? nestedPairs(new URLSearchParams(example).toString(), face.badText)
        : new Map(Object.entries(example).map(([name, value]) => [name, [value]]));
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining([...given.keys()]));
    const values = Object.keys(input.shape).map((name) => [name, given.get(name)]);
    expect(input.safeParse(Object.fromEntries(values)).error?.issues ?? []).toEqual([]);
  });
});

test.each(faces)(
  "every schema of the $name API says what its fields mean, and its example is one of it",
  async (face) => {
    const schemas = await schemasOf(face);
    for (const [name, schema] of Object.entries(await face.answers())) {
      const described = schemas[componentName(face, name)]!;
      const silent = fieldsOf(face, described).filter(({ meaning, type }) => meaning === "" && !/[A-Z]/.test(type));
      expect([name, silent]).toEqual([name, []]);
      const example = exampleOf(described, schemas);
      expect([name, schema.safeParse(example).error?.issues ?? []]).toEqual([name, []]);
    }
  },
);

describe("single endpoints", () => {
  test("say how to authenticate", () => {
    const { basic, oauth1 } = document.components.securitySchemes;
    expect([basic, oauth1]).toMatchObject([
      { type: "http", scheme: "basic" },
      { type: "http", scheme: "OAuth" },
    ]);
    const securityOf = (path: string, method = "get") =>
      document.paths[path]![method]!.security.map((one) => Object.keys(one));
    expect(securityOf("/api/statuses/home_timeline")).toEqual([["basic"], ["oauth1"]]);
    expect(securityOf("/api/help/test")).toEqual([[], ["basic"], ["oauth1"]]);
    expect(securityOf("/api/oauth/request_token", "post")).toEqual([["oauth1"]]);
    // A channel's key leaves only against the account's own password.
    expect(securityOf("/api/z/1.0/channel/export/basic")).toEqual([["basic"]]);
  });

  test("say their formats and other names", () => {
    const home = document.paths["/api/statuses/home_timeline"]!["get"]!;
    expect(Object.keys(home.responses[200].content)).toEqual([
      "application/json",
      "application/xml",
      "application/rss+xml",
      "application/atom+xml",
    ]);
    expect(home.description).toContain("`.json`, `.xml`, `.rss`, `.atom`");
    expect(home.description).toContain("`/api/statuses/friends_timeline`");
    const token = document.paths["/api/oauth/access_token"]!["post"]!;
    expect(Object.keys(token.responses[200].content)).toEqual(["application/x-www-form-urlencoded"]);
  });

  test("say which parts of a form are files", () => {
    const { content } = document.paths["/api/statuses/update"]!["post"]!.requestBody!;
    expect(content["multipart/form-data"]!.schema.properties).toMatchObject({
      status: { type: "string" },
      media: { type: "string", format: "binary" },
    });
  });

  test("take a JSON body as a whole where they do", () => {
    expect(document.paths["/api/svc/group_create"]!["post"]!.requestBody!.content).toHaveProperty("application/json");
  });
});
