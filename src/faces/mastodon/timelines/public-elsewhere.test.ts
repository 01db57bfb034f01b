import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { bearerFor, mastodonClient } from "../../../../test/support/mastodon.ts";
import type { MastodonClient } from "../../../../test/support/mastodon.ts";
import { siteChannelId } from "../../../domain/identity/channels/site-actor.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { expireThreads } from "../../../domain/items/posting/trim.ts";
import { removeSiteBlock, setSiteBlock } from "../../../domain/peers/site-blocks.ts";
import { metActor } from "../../federation/retrieve/actor.ts";

/** What is public elsewhere and came for somebody here is for everybody here (decision 162; Mastodon contract 12.6, microblog contract 8.2). */

let world: TestApp;
/** Follows Eva; nobody follows anybody else. */
let alma: Person;
let dora: Person;
let eva: Xchan;
let reader: MastodonClient;
let stranger: MastodonClient;
let last = 0;

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const elsewhere = openElsewhere();

beforeAll(async () => {
  world = await openTestApp({ fetch: elsewhere.fetch });
  [alma, dora] = [await world.person("alma"), await world.person("dora")];
  [reader, stranger] = [await clientOf(alma), await clientOf(dora)];
  const document = elsewhere.actor("eva");
  for (const inbox of ["https://far.example/inbox", document.inbox]) elsewhere.put(inbox, 202);
  eva = (await metActor(world.hub, document.id))!;
  await connect(world.hub, alma.channel, eva);
  await receiveAccept(world.hub, alma.channel, eva);
});
afterAll(() => world.close());
beforeEach(() => world.work());

const clientOf = async ({ channel }: Person): Promise<MastodonClient> =>
  mastodonClient(world, await bearerFor(world, channel));

const followers = (): string => `${eva.xchan_hash}/followers`;

type Note = { id: string; to: string[]; cc: string[] };

/** Eva writes something, for everybody unless it is said for whom. */
async function writes(content: string, more: object = {}): Promise<Note> {
  const id = `https://far.example/notes/${++last}`;
  const note = { id, type: "Note", attributedTo: eva.xchan_hash, to: [everybody], cc: [followers()], content, ...more };
  await does({ id: `${id}/made`, type: "Create", to: note.to, cc: note.cc, object: note });
  return note;
}

async function does(activity: object): Promise<void> {
  await arrivesIn(world.hub)({ actor: eva.xchan_hash, ...activity });
  await world.work();
}

/** What the hub itself has of it, by names. */
async function keptBySite(): Promise<string[]> {
  const copies = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("mid")
    .where("uid", "=", await siteChannelId(world.hub))
    .where("item_deleted", "=", 0)
    .execute();
  return copies.map(({ mid }) => mid);
}

type Query = Record<string, string | number>;
type Status = { id: string; uri: string };

const statuses = async (client: MastodonClient, query: Query = {}): Promise<Status[]> =>
  (await client.get("/api/v1/timelines/public", query)).json;
const uris = async (client: MastodonClient, query: Query = {}): Promise<string[]> =>
  (await statuses(client, query)).map(({ uri }) => uri);
const microblog = async ({ get }: Person, query: Query = {}): Promise<string> =>
  (await get("/api/statuses/networkpublic_timeline", query)).text;

