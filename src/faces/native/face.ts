import { jsonWriter } from "../../http/answer.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Face, EndpointPath, Writer } from "../../http/face.ts";
import { writeXml } from "../../http/xml.ts";
import type { Element } from "../../http/xml.ts";
import { nativeFailure } from "./errors.ts";
import { messages } from "./messages.ts";

/** Endpoints that the older prefix does not have (native contract 1.1). */
const onlyNew: readonly string[] = [
  "network/stream",
  "abook",
  "abconfig",
  "perm_allowed",
  "verify",
  "webhook",
  "webhook/remove",
  "webhook/secret",
  "webhook/end-former",
  "webhook/test",
  "webhook/deliveries",
  "webhook/again",
];

/** Only `version` has an XML form (native contract 1.1); errors are JSON always. */
const xmlWriter: Writer = {
  type: "application/xml; charset=utf-8",
  write: (value, row, exchange) =>
    writeXml((row.xml as (value: unknown, exchange: unknown) => Element)(value, exchange)),
};

/** The native API: every path below `/api/z/1.0`. */
export const nativeFace: Face = {
  name: "native",
  prefixes: ["/api/z", "/api/red"],
  areas: async () => (await import("./table.ts")).areas,
  paths: pathsOf,
  formats: ["json"],
  writers: { json: jsonWriter, xml: xmlWriter },
  badText: "refuse",
  refusesNul: false,
  unknownBody: "refuse",
  names: "flat",
  mergeSlashes: false,
  otherNames: {},
  credentials: "log-in",
  nickIsChannel: false,
  jsonp: false,
  answers: async () => (await import("./answers.ts")).answers,
  messages,
  failure: nativeFailure,
};

function pathsOf(row: Endpoint): EndpointPath[] {
  return [row.path, ...(row.aliases ?? [])].flatMap((name) => {
    const places = [{ path: `/api/z/1.0/${name}`, alias: "", version11: false }];
    return onlyNew.includes(name) ? places : [...places, { path: `/api/red/${name}`, alias: "red", version11: false }];
  });
}
