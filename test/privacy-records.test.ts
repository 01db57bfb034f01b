import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findArchivePlace, saveArchivePlace } from "../src/domain/archives/archive-place.ts";
import { connect, updateConnection } from "../src/domain/connections/connections.ts";
import { createGuest } from "../src/domain/connections/guests.ts";
import { makeDirectory } from "../src/domain/cloud/change.ts";
import { saveEvent } from "../src/domain/events/save.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { momentIn, now } from "../src/hub.ts";
import { listSessions } from "../src/domain/identity/accounts/sessions.ts";
import { createClient } from "../src/domain/identity/applications/oauth-clients.ts";
import { createProfile } from "../src/domain/identity/channels/profiles.ts";
import { createGroup } from "../src/domain/groups/groups.ts";
import { addFilter } from "../src/domain/items/filters.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import type { Audience } from "../src/domain/items/types.ts";
import { sendMessage } from "../src/domain/messages/send.ts";
import { countFiltered, listRequests } from "../src/domain/items/timelines/notice-requests.ts";
import { listNotices } from "../src/domain/notifications/notices.ts";
import { notify } from "../src/domain/notifications/notify.ts";
import { changePolicy } from "../src/domain/notifications/policy.ts";
import type { Notice } from "../src/domain/notifications/stored.ts";
import { saveMenu } from "../src/domain/pages/menus.ts";
import { savePage } from "../src/domain/pages/save.ts";
import { createWiki } from "../src/domain/pages/wiki-create.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Answer, Client } from "./support/client.ts";
import { only, put } from "./support/files.ts";
import { password } from "./support/hub.ts";
import { mastodonClient, mastodonPerson } from "./support/mastodon.ts";
import { connectionId } from "./support/people.ts";
import { picture } from "./support/pictures.ts";
import { visitorOf, withoutTokens } from "./support/visitor.ts";
import type { VisitedPage, Visitor } from "./support/visitor.ts";

/**
 * Files, photos, events, polls, messages, notices, pages, wikis, settings and log-ins of somebody else, named by their ids at every door: the
 * answer is that for ids that were never given out. A new door gets a row here.
 */

let world: TestApp;
let alma: Person;
let people: Record<string, { client: Client; visitor: Visitor; app: Client }>;
let ids: Ids;

/** What names alma's records; `none` names nothing. */
type Ids = Record<
  | "file"
  | "folder"
  | "image"
  | "event"
  | "mail"
  | "talk"
  | "page"
  | "block"
  | "menu"
  | "group"
  | "abook"
  | "guest"
  | "profile"
  | "poll"
  | "pollId"
  | "mediaId"
  | "notice"
  | "filtered"
  | "session"
  | "filter"
  | "filterWord"
  | "invitation"
  | "webhook"
  | "told"
  | "passkey"
  | "application"
  | "wiki"
  | "item"
  | "name",
  string
>;

const never = "987654321";
const neverHash = "0".repeat(64);
const none: Ids = {
  file: neverHash,
  folder: neverHash,
  image: neverHash,
  event: `${neverHash}@hub.example`,
  mail: never,
  talk: never,
  page: never,
  block: never,
  menu: never,
  group: never,
  abook: never,
  guest: never,
  profile: never,
  poll: "00000000-0000-4000-8000-000000000000",
  pollId: never,
  mediaId: never,
  notice: never,
  filtered: never,
  session: neverHash,
  filter: never,
  filterWord: never,
  invitation: never,
  webhook: never,
  told: never,
  passkey: never,
  application: neverHash,
  wiki: "Nowhere",
  item: never,
  name: "nowhere",
};