test("it is shown to somebody who follows nobody, once, the newest first, and in pages", async () => {
  const [first, second] = [await writes("quince one"), await writes("quince two")];
  const answer = await writes("quince three", { inReplyTo: first.id });
  for (const client of [reader, stranger]) {
    expect(await uris(client)).toEqual([answer.id, second.id, first.id]);
    expect(await uris(client, { remote: "true" })).toEqual([answer.id, second.id, first.id]);
    expect(await uris(client, { local: "true" })).toEqual([]);
    expect(await uris(client, { only_media: "true" })).toEqual([]);
    const [newest] = await statuses(client, { limit: 1 });
    const [next] = await statuses(client, { limit: 1, max_id: newest!.id });
    expect([newest!.uri, next!.uri]).toEqual([answer.id, second.id]);
    expect(await uris(client, { min_id: next!.id })).toEqual([answer.id]);
  }
  const { json } = await dora.get("/api/statuses/networkpublic_timeline");
  expect(json.map(({ text }: { text: string }) => text)).toEqual(["quince three", "quince two", "quince one"]);
  expect((await dora.get("/api/statuses/networkpublic_timeline", { exclude_replies: "1" })).json).toHaveLength(2);
  const thread = await dora.get("/api/statuses/networkpublic_timeline", { conversation_id: json[2].id });
  expect(thread.json.map(({ text }: { text: string }) => text)).toEqual(["quince three", "quince one"]);
  expect((await dora.get("/api/statuses/public_timeline")).json).toEqual([]);
  expect((await dora.get("/api/statuses/home_timeline")).json).toEqual([]);
  expect(await uris(mastodonClient(world))).toEqual([]);
});

test("it is found by its words and hashtags, and below its author, as long as it is public", async () => {
  const hashtag = { type: "Hashtag", name: "#orchard", href: "https://far.example/tags/orchard" };
  const top = await writes("ripe damsons #orchard", { tag: [hashtag] });
  await writes("quiet damsons #orchard", { tag: [hashtag], inReplyTo: top.id, to: [followers()], cc: [everybody] });
  const places = async (client: MastodonClient): Promise<string[][]> => {
    const answers = [
      (await client.get("/api/v1/timelines/tag/orchard")).json,
      (await client.get("/api/v2/search", { q: "#orchard damsons", type: "statuses" })).json.statuses ?? [],
      (await client.get("/api/v2/search", { q: "amson", type: "statuses" })).json.statuses ?? [],
      (await client.get(`/api/v1/accounts/${eva.xchan_id}/statuses`)).json.slice(1, 2),
    ];
    return answers.map((found: Status[]) => found.map(({ uri }) => uri));
  };
  for (const client of [reader, stranger])
    expect(await places(client)).toEqual([[top.id], [top.id], [top.id], [top.id]]);
  expect(await places(mastodonClient(world))).toEqual([[], [], [], []]);
  const closed = {
    ...top,
    to: [followers()],
    cc: [],
    updated: new Date(world.hub.clock().getTime() + 1000).toISOString(),
  };
  await does({ id: `${top.id}/close`, type: "Update", to: closed.to, object: closed });
  for (const found of await places(stranger)) expect(found).not.toContain(top.id);
  await does({ id: `${top.id}/delete`, type: "Delete", object: { id: top.id, type: "Tombstone" } });
});

test("it is opened, with its thread, and answered, liked, shared and kept like any other", async () => {
  const top = await writes("a pear");
  const answer = await writes("another pear", { inReplyTo: top.id });
  const liked = { id: `${top.id}/like`, type: "Like", object: top.id };
  await does(liked);
  const found = (await statuses(stranger)).find(({ uri }) => uri === top.id)!;
  const opened = (await stranger.get(`/api/v1/statuses/${found.id}`)).json;
  expect(opened).toMatchObject({ uri: top.id, favourites_count: 1, replies_count: 1, favourited: false });
  const context = (await stranger.get(`/api/v1/statuses/${found.id}/context`)).json;
  expect(context.descendants.map(({ uri }: Status) => uri)).toEqual([answer.id]);
  const whole = (await dora.get("/api/statuses/show", { id: found.id, conversation: "1" })).json;
  expect(whole).toHaveLength(2);
  for (const deed of ["favourite", "bookmark", "reblog"])
    expect((await stranger.post(`/api/v1/statuses/${found.id}/${deed}`)).status).toBe(200);
  const mine = await stranger.post("/api/v1/statuses", { status: "my pear", in_reply_to_id: found.id });
  expect(mine.status).toBe(200);
  await world.work();
  const after = (await stranger.get(`/api/v1/statuses/${found.id}`)).json;
  expect(after).toMatchObject({ favourited: true, bookmarked: true, reblogged: true, replies_count: 2 });
  const third = await clientOf(await world.person("cleo"));
  for (const client of [reader, third]) expect(await uris(client)).toContain(mine.json.uri);
  const asSeen = (await third.get(`/api/v1/statuses/${found.id}`)).json;
  expect(asSeen).toMatchObject({ favourites_count: 2, replies_count: 2, favourited: false });
  await stranger.post(`/api/v1/statuses/${found.id}/unfavourite`);
  await stranger.send("DELETE", `/api/v1/statuses/${mine.json.id}`);
  await world.work();
  expect(await uris(third)).not.toContain(mine.json.uri);
  expect((await third.get(`/api/v1/statuses/${found.id}`)).json).toMatchObject({
    favourites_count: 1,
    replies_count: 1,
  });
  for (const client of [reader, stranger])
    expect((await uris(client)).filter((uri) => uri === top.id)).toEqual([top.id]);
});

