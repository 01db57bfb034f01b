import { createReadStream } from "node:fs";
import { detector, Mastodon } from "megalodon";
import type { Entity } from "megalodon";
import { later, newDevice } from "./seat.ts";
import type { Seat } from "./seat.ts";

/** What a person does with a client built on megalodon, as Whalebird and Fedistar are. */
export async function driveMegalodon(seat: Seat) {
  const { url, friend_id, friends_post } = seat;
  const kind = await detector(url);
  const nobody = new Mastodon(url);
  const app = await nobody.registerApp("Megalodon", { scopes: ["read", "write", "follow", "push"] });
  const code = await seat.agree(app.url!);
  const { access_token } = await nobody.fetchAccessToken(app.client_id, app.client_secret, code);
  const client = new Mastodon(url, access_token);
  const said: Record<string, unknown> & { posted: string[]; paged: string[] } = { posted: [], paged: [] };
  said["kind"] = kind;
  said["login"] = (await client.verifyAccountCredentials()).data.username;
  said["streaming"] = (await client.getInstance()).data.urls?.streaming_api;
  for (let number = 0; number < 5; number++)
    said.posted.push((await client.postStatus(`megalodon ${number} é 😀 & <b>`, {})).data.id);
  said["text"] = (await client.getStatus(said.posted[0]!)).data.content;
  for (let below: string | undefined; ; below = said.paged.at(-1)) {
    const { data } = await client.getHomeTimeline({ limit: 3, ...(below !== undefined && { max_id: below }) });
    if (data.length === 0) break;
    said.paged.push(...data.map(({ id }) => id));
  }

  const upload = await client.uploadMedia(createReadStream(seat.picture), { description: "A test picture" });
  const pictured = (await client.postStatus("megalodon with a picture", { media_ids: [upload.data.id] }))
    .data as Entity.Status;
  said["pictures"] = pictured.media_attachments.map(({ type, description }) => [type, description]);
  const reply = (await client.postStatus("megalodon answers", { in_reply_to_id: friends_post })).data as Entity.Status;
  said["reply_to"] = reply.in_reply_to_id;
  said["favourited"] = (await client.favouriteStatus(friends_post)).data.favourited;
  said["bookmarked"] = (await client.bookmarkStatus(friends_post)).data.bookmarked;
  said["reblogged"] = (await client.reblogStatus(friends_post)).data.reblog?.id;
  said["unreblogged"] = (await client.unreblogStatus(friends_post)).data.reblogged;
  said["context"] = (await client.getStatusContext(reply.id)).data.ancestors.map(({ id }) => id);
  said["relationship"] = (await client.getRelationship(friend_id)).data.following;
  said["notified"] = (await client.getNotifications({ limit: 5 })).data.map(({ type }) => type);
  said["kept"] = await keep(seat, client, said.posted[2]!);
  said["refusing"] = await refusing(seat, client, said.posted[0]!);
  said["streamed"] = await streamed(seat, client);
  await client.deleteStatus(said.posted[1]!);
  said["gone"] = await client.getStatus(said.posted[1]!).then(
    () => "It is still there",
    (error: { response: { status: number } }) => error.response.status,
  );
  return said;
}