const secret = "marmalade";
const example = resolve(import.meta.dirname, "../examples/on-this-day");

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_EXTENSIONS: example } });
  const { hub } = world;
  alma = await world.person("alma");
  const [bob, carol, dora, zoe] = [
    await world.person("bob"),
    await world.person("carol"),
    await world.person("dora"),
    await world.person("zoe"),
  ];
  for (const one of [bob, carol, dora]) {
    await connect(hub, alma.channel, { xchan_hash: one.channel.channel_hash });
    await connect(hub, one.channel, { xchan_hash: alma.channel.channel_hash });
  }
  const lists = only(bob.channel);
  const owner = alma.channel;
  await postOfLastYear(owner, lists);
  const folder = await makeDirectory(hub, owner, owner, { folder: "", name: `${secret} box`, audience: lists });
  const file = await put(hub, owner, `${secret}.txt`, `${secret} recipe`, {
    folder: { hash: folder.hash },
    audience: lists,
  });
  const png = await picture(40, 30).png().toBuffer();
  const image = await put(hub, owner, `${secret}.png`, png, { folder: { hash: folder.hash }, audience: lists });
  const event = await saveEvent(hub, owner, {
    summary: secret,
    dtstart: "2026-04-01 10:00:00",
    dtend: "2026-04-01 11:00:00",
    share: { audience: lists },
  });
  const mail = await sendMessage(hub, owner, { to: bob.channel.channel_hash, title: secret, body: secret });
  const element = { title: secret, mimetype: "text/bbcode", layoutMid: "", body: secret, audience: lists };
  const page = await savePage(hub, owner, owner, { ...element, kind: "webpage", name: secret });
  const block = await savePage(hub, owner, owner, { ...element, kind: "block", name: secret });
  const menu = await saveMenu(hub, owner, owner, { name: secret, title: secret, flags: 0, entries: [] });
  await createWiki(hub, owner, { name: secret, mimetype: "text/markdown", posted: false, audience: lists });
  const group = await createGroup(hub, owner.channel_id, secret);
  const guest = await createGuest(hub, owner, { name: secret });
  const profile = await createProfile(hub, owner, secret);
  const options = [secret, "Honey"].map((name) => ({
    type: "Note",
    name,
    replies: { type: "Collection", totalItems: 0 },
  }));
  const poll = await postItem(hub, owner, {
    body: secret,
    audience: lists,
    objType: "Question",
    obj: JSON.stringify({ type: "Question", oneOf: options }),
  });
  const filter = await addFilter(hub, owner, { title: secret, contexts: ["home"], action: "hide", ends: undefined }, [
    { phrase: secret, wholeWords: false },
  ]);
  await visitorOf(world.app).logIn("alma", password);
  const [session] = await listSessions(hub, owner.channel_account_id, "");
  const application = await createClient(hub, owner.channel_id, {
    name: secret,
    key: "marmaladekey",
    secret: "s".repeat(16),
  });
  await world.work();
  await saveArchivePlace(hub, owner.channel_id, archives);
  await updateConnection(hub, owner, await connectionId(hub, owner, dora.channel), { blocked: true });
  const photo = await alma.get("/api/z/1.0/photo", { photo_id: image.hash });
  ids = {
    file: file.hash,
    folder: folder.hash,
    image: image.hash,
    event: event.event_hash,
    mail: String(mail.id),
    talk: (await (await mastodonPerson(world, owner)).get("/api/v1/conversations")).json[0].id,
    page: String(page.id),
    block: String(block.id),
    menu: String(menu.id),
    group: String(group.id),
    abook: String(await connectionId(hub, owner, bob.channel)),
    guest: String(guest.atoken_id),
    profile: String(profile.id),
    poll: poll.uuid,
    pollId: String(poll.id),
    mediaId: String(image.id),
    notice: String((await noticeFrom(bob)).id),
    filtered: await filteredNotice(owner, zoe.channel),
    session: session!.id,
    filter: String(filter.id),
    filterWord: String(filter.words[0]!.id),
    invitation: String(await addInvitationOf(owner)),
    ...(await addWebhookOf(owner)),
    passkey: String(await addPasskeyOf(owner)),
    application: application.client_key,
    wiki: secret,
    item: photo.json.item[0].id,
    name: secret,
  };
  people = {
    "a connection outside the audience": await personOf(carol),
    "somebody blocked": await personOf(dora),
    "a stranger": await personOf(zoe),
    nobody: { client: world.anonymous, visitor: visitorOf(world.app), app: mastodonClient(world) },
    "a member of the audience": await personOf(bob),
  };
});
afterAll(() => world?.close());

const archives = {
  kind: "webdav",
  address: `https://disk.example/${secret}`,
  login: secret,
  password: secret,
  region: "",
  passphrase: "",
  every: "day",
  keep: 4,
} as const;

/** What the page of the extension shows today. */
async function postOfLastYear(owner: Channel, audience: Audience): Promise<void> {
  const today = world.hub.clock();
  world.hub.setClock("2025-03-01T12:00:00Z");
  await postItem(world.hub, owner, { body: `${secret} of last year`, audience });
  world.hub.setClock(today);
}

async function noticeFrom({ channel }: Person): Promise<Notice> {
  const notices = await listNotices(world.hub, alma.channel.channel_id);
  return notices.find(({ actor }) => actor.hash === channel.channel_hash)!;
}

/** The id of a notice that the owner's policy keeps apart. */
async function filteredNotice(owner: Channel, stranger: Channel): Promise<string> {
  await changePolicy(world.hub, owner.channel_id, { "not-following": "filter" });
  await notify(world.hub, [{ kind: "follower", to: owner, actor: stranger.xchan_id, connection: 0 }]);
  const [request] = await listRequests(world.hub, owner.channel_id, { count: 1 });
  return String(request!.id);
}

