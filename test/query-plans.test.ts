import { inTransaction } from "../src/hub.ts";
import { findForwarded } from "../src/domain/reports/forwarded.ts";
import { trimActors } from "../src/domain/people/trim-actors.ts";
import { findActorKey } from "../src/domain/identity/xchans/actor-keys.ts";
import { trimPeers } from "../src/domain/peers/peers.ts";
import { hostStates, takeProbes } from "../src/domain/peers/circuits.ts";
import { languagesHere } from "../src/domain/items/receiving/languages.ts";
import { channelShowing } from "../src/domain/messages/visible-media.ts";
import { blockHost, listHostBlocks, receiveFollow } from "../src/domain/connections/connections.ts";
import { askAgain } from "../src/domain/connections/ask-again.ts";
import { unwantedBy } from "../src/domain/connections/unwanted.ts";
import { nextFollowed } from "../src/domain/connections/catch-up.ts";
import { backlogOf } from "../src/domain/delivery/backlog.ts";
import { dueArrivals, dueDeliveries } from "../src/domain/delivery/due.ts";
import { giveUpHost, release } from "../src/domain/delivery/hosts.ts";
import { senderOfDeed } from "../src/domain/delivery/outgoing.ts";
import { reportOn } from "../src/domain/delivery/report.ts";
import { trimQueues } from "../src/domain/delivery/trim.ts";
import { withdraw } from "../src/domain/delivery/withdraw.ts";
import type { Room } from "../src/domain/delivery/worker.ts";
import { findForeignObserver } from "../src/domain/identity/channels/foreign-observer.ts";
import {
  findAddressee,
  findMet,
  leaveSharedInbox,
  markActors,
  recordGone,
} from "../src/domain/identity/xchans/actors.ts";
import { listsOf, recordCounts } from "../src/domain/identity/xchans/actor-details.ts";
import type { Xchan } from "../src/domain/identity/xchans/xchans.ts";
import { followById } from "../src/domain/connections/follow-by-id.ts";
import { approvalOf, findApproval, listApprovals } from "../src/domain/items/approvals.ts";
import { findLeftBehind, isDeleted, trimDeletedIds } from "../src/domain/items/deleted-ids.ts";
import { addressedElsewhere, connectedElsewhere } from "../src/domain/items/delivery/elsewhere.ts";
import { findCame } from "../src/domain/items/foreign-documents.ts";
import { quoteStampOf, stampedBy } from "../src/domain/items/quote-stamps.ts";
import { haveLeft, sentTo } from "../src/domain/items/sent-to.ts";
import { itemsOfPerson } from "../src/domain/items/timelines/items-of-person.ts";
import { findHost, listHosts } from "../src/domain/peers/host-list.ts";
import { findStayed, stayedAt } from "../src/domain/connections/stayed.ts";
import { scatteredPeople } from "../src/domain/groups/scattered.ts";
import { countInGroups } from "../src/domain/groups/count-in-groups.ts";
import { hostsThatHideUnmentioned, hostsToAsk } from "../src/domain/peers/software.ts";
import {
  countHeld,
  hurryDeliveries,
  listArrivals,
  listDeliveries,
  retryDeliveries,
} from "../src/domain/delivery/operate.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { listSiteBlocks } from "../src/domain/peers/site-blocks.ts";
import { findMedia, looksOf } from "../src/domain/proxy/remote-media.ts";
import { nameSuccessor } from "../src/domain/identity/records/name-successor.ts";
import { listedEvents } from "../src/domain/events/save.ts";
import { listedFiles } from "../src/domain/files/lists.ts";
import { listedItems } from "../src/domain/items/audience.ts";
import { linkCardsOf, recordLink } from "../src/domain/link-cards/link-cards.ts";
import { formerVersions } from "../src/domain/items/history.ts";
import { hashPhotos } from "../src/domain/photos/hash-photos.ts";
import { proxied } from "../src/domain/proxy/addresses.ts";
import { trimLinkCards } from "../src/domain/link-cards/trim.ts";
import { listedPhotos } from "../src/domain/photos/rows.ts";
import { accountOrders, pageOfAccounts } from "../src/domain/moderation/accounts.ts";
import { pageOfInvitations } from "../src/domain/invitations/invitations.ts";
import { figuresOver, trimFigures } from "../src/domain/upkeep/figures.ts";
import { pageOfFailedJobs } from "../src/domain/upkeep/failed-jobs.ts";
import { listMeasures, listTold, measuresOf, trimModeration } from "../src/domain/moderation/log.ts";
import { countOpenReports, findReports, listReports, trimReports } from "../src/domain/reports/list.ts";
import { actorOf } from "./support/actors.ts";
import { anonymous } from "./support/observers.ts";
import { randomUUID } from "node:crypto";
import { CompiledQuery, sql } from "kysely";
import type { LogEvent } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  choosableByAddress,
  howConnected,
  connectionsByName,
  listConnections,
  listPeople,
  notesAbout,
  pageOfPeople,
  peopleByNick,
  peopleWithoutProfile,
  relationsWith,
  withBlockedHost,
} from "../src/domain/connections/connections.ts";
import { exportChannel } from "../src/domain/export/export-channel.ts";
import { entriesAfter, findEvent, listEvents } from "../src/domain/events/events.ts";
import { remove, rename } from "../src/domain/cloud/change.ts";
import { findFile, findFolder, ownFileBeginning } from "../src/domain/files/find.ts";
import { listFiles, listFolder } from "../src/domain/files/list.ts";
import { storageUsed } from "../src/domain/files/quota.ts";
import { listGroups, listMembers, membersByName, peopleOutside } from "../src/domain/groups/groups.ts";
import { countMembers, pageOfGroupsWith, pageOfMembers } from "../src/domain/groups/lists-of.ts";
import { memberIds } from "../src/domain/groups/member-ids.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import type { Chatroom } from "../src/domain/identity/belongings/chatrooms.ts";
import { observerOf } from "../src/domain/identity/channels/observer.ts";
import { updateChannel } from "../src/domain/identity/channels/channels.ts";
import { countByDate, datesOf, placesByDate } from "../src/domain/items/timelines/by-date.ts";
import type { Collection } from "../src/domain/items/timelines/by-date.ts";
import { tagItem, untagItem } from "../src/domain/items/posting/community-tags.ts";
import { findVisibleItem } from "../src/domain/items/find.ts";
import { latestPublicStatuses } from "../src/domain/items/timelines/latest-statuses.ts";
import { countUnpublished } from "../src/domain/items/posting/count-unpublished.ts";
import { listDelayed } from "../src/domain/items/posting/delayed.ts";
import { suggestTags } from "../src/domain/items/suggest-tags.ts";
import { suggestPeople } from "../src/domain/people/suggest-people.ts";
import { planArchives, rowOf } from "../src/domain/archives/archive-place.ts";
import { findSketch, listSketches, trimSketches } from "../src/domain/items/posting/sketches.ts";
import { trimUnattached } from "../src/domain/cloud/unattached.ts";
import { filesOfMessages, filesOfMail, messagesWith } from "../src/domain/files/message-files.ts";
import { listFolders } from "../src/domain/items/posting/folders.ts";
import { followingOf } from "../src/domain/items/posting/follow.ts";
import { midOfLink } from "../src/domain/items/links.ts";
import { likedStatuses } from "../src/domain/items/timelines/likes.ts";
import { listTimeline } from "../src/domain/items/timelines/list-timeline.ts";
import { keptBack } from "../src/domain/items/posting/moderation.ts";
import { refuseRepeat } from "../src/domain/items/posting/repeats.ts";
import { listSavedSearches } from "../src/domain/items/timelines/saved-searches.ts";
import { networkPage } from "../src/domain/items/timelines/network-page.ts";
import { pinnedAmong, pinsOf } from "../src/domain/items/pins.ts";
import { pinnedBy } from "../src/domain/items/timelines/pinned-items.ts";
import { photoThread } from "../src/domain/items/media/photo-thread.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { publicThreads } from "../src/domain/items/timelines/public-threads.ts";
import { searchStatuses } from "../src/domain/items/timelines/search.ts";
import { searchTags } from "../src/domain/items/timelines/search-tags.ts";
import { findStatuses } from "../src/domain/items/timelines/find-statuses.ts";
import { loadMarks } from "../src/domain/items/timelines/status-context.ts";
import { assembleStatuses } from "../src/domain/items/timelines/statuses.ts";
import { channelStream, networkStream } from "../src/domain/items/timelines/stream.ts";
import { publicItemsBy, publicItemsOf } from "../src/domain/items/timelines/public-items.ts";
import { listVisibleFollows } from "../src/domain/people/visible-connections.ts";
import { fullThread, visibleThread, wall } from "../src/domain/items/timelines/thread.ts";
import { directAnswers, wholeThread } from "../src/domain/items/timelines/thread-timeline.ts";
import {
  favorites,
  homeOfApplications,
  homeTimeline,
  mentionsTimeline,
  networkPublicTimeline,
  publicTimeline,
  retweetsOfMe,
  userTimeline,
} from "../src/domain/items/timelines/timelines.ts";
import { namesThatAreSo } from "../src/domain/import/lists/already-so.ts";
import { looksFreeAgain } from "../src/domain/import/lists/budget.ts";
import { nextEntry } from "../src/domain/import/lists/go-through.ts";
import { countEntries, listEntries, listLists } from "../src/domain/import/lists/lists.ts";
import { trimLists } from "../src/domain/import/lists/trim-lists.ts";
import { followersElsewhere } from "../src/domain/items/delivery/elsewhere.ts";
import { localRecipients } from "../src/domain/items/delivery/recipients.ts";
import { tagFollowers } from "../src/domain/items/delivery/tag-followers.ts";
import { listListed, listsNaming } from "../src/domain/peers/subscribed-lists.ts";
import { firstContacts, trimFirstContacts } from "../src/domain/items/first-contacts.ts";
import { trimFetchBudgets } from "../src/domain/peers/fetch-budgets.ts";
import { followsFreeAgain, trimSentFollows } from "../src/domain/connections/sent-follows.ts";
import { listFollowedTags } from "../src/domain/items/followed-tags.ts";
import { endFilters, listFilters } from "../src/domain/items/filters.ts";
import { wordsFoundIn } from "../src/domain/items/word-filters.ts";
import { setMarkers } from "../src/domain/items/posting/markers.ts";
import { pageOfGroups } from "../src/domain/items/timelines/notice-groups.ts";
import { countTold, pageOfTold } from "../src/domain/items/timelines/told.ts";
import { threadsOf } from "../src/domain/items/timelines/threads-of.ts";
import { expireThreads, purgeTombstones } from "../src/domain/items/posting/trim.ts";
import type { Draft, Item } from "../src/domain/items/types.ts";
import { countUnseenMessages, listMessages, listTalks } from "../src/domain/messages/messages.ts";
import type { MailQuery } from "../src/domain/messages/messages.ts";
import { previewNotice } from "../src/domain/messages/import-notice.ts";
import { dropHeldNotice, dropNoticesOfReaction } from "../src/domain/notifications/drop.ts";
import { listNotices } from "../src/domain/notifications/notices.ts";
import { markMailsSeen, markRequestSeen } from "../src/domain/notifications/seen.ts";
import { readAnnouncements } from "../src/domain/announcements/announcements.ts";
import { acceptRequests, dismissRequests } from "../src/domain/notifications/filtered.ts";
import { judge } from "../src/domain/notifications/judge.ts";
import { changePolicy } from "../src/domain/notifications/policy.ts";
import { countFiltered, listRequests } from "../src/domain/items/timelines/notice-requests.ts";
import { queueWebhooks } from "../src/domain/webhooks/queue-webhooks.ts";
import { listWebhookDeliveries } from "../src/domain/webhooks/webhook-deliveries.ts";
import { queuePushes, trimSubscriptions } from "../src/domain/push/subscriptions.ts";
import { profileViewers } from "../src/domain/people/profile-viewers.ts";
import { inviterBy, listInvitations } from "../src/domain/invitations/invitations.ts";
import { suggestedPeople } from "../src/domain/people/suggestions.ts";
import { searchPeople } from "../src/domain/people/search-people.ts";
import { sweepUploads } from "../src/domain/cloud/pieces.ts";
import { ownPhotoThreads } from "../src/domain/items/media/photo-threads.ts";
import { loadStatusMedia } from "../src/domain/items/timelines/status-media.ts";
import { albumRecords, imagesInAlbum, listImages, photoRecords } from "../src/domain/photos/records.ts";
import { albums } from "../src/domain/photos/albums.ts";
import { findPhoto } from "../src/domain/photos/find.ts";
import { listPhotos } from "../src/domain/photos/list.ts";
import { listLines, listRooms } from "../src/domain/messages/rooms.ts";
import { findArticle, listArticles } from "../src/domain/pages/articles.ts";
import { listPages, pagesNamed } from "../src/domain/pages/find.ts";
import { partsShown } from "../src/domain/pages/parts-shown.ts";
import { createWiki } from "../src/domain/pages/wiki-create.ts";
import type { Wiki } from "../src/domain/pages/wiki-types.ts";
import { listWikiPages, listWikis, wikiHistory } from "../src/domain/pages/wikis.ts";
import { countResting, forgetResting } from "../src/jobs/resting.ts";
import { runDue } from "../src/jobs/runner.ts";
import { findQuestion } from "../src/domain/identity/applications/oauth-consent.ts";
import { deleteClient, findClient, listClients } from "../src/domain/identity/applications/oauth-clients.ts";
import { sweepOauth } from "../src/domain/identity/applications/oauth-sweep.ts";
import { findApp } from "../src/domain/identity/applications/oauth2-apps.ts";
import { findBearer, listBearers } from "../src/domain/identity/applications/oauth2-tokens.ts";
import { findGranted, listTokens } from "../src/domain/identity/applications/oauth-tokens.ts";
import { onPostgres, openTestHub } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";
import { befriend, connectionId, deliver, newcomer, streamQuery } from "./support/people.ts";

