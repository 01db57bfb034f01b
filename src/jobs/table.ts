import type { Hub } from "../hub.ts";
import type { JobKind, JobPayload } from "./kinds.ts";

/** Work that runs after the change that caused it; it may run twice without harm. */
type Job<K extends JobKind> = (hub: Hub, payload: JobPayload<K>) => Promise<void>;

/**
 * What does the jobs of each kind, loaded with the first of them: most kinds never come up in the minutes after a start, and asking
 * for what is loaded takes 5 µs. This file alone knows both the domain and federation.
 */
export const jobs: { [K in JobKind]: Job<K> } = {
  "deliver-item": async (hub, { item }) => (await import("../domain/items/delivery/deliver.ts")).deliverItem(hub, item),
  "deliver-answer": async (hub, { owner, message }) =>
    (await import("../domain/items/delivery/deliver.ts")).deliverAnswer(hub, owner, message),
  "follow-attendance": async (hub, { uid, message }) =>
    (await import("../domain/events/accept.ts")).followAttendance(hub, uid, message),
  "note-mentions": async (hub, { item }) =>
    (await import("../domain/items/delivery/deliver.ts")).deliverMentions(hub, item),
  "notify-edit": async (hub, { message }) =>
    (await import("../domain/items/delivery/notify-changes.ts")).notifyEdit(hub, message),
  "notify-poll": async (hub, { message }) =>
    (await import("../domain/items/delivery/notify-changes.ts")).notifyPollEnd(hub, message),
  federate: async (hub, payload) => (await import("../faces/federation/outbox/federate.ts")).federate(hub, payload),
  "publish-item": async (hub, { item }) => (await import("../domain/items/posting/schedule.ts")).publishItem(hub, item),
  "expire-item": async (hub, { message }) =>
    (await import("../domain/items/posting/schedule.ts")).expireItem(hub, message),
  "end-shares": async (hub, { message }) =>
    (await import("../domain/items/posting/end-shares.ts")).endShares(hub, message),
  "empty-shares": async (hub, payload) =>
    (await import("../domain/items/posting/end-shares.ts")).emptyShares(hub, payload),
  "end-keeping": async (hub, payload) =>
    (await import("../domain/items/posting/end-keeping.ts")).endKeeping(hub, payload),
  "apply-site-blocks": async (hub) => (await import("../domain/peers/apply-site-blocks.ts")).applySiteBlocks(hub),
  "forget-person": async (hub, { xchan }) =>
    (await import("../domain/items/posting/forget-person.ts")).forgetPerson(hub, xchan),
  "end-channel": async (hub, gone) => (await import("./end-channel.ts")).endChannel(hub, gone),
  "empty-cloud": async (hub, { channel }) => (await import("../domain/cloud/empty.ts")).emptyCloud(hub, channel),
  "forget-channel": async (hub, payload) => (await import("./end-channel.ts")).forgetChannel(hub, payload),
  "drop-items": async (hub, { uid, xchan }) =>
    (await import("../domain/items/posting/trim.ts")).dropThreadsOf(hub, uid, xchan),
  "bring-posts": async (hub, payload) =>
    (await import("../domain/items/posting/bring-posts.ts")).bringPosts(hub, payload),
  "end-mute": async (hub, payload) => (await import("../domain/connections/mute.ts")).endMuteInTime(hub, payload),
  "follow-moved": async (hub, payload) =>
    (await import("../domain/connections/follow-moved.ts")).followSuccessor(hub, payload),
  "name-successor": async (hub, payload) => (await import("./name-successor.ts")).nameSuccessorEverywhere(hub, payload),
  "back-fill": async (hub, payload) => (await import("../faces/federation/inbox/back-fill.ts")).backFill(hub, payload),
  "catch-up": async (hub, payload) => (await import("../domain/connections/catch-up.ts")).catchUp(hub, payload),
  "fetch-answers": async (hub, payload) =>
    (await import("../faces/federation/inbox/fetch-answers.ts")).fetchAnswers(hub, payload),
  "fetch-avatar": async (hub, payload) =>
    (await import("../domain/photos/foreign-avatar.ts")).fetchAvatar(hub, payload),
  "meet-actor": async (hub, { actor }) =>
    void (await (await import("../faces/federation/retrieve/actor.ts")).meetAgain(hub, actor)),
  "fetch-emoji": async (hub, { emoji }) => (await import("../domain/proxy/emoji.ts")).fetchEmoji(hub, emoji),
  "take-first-contacts": async (hub, payload) =>
    (await import("../faces/federation/inbox/first-contacts.ts")).takeFirstContacts(hub, payload),
  "make-link-card": async (hub, payload) =>
    (await import("../domain/link-cards/make-card.ts")).makeLinkCard(hub, payload),
  "compare-followers": async (hub, payload) =>
    (await import("../faces/federation/synchronisation.ts")).compareFollowers(hub, payload),
  "recount-poll": async (hub, { message }) =>
    (await import("../faces/federation/inbox/recount-poll.ts")).recountPoll(hub, message),
  "find-mentioned": async (hub, payload) =>
    (await import("../faces/federation/retrieve/mentioned.ts")).findMentioned(hub, payload),
  "verify-links": async (hub, { actor }) => (await import("../domain/people/verify-links.ts")).verifyLinks(hub, actor),
  "count-actor": async (hub, { actor }) =>
    (await import("../faces/federation/retrieve/counts.ts")).countActor(hub, actor),
  "drop-blobs": async (hub, { names }) => (await import("../domain/files/blobs.ts")).dropBlobs(hub, names),
  "take-long-step": async (hub, { step }) => (await import("../domain/upkeep/long-steps.ts")).takeLongStep(hub, step),
  "index-words": async (hub, { below }) =>
    (await import("../domain/upkeep/long-steps.ts")).takeLongStep(hub, "index-words", below),
  "lay-out-profiles": async (hub) =>
    (await import("../domain/upkeep/long-steps.ts")).takeLongStep(hub, "lay-out-profiles"),
  "run-import": async (hub, { run }) => (await import("../domain/import/start.ts")).continueImport(hub, run),
  "go-through-list": async (hub, payload) => {
    const { lookUpQuietly } = await import("../faces/federation/retrieve/look-up.ts");
    return (await import("../domain/import/lists/go-through.ts")).goThroughList(hub, payload, lookUpQuietly);
  },
  "leave-old-hub": async (hub, payload) => (await import("../domain/import/start.ts")).leaveOldHubAgain(hub, payload),
  "forgotten-password": async (hub, { email, language }) =>
    (await import("../faces/web/mails/new-password.ts")).mailNewPassword(hub, email, language),
  "confirm-address": async (hub, { account, language }) =>
    (await import("../faces/web/mails/addresses.ts")).mailConfirmation(hub, account, language),
  "notify-sign-up": async (hub, { account }) =>
    (await import("../domain/moderation/notify-sign-up.ts")).notifySignUp(hub, account),
  "notify-report": async (hub, { report }) =>
    (await import("../domain/moderation/notify-report.ts")).notifyReport(hub, report),
  "mail-notices": async (hub, { uid, way }) =>
    (await import("../faces/web/mails/notices.ts")).mailNoticesInWords(hub, uid, way),
  push: async (hub, payload) => {
    const { composePush: token } = await import("../faces/mastodon/push/compose-push.ts");
    const { composeForBrowser: session } = await import("../faces/web/push/compose-for-browser.ts");
    return (await import("../domain/push/deliver-push.ts")).deliverPush(hub, payload, { token, session });
  },
  "tell-webhooks": async (hub, payload) =>
    (await import("../domain/listeners/call-webhooks-of-items.ts")).callWebhooksOfItems(hub, payload),
  "send-webhook": async (hub, payload) => {
    const { composeEvent: compose } = await import("../faces/native/compose-event.ts");
    const { notifySwitchedOff } = await import("../domain/notifications/notify-switched-off.ts");
    return (await import("../domain/webhooks/send-webhook.ts")).sendWebhook(hub, payload, {
      compose,
      notifySwitchedOff,
    });
  },
  "time-announcement": async (hub, { announcement }) =>
    (await import("../domain/announcements/write.ts")).timeAnnouncement(hub, announcement),
  "send-letter": async (hub, { letter }) => (await import("../domain/mail/send-letter.ts")).sendLetter(hub, letter),
  "trim-letters": async (hub) => (await import("../domain/mail/send-letter.ts")).trimLetters(hub),
  "ask-again": async (hub) => (await import("../domain/connections/ask-again.ts")).askAgain(hub),
  "ask-software": async (hub) => (await import("../faces/federation/retrieve/node-info.ts")).askSoftware(hub),
  "end-filters": async (hub) => (await import("../domain/items/filters.ts")).endFilters(hub),
  "empty-media": async (hub) => (await import("../domain/proxy/trim.ts")).emptyMedia(hub),
  "sweep-staging": async (hub) => (await import("../domain/files/blobs.ts")).sweepStaging(hub),
  "sweep-uploads": async (hub) => (await import("../domain/cloud/pieces.ts")).sweepUploads(hub),
  "expire-threads": async (hub) => (await import("../domain/items/posting/trim.ts")).expireThreads(hub),
  "purge-tombstones": async (hub) => (await import("../domain/items/posting/trim.ts")).purgeTombstones(hub),
  "sweep-oauth": async (hub) => (await import("../domain/identity/applications/oauth-sweep.ts")).sweepOauth(hub),
  "sweep-tallies": async (hub) => (await import("../domain/identity/throttles/tallies.ts")).sweepTallies(hub),
  "trim-notices": async (hub) => (await import("../domain/notifications/drop.ts")).trimNotices(hub),
  "trim-actors": async (hub) => (await import("../domain/people/trim-actors.ts")).trimActors(hub),
  "trim-peers": async (hub) => (await import("../domain/peers/peers.ts")).trimPeers(hub),
  "drop-old-keys": async (hub) => (await import("../domain/identity/channels/transport-keys.ts")).dropOldKeys(hub),
  "trim-queues": async (hub) => (await import("../domain/delivery/trim.ts")).trimQueues(hub),
  "trim-media": async (hub) => (await import("../domain/proxy/trim.ts")).trimMedia(hub),
  "take-figures": async (hub) => (await import("../domain/upkeep/figures.ts")).takeFigures(hub),
  "trim-figures": async (hub) => (await import("../domain/upkeep/figures.ts")).trimFigures(hub),
  "trim-moderation": async (hub) => (await import("../domain/moderation/log.ts")).trimModeration(hub),
  "drop-unconfirmed": async (hub) => (await import("../domain/connections/remove-account.ts")).dropUnconfirmed(hub),
  "trim-reports": async (hub) => (await import("../domain/reports/list.ts")).trimReports(hub),
  "trim-lists": async (hub) => (await import("../domain/import/trim.ts")).trimImports(hub),
  "trim-follows": async (hub) => (await import("../domain/connections/sent-follows.ts")).trimSentFollows(hub),
  "refresh-block-lists": async (hub) => (await import("../domain/peers/subscribed-lists.ts")).refreshBlockLists(hub),
  "hash-photos": async (hub) => (await import("../domain/photos/hash-photos.ts")).hashPhotos(hub),
  "trim-link-cards": async (hub) => (await import("../domain/link-cards/trim.ts")).trimLinkCards(hub),
  "trim-unattached": async (hub) => (await import("../domain/cloud/unattached.ts")).trimUnattached(hub),
  "trim-sketches": async (hub) => (await import("../domain/items/posting/sketches.ts")).trimSketches(hub),
  "trim-push": async (hub) => (await import("../domain/push/subscriptions.ts")).trimSubscriptions(hub),
  "trim-webhooks": async (hub) => (await import("../domain/webhooks/webhook-deliveries.ts")).trimWebhooks(hub),
  "back-up": async (hub) => (await import("../domain/backups/scheduled.ts")).backUpWhenDue(hub),
  "plan-archives": async (hub) => (await import("../domain/archives/archive-place.ts")).planArchives(hub),
  "send-archive": async (hub, payload) => {
    const { archiveFailureMail } = await import("../faces/web/mails/archives.ts");
    return (await import("../domain/archives/send-archive.ts")).sendArchive(hub, payload, archiveFailureMail(hub));
  },
  "trim-live": async (hub) => (await import("../domain/live/log.ts")).trimLive(hub),
};
