import { readFile } from "node:fs/promises";
import { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient, MastoHttpError } from "masto";
import { refusedCalls } from "./masto-calls.ts";
import { later, newDevice } from "./seat.ts";
import type { Seat } from "./seat.ts";

/** What a person does with a client built on masto.js, as Elk and Phanpy are. */

const redirectUri = "https://client.example/back";
const scope = "read write follow push";

async function logIn({ url, agree }: Seat): Promise<string> {
  const oauth = createOAuthAPIClient({ url });
  const app = await createRestAPIClient({ url }).v1.apps.create({
    clientName: "Masto",
    redirectUris: redirectUri,
    scopes: scope,
  });
  const asked = { response_type: "code", client_id: app.clientId!, redirect_uri: redirectUri, scope };
  const code = await agree(`${url}/oauth/authorize?${new URLSearchParams(asked).toString()}`);
  const token = await oauth.token.create({
    grantType: "authorization_code",
    clientId: app.clientId!,
    clientSecret: app.clientSecret!,
    redirectUri,
    code,
    scope,
  });
  return token.accessToken;
}

export async function driveMasto(seat: Seat, announcement: string) {
  const { url, friend_id, friends_post } = seat;
  const accessToken = await logIn(seat);
  const client = createRestAPIClient({ url, accessToken });
  const { v1, v2 } = client;
  const said: Record<string, unknown> & { posted: string[]; paged: string[] } = { posted: [], paged: [] };
  const self = await v1.accounts.verifyCredentials();
  said["login"] = self.username;
  const instance = await v2.instance.fetch();
  said["streaming"] = instance.configuration.urls.streaming;
  said["preferences"] = (await v1.preferences.fetch())["posting:default:visibility"];

  for (let number = 0; number < 5; number++)
    said.posted.push((await v1.statuses.create({ status: `masto ${number} é 😀 & <b>` })).id);
  const first = await v1.statuses.$select(said.posted[0]!).fetch();
  said["text"] = first.content;
  for await (const page of v1.timelines.home.list({ limit: 2 })) said.paged.push(...page.map(({ id }) => id));
  const above: string[] = [];
  const upwards = v1.timelines.home.list({ limit: 2, minId: said.posted[0]! }).setDirection("prev");
  for await (const page of upwards) above.push(...page.map(({ id }) => id).toReversed());
  said["above"] = above;

  const file = new Blob([await readFile(seat.picture)], { type: "image/jpeg" });
  const media = await v2.media.create({ file, description: "A test picture", focus: "0.5,-0.5" });
  const pictured = await v1.statuses.create({ status: "masto shows", mediaIds: [media.id] });
  said["pictures"] = pictured.mediaAttachments.map(({ type, description, meta }) => [type, description, meta?.focus]);
  const warned = await v1.statuses.create({ status: "masto warns", sensitive: true, spoilerText: "Trees" });
  said["warning"] = [warned.sensitive, warned.spoilerText];
  const reply = await v1.statuses.create({ status: "masto answers", inReplyToId: friends_post });
  said["reply_to"] = reply.inReplyToId;
  const post = v1.statuses.$select(friends_post);
  said["favourited"] = (await post.favourite()).favourited;
  said["favourites"] = (await v1.favourites.list()).map(({ id }) => id);
  said["unfavourited"] = (await post.unfavourite()).favourited;
  said["bookmarked"] = (await post.bookmark()).bookmarked;
  said["bookmarks"] = (await v1.bookmarks.list()).map(({ id }) => id);
  said["reblogged"] = (await post.reblog()).reblog?.id;
  said["unreblogged"] = (await post.unreblog()).reblogged;
  const context = await v1.statuses.$select(reply.id).context.fetch();
  said["context"] = context.ancestors.map(({ id }) => id);

  said["liked_by"] = (await post.favouritedBy.list()).map(({ acct }) => acct);
  const own = v1.statuses.$select(said.posted[2]!);
  said["edited"] = (await own.update({ status: "masto has changed" })).content;
  said["source"] = (await own.source.fetch()).text;
  said["history"] = (await own.history.list()).map(({ content }) => content);
  said["pinned"] = [(await own.pin()).pinned, (await own.unpin()).pinned];
  said["muted"] = [(await own.mute()).muted, (await own.unmute()).muted];
  await v1.statuses.create({ status: `masto tells @${seat.friend}`, visibility: "direct" });
  said["conversations"] = (await v1.conversations.list()).map(({ lastStatus }) => lastStatus?.visibility);

  const friend = v1.accounts.$select(friend_id);
  said["friend"] = (await friend.fetch()).acct;
  said["found"] = (await v1.accounts.lookup({ acct: `@${seat.friend}` })).id;
  said["relationship"] = (await v1.accounts.relationships.fetch({ id: [friend_id] }))[0]?.following;
  said["friends_statuses"] = (await friend.statuses.list({ limit: 1 })).map(({ id }) => id);
  said["following"] = (await v1.accounts.$select(self.id).following.list()).map(({ acct }) => acct);
  said["notified"] = (await v1.notifications.list({ types: ["mention"] })).map(({ account }) => account.acct);
  said["groups"] = (await v2.notifications.list()).notificationGroups.map(({ type }) => type);
  await v1.markers.create({ home: { lastReadId: said.posted[4]! } });
  said["marker"] = (await v1.markers.fetch({ timeline: ["home"] })).home?.lastReadId;

  said["kept"] = await keep(seat, accessToken);
  said["refused"] = await refusedCalls(seat, client, { own: said.posted[0]!, announcement });
  said["streamed"] = await streamed(seat, accessToken, instance.configuration.urls.streaming);

  await v1.statuses.$select(said.posted[1]!).remove();
  said["gone"] = await refusalOf(() => v1.statuses.$select(said.posted[1]!).fetch());
  return said;
}

