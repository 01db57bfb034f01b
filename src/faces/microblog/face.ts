import { jsonWriter } from "../../http/answer.ts";
import { atomType, writeAtom } from "../../http/atom.ts";
import type { Face, Writer } from "../../http/face.ts";
import type { Feed } from "../../http/feed.ts";
import { rssType, writeRss } from "../../http/rss.ts";
import { writeXml, XmlText } from "../../http/xml.ts";
import { microblogFailure } from "./errors.ts";
import { messages } from "./messages.ts";
import { pathsOf } from "./paths.ts";
import { rootElement } from "./xml.ts";

const xmlType = "application/xml; charset=utf-8";

const xmlWriter: Writer = {
  type: xmlType,
  write(value, { xml }, exchange) {
    if (value instanceof XmlText) return writeXml(value);
    if (typeof xml === "function") return writeXml(xml(value as never, exchange));
    return writeXml(rootElement(xml ?? "answer", value));
  },
  writeFailure: (body) => writeXml(rootElement("status", body)),
};

/** A feed cannot say that there is none, so its errors are those of XML (microblog contract 4.5). */
const feedFailures = { failureType: xmlType, writeFailure: xmlWriter.writeFailure! };

const atomWriter: Writer = { type: atomType, write: (value) => writeAtom(value as Feed), ...feedFailures };

const rssWriter: Writer = { type: rssType, write: (value) => writeRss(value as Feed), ...feedFailures };

/** The microblog-compatible API: what is below `/api` and belongs to no other face. */
export const microblogFace: Face = {
  name: "microblog",
  // Old clients ask for tokens at the root of the host.
  prefixes: ["/api", "/oauth"],
  areas: async () => (await import("./table.ts")).areas,
  paths: pathsOf,
  formats: ["json", "xml"],
  writers: { json: jsonWriter, xml: xmlWriter, atom: atomWriter, rss: rssWriter },
  badText: "replace",
  refusesNul: false,
  unknownBody: "ignore",
  names: "flat",
  mergeSlashes: true,
  otherNames: {
    svc_verbose: ["friendica_verbose"],
    svc_parenturi: ["friendica_parenturi"],
    group_allow: ["circle_allow"],
    group_deny: ["circle_deny"],
  },
  credentials: "log-in",
  nickIsChannel: true,
  jsonp: true,
  answers: async () => (await import("./answers.ts")).answers,
  messages,
  failure: microblogFailure,
};