/** Lists, filters, searches, polls, quotations, what waits, edits and devices. */
async function keep({ friend, friend_id, friends_post }: Seat, client: Mastodon, own: string): Promise<unknown> {
  const list = (await client.createList("Choir")).data;
  await client.addAccountsToList(list.id, [friend_id]);
  const listed = (await client.getListTimeline(list.id, { limit: 1 })).data;
  const filter = (await client.createFilter("good news", ["home"])).data;
  const filters = (await client.getFilters()).data;
  await client.deleteFilter(filter.id);
  const found = (await client.search(friend, { type: "accounts" })).data;
  const poll = { options: ["Tea", "Coffee"], expires_in: 3600 };
  const asked = (await client.postStatus("Tea?", { poll })).data as Entity.Status;
  const waiting = (await client.postStatus("megalodon waits", { scheduled_at: later() })).data;
  const scheduled = (await client.getScheduledStatuses()).data;
  await client.cancelScheduledStatus(waiting.id);
  const edited = (await client.editStatus(own, { status: "megalodon has changed" })).data;
  return {
    listed: listed.map(({ id }) => id === friends_post),
    filtered: filters.map(({ phrase }) => phrase),
    found: found.accounts.map(({ id }) => id),
    poll: asked.poll?.options.map(({ title }) => title),
    scheduled: scheduled.map(({ id }) => id === waiting.id),
    edited: edited.content,
    announced: (await client.getInstanceAnnouncements()).data.length >= 0,
    told: (await client.subscribePushNotification(newDevice(), { alerts: { mention: true } })).data.alerts.mention,
  };
}

/** Whatever else it has a call for; answers those that the hub refuses. */
async function refusing({ friend_id: id, friend }: Seat, client: Mastodon, own: string): Promise<string[]> {
  const self = (await client.verifyAccountCredentials()).data.id;
  const list = (await client.createList("Reads")).data.id;
  const filter = (await client.createFilter("something", ["home"])).data.id;
  const [notice] = (await client.getNotifications({ limit: 1 })).data;
  const calls: [string, () => Promise<{ status: number }>][] = [
    ["verifyAppCredentials", () => client.verifyAppCredentials()],
    [
      "updateCredentials",
      () => client.updateCredentials({ note: "I sing", fields_attributes: [{ name: "A", value: "B" }] }),
    ],
    ["getAccount", () => client.getAccount(id)],
    ["getAccountStatuses", () => client.getAccountStatuses(id, { only_media: false, exclude_replies: true })],
    ["getAccountFollowers", () => client.getAccountFollowers(self)],
    ["getAccountFollowing", () => client.getAccountFollowing(self)],
    ["getAccountLists", () => client.getAccountLists(id)],
    ["getIdentityProof", () => client.getIdentityProof(id)],
    ["muteAccount", () => client.muteAccount(id, true)],
    ["getMutes", () => client.getMutes()],
    ["unmuteAccount", () => client.unmuteAccount(id)],
    ["getBlocks", () => client.getBlocks()],
    ["followAccount", () => client.followAccount(id, { reblog: true })],
    ["setAccountNote", () => client.setAccountNote(id, "Sings bass")],
    ["getRelationships", () => client.getRelationships([id, self])],
    ["searchAccount", () => client.searchAccount(friend, { limit: 1 })],
    ["lookupAccount", () => client.lookupAccount(friend)],
    ["getBookmarks", () => client.getBookmarks()],
    ["getFavourites", () => client.getFavourites()],
    ["blockDomain", () => client.blockDomain("blocked.example")],
    ["getDomainBlocks", () => client.getDomainBlocks()],
    ["unblockDomain", () => client.unblockDomain("blocked.example")],
    ["getFilter", () => client.getFilter(filter)],
    ["updateFilter", () => client.updateFilter(filter, "other", ["home"], { whole_word: true })],
    ["report", () => client.report(id, { comment: "too loud" })],
    ["getFollowRequests", () => client.getFollowRequests()],
    ["getEndorsements", () => client.getEndorsements()],
    ["getFeaturedTags", () => client.getFeaturedTags()],
    ["getSuggestedTags", () => client.getSuggestedTags()],
    ["getPreferences", () => client.getPreferences()],
    ["followTag", () => client.followTag("tea")],
    ["getFollowedTags", () => client.getFollowedTags()],
    ["getTag", () => client.getTag("tea")],
    ["unfollowTag", () => client.unfollowTag("tea")],
    ["getSuggestions", () => client.getSuggestions(5)],
    ["getStatusSource", () => client.getStatusSource(own)],
    ["getStatusRebloggedBy", () => client.getStatusRebloggedBy(own)],
    ["getStatusFavouritedBy", () => client.getStatusFavouritedBy(own)],
    ["muteStatus", () => client.muteStatus(own)],
    ["unmuteStatus", () => client.unmuteStatus(own)],
    ["pinStatus", () => client.pinStatus(own)],
    ["unpinStatus", () => client.unpinStatus(own)],
    ["getPublicTimeline", () => client.getPublicTimeline({ limit: 2 })],
    ["getLocalTimeline", () => client.getLocalTimeline({ limit: 2 })],
    ["getTagTimeline", () => client.getTagTimeline("tea", { local: true })],
    ["getConversationTimeline", () => client.getConversationTimeline()],
    ["getLists", () => client.getLists()],
    ["getList", () => client.getList(list)],
    ["updateList", () => client.updateList(list, "Reading")],
    ["getAccountsInList", () => client.getAccountsInList(list)],
    ["deleteAccountsFromList", () => client.deleteAccountsFromList(list, [id])],
    ["deleteList", () => client.deleteList(list)],
    ["saveMarkers", () => client.saveMarkers({ home: { last_read_id: own } })],
    ["getMarkers", () => client.getMarkers(["home"])],
    ["getNotification", () => client.getNotification(notice!.id)],
    ["dismissNotification", () => client.dismissNotification(notice!.id)],
    ["getPushSubscription", () => client.getPushSubscription()],
    ["updatePushSubscription", () => client.updatePushSubscription({ alerts: { follow: true } })],
    ["deletePushSubscription", () => client.deletePushSubscription()],
    ["dismissNotifications", () => client.dismissNotifications()],
    ["getInstancePeers", () => client.getInstancePeers()],
    ["getInstanceActivity", () => client.getInstanceActivity()],
    ["getInstanceTrends", () => client.getInstanceTrends()],
    ["getInstanceDirectory", () => client.getInstanceDirectory()],
    ["getInstanceCustomEmojis", () => client.getInstanceCustomEmojis()],
  ];
  const refused: string[] = [];
  for (const [name, call] of calls) await call().catch((error: unknown) => refused.push(`${name}: ${String(error)}`));
  return refused;
}