/** A passkey of the channel's account, which no device has. */
async function addPasskeyOf(owner: Channel): Promise<number> {
  const { id } = await world.hub.db
    .insertInto("passkey")
    .values({
      account_id: owner.channel_account_id,
      credential: "marmaladekey",
      public_key: "AA",
      name: secret,
      counter: 0,
      created: now(world.hub),
      used: now(world.hub),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A link with which the channel invites people. */
async function addWebhookOf({ channel_id: uid }: Channel): Promise<Pick<Ids, "webhook" | "told">> {
  const { hub } = world;
  const webhook = await hub.db
    .insertInto("webhook")
    .values({ uid, url: "https://receiver.example/", events: '["post.received"]', secret: "x", created: now(hub) })
    .returning("id")
    .executeTakeFirstOrThrow();
  const told = await hub.db
    .insertInto("webhook_delivery")
    .values({
      webhook_id: webhook.id,
      name: "msg_1",
      event: "post.received",
      subject: 1,
      state: "delivered",
      created: now(hub),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { webhook: String(webhook.id), told: String(told.id) };
}

async function addInvitationOf({ channel_id: uid }: Channel): Promise<number> {
  const times = { expires: momentIn(world.hub, 3_600_000), created: now(world.hub) };
  const { id } = await world.hub.db
    .insertInto("invitation")
    .values({ uid, token: "marmaladelink", note: secret, most_uses: 3, ...times })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function personOf(person: Person): Promise<{ client: Client; visitor: Visitor; app: Client }> {
  const visitor = visitorOf(world.app);
  await visitor.logIn(person.nick, password);
  return { client: person, visitor, app: await mastodonPerson(world, person.channel) };
}

const outsiders = ["a connection outside the audience", "somebody blocked", "a stranger", "nobody"];

type Door<Caller, Found> = [name: string, open: (caller: Caller, id: Ids) => Promise<Found>];

const native = "/api/z/1.0";
/** Every channel finds its own records alone here, whatever it may see elsewhere. */
const endpoints: Door<Client, Answer>[] = [
  ["filemeta", (client, { file }) => client.get(`${native}/filemeta`, { file_id: file })],
  ["filemeta of a directory", (client, { folder }) => client.get(`${native}/filemeta`, { file_id: folder })],
  ["filemeta by revision", (client, { file }) => client.get(`${native}/filemeta`, { file_id: file, revision: 0 })],
  ["filedata", (client, { file }) => client.get(`${native}/filedata`, { file_id: file })],
  ["filedata by a prefix", (client, { file }) => client.get(`${native}/filedata`, { file_id: file.slice(0, 12) })],
  [
    "filedata of a part",
    (client, { file }) => client.get(`${native}/filedata`, { file_id: file, start: 1, length: 2 }),
  ],
  ["file", (client, { file }) => client.get(`${native}/file`, { file_id: file })],
  ["file/export", (client, { file }) => client.get(`${native}/file/export`, { file_id: file })],
  ["file/export of an image", (client, { image }) => client.get(`${native}/file/export`, { file_id: image })],
  ["photo", (client, { image }) => client.get(`${native}/photo`, { photo_id: image })],
  ["photo, small", (client, { image }) => client.get(`${native}/photo`, { photo_id: image, scale: 3 })],
  ["files by hash", (client, { file }) => client.get(`${native}/files`, { filehash: file })],
  ["files of a directory", (client, { folder }) => client.get(`${native}/files`, { folder })],
  ["files by name", (client, { name }) => client.get(`${native}/files`, { filename: name })],
  ["photos of an album", (client, { name }) => client.get(`${native}/photos`, { album: `${name} box` })],
  ["item/full of a page", (client, { page }) => client.get(`${native}/item/full`, { item_id: page })],
  ["item/deliveries of an image", (client, { item }) => client.get(`${native}/item/deliveries`, { item_id: item })],
  [
    "item/deliveries of a question",
    (client, { pollId }) => client.get(`${native}/item/deliveries`, { item_id: pollId }),
  ],
  ["item/full of a photo", (client, { item }) => client.get(`${native}/item/full`, { item_id: item })],
  ["item/update of a page", (client, { page }) => client.post(`${native}/item/update`, { post_id: page, body: "x" })],
  [
    "item/update of a block",
    (client, { block }) => client.post(`${native}/item/update`, { post_id: block, body: "x" }),
  ],
  ["a comment on a photo", (client, { item }) => client.post(`${native}/item/update`, { parent: item, body: "x" })],
  [
    "channel/stream as a comment",
    (client, { item }) => client.post(`${native}/channel/stream`, { parent: item, body: "x" }),
  ],
  ["group_members", (client, { group }) => client.get(`${native}/group_members`, { group_id: group })],
  ["group_members by name", (client, { name }) => client.get(`${native}/group_members`, { group_name: name })],
  ["network/stream of a group", (client, { group }) => client.get(`${native}/network/stream`, { gid: group })],
  ["network/stream of a connection", (client, { abook }) => client.get(`${native}/network/stream`, { cid: abook })],
  ["network/stream of an item", (client, { item }) => client.get(`${native}/network/stream`, { item_id: item })],
  ["abook", (client, { abook }) => client.get(`${native}/abook`, { abook_id: abook })],
  ["abook, written", (client, { abook }) => client.post(`${native}/abook`, { abook_id: abook, closeness: 1 })],
  ["abconfig", (client, { abook }) => client.get(`${native}/abconfig`, { abook_id: abook })],
  [
    "abconfig, written",
    (client, { abook }) => client.post(`${native}/abconfig`, { abook_id: abook, cat: "x", k: "y", v: "z" }),
  ],
  ["perm_allowed", (client, { abook }) => client.get(`${native}/perm_allowed`, { abook_id: abook })],
  ["webhook, changed", (client, { webhook }) => client.post(`${native}/webhook`, { webhook_id: webhook, on: "0" })],
  ["webhook/remove", (client, { webhook }) => client.post(`${native}/webhook/remove`, { webhook_id: webhook })],
  ["webhook/secret", (client, { webhook }) => client.post(`${native}/webhook/secret`, { webhook_id: webhook })],
  ["webhook/end-former", (client, { webhook }) => client.post(`${native}/webhook/end-former`, { webhook_id: webhook })],
  ["webhook/test", (client, { webhook }) => client.post(`${native}/webhook/test`, { webhook_id: webhook })],
  ["webhook/deliveries", (client, { webhook }) => client.get(`${native}/webhook/deliveries`, { webhook_id: webhook })],
  [
    "webhook/again",
    (client, { webhook, told }) => client.post(`${native}/webhook/again`, { webhook_id: webhook, delivery_id: told }),
  ],
  ["svc/notifications/seen", (client, { notice }) => client.post("/api/svc/notifications/seen", { id: notice })],
  [
    "a post for a group",
    (client, { group }) => client.post(`${native}/item/update`, { body: "x", group_allow: [group] }),
  ],
];

const asStatus = (mail: string): string => String(2 ** 51 + Number(mail));

/** Of the Mastodon API; ids of groups are those of lists there. */
const apps: Door<Client, Answer>[] = [
  ["the notice", (app, { notice }) => app.get(`/api/v1/notifications/${notice}`)],
  ["the notice, dismissed", (app, { notice }) => app.post(`/api/v1/notifications/${notice}/dismiss`)],
  ["the notice, dismissed by form", (app, { notice }) => app.post("/api/v1/notifications/dismiss", { id: notice })],
  ["the notice as a group", (app, { notice }) => app.get(`/api/v2/notifications/ungrouped-${notice}`)],
  ["the people of the notice", (app, { notice }) => app.get(`/api/v2/notifications/ungrouped-${notice}/accounts`)],
  ["the group, dismissed", (app, { notice }) => app.post(`/api/v2/notifications/ungrouped-${notice}/dismiss`)],
  ["the request", (app, { filtered }) => app.get(`/api/v1/notifications/requests/${filtered}`)],
  ["the request, accepted", (app, { filtered }) => app.post(`/api/v1/notifications/requests/${filtered}/accept`)],
  ["the request, dismissed", (app, { filtered }) => app.post(`/api/v1/notifications/requests/${filtered}/dismiss`)],
  [
    "the request, accepted with others",
    (app, { filtered }) => app.post("/api/v1/notifications/requests/accept", { id: [filtered] }),
  ],
  [
    "the request, dismissed with others",
    (app, { filtered }) => app.post("/api/v1/notifications/requests/dismiss", { id: [filtered] }),
  ],
  ["the list", (app, { group }) => app.get(`/api/v1/lists/${group}`)],
  ["the list's time line", (app, { group }) => app.get(`/api/v1/timelines/list/${group}`)],
  ["the list's stream", (app, { group }) => app.get("/api/v1/streaming/list", { list: group })],
  ["the list, renamed", (app, { group }) => app.send("PUT", `/api/v1/lists/${group}?title=Mine`)],
  ["the list, deleted", (app, { group }) => app.send("DELETE", `/api/v1/lists/${group}`)],
  ["the list's people", (app, { group }) => app.get(`/api/v1/lists/${group}/accounts`)],
  ["somebody for the list", (app, { group }) => app.post(`/api/v1/lists/${group}/accounts`, { account_ids: ["1"] })],
  ["nobody for the list", (app, { group }) => app.send("DELETE", `/api/v1/lists/${group}/accounts?account_ids[]=1`)],
  ["a post for the list", (app, { group }) => app.post("/api/v1/statuses", { status: "x", visibility: group })],
  ["the poll", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}`)],
  ["the poll's thread", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}/context`)],
  ["the poll, liked", (app, { pollId }) => app.post(`/api/v1/statuses/${pollId}/favourite`)],
  ["the poll, shared", (app, { pollId }) => app.post(`/api/v1/statuses/${pollId}/reblog`)],
  ["the poll, starred", (app, { pollId }) => app.post(`/api/v1/statuses/${pollId}/bookmark`)],
  ["the poll among others", (app, { pollId }) => app.get("/api/v1/statuses", { "id[]": pollId })],
  ["the poll by itself", (app, { pollId }) => app.get(`/api/v1/polls/${pollId}`)],
  ["a vote in the poll", (app, { pollId }) => app.post(`/api/v1/polls/${pollId}/votes`, { choices: [0] })],
  ["the poll, changed", (app, { pollId }) => app.send("PUT", `/api/v1/statuses/${pollId}`, "status=x")],
  ["what the poll said", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}/history`)],
  ["what was typed", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}/source`)],
  ["who shared the poll", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}/reblogged_by`)],
  ["who likes the poll", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}/favourited_by`)],
  ["who quotes the poll", (app, { pollId }) => app.get(`/api/v1/statuses/${pollId}/quotes`)],
  ["the poll, quoted", (app, { pollId }) => app.post("/api/v1/statuses", { status: "x", quoted_status_id: pollId })],
  [
    "the poll's quotation, taken back",
    (app, { pollId }) => app.post(`/api/v1/statuses/${pollId}/quotes/${pollId}/revoke`),
  ],
  ["the poll as one that waits", (app, { pollId }) => app.get(`/api/v1/scheduled_statuses/${pollId}`)],
  ["the media", (app, { mediaId }) => app.get(`/api/v1/media/${mediaId}`)],
  ["the media, described", (app, { mediaId }) => app.send("PUT", `/api/v1/media/${mediaId}`, "")],
  ["the media, removed", (app, { mediaId }) => app.send("DELETE", `/api/v1/media/${mediaId}`)],
  ["a post with the media", (app, { mediaId }) => app.post("/api/v1/statuses", { media_ids: [mediaId] })],
  ["the poll, pinned", (app, { pollId }) => app.post(`/api/v1/statuses/${pollId}/pin`)],
  ["the poll's thread, muted", (app, { pollId }) => app.post(`/api/v1/statuses/${pollId}/mute`)],
  ["the poll, deleted", (app, { pollId }) => app.send("DELETE", `/api/v1/statuses/${pollId}`)],
  ["an answer to the poll", (app, { pollId }) => app.post("/api/v1/statuses", { status: "x", in_reply_to_id: pollId })],
  ["the conversation, read", (app, { talk }) => app.post(`/api/v1/conversations/${talk}/read`)],
  ["the conversation, unread", (app, { talk }) => app.post(`/api/v1/conversations/${talk}/unread`)],
  ["the conversation, removed", (app, { talk }) => app.send("DELETE", `/api/v1/conversations/${talk}`)],
  ["the message", (app, { mail }) => app.get(`/api/v1/statuses/${asStatus(mail)}`)],
  ["the message's conversation", (app, { mail }) => app.get(`/api/v1/statuses/${asStatus(mail)}/context`)],
  ["the message, removed", (app, { mail }) => app.send("DELETE", `/api/v1/statuses/${asStatus(mail)}`)],
  ["the message, liked", (app, { mail }) => app.post(`/api/v1/statuses/${asStatus(mail)}/favourite`)],
  [
    "an answer to the message",
    (app, { mail }) => app.post("/api/v1/statuses", { status: "x", in_reply_to_id: asStatus(mail) }),
  ],
  ["the filter", (app, { filter }) => app.get(`/api/v2/filters/${filter}`)],
  ["the filter, changed", (app, { filter }) => app.send("PUT", `/api/v2/filters/${filter}?title=Mine`)],
  ["the filter, deleted", (app, { filter }) => app.send("DELETE", `/api/v2/filters/${filter}`)],
  ["the filter's words", (app, { filter }) => app.get(`/api/v2/filters/${filter}/keywords`)],
  ["a word for the filter", (app, { filter }) => app.post(`/api/v2/filters/${filter}/keywords`, { keyword: "x" })],
  ["the filter's posts", (app, { filter }) => app.get(`/api/v2/filters/${filter}/statuses`)],
  ["the word", (app, { filterWord }) => app.get(`/api/v2/filters/keywords/${filterWord}`)],
  ["the word, changed", (app, { filterWord }) => app.send("PUT", `/api/v2/filters/keywords/${filterWord}?keyword=x`)],
  ["the word, deleted", (app, { filterWord }) => app.send("DELETE", `/api/v2/filters/keywords/${filterWord}`)],
  ["the word as an old filter", (app, { filterWord }) => app.get(`/api/v1/filters/${filterWord}`)],
  ["the old filter, deleted", (app, { filterWord }) => app.send("DELETE", `/api/v1/filters/${filterWord}`)],
  ["the photo as a status", (app, { item }) => app.get(`/api/v1/statuses/${item}`)],
];