/**
 * Every list query is served by an index: no table that grows is read from end to end, and where a list is a range
 * of an index, its order comes from there. A new list gets a row in `lists`.
 */

const growing = [
  "actor",
  "actor_key",
  "peer",
  "delivery",
  "outbox_activity",
  "inbox_activity",
  "inbox_recipient",
  "sent_to",
  "foreign_document",
  "addressed_to",
  "thread_fetch",
  "approval",
  "deleted_id",
  "taken_back",
  "remote_media",
  "host_block",
  "filter",
  "filter_status",
  "word_filter",
  "followed_tag",
  "invitation",
  "sketch",
  "posted_sketch",
  "unattached",
  "message_file",
  "list_import",
  "list_import_entry",
  "sent_follow",
  "fetch_budget",
  "first_contact",
  "archive_place",
  "site_block",
  "listed_block",
  "report",
  "moderation",
  "item",
  "message",
  "term",
  "iconfig",
  "notify",
  "abook",
  "job",
  "attach",
  "photo",
  "upload",
  "upload_piece",
  "event",
  "mail",
  "conv",
  "oauth_client",
  "oauth_token",
  "oauth_nonce",
  "oauth2_app",
  "oauth2_token",
];

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carla: Xchan;
let top: Item;
let wiki: Wiki;
let watching = false;
let seen: CompiledQuery[] = [];

beforeAll(async () => {
  hub = await openTestHub({
    env: { HUBBUB_LINK_CARDS: "on" },
    onQuery: (event: LogEvent) => void (watching && seen.push(event.query)),
  });
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  await befriend(hub, alice, bob);
  top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  await postItem(hub, bob, { body: "answer @alice", parent: { mid: top.mid } });
  await deliver(hub);
  wiki = await createWiki(hub, alice, { name: "W", mimetype: "text/bbcode", posted: false });
  carla = await meetActor(hub, actorOf("carla"));
  await receiveFollow(hub, alice, carla, `${carla.xchan_hash}/follow`);
  await makeBig();
  await makeBigElsewhere();
});
afterAll(() => hub.close());

/** A hub of 500 channels with 20,000 messages; a planner that knows the numbers would not read them all for two people. */
async function makeBig(): Promise<void> {
  const series = onPostgres
    ? "select 1000 + n as n from generate_series(1, 20000) n"
    : "with recursive s(n) as (select 1001 union all select n + 1 from s where n < 21000) select n from s";
  const run = (text: string) => hub.db.executeQuery(CompiledQuery.raw(text));
  const author = `case when n % 50 = 0 then ${alice.xchan_id} else 1000 + n % 500 end`;
  const dates = "'2026-01-01 00:00:00', '2026-01-01 00:00:00'";
  await run(`insert into message (id, mid, uuid, parent_mid, thr_parent, verb, obj_type, author_id, created, edited)
    select n, 'm' || n, 'u' || n, 'm' || n, 'm' || n, 'v', 't', ${author}, ${dates} from (${series}) s`);
  const rows: [string | number, 0 | 1, string][] = [
    [alice.channel_id, 1, "n % 50 = 0"],
    [bob.channel_id, 0, "n % 50 = 0"],
    ["1000 + n % 500", 1, "n % 50 <> 0"],
    ["1000 + (n + 1) % 500", 0, "n % 50 <> 0"],
  ];
  for (const [uid, ofWall, which] of rows) {
    await run(`insert into item (uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received, changed, item_thread_top, item_wall, item_origin)
      select ${uid}, 1, n, n, n, ${author}, ${author}, ${dates}, ${dates}, 1, ${ofWall}, ${ofWall} from (${series}) s where ${which}`);
  }
  await run("update item set parent = id, thr_parent_id = id where message_id > 1000");
  const image = `'h' || n, 'd' || (n % 20), 'f' || n`;
  await run(`insert into attach (id, aid, uid, hash, folder, filename, creator, filetype, filesize, is_photo, latest, created, edited)
    select n, 1, case when n % 50 = 0 then ${alice.channel_id} else 1000 + n % 500 end, ${image}, 'c', 'image/png', 1, 1, 1, ${dates} from (${series}) s`);
  await run(`insert into attach (id, aid, uid, hash, folder, filename, creator, filetype, filesize, is_dir, latest, created, edited)
    select 30000 + n, 1, ${alice.channel_id}, 'd' || (n - 1001), '', 'd' || n, 'c', 'multipart/mixed', 0, 1, 1, ${dates} from (${series}) s where n <= 1020`);
  await run(`insert into photo (id, aid, uid, resource_id, blob, imgscale, created, edited)
    select n * 4 + scale, aid, uid, hash, 'b' || n || '-' || scale, scale, created, edited
      from (select id as n, aid, uid, hash, created, edited from attach where is_photo = 1) a
      cross join (select 0 as scale union select 1 union select 2 union select 3) b`);
  const mine = (id: number): string => `case when n % 200 = 0 then ${id} else 1000 + n % 500 end`;
  const sides = `'from' || (n % 40), case when n % 3 = 0 then '${alice.channel_hash}' else 'to' || (n % 40) end`;
  await run(`insert into mail (convid, account_id, channel_id, conv_guid, from_xchan, to_xchan, mid, parent_mid, mail_seen, created)
    select 0, 1, ${mine(alice.channel_id)}, 'c' || (n % 1000), ${sides}, 'm' || n, 'm' || n, case when n % 400 = 0 then 0 else 1 end, '2026-01-01 00:00:00' from (${series}) s`);
  await run(`insert into conv (uid, guid, recips, creator, created, updated)
    select ${mine(alice.channel_id)}, 'c' || n, '', '', ${dates} from (${series}) s`);
  await run(`insert into event (aid, uid, event_xchan, event_hash, etype, created, edited, dtstart, dtend, event_repeat)
    select 1, ${mine(alice.channel_id)}, 'x', 'e' || n, 'event', ${dates},
      (1980 + n % 60) || '-01-01 00:00:00', (1980 + n % 60) || '-01-02 00:00:00', case when n % 500 = 0 then 'FREQ=YEARLY' else '' end from (${series}) s`);
  await run(`insert into oauth_client (id, uid, client_key, secret, name, created)
    select n, ${mine(alice.channel_id)}, 'key' || n, 's', 'name', '2026-01-01 00:00:00' from (${series}) s`);
  await run(`insert into oauth_token (client_id, uid, kind, token, secret, created, expires)
    select n, ${mine(alice.channel_id)}, case when n % 4 = 0 then 'access' else 'request' end, 'token' || n, 's', ${dates.replaceAll("2026-01-01", "2027-01-01")} from (${series}) s`);
  await run(`insert into oauth2_app (id, client_id, secret_digest, name, redirects, scopes, uid, created, used)
    select n, 'app' || n, 's', 'name', 'a:', 'read', 0, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from (${series}) s`);
  await run(`insert into oauth2_token (app_id, uid, digest, scopes, created, expires)
    select n, ${mine(alice.channel_id)}, 'token' || n, 'read', ${dates.replaceAll("2026-01-01", "2027-01-01")} from (${series}) s`);
  await run(`insert into oauth_nonce (digest) select 'd' || n from (${series}) s`);
  // PostgreSQL plans by statistics; SQLite has none in a hub either.
  if (onPostgres) await run("analyze");
  await updateChannel(hub, bob.channel_id, { expireDays: 1 });
}