/** Lists, filters, searches, polls, quotations, what waits, and devices. */
async function keep({ url, friend, friend_id, friends_post }: Seat, accessToken: string): Promise<unknown> {
  const { v1, v2 } = createRestAPIClient({ url, accessToken });
  const list = await v1.lists.create({ title: "Choir" });
  await v1.lists.$select(list.id).accounts.create({ accountIds: [friend_id] });
  const [listed] = await v1.timelines.list.$select(list.id).list({ limit: 1 });
  const keywordsAttributes = [{ keyword: "good news", wholeWord: true }];
  const filter = await v2.filters.create({
    title: "News",
    context: ["home"],
    filterAction: "warn",
    keywordsAttributes,
  });
  const { filtered } = await v1.statuses.$select(friends_post).fetch();
  await v2.filters.$select(filter.id).remove();
  const found = await v2.search.list({ q: friend, type: "accounts", limit: 1 });
  const poll = { options: ["Tea", "Coffee"], expiresIn: 3600 };
  const asked = await v1.statuses.create({ status: "Tea?", poll });
  const quoting = await v1.statuses.create({ status: "masto quotes", quotedStatusId: friends_post });
  const waiting = await v1.statuses.create({ status: "masto waits", scheduledAt: later() });
  const scheduled = await v1.scheduledStatuses.list();
  await v1.scheduledStatuses.$select(waiting.id).remove();
  const { endpoint, keys } = newDevice();
  const device = await v1.push.subscription.create({
    subscription: { endpoint, keys },
    data: { alerts: { mention: true } },
    policy: "all",
  });
  await v1.push.subscription.remove();
  return {
    listed: listed?.id,
    filtered: filtered?.map(({ filter: { title } }) => title),
    found: found.accounts.map(({ id }) => id),
    poll: asked.poll?.options.map(({ title }) => title),
    quoted: quoting.quote && "quotedStatus" in quoting.quote ? quoting.quote.quotedStatus?.id : undefined,
    scheduled: scheduled.map(({ id }) => id === waiting.id),
    told: device.alerts.mention,
    announced: Array.isArray(await v1.announcements.list()),
  };
}

/** What the hub says to a call that it refuses. */
async function refusalOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof MastoHttpError) return [error.statusCode, error.message];
    // masto.js knows refusals by the global Response, which @hono/node-server replaces where its tests share the process.
    const { status, json } = error as Response;
    return [status, ((await json.call(error)) as { error: string }).error];
  }
}

/** The first of the events on the own stream. */
async function streamed(seat: Seat, accessToken: string, streamingApiUrl: string): Promise<unknown> {
  const streams = createStreamingAPIClient({ streamingApiUrl, accessToken });
  const events = streams.user.subscribe().values();
  const first = events.next();
  // What comes before the subscription is in force is not streamed, so the friend says it until it is heard.
  const timer = setInterval(() => void seat.friendPosts("Heard by masto"), 250);
  const { value } = await first;
  clearInterval(timer);
  streams.close();
  return value.event === "update" && [value.stream, value.payload.account.acct, value.payload.content];
}