const hex = (text: string): string => Buffer.from(text).toString("hex");

/** What a member of the audience may see, and others may not. */
const shown: Door<Visitor, VisitedPage>[] = [
  ["the file's bytes", (visitor, { file }) => visitor.get(`/attach/${file}`)],
  ["a version of the file", (visitor, { file }) => visitor.get(`/attach/${file}/0`)],
  ["a part of the file", (visitor, { file }) => visitor.get(`/attach/${file}`, { range: "bytes=0-3" })],
  ["the file's page", (visitor, { file }) => visitor.get(`/file/${file}`)],
  ["the directory", (visitor, { name }) => visitor.get(`/cloud/alma/${name}%20box`)],
  ["the file by its name", (visitor, { name }) => visitor.get(`/cloud/alma/${name}%20box/${name}.txt`)],
  ["the image", (visitor, { image }) => visitor.get(`/photo/${image}-0.png`)],
  ["the image, small", (visitor, { image }) => visitor.get(`/photo/${image}-3`)],
  ["the image without a scale", (visitor, { image }) => visitor.get(`/photo/${image}`)],
  ["the photo's page", (visitor, { image }) => visitor.get(`/photos/alma/image/${image}`)],
  ["the album", (visitor, { name }) => visitor.get(`/photos/alma/album/${hex(`${name} box`)}`)],
  ["the event", (visitor, { event }) => visitor.get(`/event/${encodeURIComponent(event)}`)],
  ["the event's calendar file", (visitor, { event }) => visitor.get(`/events/ical/${encodeURIComponent(event)}`)],
  ["the poll", (visitor, { poll }) => visitor.get(`/display/${poll}`)],
  ["the page", (visitor, { name }) => visitor.get(`/page/alma/${name}`)],
  ["the wiki", (visitor, { wiki }) => visitor.get(`/wiki/alma/${wiki}`)],
  ["the wiki's page", (visitor, { wiki }) => visitor.get(`/wiki/alma/${wiki}/Home`)],
];