/** 4,000 people of 40 other hubs, with what goes there, came from there and is known of them. */
async function makeBigElsewhere(): Promise<void> {
  const series = onPostgres
    ? "select 10000 + n as n from generate_series(1, 4000) n"
    : "with recursive s(n) as (select 10001 union all select n + 1 from s where n < 14000) select n from s";
  const fill = (table: string, columns: string, values: string) =>
    hub.db.executeQuery(CompiledQuery.raw(`insert into ${table} (${columns}) select ${values} from (${series}) s`));
  const [host, moment] = ["'h' || (n % 40) || '.example'", "'2026-01-01 00:00:00'"];
  const state = "case when n % 20 = 0 then 'waiting' else 'done' end";
  await fill(
    "xchan",
    "xchan_id, xchan_hash, xchan_network, xchan_created",
    `n, 'https://' || ${host} || '/' || n, 'activitypub', ${moment}`,
  );
  await fill(
    "actor",
    "actor_id, compared, xchan_id, type, host, inbox, fetched",
    `'https://' || ${host} || '/' || n, 'https://' || ${host} || '/' || n, n, 'Person', ${host}, 'https://' || ${host} || '/in' || n, ${moment}`,
  );
  await fill("peer", "host, first_contact, last_contact", `'h' || n || '.example', ${moment}, ${moment}`);
  await fill(
    "outbox_activity",
    "id, deed, variant, object_id, bytes, sender, created",
    `n, 'd' || n, '', 'o' || (n % 900), '', 1, ${moment}`,
  );
  await fill(
    "delivery",
    "activity, inbox, host, object_id, recipients, state, next_at, created",
    `n, 'i', ${host}, 'o' || (n % 900), '[]', ${state}, ${moment}, ${moment}`,
  );
  await fill(
    "inbox_activity",
    "activity_id, signer, host, scheme, object_id, bytes, state, received, next_at",
    `'a' || n, 's', ${host}, '', 'o' || n, '', ${state}, ${moment}, ${moment}`,
  );
  await fill("sent_to", "message_id, inbox, people", "n, 'i', '[]'");
  await fill(
    "deleted_id",
    "id, kind, deleted, was_public",
    `'https://far.example/' || n, 'note', '2026-02-28 00:00:00', 1`,
  );
  await fill("taken_back", "id, moment", "'t' || n, '2026-03-01 12:00:00'");
  await fill("remote_media", "digest, url, host, filesize, viewed", `'d' || n, 'u', ${host}, 1, '2026-02-28 00:00:00'`);
  await fill("link_card", "digest, url, host, kind, again", `'d' || n, 'u', ${host}, 'link', '2026-02-28 00:00:00'`);
  await fill("message_link", "message_id, card_id", "n, n");
  await fill(
    "approval",
    "uuid, quoting, message_id, person_id, created",
    `'u' || n, 'https://far.example/' || n, 10000 + n % 900, n, ${moment}`,
  );
  await fill("followed_tag", "uid, term, term_key, created", `1000 + n % 500, 'w' || n, 'w' || n, ${moment}`);
  await fill("filter", "uid, title, action, at_home, created", `1000 + n % 500, 'f' || n, 'hide', 1, ${moment}`);
  await fill("filter_status", "uid, filter_id, message_id, item_id", "1000 + n % 500, n, n, n");
  await fill(
    "word_filter",
    "uid, filter_id, phrase, needle, created",
    `1000 + n % 500, n, 'w' || n, 'w' || n, ${moment}`,
  );
  await fill(
    "invitation",
    "uid, token, most_uses, expires, created",
    `1000 + n % 500, 't' || n, 1, ${moment}, ${moment}`,
  );
  await fill(
    "sketch",
    "uid, name, place, fields, created, changed",
    `1000 + n % 500, 'n' || n, '/network', '[]', ${moment}, ${moment}`,
  );
  await fill("posted_sketch", "uid, name, posted", `1000 + n % 500, 'n' || n, ${moment}`);
  await fill(
    "archive_place",
    "uid, kind, address, login, region, sealed, every, keep, next_at",
    `1000 + n, 's3', 'https://s3.example/b', 'k', '', '', 'day', 1, '2027-01-01 00:00:00'`,
  );
  await fill("unattached", "uid, hash, kept_until", `1000 + n % 500, 'h' || n, '2027-01-01 00:00:00'`);
  await fill("message_file", "uid, hash, message_id, mail_id", `1000 + n % 500, 'h' || n, n, 0`);
  await fill(
    "list_import",
    "uid, kind, state, filename, turn, created, updated",
    `1000 + n % 500, 'follow', case when n % 50 = 0 then 'running' else 'done' end, 'f', 0, ${moment}, ${moment}`,
  );
  await fill(
    "list_import_entry",
    "list_id, uid, name, state, looked",
    `n % 200, 1000 + n % 500, 'n' || n, case when n % 3 = 0 then 'waiting' else 'done' end, ${moment}`,
  );
  await fill(
    "sent_follow",
    "uid, sent",
    `1000 + n % 500, case when n % 9 = 0 then ${moment} else '2026-03-01 11:00:00' end`,
  );
  await fill(
    "first_contact",
    "uid, author_id, mid, is_private, plain, document, received",
    `1000 + n % 500, n, 'f' || n, 0, '', '', ${moment}`,
  );
  await fill("fetch_budget", "cause, asked, created", `'c' || n, n % 200, ${moment}`);
  await fill("host_block", "uid, host, kind, created", `1000 + n % 500, 'b' || n || '.example', 'block', ${moment}`);
  await fill("listed_block", "list_id, domain, level, taken", `n % 5, 'l' || n || '.example', 'suspend', 1`);
  await fill("site_block", "domain, level, created", `'b' || n || '.example', 'limit', ${moment}`);
  await fill(
    "report",
    "flag_id, comment, messages, reporter_id, person_id, created, closed",
    `'f' || n, '', '[]', n, n, ${moment}, case when n % 50 = 0 then '0001-01-01 00:00:00' else '2026-02-28 00:00:00' end`,
  );
  await fill("moderation", "report_id, moderator_id, person_id, measure, created", `n, 1, n, 'note', ${moment}`);
  if (onPostgres) await hub.db.executeQuery(CompiledQuery.raw("analyze"));
}

type List = {
  name: string;
  read: () => Promise<unknown>;
  /** Indexes of which one serves the list itself. */
  index?: string[];
  /** The order is not that of an index: few rows are sorted. */
  sorts?: boolean;
};

const page = { count: 20, page: 1 };
const recent = "2026-02-01 00:00:00";

