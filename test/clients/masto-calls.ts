import { readFile } from "node:fs/promises";
import type { mastodon } from "masto";
import { later } from "./seat.ts";
import type { Seat } from "./seat.ts";

type Calls = [name: string, call: () => PromiseLike<unknown>][];

/** Whatever else masto.js has a call for and the hub offers; answers those that the hub refuses. */
export async function refusedCalls(
  { friend, friend_id, friends_post, picture }: Seat,
  { v1, v2 }: mastodon.rest.Client,
  { own, announcement }: { own: string; announcement: string },
): Promise<string[]> {
  const [person, status, theirs] = [
    v1.accounts.$select(friend_id),
    v1.statuses.$select(own),
    v1.statuses.$select(friends_post),
  ];
  const { locked } = await v1.accounts.verifyCredentials();
  const told = v1.announcements.$select(announcement);
  const list = v1.lists.$select((await v1.lists.create({ title: "Reads" })).id);
  const filter = await v2.filters.create({ title: "Some", context: ["home"], keywordsAttributes: [{ keyword: "x" }] });
  const kept = v2.filters.$select(filter.id);
  const [keyword] = filter.keywords;
  const marked = await kept.statuses.create({ statusId: own });
  const former = v1.filters.$select((await v1.filters.create({ phrase: "y", context: ["home"] })).id);
  const file = new Blob([await readFile(picture)], { type: "image/jpeg" });
  const media = await v2.media.create({ file });
  const asked = await v1.statuses.create({ status: "Which?", poll: { options: ["A", "B"], expiresIn: 3600 } });
  const waiting = await v1.statuses.create({ status: "Soon", scheduledAt: later() });
  const talk = (await v1.conversations.list())[0]!;
  const notice = (await v1.notifications.list({ limit: 1 }))[0]!;
  const group = (await v2.notifications.list({ limit: 1 })).notificationGroups[0]!;
  const tag = v1.tags.$select("tea");
  const featured = await v1.featuredTags.create({ name: "coffee" });

  const calls: Calls = [
    ["apps", () => v1.apps.verifyCredentials()],
    ["announcements", () => v1.announcements.list()],
    ["announcement's reaction", () => told.reactions.$select("🎉").update()],
    ["and none", () => told.reactions.$select("🎉").remove()],
    ["announcement read", () => told.dismiss()],
    ["accounts", () => v1.accounts.fetch({ id: [friend_id] })],
    ["search of accounts", () => v1.accounts.search.list({ q: friend, resolve: true, following: true })],
    ["familiar followers", () => v1.accounts.familiarFollowers.fetch([friend_id])],
    ["update credentials", () => v1.accounts.updateCredentials({ note: "I sing", avatar: file, locked })],
    ["follow", () => person.follow({ reblogs: true, notify: true, languages: ["de"] })],
    ["note", () => person.note.create({ comment: "Sings bass" })],
    ["their lists", () => person.lists.list()],
    ["their followers", () => person.followers.list()],
    ["whom they follow", () => person.following.list({ limit: 2 })],
    [
      "their posts",
      () => person.statuses.list({ excludeReplies: true, onlyMedia: false, tagged: "tea", pinned: false }),
    ],
    ["their hashtags", () => person.featuredTags.list()],
    ["their endorsements", () => person.endorsements.list()],
    ["their proofs", () => person.identityProofs.list()],
    ["their collections", () => person.collections.list()],
    ["collections with them", () => person.inCollections.list()],
    ["mute", () => person.mute({ notifications: true, duration: 3600 })],
    ["mutes", () => v1.mutes.list()],
    ["unmute", () => person.unmute()],
    ["blocks", () => v1.blocks.list()],
    ["block a server", () => v1.domainBlocks.create({ domain: "blocked.example" })],
    ["blocked servers", () => v1.domainBlocks.list()],
    ["unblock a server", () => v1.domainBlocks.remove({ domain: "blocked.example" })],
    ["follow requests", () => v1.followRequests.list()],
    ["endorsements", () => v1.endorsements.list()],
    ["suggestions", () => v1.suggestions.list()],
    ["suggestions of v2", () => v2.suggestions.list({ limit: 2 })],
    ["directory", () => v1.directory.list({ order: "new", local: true })],
    ["statuses", () => v1.statuses.fetch({ id: [own, friends_post] })],
    ["who shared", () => status.rebloggedBy.list()],
    ["quotations", () => theirs.quotes.list()],
    ["poll", () => v1.polls.$select(asked.poll!.id).fetch()],
    ["waiting", () => v1.scheduledStatuses.$select(waiting.id).fetch()],
    ["later still", () => v1.scheduledStatuses.$select(waiting.id).update({ scheduledAt: later() })],
    ["and never", () => v1.scheduledStatuses.$select(waiting.id).remove()],
    ["file", () => v1.media.$select(media.id).fetch()],
    ["file in words", () => v1.media.$select(media.id).update({ description: "A tree", focus: "0,0" })],
    ["public posts", () => v1.timelines.public.list({ local: true, onlyMedia: true })],
    ["posts with a hashtag", () => v1.timelines.tag.$select("tea").list({ remote: false })],
    ["posts about a page", () => v1.timelines.link.list({ url: "https://example.org/" })],
    ["direct posts", () => v1.timelines.direct.list()],
    ["conversation read", () => v1.conversations.$select(talk.id).read()],
    ["and unread", () => v1.conversations.$select(talk.id).unread()],
    ["and gone", () => v1.conversations.$select(talk.id).remove()],
    ["lists", () => v1.lists.list()],
    ["list", () => list.fetch()],
    ["list renamed", () => list.update({ title: "Reading", exclusive: true })],
    ["into the list", () => list.accounts.create({ accountIds: [friend_id] })],
    ["in the list", () => list.accounts.list({ limit: 0 })],
    ["out of the list", () => list.accounts.remove({ accountIds: [friend_id] })],
    ["no list", () => list.remove()],
    ["filters", () => v2.filters.list()],
    ["filter", () => kept.fetch()],
    ["filter changed", () => kept.update({ title: "Other", expiresIn: 3600 })],
    ["its words", () => kept.keywords.list()],
    ["another word", () => kept.keywords.create({ keyword: "z", wholeWord: true })],
    ["a word of it", () => v2.filters.keywords.$select(keyword!.id).fetch()],
    ["a word changed", () => v2.filters.keywords.$select(keyword!.id).update({ keyword: "w" })],
    ["a word less", () => v2.filters.keywords.$select(keyword!.id).remove()],
    ["its posts", () => kept.statuses.list()],
    ["a post of it", () => v2.filters.statuses.$select(marked.id).fetch()],
    ["a post less", () => v2.filters.statuses.$select(marked.id).remove()],
    ["no filter", () => kept.remove()],
    ["filters of v1", () => v1.filters.list()],
    ["filter of v1", () => former.fetch()],
    ["changed", () => former.update({ phrase: "yy", context: ["public"], wholeWord: true, expiresIn: 3600 })],
    ["and gone, too", () => former.remove()],
    ["tag", () => tag.fetch()],
    ["tag followed", () => tag.follow()],
    ["followed tags", () => v1.followedTags.list()],
    ["tag unfollowed", () => tag.unfollow()],
    ["tag shown", () => tag.feature()],
    ["tag not shown", () => tag.unfeature()],
    ["tags shown", () => v1.featuredTags.list()],
    ["one less", () => v1.featuredTags.$select(featured.id).remove()],
    ["tags to show", () => v1.featuredTags.suggestions.list()],
    ["report", () => v1.reports.create({ accountId: friend_id, statusIds: [friends_post], comment: "too loud" })],
    ["notice", () => v1.notifications.$select(notice.id).fetch()],
    ["unread notices", () => v1.notifications.unreadCount.fetch({ limit: 5, types: ["mention"] })],
    ["unread groups", () => v2.notifications.unreadCount.fetch({ groupedTypes: ["follow"] })],
    ["group", () => v2.notifications.$select(group.groupKey).fetch()],
    ["people of a group", () => v2.notifications.$select(group.groupKey).accounts.fetch()],
    ["groups with portraits", () => v2.notifications.list({ expandAccounts: "partial_avatars" })],
    ["group dismissed", () => v2.notifications.$select(group.groupKey).dismiss()],
    ["policy", () => v2.notifications.policy.fetch()],
    ["policy changed", () => v2.notifications.policy.update({ forNewAccounts: "filter" })],
    ["requests", () => v1.notifications.requests.list()],
    ["requests merged", () => v1.notifications.requests.merged.fetch()],
    ["no notices", () => v1.notifications.clear()],
    ["search of v1", () => v1.search.list({ q: "tea" })],
    ["search of v2", () => v2.search.list({ q: "#tea", type: "hashtags", resolve: true, offset: 0 })],
    ["profile", () => v1.profile.fetch()],
    [
      "profile changed",
      () => v1.profile.update({ displayName: "Masto", fieldsAttributes: [{ name: "A", value: "B" }] }),
    ],
    ["no avatar", () => v1.profile.avatar.remove()],
    ["no header", () => v1.profile.header.remove()],
    ["trends", () => v1.trends.tags.list()],
    ["trends of posts", () => v1.trends.statuses.list()],
    ["trends of links", () => v1.trends.links.list()],
    ["emoji", () => v1.customEmojis.list()],
    ["instance of v1", () => v1.instance.fetch()],
    ["peers", () => v1.instance.peers.list()],
    ["activity", () => v1.instance.activity.list()],
    ["languages", () => v1.instance.languages.list()],
    ["languages to translate", () => v1.instance.translationLanguages.list()],
    ["blocked by the hub", () => v1.instance.domainBlocks.fetch()],
    ["what it is", () => v1.instance.extendedDescription.fetch()],
  ];
  const refused: string[] = [];
  for (const [name, call] of calls)
    try {
      await call();
    } catch (error) {
      refused.push(`${name}: ${String((error as { statusCode?: unknown }).statusCode ?? error)}`);
    }
  return refused;
}
