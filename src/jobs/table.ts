import { sweepUploads } from "../domain/cloud/pieces.ts";
import { askAgain } from "../domain/connections/ask-again.ts";
import { catchUp } from "../domain/connections/catch-up.ts";
import { followSuccessor } from "../domain/connections/follow-moved.ts";
import { followAttendance } from "../domain/events/accept.ts";
import { dropBlobs, sweepStaging } from "../domain/files/blobs.ts";
import { sweepOauth } from "../domain/identity/applications/oauth-sweep.ts";
import { dropOldKeys } from "../domain/identity/channels/transport-keys.ts";
import { goThroughList } from "../domain/import/lists/go-through.ts";
import { trimLists } from "../domain/import/lists/trim-lists.ts";
import { continueImport, leaveOldHubAgain } from "../domain/import/start.ts";
import { deliverAnswer, deliverItem, deliverMentions } from "../domain/items/delivery/deliver.ts";
import { expireItem, publishItem } from "../domain/items/posting/schedule.ts";
import { forgetPerson } from "../domain/items/posting/forget-person.ts";
import { dropThreadsOf, expireThreads, purgeTombstones } from "../domain/items/posting/trim.ts";
import { trimQueues } from "../domain/delivery/trim.ts";
import { trimNotices } from "../domain/notifications/notices.ts";
import { applySiteBlocks } from "../domain/peers/apply-site-blocks.ts";
import { trimPeers } from "../domain/peers/peers.ts";
import { layOutOldProfiles } from "../domain/people/profile-texts.ts";
import { fetchAvatar } from "../domain/photos/foreign-avatar.ts";
import { fetchEmoji } from "../domain/proxy/emoji.ts";
import { emptyMedia, trimMedia } from "../domain/proxy/trim.ts";
import { trimReports } from "../domain/reports/list.ts";
import { indexOldMessages } from "../domain/search/index-words.ts";
import { meetAgain } from "../faces/federation/retrieve/actor.ts";
import { countActor } from "../faces/federation/retrieve/counts.ts";
import { lookUpQuietly } from "../faces/federation/retrieve/look-up.ts";
import { askSoftware } from "../faces/federation/retrieve/node-info.ts";
import { federate } from "../faces/federation/outbox/federate.ts";
import { fetchAnswers } from "../faces/federation/inbox/fetch-answers.ts";
import { backFill } from "../faces/federation/inbox/back-fill.ts";
import type { Hub } from "../hub.ts";
import type { JobKind, JobPayload } from "./kinds.ts";
import { nameSuccessorEverywhere } from "./name-successor.ts";

/** Work that runs after the change that caused it; it may run twice without harm. */
type Job<K extends JobKind> = (hub: Hub, payload: JobPayload<K>) => Promise<void>;

/** What does the jobs of each kind. This file alone knows both the domain and what will be federation. */
export const jobs: { [K in JobKind]: Job<K> } = {
  "deliver-item": (hub, { item }) => deliverItem(hub, item),
  "deliver-answer": (hub, { owner, message }) => deliverAnswer(hub, owner, message),
  "follow-attendance": (hub, { uid, message }) => followAttendance(hub, uid, message),
  "note-mentions": (hub, { item }) => deliverMentions(hub, item),
  federate: (hub, payload) => federate(hub, payload),
  "publish-item": (hub, { item }) => publishItem(hub, item),
  "expire-item": (hub, { message }) => expireItem(hub, message),
  "apply-site-blocks": (hub) => applySiteBlocks(hub),
  "forget-person": (hub, { xchan }) => forgetPerson(hub, xchan),
  "drop-items": (hub, { uid, xchan }) => dropThreadsOf(hub, uid, xchan),
  "follow-moved": (hub, payload) => followSuccessor(hub, payload),
  "name-successor": (hub, payload) => nameSuccessorEverywhere(hub, payload),
  "back-fill": (hub, payload) => backFill(hub, payload),
  "catch-up": (hub, payload) => catchUp(hub, payload),
  "fetch-answers": (hub, payload) => fetchAnswers(hub, payload),
  "fetch-avatar": (hub, payload) => fetchAvatar(hub, payload),
  "meet-actor": async (hub, { actor }) => void (await meetAgain(hub, actor)),
  "fetch-emoji": (hub, { emoji }) => fetchEmoji(hub, emoji),
  "count-actor": (hub, { actor }) => countActor(hub, actor),
  "drop-blobs": (hub, { names }) => dropBlobs(hub, names),
  "index-words": (hub, { below }) => indexOldMessages(hub, below),
  "lay-out-profiles": (hub) => layOutOldProfiles(hub),
  "run-import": (hub, { run }) => continueImport(hub, run),
  "go-through-list": (hub, payload) => goThroughList(hub, payload, lookUpQuietly),
  "leave-old-hub": (hub, payload) => leaveOldHubAgain(hub, payload),
  "ask-again": (hub) => askAgain(hub),
  "ask-software": (hub) => askSoftware(hub),
  "empty-media": (hub) => emptyMedia(hub),
  "sweep-staging": (hub) => sweepStaging(hub),
  "sweep-uploads": (hub) => sweepUploads(hub),
  "expire-threads": (hub) => expireThreads(hub),
  "purge-tombstones": (hub) => purgeTombstones(hub),
  "sweep-oauth": (hub) => sweepOauth(hub),
  "trim-notices": (hub) => trimNotices(hub),
  "trim-peers": (hub) => trimPeers(hub),
  "drop-old-keys": (hub) => dropOldKeys(hub),
  "trim-queues": (hub) => trimQueues(hub),
  "trim-media": (hub) => trimMedia(hub),
  "trim-reports": (hub) => trimReports(hub),
  "trim-lists": (hub) => trimLists(hub),
};
