import { jsonWriter } from "../../http/answer.ts";
import type { EndpointPath, Face } from "../../http/face.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { mastodonFailure } from "./failures.ts";
import { commonHeaders } from "./headers.ts";
import { messages } from "./messages.ts";

/** The API that Mastodon defines and today's applications speak. */
export const mastodonFace: Face = {
  name: "mastodon",
  prefixes: [
    "/api/v1",
    "/api/v2",
    "/api/v1_alpha",
    "/api/v2_alpha",
    "/oauth/token",
    "/oauth/revoke",
    "/oauth/userinfo",
    "/api/oembed",
    "/.well-known/oauth-authorization-server",
  ],
  areas: async () => (await import("./table.ts")).areas,
  paths: pathsOf,
  formats: [],
  writers: { json: jsonWriter },
  badText: "refuse",
  refusesNul: true,
  unknownBody: "form",
  names: "nested",
  mergeSlashes: true,
  otherNames: {},
  credentials: "bearer",
  nickIsChannel: true,
  jsonp: false,
  answers: async () => (await import("./answers.ts")).answers,
  messages,
  headers: commonHeaders,
  failure: mastodonFailure,
};

/** Names with a slash at their beginning are whole paths. */
function pathsOf(row: Endpoint): EndpointPath[] {
  return [row.path, ...(row.aliases ?? [])].map((name) => ({
    path: name.startsWith("/") ? name : `/api/${name}`,
    alias: "",
    version11: false,
  }));
}