const lists: List[] = [
  // PostgreSQL puts the rows of a page in order again.
  {
    name: "home of applications",
    read: () => homeOfApplications(hub, alice, page),
    index: ["item_timeline"],
    sorts: onPostgres,
  },
  { name: "home", read: () => homeTimeline(hub, alice, page), index: ["item_timeline"], sorts: onPostgres },
  {
    name: "home after an id",
    read: () => homeTimeline(hub, alice, { ...page, sinceId: 5, maxId: 90_000 }),
    index: ["item_timeline"],
    sorts: onPostgres,
  },
  {
    name: "mentions",
    read: () => mentionsTimeline(hub, alice, page),
    index: ["item_addressed"],
    sorts: onPostgres,
  },
  {
    name: "what a channel likes",
    read: () => likedStatuses(hub, alice, { count: 20 }),
    // PostgreSQL knows that there are hardly any here.
    index: onPostgres ? ["item_by_author", "item_reactions"] : ["item_by_author"],
    sorts: onPostgres,
  },
  { name: "favorites", read: () => favorites(hub, alice, page), index: ["item_starred"], sorts: onPostgres },
  {
    name: "home, tops only",
    read: () => homeTimeline(hub, alice, { ...page, excludeReplies: true }),
    // PostgreSQL knows that nearly everything here is a top.
    index: onPostgres ? ["item_tops", "item_timeline"] : ["item_tops"],
    sorts: true,
  },
  {
    name: "home, a conversation",
    read: () => homeTimeline(hub, alice, { ...page, conversationId: top.id }),
    index: ["item_members"],
    sorts: true,
  },
  {
    name: "home, a connection",
    read: async () => homeTimeline(hub, alice, { ...page, contactId: await connectionId(hub, alice, bob) }),
    index: ["item_by_author"],
    sorts: true,
  },
  { name: "public", read: () => publicTimeline(hub, bob, page), index: ["item_public"], sorts: true },
  {
    name: "public, tops only",
    read: () => publicTimeline(hub, bob, { ...page, excludeReplies: true }),
    index: ["item_public_tops"],
    sorts: true,
  },
  {
    name: "all that is public",
    read: () => networkPublicTimeline(hub, bob, page),
    index: ["item_public", "item_timeline"],
    sorts: true,
  },
  {
    name: "user",
    read: () => userTimeline(hub, bob, alice.xchan_id, page),
    index: ["item_by_author", "item_wall_author"],
    sorts: true,
  },
  {
    name: "user, after an id and tops only",
    read: () => userTimeline(hub, bob, alice.xchan_id, { ...page, sinceId: 5, maxId: 90_000, excludeReplies: true }),
    index: ["item_by_author", "item_wall_author_tops"],
    sorts: true,
  },
  { name: "retweets of me", read: () => retweetsOfMe(hub, alice, page), index: ["item_reshared"], sorts: true },
  {
    name: "list",
    read: () => listTimeline(hub, alice, 1, { ...page, maxId: 90_000 }),
    index: ["item_by_author", "item_wall_author"],
    sorts: true,
  },
  {
    name: "network by comment",
    read: () => networkStream(hub, alice, streamQuery({ records: 20, top: true })),
    index: ["item_threads"],
  },
  {
    name: "network by post",
    read: () => networkStream(hub, alice, streamQuery({ records: 20, top: true, order: "post" })),
    index: ["item_threads_created"],
  },
  {
    name: "network by key",
    read: () => networkPage(hub, alice, {}, { count: 20, before: { date: recent, id: 9 } }),
    index: ["item_threads"],
  },
  {
    name: "applications",
    read: () => listClients(hub, alice.channel_id),
    index: ["oauth_client_owner"],
    sorts: onPostgres,
  },
  {
    name: "tokens of an account",
    read: () => listTokens(hub, alice.channel_account_id),
    index: ["channel_account", "oauth_token_owner"],
    sorts: true,
  },
  {
    name: "an access token",
    read: () => findGranted(hub, { key: "key1200", token: "token1200", timestamp: "1", nonce: "n" }, "1.n"),
    index: ["oauth_token_unique", "oauth_nonce_pkey"],
    sorts: onPostgres,
  },
  { name: "an application by its key", read: () => findClient(hub, "key1200"), index: ["oauth_client_key_unique"] },
  {
    name: "bearer tokens of an account",
    read: () => listBearers(hub, alice.channel_account_id),
    index: ["channel_account", "oauth2_token_uid"],
    sorts: true,
  },
  { name: "an application of OAuth 2", read: () => findApp(hub, "app1200"), index: ["oauth2_app_unique"] },
  {
    name: "a bearer token",
    read: () => findBearer(hub, "unknown").catch(() => undefined),
    index: ["oauth2_token_unique"],
    sorts: onPostgres,
  },
  { name: "a question", read: () => findQuestion(hub, "token1201"), index: ["oauth_token_unique"] },
  { name: "an application that goes", read: () => deleteClient(hub, alice.channel_id, "key1400") },
  { name: "tokens and nonces that are over", read: () => sweepOauth(hub), index: ["oauth_nonce_pkey"] },
  { name: "network with members", read: () => networkStream(hub, alice, streamQuery({ records: 20 })), sorts: true },
  { name: "network by mid", read: () => networkStream(hub, alice, streamQuery({ mid: top.mid })), sorts: true },
  { name: "network, unseen", read: () => networkStream(hub, alice, streamQuery({ unseen: true })), sorts: true },
  { name: "network, starred", read: () => networkStream(hub, alice, streamQuery({ star: true })), sorts: true },
  {
    name: "network, articles",
    read: () => networkStream(hub, alice, streamQuery({ itemType: 7, top: true })),
    index: ["item_kinds"],
    sorts: true,
  },
  // By the date of arrival there is no index: too dear for each copy of each message, for a list that few ask for.
  {
    name: "network, single items",
    read: () => networkStream(hub, alice, streamQuery({ nouveau: true, records: 20 })),
    index: ["item_timeline"],
    sorts: true,
  },
  {
    name: "channel stream",
    read: () => channelStream(hub, alice, { mindate: recent, start: 0, records: 20 }),
    sorts: true,
  },
  {
    name: "public items of somebody",
    read: () => publicItemsOf(hub, anonymous, alice.xchan_id, { count: 20 }),
    index: ["item_wall_author"],
  },
  {
    name: "public items of a channel, and its comments elsewhere",
    read: () => publicItemsBy(hub, anonymous, alice, { count: 20 }),
    index: ["item_wall_author", "item_by_author"],
  },
  {
    name: "followers that anybody may know",
    read: () => listVisibleFollows(hub, alice, "follow_in", { count: 20 }),
    // Where there are few connections PostgreSQL goes through them by their numbers.
    index: ["abook_connection_unique", ...(onPostgres ? ["abook_pkey"] : [])],
    sorts: true,
  },
  { name: "wall", read: () => wall(hub, anonymous, alice, { count: 20 }), index: ["item_wall_ids"] },
  { name: "answers", read: () => directAnswers(hub, alice, top, page), sorts: true },
  { name: "conversation", read: () => wholeThread(hub, alice, top, page), sorts: true },
  { name: "thread", read: () => visibleThread(hub, anonymous, { id: top.id }), sorts: true },
  { name: "thread in full", read: () => fullThread(hub, alice, { mid: top.mid }), sorts: true },
  { name: "one item by mid", read: () => findVisibleItem(hub, observerOf(bob), { mid: top.mid }), sorts: true },
  {
    name: "what belongs to statuses",
    read: () => assembleStatuses(hub, observerOf(alice), [top], { terms: true }),
    sorts: true,
  },
  {
    name: "whom statuses mention, however many others are mentioned",
    read: () => assembleStatuses(hub, observerOf(alice), [{ ...top, html: '<a class="mention" href="x">@x</a>' }]),
    ...(!onPostgres && { index: ["term_message"] }),
    sorts: true,
  },
  ...(["ignored too", "only blocked"] as const).map((which): List => ({
    name: `whom a channel does not want, however many it is connected with: ${which}`,
    read: () => sql`select id from (${unwantedBy(alice.channel_id, which)}) as unwanted`.execute(hub.db),
    ...(!onPostgres && { index: ["abook_unwanted"] }),
  })),
  {
    name: "comments that wait",
    read: () => keptBack(hub, alice, "held", { count: 20, before: 90_000 }),
    index: ["item_kept_back"],
  },
  { name: "folders", read: () => listFolders(hub, alice), index: ["term_folder"], sorts: true },
  { name: "a folder", read: () => networkPage(hub, alice, { file: "x" }, { count: 20 }), sorts: true },
  { name: "search", read: () => searched("top"), sorts: true },
  { name: "search of a phrase", read: () => searched('"answer alice" -"alice answer"'), sorts: true },
  { name: "search by author and days", read: () => searched("from:alice since:2026-01-01"), sorts: true },
  {
    name: "search that finds nothing",
    read: () => searched("nowhere"),
    index: ["item_timeline", "item_public"],
    sorts: true,
  },
  { name: "search of an address", read: () => searched("https://hub.example/nowhere"), sorts: true },
  { name: "saved searches", read: () => listSavedSearches(hub, alice), sorts: true },
  { name: "following a thread", read: () => followingOf(hub, alice, top.id), index: ["item_members"], sorts: true },
  { name: "repeated texts", read: () => refuseRepeat(hub, alice, alice.channel_id, "x"), index: ["item_timeline"] },
  {
    name: "tagging",
    read: async () => {
      const { message_id } = await tagItem(hub, bob, { mid: top.mid }, "new");
      await untagItem(hub, bob, { mid: top.mid }, "new");
      return message_id;
    },
    sorts: true,
  },
  { name: "notices", read: () => listNotices(hub, alice.channel_id), sorts: true },
  {
    name: "the notice of a request",
    read: () => markRequestSeen(hub, alice.channel_id, "x"),
    index: ["notify_request"],
  },
  { name: "notices of messages", read: () => markMailsSeen(hub, alice.channel_id, [1, 2]), index: ["notify_mail"] },
  { name: "the notice of what waits", read: () => dropHeldNotice(hub, alice.channel_id), index: ["notify_held"] },
  {
    name: "notices of a reaction",
    read: () => dropNoticesOfReaction(hub, top.message_id, { verb: "x", actor: bob.xchan_id }),
    index: ["notify_item"],
  },
  {
    name: "a notice that an import brings",
    read: () => previewNotice(hub, alice.channel_id, { hash: "a".repeat(64), created: "2026-03-01 12:00:00" }),
    index: ["notify_hash"],
  },
  {
    name: "notices in groups",
    read: async () => [
      await pageOfGroups(hub, alice, {}, { count: 20, before: { date: "2030-01-01 00:00:00", id: 99 } }),
      await pageOfGroups(hub, alice, { kinds: ["comment"], unseen: true }, { count: 20 }),
    ],
    sorts: true,
  },
  {
    name: "announcements",
    read: async () => {
      await readAnnouncements(hub, alice.channel_id, true);
      return readAnnouncements(hub, alice.channel_id, false);
    },
    sorts: true,
  },
  {
    name: "what a policy keeps apart",
    read: async () => {
      await changePolicy(hub, alice.channel_id, { "private-mentions": "filter" });
      await judge(hub, [
        { uid: alice.channel_id, actor: bob.xchan_id, kind: "mention", item: 5, mail: 0 },
        { uid: alice.channel_id, actor: bob.xchan_id, kind: "mail", item: 0, mail: 5 },
      ]);
      await changePolicy(hub, alice.channel_id, { "private-mentions": "accept" });
      await listRequests(hub, alice.channel_id, { count: 40, maxId: 99 });
      await countFiltered(hub, alice.channel_id);
      await acceptRequests(hub, alice.channel_id, [1, 2]);
      await dismissRequests(hub, alice.channel_id, [1, 2]);
      return pageOfGroups(hub, alice, { filteredBy: bob.xchan_id }, { count: 20 });
    },
    index: ["notify_filtered"],
    sorts: true,
  },
  {
    name: "notices by number",
    read: () => pageOfTold(hub, alice, { count: 20, maxId: 99 }, {}),
  },
  { name: "one group of notices", read: () => pageOfTold(hub, alice, { count: 20 }, { subjects: ["like"], item: 5 }) },
  {
    name: "notices after a marker",
    read: async () => {
      await countTold(hub, alice, 5, 100, {});
      await setMarkers(hub, alice, { home: 5, notifications: 5 });
    },
  },
  { name: "threads that notices are about", read: () => threadsOf(hub, alice, [1, 2, 3]) },
  { name: "who sees which profile", read: () => profileViewers(hub, alice.channel_id), sorts: true },
  { name: "members of several groups", read: () => memberIds(hub, alice.channel_id, [1, 2]), sorts: true },
  { name: "groups", read: () => listGroups(hub, alice.channel_id), sorts: true },
  {
    name: "group members",
    read: () => listMembers(hub, alice.channel_id, 1),
    index: [onPostgres ? "abconfig_key_unique" : "abconfig_granted"],
    sorts: true,
  },
  {
    name: "connections",
    read: () => listConnections(hub, alice.channel_id),
    index: [onPostgres ? "abconfig_key_unique" : "abconfig_granted"],
    sorts: true,
  },
  {
    name: "group members by name",
    read: () => membersByName(hub, 1, "", { search: "bo", before: 1, count: 50 }),
    sorts: true,
  },
  {
    name: "people outside of a group",
    read: () => peopleOutside(hub, alice.channel_id, 1, { count: 50 }),
    sorts: true,
  },
  {
    name: "connections by name",
    read: () => connectionsByName(hub, alice.channel_id, { search: "bo", before: 1, count: 50 }),
    sorts: true,
  },
  {
    name: "who sees a profile, by name",
    read: () => connectionsByName(hub, alice.channel_id, { profile: "x", before: 1, count: 50 }),
    sorts: true,
  },
  {
    name: "who sees another profile",
    read: () => peopleWithoutProfile(hub, alice.channel_id, "x", { count: 50 }),
    sorts: true,
  },
  // The people of one channel are sorted: how they are connected stands in rows that do not know their numbers.
  {
    name: "friends by number",
    read: () => pageOfPeople(hub, alice.channel_id, "friends", { count: 20, after: 9000 }),
    sorts: true,
  },
  { name: "muted people", read: () => pageOfPeople(hub, alice.channel_id, "muted", { count: 20 }), sorts: true },
  { name: "filters that end", read: () => endFilters(hub), index: ["filter_ends"] },
  {
    name: "filters of a channel",
    read: () => listFilters(hub, alice.channel_id),
    index: ["filter_owner", "word_filter_owner", "filter_status_owner"],
    sorts: true,
  },
  {
    name: "followed tags of a channel",
    read: () => listFollowedTags(hub, alice.channel_id),
    index: ["followed_tag_unique"],
    sorts: onPostgres,
  },
  {
    name: "who follows a tag",
    read: () =>
      tagFollowers(
        hub,
        ["w7"],
        { author_id: 3, owner_id: 3, body: "#w7", title: "", plain: "", lang: "" },
        alice.channel_id,
      ),
    index: ["followed_tag_by_term"],
    sorts: true,
  },
  {
    name: "invitations of a channel",
    read: () => listInvitations(hub, alice.channel_id),
    index: ["invitation_by_channel"],
    sorts: onPostgres,
  },
  {
    name: "who invites with a link",
    read: () => inviterBy(hub, "t7"),
    index: ["invitation_token_unique"],
  },
  {
    name: "suggested people",
    read: () => suggestedPeople(hub, alice, 20),
    index: ["followed_tag_unique", "term_key"],
    sorts: true,
  },
  {
    name: "how the channel is connected with a page of people",
    read: () => howConnected(hub, alice.channel_id, [bob.channel_hash, "nobody"]),
    index: ["abook_connection_unique"],
  },
  {
    name: "own copies of statuses by their ids",
    read: () => findStatuses(hub, observerOf(bob), [top.id]),
    index: ["item_message_unique"],
  },
  {
    name: "marks of statuses, however many others have the same",
    read: () => loadMarks(hub, [top.message_id]),
    // PostgreSQL counts how many there are, and here they are few.
    ...(!onPostgres && { index: ["iconfig_message"] }),
  },
  {
    name: "public threads of this hub",
    read: () => publicThreads(hub, observerOf(alice), { count: 20 }),
    index: ["item_public_tops"],
  },
  {
    name: "whom a post may be shown to",
    read: () => listPeople(hub, alice.channel_id, { search: "bo", count: 12 }),
    index: ["abook_connection_unique"],
    sorts: true,
  },
  {
    name: "whom a post may be shown to, by address",
    read: () => choosableByAddress(hub, alice.channel_id, ["bob"]),
    index: ["abook_connection_unique"],
  },
  {
    name: "connections whose names begin so",
    read: () => suggestPeople(hub, alice, "bo", 1),
    index: ["abook_connection_unique"],
    sorts: true,
  },
  {
    name: "people of this hub whose nicks begin so",
    read: () => suggestPeople(hub, alice, "car", 8),
    index: ["channel_address_unique"],
    sorts: true,
  },
  { name: "hashtags that begin so", read: () => suggestTags(hub, alice, "ma", 8), index: ["term_key"], sorts: true },
  {
    name: "drafts of a channel",
    read: () => listSketches(hub, alice),
    index: ["sketch_uid"],
    sorts: onPostgres,
  },
  { name: "where archives go", read: () => rowOf(hub, 1000), index: ["archive_place_unique"] },
  { name: "archives that are due", read: () => planArchives(hub), index: ["archive_place_due"] },
  { name: "a draft", read: () => findSketch(hub, alice, "n10001"), index: ["sketch_unique"] },
  {
    name: "old drafts",
    read: () => trimSketches(hub),
    index: ["sketch_changed", "posted_sketch_posted"],
    sorts: onPostgres,
  },
  { name: "files that no post has used", read: () => trimUnattached(hub), index: ["unattached_until"] },
  { name: "what shows a file", read: () => messagesWith(hub, 1, ["a"]), index: ["message_file_unique"], sorts: true },
  { name: "files that messages show", read: () => filesOfMessages(hub, [1, 2]), index: ["message_file_message"] },
  { name: "files that a mail shows", read: () => filesOfMail(hub, 1), index: ["message_file_mail"] },
  {
    name: "posts that wait for their date",
    read: () => listDelayed(hub, alice, { count: 20 }),
    index: ["item_delayed"],
  },
  {
    name: "more posts that wait for their date",
    read: () => listDelayed(hub, alice, { after: { date: "2026-01-01 00:00:00", id: 3 }, count: 20 }),
    index: ["item_delayed"],
  },
  {
    name: "how many drafts there are, and posts that wait",
    read: () => countUnpublished(hub, alice),
    index: ["item_delayed"],
  },
  {
    name: "lists that a channel has brought along",
    read: () => listLists(hub, alice.channel_id),
    index: ["list_import_uid"],
    sorts: onPostgres,
  },
  {
    name: "how far a list has come",
    read: () => countEntries(hub, 1),
    index: ["list_import_entry_state"],
    sorts: true,
  },
  {
    name: "entries of a list that are not done",
    read: () => listEntries(hub, { list: 1, state: "failed", after: 10, count: 50 }),
    index: ["list_import_entry_state"],
    sorts: true,
  },
  { name: "the next entry of a list", read: () => nextEntry(hub, 1), index: ["list_import_entry_state"] },
  {
    name: "when others may be looked up again for a list",
    read: () => looksFreeAgain(hub, alice.channel_id),
    index: ["list_import_entry_looked"],
  },
  {
    name: "when a channel may follow more people",
    read: () => followsFreeAgain(hub, alice.channel_id),
    // Where all are of one channel, both ways are the same to PostgreSQL.
    index: onPostgres ? ["sent_follow_uid", "sent_follow_sent"] : ["sent_follow_uid"],
    sorts: onPostgres,
  },
  {
    name: "whom of a list a channel follows already",
    read: () => namesThatAreSo(hub, alice.channel_id, { kind: "follow", names: ["bob@hub.example"] }),
    index: ["xchan_addr"],
  },
  {
    name: "which servers of a list a channel has blocked already",
    read: () => namesThatAreSo(hub, alice.channel_id, { kind: "hosts", names: ["b1.example"] }),
    index: ["host_block_unique"],
  },
  {
    name: "what strangers have written",
    // A channel has two hundred of them at most.
    read: () => firstContacts(hub, alice, { count: 20 }),
    index: ["first_contact_unique"],
    sorts: true,
  },
  { name: "what nobody let in", read: () => trimFirstContacts(hub), index: ["first_contact_received"] },
  { name: "what was asked for long ago", read: () => trimFetchBudgets(hub), index: ["fetch_budget_created"] },
  { name: "follows that count no more", read: () => trimSentFollows(hub), index: ["sent_follow_sent"] },
  { name: "old lists", read: () => trimLists(hub), index: ["list_import_updated"], sorts: true },
  {
    name: "what filters find on a page",
    read: () =>
      wordsFoundIn(
        hub,
        alice,
        [1007, 1011].map((message_id) => ({ message_id, author_id: 0 })),
      ),
    sorts: true,
  },
  { name: "blocked people", read: () => pageOfPeople(hub, alice.channel_id, "blocked", { count: 20 }), sorts: true },
  {
    name: "followers by nickname",
    read: () => peopleByNick(hub, alice.channel_id, "followers", { count: 20, page: 1 }),
    sorts: true,
  },
  { name: "relations", read: () => relationsWith(hub, alice.channel_id, [bob.xchan_id]) },
  { name: "members of a list", read: () => pageOfMembers(hub, alice.channel_id, 1, { count: 20 }), sorts: true },
  {
    name: "lists that hold somebody",
    read: () => pageOfGroupsWith(hub, alice.channel_id, bob.channel_hash, { count: 20 }),
    sorts: true,
  },
  { name: "members counted", read: () => countMembers(hub, alice.channel_id), sorts: true },
  {
    name: "people by name",
    read: () => searchPeople(hub, observerOf(alice), "bo", { count: 20 }),
    index: ["xchan_name", "xchan_addr"],
    sorts: true,
  },
  { name: "notes about people", read: () => notesAbout(hub, alice.channel_id, [bob.xchan_id]) },
  { name: "people of blocked hosts", read: () => withBlockedHost(hub, alice.channel_id, [bob.xchan_id]) },
  {
    name: "hashtags by their beginning",
    read: () => searchTags(hub, observerOf(alice), "te", { count: 20, skip: 0 }),
    index: ["term_key"],
    sorts: true,
  },
  {
    name: "newest status of several people",
    read: () => latestPublicStatuses(hub, observerOf(bob), [alice.xchan_id, bob.xchan_id]),
    index: ["item_wall_author"],
    sorts: true,
  },
  { name: "due jobs", read: () => runDue(hub), index: ["job_due"], sorts: true },
  { name: "delivery", read: () => postAndDeliver(alice, { body: "next" }), sorts: true },
  {
    name: "comments and their delivery",
    read: () => postAndDeliver(bob, { body: "more", parent: { mid: top.mid } }),
    sorts: true,
  },
  { name: "export, a page", read: () => exported({ count: 20 }), index: ["item_export"] },
  {
    name: "export, the next page",
    read: () => exported({ count: 20, after: { created: recent, id: 9 } }),
    index: ["item_export"],
  },
  {
    name: "export, how many",
    read: () => countByDate(hub, alice.channel_id, "everything", { until: recent }),
    index: ["item_export"],
  },
  { name: "export, from when", read: () => datesOf(hub, alice.channel_id, "everything"), index: ["item_export"] },
  { name: "export, posts", read: () => exported({ count: 20 }, "posts"), index: ["item_export"] },
  {
    name: "export, wikis",
    read: () => exported({ count: 20 }, "wikis"),
    index: ["item_export", "message_wiki"],
    sorts: true,
  },
  {
    name: "export, pages",
    read: () => exported({ count: 20 }, "pages"),
    index: ["item_export", "item_pages"],
    sorts: true,
  },
  {
    name: "export of the channel",
    read: async () => Array.fromAsync(await exportChannel(hub, alice, { posts: true })),
    sorts: true,
  },
  { name: "files", read: () => listFiles(hub, alice.channel_id, { start: 0 }, 20), index: ["attach_list"] },
  {
    name: "files, the next batch",
    read: () => listFiles(hub, alice.channel_id, { start: 0 }, 20, { created: recent, id: 9 }),
    index: ["attach_list"],
  },
  {
    name: "files, filtered",
    read: () => listFiles(hub, alice.channel_id, { start: 0, filename: "f", filetype: "png", until: recent }, 20),
    index: ["attach_list", "attach_revision_unique"],
    // PostgreSQL knows how few files one channel has here, and sorts them.
    sorts: true,
  },
  {
    name: "files by hash",
    read: () => listFiles(hub, alice.channel_id, { start: 0, hash: "h1050" }, 20),
    index: ["attach_revision_unique", "attach_hash"],
    sorts: true,
  },
  {
    name: "a directory",
    read: () => listFolder(hub, observerOf(alice), alice.channel_id, "d10", { limit: 20 }),
    index: ["attach_entries"],
    sorts: onPostgres,
  },
  {
    name: "a directory, the next page for a guest",
    read: () => {
      const after = { is_dir: 0, filename: "f1100" };
      return listFolder(hub, observerOf(bob), alice.channel_id, "d10", { limit: 20, after });
    },
    index: ["attach_entries"],
    sorts: onPostgres,
  },
  {
    name: "a file wherever it is",
    read: () => findFile(hub, anonymous, { hash: "h1050" }),
    index: ["attach_hash", "attach_revision_unique"],
    sorts: true,
  },
  {
    name: "a file by the beginning of its hash",
    read: () => ownFileBeginning(hub, alice.channel_id, "h10"),
    index: ["attach_revision_unique", "attach_hash"],
    sorts: true,
  },
  // Bytes that several scales share are counted once.
  { name: "storage in use", read: () => storageUsed(hub, 1), index: ["attach_quota", "photo_quota"], sorts: true },
  // Whatever changes a directory goes through what is in it.
  {
    name: "a directory renamed and removed",
    read: async () => {
      const folder = await findFolder(hub, alice.channel_id, ["d1020"]);
      await rename(hub, alice, alice, folder!.hash, "renamed");
      await remove(hub, alice, alice, folder!.hash);
    },
    sorts: true,
  },
  // Albums are few, so their names are sorted.
  {
    name: "albums",
    read: () => albums(hub, observerOf(alice), alice),
    index: ["attach_photos", "attach_photos_all"],
    sorts: true,
  },
  {
    name: "albums of another",
    read: () => albums(hub, observerOf(bob), alice),
    index: ["attach_photos", "attach_photos_all"],
    sorts: true,
  },
  { name: "photos", read: () => photosOf(alice, { records: 20 }), index: ["photo_list"] },
  {
    name: "photos of another",
    read: () => photosOf(bob, { records: 20 }),
    index: ["photo_list", "photo_profile"],
    sorts: true,
  },
  { name: "photos, the next page", read: () => photosOf(alice, { records: 600 }), index: ["photo_list"] },
  { name: "photos of an album", read: () => photosOf(alice, { album: "d1001", records: 20 }), sorts: true },
  {
    name: "photo",
    read: () => findPhoto(hub, observerOf(bob), { resource: "h1050", scale: 2 }),
    index: ["photo_resource"],
    sorts: true,
  },
  {
    name: "images",
    read: () => listImages(hub, alice.channel_id, { limit: 20, offset: 40 }),
    index: ["photo_list", "photo_profile"],
    sorts: true,
  },
  {
    name: "images of an album",
    read: () => imagesInAlbum(hub, alice.channel_id, "d1001", { limit: 20, offset: 0, latestFirst: true }),
    sorts: true,
  },
  {
    name: "albums with their dates",
    read: () => albumRecords(hub, alice.channel_id),
    index: ["attach_photos", "attach_photos_all"],
    sorts: true,
  },
  {
    name: "photo records",
    read: () => photoRecords(hub, alice.channel_id, ["h1050", "h1051"]),
    index: ["photo_rendition_unique", "photo_resource"],
    sorts: true,
  },
  {
    name: "threads of images",
    read: () => ownPhotoThreads(hub, alice, ["h1050", "h1051"]),
    index: ["message_resource"],
    sorts: true,
  },
  {
    name: "media of statuses",
    read: () => loadStatusMedia(hub, [{ ...top, html: `${hub.config.baseUrl}/photo/${"a".repeat(64)}-2.jpg` }]),
    index: ["attach_revision_unique", "attach_hash"],
    sorts: true,
  },
  { name: "uploads that are not finished", read: () => sweepUploads(hub), index: ["upload_created"], sorts: true },
  { name: "item of a photo", read: () => itemOfPhoto("h1050"), index: ["message_resource"], sorts: true },
  {
    name: "webpages",
    read: () => listPages(hub, observerOf(bob), alice, "webpage", { count: 20 }),
    index: ["item_pages"],
  },
  {
    name: "articles",
    read: () => listArticles(hub, observerOf(bob), alice, "article", { count: 20 }),
    index: ["item_articles"],
  },
  { name: "an article", read: () => findArticle(hub, anonymous, alice, "article", "none").catch(() => undefined) },
  {
    name: "parts of a channel",
    read: () => partsShown(hub, observerOf(bob), alice),
    index: ["item_articles"],
  },
  { name: "parts of a channel for strangers", read: () => partsShown(hub, anonymous, alice), index: ["item_articles"] },
  { name: "chatrooms", read: () => listRooms(hub, observerOf(bob), alice) },
  {
    name: "lines of a chatroom",
    read: () => listLines(hub, { cr_id: 1, cr_expire: 0 } as Chatroom, { count: 50 }),
    index: ["chat_line_room"],
  },
  { name: "what a link means", read: () => midOfLink(hub, randomUUID()), index: ["message_uuid_unique"] },
  { name: "blocks by name", read: () => pagesNamed(hub, anonymous, alice, "block", ["a", "b"]), sorts: true },
  {
    name: "wikis",
    read: () => listWikis(hub, observerOf(bob), alice),
    index: ["iconfig_value", "message_wiki"],
    sorts: true,
  },
  {
    name: "pages of a wiki",
    read: () => listWikiPages(hub, observerOf(bob), wiki),
    index: ["message_resource"],
    sorts: true,
  },
  {
    name: "history of a wiki's page",
    read: () => wikiHistory(hub, observerOf(bob), wiki, "m2000", { count: 20 }),
    sorts: true,
  },
  { name: "messages", read: () => messagesOf({ box: "all" }), index: ["mail_list"] },
  {
    name: "messages after an id",
    read: () => messagesOf({ box: "all", sinceId: 5, maxId: 15_000 }),
    index: ["mail_list"],
  },
  { name: "messages received", read: () => messagesOf({ box: "received" }), index: ["mail_received", "mail_list"] },
  {
    name: "messages sent",
    read: () => messagesOf({ box: "sent", partner: "to0" }),
    index: ["mail_sent", "mail_list"],
  },
  {
    name: "messages with somebody",
    read: () => messagesOf({ box: "all", partner: "from0" }),
    index: ["mail_received", "mail_sent", "mail_list"],
    sorts: true,
  },
  {
    name: "messages of a conversation",
    read: () => messagesOf({ box: "all", conversation: "c200" }),
    index: ["mail_conversation"],
    sorts: onPostgres,
  },
  {
    name: "messages that say something short",
    read: () => messagesOf({ box: "all", search: "x" }),
    // Where there are few messages PostgreSQL sorts those of the channel.
    index: ["mail_list", ...(onPostgres ? ["mail_mid_unique"] : [])],
    sorts: onPostgres,
  },
  { name: "unread messages", read: () => countUnseenMessages(hub, alice.channel_id), index: ["mail_unseen"] },
  { name: "unread direct threads", read: () => countUnseenMessages(hub, alice.channel_id), index: ["item_direct"] },
  {
    name: "devices of channels that are told of something",
    read: () => queuePushes(hub, [{ id: 1, uid: alice.channel_id }]),
    index: ["push_subscription_uid"],
  },
  {
    name: "webhooks of channels that are told of something",
    read: () => queueWebhooks(hub, [{ uid: alice.channel_id, event: "mention.received", subject: 1 }]),
    index: ["webhook_uid"],
  },
  {
    name: "what a webhook was told last",
    read: () => listWebhookDeliveries(hub, { id: 1 }),
    index: ["webhook_delivery_last"],
  },
  { name: "devices whose log-in has ended", read: () => trimSubscriptions(hub) },
  {
    name: "direct threads and messages",
    read: () => listTalks(hub, alice, { count: 20 }),
    index: ["item_direct", "conv_updated"],
    sorts: true,
  },
  {
    name: "a month of the calendar",
    read: () => listEvents(hub, alice, "2026-01-01", "2026-02-01"),
    index: ["event_dates", "event_ends", "event_repeats"],
    sorts: true,
  },
  {
    name: "events by their numbers",
    read: () => entriesAfter(hub, alice.channel_id, 5, 20),
    index: ["event_numbers"],
  },
  { name: "no event", read: () => findEvent(hub, observerOf(bob), "e9@far.example").catch(() => 0), sorts: true },
  { name: "an event", read: () => findEvent(hub, observerOf(bob), "e9").catch(() => 0), sorts: true },
  { name: "old threads", read: () => expireThreads(hub), sorts: true },
  {
    name: "deliveries that are due",
    read: () => dueDeliveries(hub, room, { bulk: 10, doubtful: 5 }),
    index: ["delivery_due"],
    sorts: onPostgres,
  },
  { name: "arrivals that are due", read: () => dueArrivals(hub, room), index: ["inbox_activity_due"] },
  // Which of the small indexes of what waits PostgreSQL takes depends on its statistics.
  { name: "what waits to be sent", read: () => backlogOf(hub, "delivery"), sorts: true },
  { name: "what waits to take effect", read: () => backlogOf(hub, "inbox_activity"), sorts: true },
  {
    name: "deliveries of a post",
    read: () => reportOn(hub, "o7"),
    index: ["outbox_activity_object", "delivery_activity"],
    sorts: true,
  },
  { name: "a deed that was sent", read: () => senderOfDeed(hub, "d10007"), index: ["outbox_activity_unique"] },
  { name: "what is withdrawn", read: () => withdraw(hub, "o7"), index: ["outbox_activity_object"], sorts: true },
  {
    name: "a host that is there again",
    read: () => release(hub, "h7.example"),
    index: ["delivery_host", "delivery_next"],
  },
  { name: "queues that are old", read: () => trimQueues(hub), sorts: true },
  { name: "where a message went", read: () => sentTo(hub, 10_007) },
  {
    name: "a follow by its id",
    read: () =>
      followById(hub, { ...anonymous, xchanId: 3, hash: "https://far.example/3" }, "https://hub.example/follow/10007"),
    index: ["abook_follow_out"],
  },
  { name: "a stamp on a quotation", read: () => findApproval(hub, "u10007"), index: ["approval_uuid_unique"] },
  {
    name: "what a quotation got",
    read: () => approvalOf(hub, 10_007, "quote", "https://far.example/10907"),
    index: ["approval_unique"],
  },
  {
    name: "who may quote a message",
    read: () => listApprovals(hub, 10_007),
    index: ["approval_unique"],
    sorts: true,
  },
  {
    name: "the stamp of a quotation",
    read: () => quoteStampOf(hub, 10_007),
  },
  { name: "quotations with a stamp", read: () => stampedBy(hub, "https://far.example/1"), index: ["iconfig_value"] },
  { name: "messages that left", read: () => haveLeft(hub, [10_007, 5]) },
  { name: "who reads elsewhere", read: () => addressedElsewhere(hub, alice, top), sorts: true },
  { name: "who is told of changes elsewhere", read: () => connectedElsewhere(hub, alice), sorts: true },
  {
    name: "a post for connections elsewhere",
    read: () => addressedElsewhere(hub, alice, { ...top, item_private: 1, public_policy: "contacts" }),
    sorts: true,
  },
  {
    name: "a post for some elsewhere",
    read: () => addressedElsewhere(hub, alice, { ...top, item_private: 1, allow_cid: `<${carla.xchan_hash}>` }),
    sorts: true,
  },
  {
    name: "what a channel has pinned",
    read: () => pinnedBy(hub, observerOf(bob), alice),
    index: ["iconfig_value"],
    sorts: true,
  },
  {
    name: "pins of somebody elsewhere",
    read: () => pinsOf(hub, carla.xchan_hash),
    index: ["iconfig_value"],
    sorts: true,
  },
  {
    name: "pins among posts",
    read: () => pinnedAmong(hub, alice.channel_hash, [10_007, 5]),
  },
  {
    name: "deliveries to a hub that wait",
    read: () => listDeliveries(hub, "waiting", "h7.example"),
    index: ["delivery_host", "delivery_next"],
    sorts: true,
  },
  { name: "deliveries that are held", read: () => listDeliveries(hub, "held"), index: ["delivery_unsent"] },
  { name: "how many deliveries are held", read: () => countHeld(hub), index: ["delivery_unsent"] },
  {
    name: "deliveries that are tried again",
    read: () => retryDeliveries(hub, { host: "h7.example" }),
    index: ["delivery_host", "delivery_unsent"],
    sorts: true,
  },
  { name: "what waits for a hub that is given up", read: () => giveUpHost(hub, "h9.example") },
  {
    name: "hubs of which it is probed whether they answer",
    read: () => inTransaction(hub, takeProbes),
    index: ["peer_circuit"],
    sorts: true,
  },
  { name: "how hubs answer", read: () => hostStates(hub, ["h7.example"]), index: ["peer_host_unique"] },
  {
    name: "hubs that hide who is not mentioned",
    read: () => hostsThatHideUnmentioned(hub, ["h7.example"]),
    index: ["peer_host_unique"],
  },
  { name: "old hubs and keys", read: () => trimPeers(hub), index: ["peer_contact"], sorts: true },
  { name: "a key of somebody elsewhere", read: () => findActorKey(hub, "x") },
  { name: "people elsewhere of whom nobody needs to know", read: () => trimActors(hub), sorts: true },
  { name: "other hubs", read: () => listHosts(hub, { after: "h11", count: 20 }), index: ["peer_host_unique"] },
  { name: "hubs that have not said what they run", read: () => hostsToAsk(hub, 16), index: ["peer_software_asked"] },
  {
    name: "connections whose hubs do not keep groups together",
    read: () => scatteredPeople(hub, alice.channel_id),
    sorts: true,
  },
  {
    name: "groups with people whom nothing reaches",
    read: () => countInGroups(hub, alice.channel_id, [alice.channel_hash]),
    sorts: true,
  },
  {
    name: "connections who stayed at a former hub",
    read: () => stayedAt(hub, alice.channel_id, "h7.example", [alice.channel_hash]),
    sorts: true,
  },
  { name: "one of them", read: () => findStayed(hub, alice.channel_id, "a@h7.example"), sorts: true },
  { name: "what waits for a hub", read: () => hurryDeliveries(hub, "h7.example"), index: ["delivery_host"] },
  {
    name: "what could not be processed",
    read: () => listArrivals(hub, "failed", { after: 10_100, count: 20 }),
    index: ["inbox_activity_failed"],
  },
  { name: "one hub", read: () => findHost(hub, "h10007.example"), index: ["peer_host_unique"] },
  {
    name: "hubs that the site blocks",
    read: () => listSiteBlocks(hub, { after: "b11", count: 20 }),
    index: ["site_block_unique"],
  },
  {
    name: "what a list of blocked hubs says",
    read: () => listListed(hub, 1, { after: "l11", count: 20 }),
    index: ["sqlite_autoindex_listed_block_1", "listed_block_pkey"],
    sorts: true,
  },
  {
    name: "the lists that name a hub",
    read: () => listsNaming(hub, "l10011.example"),
    index: ["sqlite_autoindex_listed_block_1", "listed_block_pkey"],
    sorts: true,
  },
  {
    name: "hubs that a channel blocks",
    read: () => listHostBlocks(hub, 1007),
    index: ["host_block_unique"],
    sorts: onPostgres,
  },
  {
    name: "channels here that get a post",
    read: () => localRecipients(hub, alice, top),
    index: ["abook_xchan"],
    sorts: true,
  },
  {
    name: "followers elsewhere who get a post",
    read: () => followersElsewhere(hub, alice),
    index: ["abook_connection_unique"],
  },
  {
    name: "followers of a hub that a channel blocks",
    read: () => blockHost(hub, alice, "h7.example", "block"),
    sorts: true,
  },
  {
    name: "reports",
    read: () => listReports(hub, "open", { from: 10_100, count: 20 }),
    index: ["report_open", "report_closed"],
  },
  { name: "reports by their numbers", read: () => findReports(hub, [7, 8, 9]), sorts: true },
  { name: "a report that goes to another hub", read: () => findForwarded(hub, 7) },
  { name: "closed reports", read: () => listReports(hub, "closed", { from: 13_000, count: 20 }) },
  { name: "reports that wait", read: () => countOpenReports(hub), index: ["report_open", "report_closed"] },
  { name: "measures about reports", read: () => measuresOf(hub, [7, 8, 9]) },
  { name: "all measures", read: () => listMeasures(hub, { before: 10_100, count: 20 }) },
  { name: "measures about an account", read: () => listMeasures(hub, { account: 7, before: 10_100, count: 20 }) },
  { name: "what somebody was told", read: () => listTold(hub, 7) },
  { name: "old measures", read: () => trimModeration(hub), index: ["moderation_created"], sorts: true },
  { name: "figures of a month", read: () => figuresOver(hub, ["people", "jobs"], "month") },
  { name: "old figures", read: () => trimFigures(hub), index: ["figure_moment"], sorts: true },
  { name: "all invitations", read: () => pageOfInvitations(hub, { before: 7, count: 20 }) },
  { name: "jobs that rest", read: () => countResting(hub), index: ["job_of_extensions"] },
  { name: "jobs of an extension", read: () => forgetResting(hub, "gone"), index: ["job_of_extensions"] },
  { name: "jobs that were given up", read: () => pageOfFailedJobs(hub, { count: 20 }), index: ["job_given_up"] },
  {
    name: "reports about an account",
    read: () => listReports(hub, "open", { account: 7, count: 20 }),
    sorts: true,
  },
  ...accountOrders.map((order) => ({
    name: `accounts, ${order}`,
    read: () => pageOfAccounts(hub, { filter: "all" as const, order, before: 7, count: 20 }),
  })),
  { name: "old reports", read: () => trimReports(hub), index: ["report_closed"], sorts: true },
  {
    name: "somebody elsewhere by an id",
    read: () => findMet(hub, "https://h7.example/10007"),
    index: ["actor_compared_unique"],
  },
  {
    name: "somebody elsewhere who looks",
    read: () => findForeignObserver(hub, carla.xchan_hash),
    index: ["actor_compared_unique"],
  },
  { name: "where somebody is reached", read: () => findAddressee(hub, carla.xchan_hash), index: ["actor_xchan"] },
  { name: "somebody who is gone", read: () => recordGone(hub, "https://h7.example/10007") },
  { name: "the lists of somebody elsewhere", read: () => listsOf(hub, carla.xchan_hash) },
  { name: "what somebody elsewhere claims to have", read: () => recordCounts(hub, carla.xchan_hash, noCounts) },
  {
    name: "an inbox that is none",
    read: () => leaveSharedInbox(hub, "https://h7.example/inbox"),
    index: ["actor_host"],
  },
  { name: "people of blocked hubs", read: () => markActors(hub, ["h7.example"], "limited"), index: ["actor_host"] },
  { name: "follows that nobody answered", read: () => askAgain(hub), index: ["abook_again"] },
  { name: "people elsewhere who are followed, page by page", read: () => nextFollowed(hub, 0) },
  { name: "what somebody wrote who has left", read: () => findLeftBehind(hub, "u10007") },
  { name: "what is deleted", read: () => isDeleted(hub, "https://far.example/10007") },
  { name: "ids that were deleted long ago", read: () => trimDeletedIds(hub), index: ["deleted_id_moment"] },
  { name: "what a message said before", read: () => formerVersions(hub, top.message_id) },
  { name: "documents as they came", read: () => findCame(hub, top.message_id) },
  {
    name: "media of other sites",
    read: () => findMedia(hub, { url: "https://far.example/a.png", keeping: "cache" }),
    index: ["remote_media_digest_unique"],
  },
  {
    name: "what a message links to",
    read: () => recordLink(hub, top.message_id, "https://far.example/", { mayAsk: true, atOnce: true }),
  },
  { name: "images of which nobody knows what they look like", read: () => hashPhotos(hub), index: ["photo_unhashed"] },
  {
    name: "what pictures of other sites look like",
    read: () => looksOf(hub, [proxied(hub, "https://far.example/a.png")]),
    index: ["remote_media_digest_unique"],
  },
  { name: "what messages link to", read: () => linkCardsOf(hub, [10_007, top.message_id]) },
  {
    name: "what is known of pages to which nobody links",
    read: () => trimLinkCards(hub),
    index: ["link_card_again"],
    sorts: onPostgres,
  },
  {
    name: "who sees media of an item of elsewhere for some",
    read: () => channelShowing(hub, observerOf(alice), "https://far.example/notes/none"),
    index: ["message_version_unique"],
    sorts: true,
  },
  {
    name: "who sees media of a message",
    read: () => channelShowing(hub, observerOf(alice), `${alice.channel_id} m1200`),
    index: ["mail_mid_unique", "mail_id"],
  },
  {
    name: "languages of those who follow somebody elsewhere",
    read: () => languagesHere(hub, carla, { for: "everybody", addresses: [], inboxes: [alice.channel_id] }),
    index: ["abook_xchan", "abook_connection_unique"],
    sorts: true,
  },
  {
    name: "somebody elsewhere, and what they wrote",
    read: () => itemsOfPerson(hub, alice, carla.xchan_id, { before: undefined, count: 20 }),
    sorts: true,
  },
  ...[listedItems, listedFiles, listedPhotos, listedEvents].map((listed) => ({
    name: `the access lists of ${listed.table}`,
    read: () =>
      nameSuccessor(hub, listed, { channel: alice.channel_id, person: "https://a.example/a", successor: "b" }),
  })),
  { name: "tombstones", read: () => purgeTombstones(hub), sorts: true },
];

