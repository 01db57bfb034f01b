import { jsonWriter } from "../../http/answer.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Area, Face, EndpointPath, Writer } from "../../http/face.ts";
import { writeXml } from "../../http/xml.ts";
import type { Element } from "../../http/xml.ts";
import { connectionRows } from "./connections.ts";
import { nativeFailure } from "./errors.ts";
import { messages } from "./messages.ts";
import { exportRows } from "./export.ts";
import { fileRows } from "./files.ts";
import { groupRows } from "./groups.ts";
import { identityRows } from "./identities.ts";
import { itemRows } from "./items.ts";
import { photoRows } from "./photos.ts";
import { programRows } from "./program.ts";
import { streamRows } from "./streams.ts";
import { webhookRows } from "./webhooks.ts";

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

const areas: readonly Area[] = [
  { title: "Program and channel", rows: programRows },
  { title: "Identities", rows: identityRows },
  { title: "Groups", rows: groupRows },
  { title: "Connections", rows: connectionRows },
  { title: "Streams", rows: streamRows },
  { title: "Items", rows: itemRows },
  { title: "Photos", rows: photoRows },
  { title: "Files", rows: fileRows },
  { title: "Export", rows: exportRows },
  { title: "Webhooks", rows: webhookRows },
];

/** The native API: every path below `/api/z/1.0`. */
export const nativeFace: Face = {
  name: "native",
  prefixes: ["/api/z", "/api/red"],
  areas,
  rows: areas.flatMap(({ rows }) => rows),
  paths: pathsOf,
  formats: ["json"],
  writers: { json: jsonWriter, xml: xmlWriter },
  badText: "refuse",
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