test("nothing is shown that is for fewer people, or unlisted", async () => {
  await writes("quiet plum", { to: [followers()], cc: [everybody] });
  await writes("followers' plum", { to: [followers()], cc: [] });
  await writes("plum for one", { to: [`${world.hub.config.baseUrl}/channel/alma`], cc: [] });
  const top = await writes("loud plum");
  await writes("quiet plum below", { inReplyTo: top.id, to: [followers()], cc: [everybody] });
  await writes("followers' plum below", { inReplyTo: top.id, to: [followers()], cc: [] });
  const shown = await microblog(dora);
  expect(shown.match(/[\w' ]*plum[\w ]*/g)).toContain("loud plum");
  for (const hidden of ["quiet plum", "followers' plum", "plum for one", "below"]) expect(shown).not.toContain(hidden);
  const found = (await statuses(stranger)).find(({ uri }) => uri === top.id)!;
  const thread = (await stranger.get(`/api/v1/statuses/${found.id}/context`)).text;
  expect([thread.includes("quiet plum below"), thread.includes("followers' plum")]).toEqual([true, false]);
});

test("what is edited, made private or deleted is so at once", async () => {
  const note = await writes("first fig");
  const update = (n: number, object: object) =>
    does({ id: `${note.id}/update${n}`, type: "Update", to: note.to, object: { ...note, ...object } });
  const at = (seconds: number) => ({ updated: new Date(world.hub.clock().getTime() + seconds * 1000).toISOString() });
  await update(1, { content: "second fig", ...at(1) });
  expect([(await microblog(dora)).includes("first fig"), (await microblog(dora)).includes("second fig")]).toEqual([
    false,
    true,
  ]);
  const closed = await writes("an open fig");
  await does({
    id: `${closed.id}/close`,
    type: "Update",
    to: [followers()],
    object: { ...closed, to: [followers()], cc: [], content: "a closed fig", ...at(1) },
  });
  for (const fig of ["an open fig", "a closed fig"]) expect(await microblog(dora)).not.toContain(fig);
  expect(await microblog(alma)).not.toContain("a closed fig");
  expect((await alma.get("/api/statuses/home_timeline")).text).toContain("a closed fig");
  await does({ id: `${note.id}/delete`, type: "Delete", object: { id: note.id, type: "Tombstone" } });
  expect(await microblog(dora)).not.toContain("fig");
  expect(await uris(stranger)).not.toContain(note.id);
});

test("whom somebody blocks, and whom the site limits or suspends, is not shown", async () => {
  const note = await writes("a medlar");
  const about = `/api/v1/accounts/${eva.xchan_id}`;
  for (const [deed, undo] of [
    ["block", "unblock"],
    ["mute", "unmute"],
  ]) {
    await stranger.post(`${about}/${deed}`);
    expect(await uris(stranger)).not.toContain(note.id);
    await stranger.post(`${about}/${undo}`);
    expect(await uris(stranger)).toContain(note.id);
  }
  await setSiteBlock(world.hub, { domain: "far.example", level: "limit", noMedia: false });
  await world.work();
  const shown = [stranger, reader].map(async (client) => (await uris(client)).includes(note.id));
  expect(await Promise.all(shown)).toEqual([false, true]);
  await removeSiteBlock(world.hub, "far.example");
  await world.work();
  expect(await uris(stranger)).toContain(note.id);
});

test("whose host a channel blocks is not shown to it", async () => {
  const note = await writes("a blocked quince");
  await stranger.post("/api/v1/domain_blocks", { domain: "far.example" });
  expect(await uris(stranger)).not.toContain(note.id);
  expect(await microblog(dora)).not.toContain("a blocked quince");
  await stranger.send("DELETE", "/api/v1/domain_blocks", JSON.stringify({ domain: "far.example" }), {
    headers: { "content-type": "application/json" },
  });
  expect(await uris(stranger)).toContain(note.id);
});

test("words that somebody filters are filtered there, too", async () => {
  const note = await writes("a durian for you");
  const filter = {
    title: "smells",
    context: ["public"],
    filter_action: "warn",
    keywords_attributes: [{ keyword: "durian" }],
  };
  const { json } = await stranger.post("/api/v2/filters", filter);
  const filtered = async (client: MastodonClient): Promise<unknown[]> =>
    (await client.get("/api/v1/timelines/public")).json.find(({ uri }: Status) => uri === note.id)?.filtered;
  expect(await filtered(stranger)).toMatchObject([{ filter: { title: "smells" }, keyword_matches: ["durian"] }]);
  expect(await filtered(reader)).toEqual([]);
  await stranger.put(`/api/v2/filters/${json.id}`, { filter_action: "hide" });
  expect((await filtered(stranger)) ?? [{}]).toHaveLength(1);
  await stranger.send("DELETE", `/api/v2/filters/${json.id}`);
  expect(await filtered(stranger)).toEqual([]);
});

test("what is sensitive says so, with its pictures", async () => {
  const picture = { type: "Image", mediaType: "image/png", url: "https://far.example/fig.png", name: "a bare fig" };
  const note = await writes("a bare fig", { sensitive: true, summary: "bare", attachment: [picture] });
  const [found] = (await stranger.get("/api/v1/timelines/public", { only_media: "true" })).json;
  expect(found).toMatchObject({ uri: note.id, sensitive: true, spoiler_text: "bare" });
  expect(found.media_attachments).toMatchObject([{ type: "image", description: "a bare fig" }]);
});

test("a poll is counted anew for those who know it from there alone, and ends for them", async () => {
  const later = (seconds: number): string => new Date(world.hub.clock().getTime() + seconds * 1000).toISOString();
  const options = (...counts: number[]) =>
    counts.map((totalItems, at) => ({ type: "Note", name: `fruit ${at}`, replies: { totalItems } }));
  const endTime = later(3600);
  const asked = await writes("Which fruit?", { type: "Question", oneOf: options(1, 0), endTime });
  const shown = async () =>
    (await stranger.get("/api/v1/timelines/public")).json.find(({ uri }: Status) => uri === asked.id).poll;
  expect(await shown()).toMatchObject({ votes_count: 1, expired: false, voted: false });
  const counted = { ...asked, type: "Question", oneOf: options(3, 4), endTime, updated: later(1) };
  await does({ id: `${asked.id}/counted`, type: "Update", to: asked.to, object: counted });
  expect((await shown()).options.map(({ votes_count }: { votes_count: number }) => votes_count)).toEqual([3, 4]);
  world.hub.advance(3601);
  expect(await shown()).toMatchObject({ votes_count: 7, expired: true });
});

test("the site's own channel has no notices, nothing unseen, and stands in no list", async () => {
  const { db } = world.hub;
  const site = await siteChannelId(world.hub);
  const copies = await db.selectFrom("item").select(["item_unseen", "answers_me"]).where("uid", "=", site).execute();
  expect(copies.length).toBeGreaterThan(3);
  expect(copies.filter(({ item_unseen, answers_me }) => item_unseen + answers_me > 0)).toEqual([]);
  expect(await db.selectFrom("notify").select("id").where("uid", "=", site).execute()).toEqual([]);
});

test("what a forum here has on its wall is shown once, from there", async () => {
  const forum = await world.person("orchard", { role: "forum" });
  const mention = { type: "Mention", href: `${world.hub.config.baseUrl}/channel/orchard`, name: "@orchard" };
  const { id } = await writes("for the orchard", { cc: [followers(), mention.href], tag: [mention] });
  expect(forum.channel.channel_id).toBeGreaterThan(0);
  for (const client of [reader, stranger]) expect((await uris(client)).filter((uri) => uri === id)).toHaveLength(1);
});

test("what was kept goes once the hub keeps nothing", async () => {
  expect(await uris(stranger)).not.toEqual([]);
  world.hub.advance(1);
  await expireThreads({ ...world.hub, config: { ...world.hub.config, publicDays: 0 } });
  expect(await keptBySite()).toEqual([]);
  expect(await uris(reader)).not.toEqual([]);
  expect((await stranger.get("/api/v1/timelines/public")).status).toBe(200);
});

test("it stays when whoever got it is gone, and goes after its days", async () => {
  const note = await writes("a late sorb");
  const begins = new Date(world.hub.clock().getTime() + 24 * 3600_000).toISOString();
  const fair = await writes("a late fair", { type: "Event", name: "Fair of sorbs", startTime: begins });
  await removeChannel(world.hub, alma.channel.channel_id);
  await world.work();
  const [found] = await statuses(stranger);
  world.hub.advance(29 * 24 * 3600);
  await expireThreads(world.hub);
  expect(await uris(stranger)).toEqual(expect.arrayContaining([note.id, fair.id]));
  world.hub.advance(2 * 24 * 3600);
  await expireThreads(world.hub);
  expect(await keptBySite()).toEqual([]);
  expect((await stranger.get(`/api/v1/statuses/${found!.id}`)).status).toBe(404);
});

test("nothing is left of whom the site suspends, and nothing comes", async () => {
  const follower = await world.person("hela");
  await connect(world.hub, follower.channel, eva);
  await receiveAccept(world.hub, follower.channel, eva);
  const note = await writes("a last loquat");
  const [found] = await statuses(stranger);
  expect(found!.uri).toBe(note.id);
  await setSiteBlock(world.hub, { domain: "far.example", level: "suspend", noMedia: false });
  await world.work();
  await writes("a loquat too many");
  expect(await uris(stranger)).toEqual([]);
  expect((await stranger.get(`/api/v1/statuses/${found!.id}`)).status).toBe(404);
  expect((await stranger.get("/api/v2/search", { q: "loquat", type: "statuses" })).json.statuses).toEqual([]);
  expect(await keptBySite()).toEqual([]);
});

test("a hub that keeps it for no day has nothing of it, and answers", async () => {
  const other = await openTestApp({ fetch: elsewhere.fetch, env: { HUBBUB_PUBLIC_DAYS: "0" } });
  try {
    const [follower, nobodys] = [await other.person("alma"), await other.person("dora")];
    const author = (await metActor(other.hub, eva.xchan_hash))!;
    await connect(other.hub, follower.channel, author);
    await receiveAccept(other.hub, follower.channel, author);
    const note = {
      id: "https://far.example/notes/zero",
      type: "Note",
      attributedTo: eva.xchan_hash,
      to: [everybody],
      content: "no quince",
    };
    await arrivesIn(other.hub)({
      id: `${note.id}/made`,
      type: "Create",
      actor: eva.xchan_hash,
      to: note.to,
      object: note,
    });
    await other.work();
    await expireThreads(other.hub);
    expect((await follower.get("/api/statuses/networkpublic_timeline")).text).toContain("no quince");
    expect((await nobodys.get("/api/statuses/networkpublic_timeline")).json).toEqual([]);
    const app = mastodonClient(other, await bearerFor(other, nobodys.channel));
    for (const path of ["/api/v1/timelines/public", "/api/v1/timelines/tag/quince"])
      expect((await app.get(path)).json).toEqual([]);
    expect((await app.get("/api/v2/search", { q: "quince" })).json.statuses).toEqual([]);
  } finally {
    await other.close();
  }
});