const noCounts = { followers: 1, following: undefined, posts: undefined };
const room: Room = { free: 20, full: [], ofHost: () => 5, over: "2026-03-01 12:00:00" };

function searched(text: string): Promise<unknown> {
  return searchStatuses(hub, observerOf(alice), text, { count: 20, skip: 0 });
}

function messagesOf(query: Omit<MailQuery, "count">): Promise<unknown> {
  return listMessages(hub, alice, { count: 20, ...query });
}

/** Statements about the transaction itself have no plan. */
function hasPlan(query: CompiledQuery): boolean {
  return /^\s*(select|insert|update|delete|with)/i.test(query.sql);
}

type Plan = { scans: string[]; sorts: boolean; indexes: string[]; text: string };

const readPlan = async (query: CompiledQuery): Promise<Plan> =>
  planOf(query, await (onPostgres ? explainOnPostgres(query) : explainOnSqlite(query)));

function planOf(query: CompiledQuery, plan: string): Plan {
  const text = `${query.sql}\n${plan}`;
  const indexes = [
    ...plan.matchAll(
      /(?:USING (?:COVERING )?INDEX|Index (?:Only )?Scan(?: Backward)? using|Bitmap Index Scan on) (\w+)/g,
    ),
  ].map((match) => match[1]!);
  // Where the rows themselves are the tree, SQLite has no name for it; PostgreSQL's is as good.
  for (const match of plan.matchAll(/SEARCH (\w+) USING PRIMARY KEY/g)) indexes.push(`${match[1]}_pkey`);
  const scans = onPostgres ? [...plan.matchAll(/Seq Scan on (\w+)/g)].map((match) => match[1]!) : sqliteScans(plan);
  return {
    scans: scans.filter((table) => growing.includes(table)),
    sorts: /Sort\b|TEMP B-TREE FOR (?:LAST \d+ TERMS? OF )?ORDER BY/i.test(plan),
    indexes,
    text,
  };
}

