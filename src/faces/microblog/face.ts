import { jsonWriter } from "../../http/answer.ts";
import { atomType, writeAtom } from "../../http/atom.ts";
import type { Area, Face, Writer } from "../../http/face.ts";
import type { Feed } from "../../http/feed.ts";
import { rssType, writeRss } from "../../http/rss.ts";
import { writeXml, XmlText } from "../../http/xml.ts";
import { accountRows } from "./accounts/account.ts";
import { blockRows } from "./people/blocks.ts";
import { friendRows } from "./people/friends.ts";
import { friendshipRows } from "./people/friendships.ts";
import { listMemberRows } from "./lists/list-members.ts";
import { listRows } from "./lists/lists.ts";
import { activityRows } from "./statuses/activity.ts";
import { compatRows } from "./accounts/compat.ts";
import { conversationRows } from "./statuses/conversation.ts";
import { destroyMessageRows } from "./statuses/destroy-message.ts";
import { dislikeRows } from "./statuses/dislikes.ts";
import { microblogFailure } from "./errors.ts";
import { messages } from "./messages.ts";
import { eventRows } from "./events/events.ts";
import { favoriteRows } from "./statuses/favorites.ts";
import { listStatusRows } from "./lists/list-statuses.ts";
import { lookUpStatusRows } from "./statuses/look-up-statuses.ts";
import { retweetRows } from "./statuses/retweets.ts";
import { groupRows } from "./lists/groups.ts";
import { mediaRows } from "./media/media.ts";
import { messageExtensionRows } from "./messages/message-extensions.ts";
import { messageRows } from "./messages/messages.ts";
import { notificationRows } from "./statuses/notifications.ts";
import { oauthRows } from "./accounts/oauth.ts";
import { pathsOf } from "./paths.ts";
import { photoAlbumRows } from "./media/photo-albums.ts";
import { photoRows } from "./media/photos.ts";
import { profileImageRows } from "./accounts/profile-image.ts";
import { profileRows } from "./people/profiles.ts";
import { savedSearchRows } from "./statuses/saved-searches.ts";
import { searchRows } from "./statuses/search.ts";
import { sendMessageRows } from "./messages/send-message.ts";
import { statusRows } from "./statuses/statuses.ts";
import { timelineRows } from "./statuses/timelines.ts";
import { userRows } from "./people/users.ts";
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

/** The microblog-compatible API: what is below `/api` and belongs to no other face. */
export const microblogFace: Face = {
  name: "microblog",
  // Old clients ask for tokens at the root of the host.
  prefixes: ["/api", "/oauth"],
  areas,
  rows: areas.flatMap(({ rows }) => rows),
  paths: pathsOf,
  formats: ["json", "xml"],
  writers: { json: jsonWriter, xml: xmlWriter, atom: atomWriter, rss: rssWriter },
  badText: "replace",
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