/** What belongs to alma alone. */
const own: Door<Visitor, VisitedPage>[] = [
  ["the deliveries", (visitor, { poll }) => visitor.get(`/item/${poll}/deliveries`)],
  ["the form for the file's name", (visitor, { file }) => visitor.post(`/file/${file}/name`, { name: "x.txt" })],
  ["the form for the file's folder", (visitor, { file }) => visitor.post(`/file/${file}/folder`, { folder: "" })],
  [
    "the form for the file's audience",
    (visitor, { file }) => visitor.post(`/file/${file}/audience`, { audience: "public" }),
  ],
  ["the form that deletes the file", (visitor, { file }) => visitor.post(`/file/${file}/delete`, {})],
  [
    "the form for the photo's words",
    (visitor, { image }) => visitor.post(`/photos/alma/image/${image}/words`, { title: "x" }),
  ],
  ["the event's form", (visitor, { event }) => visitor.get(`/event/${encodeURIComponent(event)}/edit`)],
  [
    "the form that deletes the event",
    (visitor, { event }) => visitor.post(`/event/${encodeURIComponent(event)}/delete`, {}),
  ],
  ["the conversation", (visitor, { mail }) => visitor.get(`/mail/${mail}`)],
  ["the form that answers", (visitor, { mail }) => visitor.post(`/mail/${mail}`, { body: "x" })],
  ["the form that deletes a message", (visitor, { mail }) => visitor.post(`/mail/${mail}/delete`, {})],
  ["the form that votes in the poll", (visitor, { pollId }) => visitor.post(`/item/${pollId}/vote`, { choice: "0" })],
  ["the notice", (visitor, { notice }) => visitor.get(`/notify/view/${notice}`)],
  ["what is held back", (visitor, { filtered }) => visitor.get(`/notifications/filtered/${filtered}`)],
  [
    "the form that lets it through",
    (visitor, { filtered }) => visitor.post("/notifications/filtered", { id: filtered, deed: "accept" }),
  ],
  ["the form that marks the notice", (visitor, { notice }) => visitor.post("/notifications", { id: notice })],
  [
    "the form that ends the log-in",
    (visitor, { session }) => visitor.post("/settings/account/sessions", { end: session }),
  ],
  [
    "the form that ends the invitation",
    (visitor, { invitation }) => visitor.post("/settings/invitations/end", { id: invitation }),
  ],
  ["the webhook", (visitor, { webhook }) => visitor.get(`/settings/webhooks/${webhook}`)],
  [
    "the form that changes the webhook",
    (visitor, { webhook }) => visitor.post(`/settings/webhooks/${webhook}`, { url: "https://a.example/" }),
  ],
  [
    "the form that makes it a new secret",
    (visitor, { webhook }) => visitor.post(`/settings/webhooks/${webhook}/do`, { deed: "secret" }),
  ],
  [
    "the form that ends its secret of before",
    (visitor, { webhook }) => visitor.post(`/settings/webhooks/${webhook}/do`, { deed: "end-former" }),
  ],
  [
    "the form that sends it something again",
    (visitor, { webhook, told }) => visitor.post(`/settings/webhooks/${webhook}/do`, { deed: "again", delivery: told }),
  ],
  [
    "the form that removes the passkey",
    (visitor, { passkey }) => visitor.post("/settings/account/passkeys/remove", { id: passkey, password }),
  ],
  ["the application", (visitor, { application }) => visitor.get(`/settings/oauth/edit/${application}`)],
  [
    "the form that deletes the application",
    (visitor, { application }) => visitor.post(`/settings/oauth/delete/${application}`, {}),
  ],
  ["the page's editor", (visitor, { page }) => visitor.get(`/webpages/alma/${page}`)],
  [
    "the form that writes the page",
    (visitor, { page }) => visitor.post(`/webpages/alma/${page}`, { name: "x", body: "x" }),
  ],
  ["the block's editor", (visitor, { block }) => visitor.get(`/blocks/alma/${block}`)],
  ["the form that deletes the block", (visitor, { block }) => visitor.post(`/blocks/alma/${block}/delete`, {})],
  ["the menu's editor", (visitor, { menu }) => visitor.get(`/menu/alma/${menu}`)],
  ["the form that deletes the menu", (visitor, { menu }) => visitor.post(`/menu/alma/${menu}/delete`, {})],
  ["the group", (visitor, { group }) => visitor.get(`/group/${group}`)],
  ["the form of the group's members", (visitor, { group }) => visitor.post(`/group/${group}/members`, { member: "x" })],
  ["the form that deletes the group", (visitor, { group }) => visitor.post(`/group/${group}/delete`, {})],
  ["the connection", (visitor, { abook }) => visitor.get(`/connedit/${abook}`)],
  [
    "the form of the connection's permissions",
    (visitor, { abook }) => visitor.post(`/connedit/${abook}/permissions`, {}),
  ],
  ["the form that removes the connection", (visitor, { abook }) => visitor.post(`/connedit/${abook}/remove`, {})],
  ["the guest", (visitor, { guest }) => visitor.get(`/settings/guests/${guest}`)],
  ["the form that deletes the guest", (visitor, { guest }) => visitor.post(`/settings/guests/${guest}/delete`, {})],
  ["the profile's form", (visitor, { profile }) => visitor.get(`/settings/profiles/${profile}`)],
  [
    "the form that shows the profile to somebody",
    (visitor, { profile }) => visitor.post(`/settings/profiles/${profile}/people`, { add: "1", remove: "1" }),
  ],
  [
    "the form that deletes the profile",
    (visitor, { profile }) => visitor.post(`/settings/profiles/${profile}/delete`, {}),
  ],
];

