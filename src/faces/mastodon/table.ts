import type { Area } from "../../http/face.ts";
import { accountRows } from "./accounts/accounts.ts";
import { ownPeopleRows } from "./accounts/own-people.ts";
import { signUpRows } from "./accounts/sign-up.ts";
import { relationshipRows } from "./accounts/relationships.ts";
import { ownAccountRows } from "./accounts/own-account.ts";
import { appRows } from "./apps/apps.ts";
import { tokenRows } from "./apps/tokens.ts";
import { listRows } from "./lists/lists.ts";
import { searchRows } from "./search/search.ts";
import { reportRows } from "./reports/reports.ts";
import { foundPeopleRows } from "./accounts/found-people.ts";
import { tagRows } from "./tags/tags.ts";
import { filterRows } from "./filters/filters.ts";
import { oldFilterRows } from "./filters/filters-v1.ts";
import { conversationRows } from "./conversations/conversations.ts";
import { groupedRows } from "./notifications/grouped.ts";
import { markerRows } from "./notifications/markers.ts";
import { notificationRows } from "./notifications/notifications.ts";
import { policyRows } from "./notifications/policy.ts";
import { requestRows } from "./notifications/requests.ts";
import { deedRows } from "./statuses/deeds.ts";
import { editRows } from "./statuses/edits.ts";
import { mediaRows } from "./statuses/media.ts";
import { pollRows } from "./statuses/polls.ts";
import { quoteRows } from "./statuses/quotes.ts";
import { scheduledRows } from "./statuses/scheduled.ts";
import { statusRows } from "./statuses/statuses.ts";
import { whoDidRows } from "./statuses/who-did.ts";
import { pushRows } from "./push/subscription-rows.ts";
import { streamRows } from "./streaming/event-rows.ts";
import { timelineRows } from "./timelines/timelines.ts";
import { announcementRows } from "./announcements/announcements.ts";
import { instanceRows } from "./site/instance.ts";
import { oembedRows } from "./site/oembed.ts";

/** The endpoints of the API that Mastodon defines. */
export const areas: readonly Area[] = [
  { title: "Applications", rows: [...appRows, ...tokenRows] },
  { title: "The site", rows: [...instanceRows, ...announcementRows, ...oembedRows] },
  { title: "Account", rows: [...ownAccountRows, ...signUpRows] },
  { title: "Accounts", rows: [...relationshipRows, ...accountRows, ...ownPeopleRows] },
  { title: "Lists", rows: listRows },
  {
    title: "Statuses",
    rows: [
      ...statusRows,
      ...editRows,
      ...deedRows,
      ...whoDidRows,
      ...quoteRows,
      ...pollRows,
      ...scheduledRows,
      ...mediaRows,
    ],
  },
  { title: "Time lines", rows: [...timelineRows, ...conversationRows] },
  { title: "Search, tags and reports", rows: [...searchRows, ...tagRows, ...foundPeopleRows, ...reportRows] },
  { title: "Filters", rows: [...filterRows, ...oldFilterRows] },
  {
    title: "Notifications",
    rows: [...policyRows, ...requestRows, ...notificationRows, ...groupedRows, ...markerRows, ...pushRows],
  },
  { title: "Streams", rows: streamRows },
];
