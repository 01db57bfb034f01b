import { jsonWriter } from "../../http/answer.ts";
import type { Face, Writer } from "../../http/face.ts";
import { writeXml } from "../../http/xml.ts";
import { accountRows } from "./account.ts";
import { activityRows } from "./activity.ts";
import { compatRows } from "./compat.ts";
import { conversationRows } from "./conversation.ts";
import { microblogFailure } from "./errors.ts";
import { favoriteRows } from "./favorites.ts";
import { placesOf } from "./paths.ts";
import { statusRows } from "./statuses.ts";
import { timelineRows } from "./timelines.ts";
import { userRows } from "./users.ts";
import { rootElement } from "./xml.ts";

const xmlWriter: Writer = {
  type: "application/xml; charset=utf-8",
  write(value, { xml }, exchange) {
    if (typeof xml === "function") return writeXml(xml(value as never, exchange));
    return writeXml(rootElement(xml ?? "answer", value));
  },
  writeFailure: (body) => writeXml(rootElement("status", body)),
};

/** The microblog-compatible API, microblog-api.md: what is below `/api` and belongs to no other face. */
export const microblogFace: Face = {
  name: "microblog",
  prefixes: ["/api"],
  rows: [
    ...accountRows,
    ...timelineRows,
    ...statusRows,
    ...conversationRows,
    ...favoriteRows,
    ...activityRows,
    ...userRows,
    ...compatRows,
  ],
  places: placesOf,
  formats: ["json", "xml"],
  writers: { json: jsonWriter, xml: xmlWriter },
  badText: "replace",
  unknownBody: "ignore",
  mergeSlashes: true,
  otherNames: {
    svc_verbose: ["friendica_verbose"],
    svc_parenturi: ["friendica_parenturi"],
    group_allow: ["circle_allow"],
    group_deny: ["circle_deny"],
  },
  jsonp: true,
  failure: microblogFailure,
};