/** Addresses under which everybody has their own: nothing of alma's is there for others, and nothing of hers is changed from there. */
const everyones: [name: string, open: (visitor: Visitor) => Promise<VisitedPage>][] = [
  ["the page that removes a channel", (visitor) => visitor.get("/settings/channel/remove")],
  ["the place of archives", (visitor) => visitor.get("/settings/archives")],
  [
    "the form that names another place",
    (visitor) => {
      const another = { address: "http://127.0.0.1/disk", login: "me", secret: "mine", own_password: password };
      return visitor.post("/settings/archives", { ...another, kind: "webdav", every: "week", keep: "1" });
    },
  ],
  ["the form that tries the place", (visitor) => visitor.post("/settings/archives/try", {})],
  ["the form that has an archive made", (visitor) => visitor.post("/settings/archives/now", {})],
  ["the form that forgets the place", (visitor) => visitor.post("/settings/archives/remove", {})],
  ["the settings, which tell of archives that fail", (visitor) => visitor.get("/settings")],
  ["the page of an extension", (visitor) => visitor.get("/x/on-this-day")],
  ["the form of an extension", (visitor) => visitor.post("/x/on-this-day", { remind: "1" })],
];

/** Names, tokens and request ids differ from call to call. */
function comparable({ status, text }: Answer | VisitedPage, id: Ids): { status: number; text: string } {
  let plain = text;
  for (const [name, value] of Object.entries(id)) {
    const words = /^(wiki|name)$/.test(name)
      ? [value, hex(`${value} box`)]
      : [encodeURIComponent(value), encodeURIComponent(encodeURIComponent(value)), value];
    // Short numbers stand everywhere; they count only as a part of an address.
    for (const word of words)
      plain = plain.replaceAll(
        /^\d{1,9}$/.test(word) ? new RegExp(`(?<=/|%2F)${word}(?=[/"%?#]|$)`, "g") : word,
        "<id>",
      );
  }
  plain = withoutTokens(plain)
    // The visitor's own face.
    .replaceAll(/\/photo\/profile\/s\/[^"]*/g, "")
    .replaceAll(/[0-9a-f]{10}-[0-9a-z]+/g, "<request>");
  return { status, text: plain };
}

async function tell(open: (id: Ids) => Promise<Answer | VisitedPage>): Promise<[object, object, string]> {
  const [real, unknown] = [await open(ids), await open(none)];
  return [comparable(real, ids), comparable(unknown, none), real.text];
}

describe.each([...outsiders, "a member of the audience"])("%s", (who) => {
  // Who is shown something may learn that it is not theirs to change, and may answer it.
  const sees = who === "a member of the audience";
  const hidden = ([name]: readonly [string, unknown]): boolean => !sees || !/comment|the file|photo|poll/.test(name);

  test.each(endpoints.filter(hidden))("finds nothing of alma's at %s", async (_name, open) => {
    const [real, unknown, text] = await tell((id) => open(people[who]!.client, id));
    expect(real).toEqual(unknown);
    expect(text).not.toContain(`${secret} recipe`);
  });

  test.each(apps.filter(hidden))("has nothing of alma's in an application: %s", async (_name, open) => {
    const [real, unknown, text] = await tell((id) => open(people[who]!.app, id));
    expect(real).toEqual(unknown);
    expect(text).not.toContain(secret);
  });

  test.each(own.filter(hidden))("does not get at %s", async (_name, open) => {
    const { visitor } = people[who]!;
    await visitor.get("/search");
    const [real, unknown] = await tell((id) => open(visitor, id));
    expect(real).toEqual(unknown);
  });
});

describe.each([...outsiders, "a member of the audience"])("%s", (who) => {
  test.each(everyones)("has nothing of alma's at %s", async (_name, open) => {
    const { visitor } = people[who]!;
    await visitor.get("/search");
    const { status, text, location } = await open(visitor);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain("disk.example");
    expect(text).not.toContain(`${secret} of last year`);
    if (who === "nobody" && status < 400) expect(location).toMatch(/^\/login/);
  });

  test("sees on a wall that an extension shows what the wall shows them", async () => {
    for (const path of ["/channel/alma", "/x/on-this-day/alma"]) {
      const { text } = await people[who]!.visitor.get(path);
      expect([path, text.includes(`${secret} of last year`)]).toEqual([path, who === "a member of the audience"]);
    }
  });
});

describe.each(outsiders)("%s", (who) => {
  test.each(shown)("is not shown %s", async (_name, open) => {
    const [real, unknown, text] = await tell((id) => open(people[who]!.visitor, id));
    expect(real).toEqual(unknown);
    expect(text).not.toContain(`${secret} recipe`);
  });
});

test.each(shown)("a member of the audience is shown %s", async (_name, open) => {
  const { visitor } = people["a member of the audience"]!;
  expect((await open(visitor, ids)).status).toBeLessThan(400);
  expect((await open(visitor, none)).status).toBe(404);
});

test("nothing of it was changed", async () => {
  const { attach } = (await alma.get(`${native}/filemeta`, { file_id: ids.file })).json;
  expect([attach.filename, attach.allow_cid]).toEqual([`${secret}.txt`, expect.stringMatching(/^<.+>$/)]);
  expect((await alma.get(`${native}/group_members`, { group_id: ids.group })).json).toEqual([]);
  expect(await listSessions(world.hub, alma.channel.channel_account_id, "")).toHaveLength(1);
  const notices = await listNotices(world.hub, alma.channel.channel_id);
  expect(notices).toContainEqual(expect.objectContaining({ id: Number(ids.notice), seen: 0 }));
  expect(await countFiltered(world.hub, alma.channel.channel_id)).toEqual({ people: 1, notices: 1 });
  const visitor = visitorOf(world.app);
  await visitor.logIn("alma", password);
  const { text } = await visitor.get(`/display/${ids.poll}`);
  expect(text).toContain("0 votes");
  const uid = alma.channel.channel_id;
  const { password: _password, passphrase: _passphrase, ...told } = archives;
  expect(await findArchivePlace(world.hub, uid)).toMatchObject({
    ...told,
    isUnderWay: false,
    nextAt: "2026-03-01 12:00:00",
  });
  expect((await visitor.get("/settings/archives")).text).toContain(archives.address);
  expect((await visitor.get("/x/on-this-day")).text).not.toMatch(/name="remind"[^>]*checked/);
  const app = await mastodonPerson(world, alma.channel);
  for (const [name, open] of apps.filter(([name]) => /^the [a-z]+('s t[a-z ]+)?$/.test(name)))
    expect([name, (await open(app, ids)).status]).toEqual([name, 200]);
  for (const [name, open] of [...shown, ...own.filter(([name]) => !name.includes("form"))])
    expect([name, (await open(visitor, ids)).status < 400]).toEqual([name, true]);
});