/** What each of its streams tells, event by event. */
async function streamed(seat: Seat, client: Mastodon): Promise<unknown> {
  type Stream = Awaited<ReturnType<Mastodon["userStreaming"]>>;
  const next = <T>(socket: Stream, name: string) =>
    new Promise<T>((resolve, reject) => {
      socket.once(name, resolve);
      // What the hub says to all members is told while this runs, and megalodon knows no such events.
      const fail = (error: Error): void => void (/Unknown event/.test(error.message) || reject(error));
      socket.on("error", fail);
      socket.on("parser-error", fail);
    });
  const opened = async (opening: Promise<Stream>): Promise<Stream> => {
    const socket = await opening;
    await next(socket, "connect");
    return socket;
  };
  const user = await opened(client.userStreaming());
  const direct = await opened(client.directStreaming());
  const first = next<Entity.Status>(user, "update");
  await seat.friendPosts("Heard by megalodon");
  const { account, content } = await first;

  const own = next<Entity.Status>(user, "update");
  const { id } = (await client.postStatus("Said by megalodon", {})).data;
  const updates = [(await own).id === id];
  const edited = next<Entity.Status>(user, "status_update");
  await client.editStatus(id, { status: "Said anew" });
  updates.push((await edited).content === "<p>Said anew</p>");
  const gone = next<string>(user, "delete");
  await client.deleteStatus(id);
  updates.push((await gone) === id);
  const talk = next<Entity.Conversation>(direct, "conversation");
  await client.postStatus(`To @${seat.friend} alone`, { visibility: "direct" });
  const { accounts } = await talk;
  for (const socket of [user, direct]) socket.stop();
  return [account.acct, content, updates, accounts.map(({ acct }) => acct)];
}