async function explainOnSqlite(query: CompiledQuery): Promise<string> {
  const { rows } = await hub.db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
  );
  return rows.map((row) => row.detail).join("\n");
}

/** `SCAN alias` reads a whole table; with an index it reads a whole index, which is no better. */
function sqliteScans(text: string): string[] {
  const names: Record<string, string> = {
    m: "item",
    t: "item",
    n: "item",
    dir: "attach",
    entry: "attach",
    mine: "item",
    first: "item",
    thread: "item",
    parent: "item",
    news: "item",
    own: "item",
    below: "item",
    sent: "abook",
    received: "abook",
  };
  return [...text.matchAll(/^SCAN (\w+)/gm)].map((match) => names[match[1]!] ?? match[1]!);
}

async function explainOnPostgres(query: CompiledQuery): Promise<string> {
  return hub.db.connection().execute(async (db) => {
    await db.executeQuery(CompiledQuery.raw("set enable_seqscan = off"));
    const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>(
      CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]),
    );
    await db.executeQuery(CompiledQuery.raw("reset enable_seqscan"));
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

test.each(lists)("$name", async ({ read, index, sorts }) => {
  seen = [];
  watching = true;
  await read();
  watching = false;
  const queries = seen.filter(hasPlan);
  expect(queries.length).toBeGreaterThan(0);
  const plans = await Promise.all(queries.map(readPlan));
  expect(plans.filter((plan) => plan.scans.length > 0)).toEqual([]);
  if (!index) return;
  const serving = plans.filter((plan) => plan.indexes.some((name) => index.includes(name)));
  expect(serving.length > 0 ? "served" : plans).toBe("served");
  if (!sorts) expect(serving.filter((plan) => plan.sorts)).toEqual([]);
});

test.runIf(!onPostgres)("what a reader has said to statuses is found whatever others have said", async () => {
  seen = [];
  watching = true;
  await assembleStatuses(hub, observerOf(alice), [top]);
  watching = false;
  const plans = await Promise.all(seen.filter(hasPlan).map(readPlan));
  // That one has the reactions of everybody.
  expect(plans.filter(({ indexes }) => indexes.includes("item_answers"))).toEqual([]);
});

function exported(page: Parameters<typeof placesByDate>[4], collection: Collection = "everything") {
  return placesByDate(hub, alice.channel_id, collection, { since: "2025-01-01 00:00:00", until: recent }, page);
}

function photosOf(observer: Channel, asked: { album?: string; records: number }) {
  return Array.fromAsync(listPhotos(hub, observerOf(observer), alice, { start: 0, ...asked }));
}

async function itemOfPhoto(hash: string) {
  const file = await hub.db.selectFrom("attach").selectAll().where("hash", "=", hash).executeTakeFirstOrThrow();
  return photoThread(hub, observerOf(bob), file);
}

async function postAndDeliver(who: Channel, draft: Draft): Promise<void> {
  await postItem(hub, who, draft);
  await deliver(hub);
}
