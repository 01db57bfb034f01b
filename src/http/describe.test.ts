import { beforeAll, describe, expect, test } from "vitest";
import { faces } from "../main.ts";
import { openApi } from "./describe.ts";
import { methodsOf } from "./endpoint.ts";

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

beforeAll(() => {
  document = JSON.parse(
    JSON.stringify(openApi(faces, { title: "Hubbub", version: "1", baseUrl: "https://hub.example" })),
  ) as Document;
});

test("every endpoint is there with all of its methods, and nothing is named twice", () => {
  for (const face of faces) {
    for (const row of face.rows) {
      const place = face.places(row)[0]!;
      const forms = row.pathId ? [place.path, `${place.path}/{${row.pathId}}`] : [place.path];
      for (const path of forms)
        for (const method of methodsOf(row, place.alias))
          if (method !== "HEAD") expect(document.paths[path]).toHaveProperty(method.toLowerCase());
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
