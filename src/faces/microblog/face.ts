import { jsonWriter } from "../../http/answer.ts";
import { atomType, writeAtom } from "../../http/atom.ts";
import type { Area, Face, Writer } from "../../http/face.ts";
import type { Feed } from "../../http/feed.ts";
import { rssType, writeRss } from "../../http/rss.ts";
import { writeXml, XmlText } from "../../http/xml.ts";
import { accountRows } from "./account.ts";
import { blockRows } from "./blocks.ts";
import { friendRows } from "./friends.ts";
import { friendshipRows } from "./friendships.ts";
import { listMemberRows } from "./list-members.ts";
import { listRows } from "./lists.ts";
import { activityRows } from "./activity.ts";
import { compatRows } from "./compat.ts";
import { conversationRows } from "./conversation.ts";
import { destroyMessageRows } from "./destroy-message.ts";
import { dislikeRows } from "./dislikes.ts";
import { microblogFailure } from "./errors.ts";
import { eventRows } from "./events.ts";
import { favoriteRows } from "./favorites.ts";
import { listStatusRows } from "./list-statuses.ts";
import { lookUpStatusRows } from "./look-up-statuses.ts";
import { retweetRows } from "./retweets.ts";
import { groupRows } from "./groups.ts";
import { mediaRows } from "./media.ts";
import { messageExtensionRows } from "./message-extensions.ts";
import { messageRows } from "./messages.ts";
import { notificationRows } from "./notifications.ts";
import { oauthRows } from "./oauth.ts";
import { placesOf } from "./paths.ts";
import { photoAlbumRows } from "./photo-albums.ts";
import { photoRows } from "./photos.ts";
import { profileImageRows } from "./profile-image.ts";
import { profileRows } from "./profiles.ts";
import { savedSearchRows } from "./saved-searches.ts";
import { searchRows } from "./search.ts";
import { sendMessageRows } from "./send-message.ts";
import { statusRows } from "./statuses.ts";
import { timelineRows } from "./timelines.ts";
import { userRows } from "./users.ts";
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

const areas: readonly Area[] = [
  { title: "Account", rows: [...accountRows, ...profileImageRows, ...profileRows] },
  { title: "Timelines", rows: [...timelineRows, ...conversationRows, ...favoriteRows] },
  { title: "Statuses", rows: [...statusRows, ...lookUpStatusRows, ...retweetRows, ...activityRows, ...dislikeRows] },
  { title: "Search", rows: [...searchRows, ...savedSearchRows] },
  { title: "People", rows: [...userRows, ...friendRows, ...friendshipRows, ...blockRows] },
  { title: "Lists and groups", rows: [...listRows, ...listStatusRows, ...listMemberRows, ...groupRows] },
  { title: "Media and photos", rows: [...mediaRows, ...photoRows, ...photoAlbumRows] },
  {
    title: "Messages",
    rows: [...messageRows, ...sendMessageRows, ...destroyMessageRows, ...messageExtensionRows],
  },
  { title: "Calendar", rows: eventRows },
  { title: "Notices", rows: notificationRows },
  { title: "The hub", rows: compatRows },
  { title: "Tokens", rows: oauthRows },
];

/** The microblog-compatible API, microblog-api.md: what is below `/api` and belongs to no other face. */
export const microblogFace: Face = {
  name: "microblog",
  // Old clients ask for tokens at the root of the host.
  prefixes: ["/api", "/oauth"],
  areas,
  rows: areas.flatMap(({ rows }) => rows),
  places: placesOf,
  formats: ["json", "xml"],
  writers: { json: jsonWriter, xml: xmlWriter, atom: atomWriter, rss: rssWriter },
  badText: "replace",
  unknownBody: "ignore",
  mergeSlashes: true,
  otherNames: {
    svc_verbose: ["friendica_verbose"],
    svc_parenturi: ["friendica_parenturi"],
    group_allow: ["circle_allow"],
    group_deny: ["circle_deny"],
  },
  nickIsChannel: true,
  jsonp: true,
  answers: async () => (await import("./answers.ts")).answers,
  failure: microblogFailure,
};
