import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { bearerFor } from "../../../../test/support/mastodon.ts";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, connectionId } from "../../../../test/support/people.ts";
import { actorOf } from "../../../../test/support/actors.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { endBearer, findBearer, listBearers } from "../../../domain/identity/applications/oauth2-tokens.ts";
import { block } from "../../../domain/connections/block.ts";
import { approve, connect as connectWith, receiveAccept } from "../../../domain/connections/connections.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { editItem } from "../../../domain/items/posting/edit.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { reshare } from "../../../domain/items/posting/reshares.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { sendMessage } from "../../../domain/messages/messages.ts";
import { filterOneWord } from "../../../domain/items/filters.ts";
import { callNeighbours } from "../../../domain/live/neighbours.ts";
import { addAnnouncementReaction } from "../../../domain/announcements/reactions.ts";
import { endAnnouncement, writeAnnouncement } from "../../../domain/announcements/write.ts";
import { sqlDate } from "../../../storage/sql.ts";
import { dropNotices } from "../../../domain/notifications/drop.ts";
import { acceptRequests } from "../../../domain/notifications/filtered.ts";
import { notify } from "../../../domain/notifications/notify.ts";
import { changePolicy } from "../../../domain/notifications/policy.ts";
import { listRequests } from "../../../domain/items/timelines/notice-requests.ts";
import { countListeners } from "../../../domain/listeners/listeners.ts";
import { startHub } from "../../../main.ts";
import type { RunningHub } from "../../../main.ts";
import { workOff } from "../../../workers.ts";
import { StreamReader } from "./stream-reader.ts";

/** Streams of applications, over sockets (Mastodon contract 14). Everything is done by a second hub on the same database. */

let settings: TestHub;
let running: RunningHub;
/** Ends the calls of the second hub. */
let quiet: () => Promise<void>;
let ann: Channel;
let bob: Channel;
/** Connected with nobody. */
let cleo: Channel;
const tokens = new Map<Channel, string>();
const sockets = new Set<WebSocket>();
/** How often it was asked who may see what is public, and how often statuses were loaded as somebody is shown them. */
let looks = 0;
let loads = 0;

beforeAll(async () => {
  settings = await openTestHub({ clock: new Date() });
  quiet = callNeighbours(settings);
  [ann, bob, cleo] = [
    await makeChannel(settings, "ann"),
    await makeChannel(settings, "bob"),
    await makeChannel(settings, "cleo"),
  ];
  await befriend(settings, ann, bob);
  for (const one of [ann, bob, cleo]) tokens.set(one, await bearerFor({ hub: settings }, one));
  running = await start();
});

afterAll(async () => {
  await running.close();
  await quiet();
  await settings.close();
});

function start(): Promise<RunningHub> {
  const config = { ...settings.config, listen: { address: "127.0.0.1", port: 0 } };
  return startHub(config, {
    makeKeys: settings.makeKeys,
    onQuery({ query }) {
      looks += Number(query.sql.includes('as "reader"'));
      loads += Number(query.sql.includes('as "shared_there"'));
    },
  });
}

type Said = { stream: string[]; event: string; payload?: string; error?: string; status?: number };
type Talk = { said: Said[]; socket: WebSocket; closed: () => number | undefined; statuses: (name: string) => any[] };

async function talk(query: string, token: string, how: "query" | "protocol" | "header" = "query"): Promise<Talk> {
  const where = running.url.replace("http", "ws");
  const asked = new URLSearchParams(query);
  if (how === "query") asked.set("access_token", token);
  const url = `${where}/api/v1/streaming?${asked.toString()}`;
  const socket =
    how === "protocol"
      ? new WebSocket(url, token)
      : new WebSocket(url, { headers: how === "header" ? { authorization: `Bearer ${token}` } : {} });
  const said: Said[] = [];
  let code: number | undefined;
  socket.on("message", (data: Buffer) => said.push(JSON.parse(data.toString()) as Said));
  sockets.add(socket);
  socket.on("close", (why) => {
    code = why;
    sockets.delete(socket);
  });
  await new Promise((resolve, reject) => void socket.on("open", resolve).on("error", reject));
  // This one listens, and those that have been closed before do no longer.
  await expect.poll(() => countListeners(running.hub) - sockets.size).toBe(0);
  const statuses = (name: string) =>
    said.filter(({ event, stream }) => event === name && stream).map(({ payload }) => JSON.parse(payload!));
  return { said, socket, closed: () => code, statuses };
}

async function leave(...talks: Talk[]): Promise<void> {
  for (const { socket } of talks) socket.close();
  await expect.poll(() => countListeners(running.hub)).toBe(0);
}

const textOf = (status: { content: string }): string => status.content.replace(/<[^>]*>/g, "");
const texts = (one: Talk, event = "update"): string[] => one.statuses(event).map(textOf);

async function say(who: Channel, body: string, more: object = {}): Promise<number> {
  const item = await postItem(settings, who, { body, ...more });
  await workOff(settings);
  return item.id;
}

const secretly = (who: Channel) => ({
  audience: { allow_cid: [who.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
});

test("what is new in the home timeline comes with its text, its edits and its end, and nobody else's", async () => {
  const bobs = await talk("stream=user", tokens.get(bob)!);
  const cleos = await talk("stream=user&stream=public", tokens.get(cleo)!, "protocol");
  const id = await say(ann, "for friends", { audience: undefined });
  const secret = await say(ann, "for bob alone", secretly(bob));
  await expect.poll(() => texts(bobs)).toEqual(["for friends", "for bob alone"]);
  expect(bobs.said[0]!.stream).toEqual(["user"]);
  await editItem(settings, ann, secret, { body: "still for bob" });
  await expect.poll(() => texts(bobs, "status.update")).toContain("still for bob");
  await deleteItem(settings, ann, { id });
  await workOff(settings);
  const [first] = bobs.statuses("update");
  await expect.poll(() => bobs.said.find(({ event }) => event === "delete")?.payload).toBe(first.id);
  const known = cleos.said.filter(({ event }) => event !== "delete");
  expect(JSON.stringify(known)).not.toContain("bob alone");
  expect(JSON.stringify(known)).not.toContain("still for bob");
  await leave(bobs, cleos);
});

test("public streams: here, by hashtag, with media, once each, and nothing of whom one blocks", async () => {
  const query = "stream=public&stream=public:local&stream=public:remote&stream=hashtag&tag=Tea&stream=public:media";
  const cleos = await talk(query, tokens.get(cleo)!, "header");
  await say(ann, "Something about #tea", { audience: undefined });
  await say(ann, "Not of it", { audience: undefined });
  const names = (text: string) =>
    cleos.said.filter(({ payload }) => payload && textOf(JSON.parse(payload)) === text).map(({ stream }) => stream[0]);
  await expect.poll(() => names("Not of it")).toEqual(["public", "public:local"]);
  expect(names("Something about #tea")).toEqual(["public", "public:local", "hashtag"]);
  expect(cleos.said.find(({ stream }) => stream[0] === "hashtag")!.stream).toEqual(["hashtag", "tea"]);
  expect(cleos.statuses("update")[0]).toMatchObject({ favourited: false, bookmarked: false });
  await leave(cleos);
  await block(settings, cleo, { xchan_hash: ann.channel_hash, xchan_network: "zot" });
  const after = await talk("stream=public", tokens.get(cleo)!);
  await say(ann, "Said to the blocked", { audience: undefined });
  await say(bob, "Said by bob", { audience: undefined });
  await expect.poll(() => texts(after)).toEqual(["Said by bob"]);
  await leave(after);
});

test("public streams hold no shares, and a list tells each edit once", async () => {
  const { id: group } = await createGroup(settings, bob.channel_id, "Tellers");
  await addMembers(settings, bob.channel_id, group, [ann.channel_hash]);
  const bobs = await talk("stream=public&stream=public:local&stream=user", tokens.get(bob)!);
  bobs.socket.send(JSON.stringify({ type: "subscribe", stream: "list", list: String(group) }));
  const id = await say(ann, "Told twice?", { audience: undefined });
  await expect.poll(() => bobs.statuses("update").length).toBe(4);
  await editItem(settings, ann, id, { body: "Told once" });
  await workOff(settings);
  await reshare(settings, ann, { id }, "");
  await workOff(settings);
  await say(ann, "At last", { audience: undefined });
  await expect.poll(() => texts(bobs).filter((text) => text === "At last").length).toBe(4);
  const named = (event: string) =>
    bobs.said
      .filter((one) => one.event === event)
      .map(({ stream }) => stream[0])
      .toSorted();
  expect(named("status.update")).toEqual(["list", "public", "public:local", "user"]);
  const shares = bobs.said.filter(({ event, payload }) => event === "update" && JSON.parse(payload!).reblog);
  expect(shares.map(({ stream }) => stream[0])).toEqual(["list"]);
  await leave(bobs);
});

test("public streams of elsewhere: what is public there and came for somebody here, for whoever has no copy, and its end", async () => {
  const eva = await meetActor(settings, actorOf("eva"));
  await connectWith(settings, bob, eva);
  await receiveAccept(settings, bob, eva);
  const cleos = await talk("stream=public&stream=public:remote&stream=public:local&stream=user", tokens.get(cleo)!);
  const id = "https://far.example/notes/streamed";
  const [actor, to] = [eva.xchan_hash, ["https://www.w3.org/ns/activitystreams#Public"]];
  const object = { id, type: "Note", attributedTo: actor, to, content: "From far away" };
  await arrivesIn(settings)({ id: `${id}/made`, type: "Create", actor, to, object });
  const heard = (event: string) =>
    cleos.said.filter((one) => one.event === event && one.stream).map(({ stream }) => stream[0]);
  await expect.poll(() => heard("update")).toEqual(["public", "public:remote"]);
  expect(cleos.statuses("update")[0]).toMatchObject({ uri: id, favourited: false });
  await arrivesIn(settings)({ id: `${id}/gone`, type: "Delete", actor, to, object: { id, type: "Tombstone" } });
  await expect.poll(() => heard("delete")).toEqual(["public", "public:remote", "public:local"]);
  expect(cleos.said.at(-1)!.payload).toBe(cleos.statuses("update")[0].id);
  await leave(cleos);
});

test("lists are streams of what their members write, and only one's own", async () => {
  const { id } = await createGroup(settings, bob.channel_id, "Choir");
  await addMembers(settings, bob.channel_id, id, [ann.channel_hash]);
  const bobs = await talk("", tokens.get(bob)!);
  const ask = (wish: object): void => bobs.socket.send(JSON.stringify(wish));
  ask({ type: "subscribe", stream: "list", list: String(id) });
  ask({ type: "subscribe", stream: "list", list: String(id) });
  ask({ type: "subscribe", stream: "list", list: "99999" });
  ask({ type: "subscribe", stream: "hashtag" });
  ask({ type: "subscribe", stream: "nothing" });
  await expect
    .poll(() => bobs.said.map(({ error, status }) => [error, status]))
    .toEqual([
      ["Record not found", 404],
      ["Missing parameter", 400],
      ["Unknown stream type", 400],
    ]);
  await say(cleo, "by somebody else", { audience: undefined });
  await say(ann, "by a member", secretly(bob));
  await expect.poll(() => texts(bobs)).toEqual(["by a member"]);
  expect(bobs.said.at(-1)!.stream).toEqual(["list", String(id)]);
  ask({ type: "unsubscribe", stream: "list", list: String(id) });
  ask({ type: "subscribe", stream: "user" });
  await expect.poll(() => bobs.said.length).toBe(4);
  for (let n = 0; n < 10; n++) bobs.socket.send("nonsense");
  await expect.poll(bobs.closed).toBe(1008);
});

test("one connection reads twenty streams, and of one token ten are open: the oldest ends", async () => {
  const token = await bearerFor({ hub: settings }, cleo);
  const cleos = await talk("", token);
  const ask = (tag: number): void =>
    cleos.socket.send(JSON.stringify({ type: "subscribe", stream: "hashtag", tag: `tea${tag}` }));
  for (let tag = 0; tag <= 20; tag++) ask(tag);
  // One that is read already is no further one.
  ask(0);
  cleos.socket.send(JSON.stringify({ type: "subscribe", stream: "nothing" }));
  await expect
    .poll(() => cleos.said.map(({ error, status }) => [error, status]))
    .toEqual([
      ["Too many streams", 429],
      ["Unknown stream type", 400],
    ]);
  const others: Talk[] = [];
  while (others.length < 9) others.push(await talk("stream=user", token));
  expect(cleos.closed()).toBeUndefined();
  const last = new WebSocket(`${running.url.replace("http", "ws")}/api/v1/streaming?access_token=${token}`);
  await new Promise((resolve) => last.on("open", resolve));
  await expect.poll(cleos.closed).toBe(1012);
  last.close();
  await leave(...others);
});

test("of one account thirty streams are open, whatever token lets them in: the oldest ends", async () => {
  const talks: Talk[] = [];
  for (let n = 0; n < 4; n++) {
    const token = await bearerFor({ hub: settings }, cleo);
    while (talks.length < Math.min(30, (n + 1) * 9)) talks.push(await talk("stream=user", token));
    if (n < 3) continue;
    const last = new WebSocket(`${running.url.replace("http", "ws")}/api/v1/streaming?access_token=${token}`);
    await new Promise((resolve) => last.on("open", resolve));
    await expect.poll(talks[0]!.closed).toBe(1012);
    last.close();
  }
  expect(talks.map(({ closed }) => closed())).toEqual([1012, ...Array(29).fill(undefined)]);
  await leave(...talks);
});

test("whoever shows no good token, or one for something else, does not get in", async () => {
  let body = "";
  const refused = async (token: string): Promise<number> => {
    const headers = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
    const { request } = await import("node:http");
    return new Promise((resolve, reject) => {
      request(`${running.url}/api/v1/streaming?access_token=${token}`, { headers: { ...headers, ...key } })
        .on("response", (response) => {
          expect(response.headers.connection).toBe("close");
          response.on("data", (piece: Buffer) => (body += piece.toString()));
          resolve(response.statusCode!);
        })
        .on("upgrade", (_response, socket) => (socket.destroy(), resolve(101)))
        .on("error", reject)
        .end();
    });
  };
  expect(await refused("wrong")).toBe(401);
  expect(await refused("")).toBe(401);
  expect(await refused(await bearerFor({ hub: settings }, ann, "write"))).toBe(403);
  expect(await refused(tokens.get(ann)!)).toBe(101);
  expect(body).toBe("");
  const events = async (stream: string, scopes?: string): Promise<unknown[]> => {
    const authorization = `Bearer ${scopes === undefined ? "wrong" : await bearerFor({ hub: settings }, ann, scopes)}`;
    const answer = await fetch(`${running.url}/api/v1/streaming/${stream}`, { headers: { authorization } });
    return [answer.status, await answer.json()];
  };
  expect(await events("user")).toEqual([401, { error: "The access token is invalid" }]);
  const outside = [403, { error: "This action is outside the authorized scopes" }];
  for (const [stream, scopes] of [
    ["user", "write"],
    ["user/notification", "read:statuses"],
    ["public", "read:notifications"],
    ["list", "read:statuses"],
  ] as const)
    expect([stream, await events(stream, scopes)]).toEqual([stream, outside]);
  // Without the wish to go on there is nothing here.
  expect((await fetch(`${running.url}/api/v1/streaming?access_token=${tokens.get(ann)!}`)).status).toBe(404);
});

test("what a policy keeps apart is not told; that it stands among the others now is", async () => {
  const cleos = await talk("stream=user:notification", tokens.get(cleo)!);
  await changePolicy(settings, cleo.channel_id, { "not-following": "filter", "not-followers": "filter" });
  await notify(settings, [{ kind: "follower", to: cleo, actor: bob.xchan_id, connection: 0 }]);
  const [request] = await listRequests(settings, cleo.channel_id, { count: 1 });
  await acceptRequests(settings, cleo.channel_id, [request!.id]);
  const merged = { stream: ["user:notification"], event: "notifications_merged", payload: "1" };
  await expect.poll(() => cleos.said).toContainEqual(merged);
  await changePolicy(settings, cleo.channel_id, { "not-following": "accept", "not-followers": "accept" });
  await dropNotices(settings, cleo.channel_id);
  await leave(cleos);
});

test("what the hub says to all members is told to each, with what is said to it, and its end", async () => {
  const both = [await talk("stream=user", tokens.get(ann)!), await talk("stream=user:notification", tokens.get(bob)!)];
  const publics = await talk("stream=public", tokens.get(cleo)!);
  const published = sqlDate(settings.clock());
  const id = await writeAnnouncement(settings, { body: "Tea tonight", published, ends: undefined });
  const heard = (name: string) =>
    both.map(({ said }) => said.filter(({ event }) => event === name).map(({ payload }) => payload!));
  await expect.poll(() => heard("announcement").map((all) => all.length)).toEqual([1, 1]);
  expect(JSON.parse(heard("announcement")[0]![0]!)).toMatchObject({ id: String(id), content: "<p>Tea tonight</p>" });
  await addAnnouncementReaction(settings, bob.channel_id, id, "🎉");
  const reaction = JSON.stringify({ name: "🎉", count: 1, announcement_id: String(id) });
  await expect.poll(() => heard("announcement.reaction")).toEqual([[reaction], [reaction]]);
  await endAnnouncement(settings, id);
  await expect.poll(() => heard("announcement.delete")).toEqual([[String(id)], [String(id)]]);
  expect(publics.said).toEqual([]);
  await leave(...both, publics);
});

test("a stream ends with its token, and filters that change are told", async () => {
  const token = await bearerFor({ hub: settings }, cleo);
  const cleos = await talk("stream=user", token);
  await filterOneWord(settings, cleo, { phrase: "coffee", wholeWords: true, hides: true });
  await expect.poll(() => cleos.said).toEqual([{ stream: ["user"], event: "filters_changed" }]);
  const [newest] = await listBearers(settings, cleo.channel_account_id);
  await endBearer(settings, cleo.channel_account_id, newest!.id);
  await expect.poll(cleos.closed).toBe(1012);
});

test("notices and conversations are told once, to those alone whom they concern", async () => {
  const [annHears, bobHears, cleoHears] = [
    await talk("stream=user&stream=user:notification&stream=direct", tokens.get(ann)!),
    await talk("stream=direct", tokens.get(bob)!),
    await talk("stream=user&stream=direct", tokens.get(cleo)!),
  ];
  await postItem(settings, bob, { body: "psst @ann", directTo: [] });
  await workOff(settings);
  await expect.poll(() => annHears.statuses("notification")).toHaveLength(2);
  await expect.poll(() => bobHears.statuses("conversation")).toHaveLength(1);
  await sendMessage(settings, bob, { to: ann.channel_hash, body: "by mail" });
  await expect.poll(() => annHears.statuses("notification")).toHaveLength(4);
  await expect.poll(() => annHears.statuses("conversation")).toHaveLength(2);
  const told = annHears.said.filter(({ event }) => event === "notification");
  expect(told.map(({ stream }) => stream)).toEqual([["user"], ["user:notification"], ["user"], ["user:notification"]]);
  expect(annHears.statuses("notification").map(({ type, status }) => `${type} ${status.visibility}`)).toEqual(
    Array(4).fill("mention direct"),
  );
  const [thread, mails] = annHears.statuses("conversation");
  expect([thread.unread, thread.accounts[0].acct, mails.last_status.content]).toEqual([
    true,
    "bob",
    expect.stringContaining("by mail"),
  ]);
  expect(cleoHears.said).toEqual([]);
  await leave(annHears, bobHears, cleoHears);
});

test("who lets somebody in is told that they follow now, and not of the request any more", async () => {
  const dora = await makeChannel(settings, "dora");
  await connectWith(settings, cleo, { xchan_hash: dora.channel_hash });
  const dorasToken = await bearerFor({ hub: settings }, dora);
  const hears = await talk("stream=user:notification", dorasToken);
  await approve(settings, dora, await connectionId(settings, dora, cleo));
  await expect
    .poll(() => hears.statuses("notification").map(({ type, account }) => [type, account.acct]))
    .toEqual([["follow", "cleo"]]);
  await leave(hears);
});

test("however many read the public stream, what happens is looked up once", async () => {
  const readers: Talk[] = [];
  const cost = async (text: string): Promise<number> => {
    looks = 0;
    await postItem(settings, bob, { body: text });
    await expect.poll(() => readers.every((one) => texts(one).includes(text))).toBe(true);
    return looks;
  };
  // Of one token only ten are open.
  const [one, other] = [tokens.get(cleo)!, await bearerFor({ hub: settings }, cleo)];
  for (let n = 0; n < 12; n++) readers.push(await talk("stream=public:local", n % 2 === 0 ? one : other));
  // What is delivered to others is heard as well.
  expect(await cost("many read")).toBeLessThan(5);
  await leave(...readers);
});

test("however many streams of one's own one reads, what is new at home is loaded once", async () => {
  // What other tests have left to do is done, so that nobody is busy with it.
  await workOff(settings);
  const readers: Talk[] = [];
  for (let n = 0; n < 6; n++) readers.push(await talk("stream=user", tokens.get(bob)!));
  loads = 0;
  await say(ann, "for all of bob's programs", { audience: undefined });
  await expect.poll(() => readers.flatMap((one) => texts(one))).toHaveLength(6);
  // Once for all who are free at the same moment; each for itself would be six times.
  expect(loads).toBeLessThan(4);
  await leave(...readers);
});

test("events: the first bytes at once, then what happens; HEAD and unknown streams", async () => {
  const stop = new AbortController();
  const url = `${running.url}/api/v1/streaming/public/local?access_token=${tokens.get(bob)!}`;
  const response = await fetch(url, { signal: stop.signal });
  expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "no-store",
  ]);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  let read = "";
  const reading = (async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) read += piece;
  })().catch(() => undefined);
  await expect.poll(() => read).toBe(":thump\n");
  await say(bob, "by events\n\nin two lines");
  await expect.poll(() => read).toMatch(/^:thump\nevent: update\ndata: \{"id":"\d+".*by events.*\}\n\n$/);
  stop.abort();
  await reading;
  await expect.poll(() => countListeners(running.hub)).toBe(0);
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect(countListeners(running.hub)).toBe(0);
  const unknown = await fetch(`${running.url}/api/v1/streaming/everything`);
  expect([unknown.status, await unknown.json()]).toEqual([400, { error: "Unknown channel requested" }]);
  expect(await (await fetch(`${running.url}/api/v1/streaming/health`)).text()).toBe("OK");
});

test("a token that is good for one half of what is new gets that half", async () => {
  const narrow = (scope: string) => bearerFor({ hub: settings }, bob, scope);
  const [posts, notices] = [
    await talk("stream=user", await narrow("read:statuses")),
    await talk("stream=user&stream=public", await narrow("read:notifications")),
  ];
  expect(notices.said).toEqual([
    { error: "This action is outside the authorized scopes", status: 403 } as Partial<Said> as Said,
  ]);
  const id = await writeAnnouncement(settings, {
    body: "To both",
    published: sqlDate(settings.clock()),
    ends: undefined,
  });
  await say(ann, "half @bob", { audience: undefined });
  const kinds = (one: Talk): Set<string> => new Set(one.said.flatMap(({ event }) => event ?? []));
  await expect.poll(() => kinds(notices)).toEqual(new Set(["announcement", "notification"]));
  await expect.poll(() => kinds(posts)).toEqual(new Set(["announcement", "update"]));
  await endAnnouncement(settings, id);
  await leave(posts, notices);
});

test("what is no wish does not count as one: no object, too long, in bytes; more than that ends it at once", async () => {
  const token = tokens.get(cleo)!;
  const long = JSON.stringify({ type: "subscribe", stream: "user", tag: "é".repeat(2100) });
  const one = await talk("", token);
  const nonsense = ["5", '"text"', "[]", "null", "{", long, Buffer.from('{"type":"subscribe","stream":"user"}')];
  for (const sent of [...nonsense, "1", "2"]) one.socket.send(sent);
  one.socket.send(JSON.stringify({ type: "subscribe", stream: "nothing" }));
  await expect.poll(() => one.said.map(({ error }) => error)).toEqual(["Unknown stream type"]);
  expect(one.closed()).toBeUndefined();
  one.socket.send("3");
  await expect.poll(one.closed).toBe(1008);
  const other = await talk("", token);
  other.socket.send("x".repeat(2 ** 20));
  await expect.poll(other.closed).toBe(1009);
  await expect.poll(() => countListeners(running.hub)).toBe(0);
});

test("the value of the protocol comes back, also where the header has decided", async () => {
  const headers = { authorization: `Bearer ${tokens.get(cleo)!}` };
  const socket = new WebSocket(`${running.url.replace("http", "ws")}/api/v1/streaming`, "something-else", { headers });
  await new Promise((resolve, reject) => void socket.on("open", resolve).on("error", reject));
  expect(socket.protocol).toBe("something-else");
  socket.close();
  await expect.poll(() => countListeners(running.hub)).toBe(0);
});

test("who answers no ping is let go, who answers stays, and events say now and then that they go on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const url = `${running.url}/api/v1/streaming`;
    const query = `access_token=${tokens.get(bob)!}`;
    const open = async (autoPong: boolean): Promise<WebSocket> => {
      const socket = new WebSocket(`${url.replace("http", "ws")}?${query}`, { autoPong });
      await once(socket, "open");
      return socket;
    };
    const [silent, answering] = [await open(false), await open(true)];
    for (let n = 0; n < 2; n++) {
      const pinged = [once(silent, "ping"), once(answering, "ping")];
      vi.advanceTimersByTime(30_000);
      await Promise.all(pinged);
      // The answer to this comes after the hub has had that to its ping.
      const answered = once(answering, "message");
      answering.send(JSON.stringify({ type: "subscribe", stream: "nothing" }));
      await answered;
    }
    const ended = once(silent, "close");
    vi.advanceTimersByTime(30_000);
    expect((await ended)[0]).toBe(1006);
    expect(answering.readyState).toBe(WebSocket.OPEN);
    answering.close();
    await once(answering, "close");
    const stop = new AbortController();
    const events = (await fetch(`${url}/user?${query}`, { signal: stop.signal })).body!.getReader();
    const heard = async () => Buffer.from((await events.read()).value ?? "").toString();
    expect(await heard()).toBe(":thump\n");
    vi.advanceTimersByTime(15_000);
    expect(await heard()).toMatch(/^(:thump\n)+$/);
    stop.abort();
    await expect.poll(() => countListeners(running.hub)).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("half a handshake opens nothing, and is not waited for", async () => {
  const { hostname, port } = new URL(running.url);
  const asked = `GET /api/v1/streaming?access_token=${tokens.get(ann)!} HTTP/1.1\r\nhost: hub.example\r\nupgrade: websocket\r\n`;
  let server: Server | undefined;
  const notice = (message: unknown): void => void (server = (message as { server: Server }).server);
  subscribe("http.server.request.start", notice);
  const knock = (): Socket =>
    connect({ host: hostname, port: Number(port) })
      .setEncoding("latin1")
      .on("error", () => undefined);
  try {
    // All of the head, and no key or another version: refused, and the connection ends.
    for (const wrong of [
      "sec-websocket-version: 13",
      "sec-websocket-version: 12\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    ]) {
      const socket = knock();
      let said = "";
      socket.on("data", (piece: string) => (said += piece));
      const ended = once(socket, "close");
      socket.write(`${asked}connection: upgrade\r\n${wrong}\r\n\r\n`);
      await ended;
      expect(said).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    // Half of the head: whoever goes away has opened nothing ...
    const half = knock();
    half.write(asked);
    await fetch(`${running.url}/api/v1/streaming/health`);
    expect(countListeners(running.hub)).toBe(0);
    half.destroy();
    await once(half, "close");
    expect((await fetch(`${running.url}/api/v1/streaming/health`)).status).toBe(200);
    // ... and whoever stays is ended by Node within these.
    expect(server!.headersTimeout).toBeGreaterThan(0);
    expect(server!.headersTimeout).toBeLessThanOrEqual(60_000);
  } finally {
    unsubscribe("http.server.request.start", notice);
  }
});

test("who does not read is let go", async () => {
  const bearer = await findBearer(settings, tokens.get(bob)!);
  const ends: string[] = [];
  const outlet = { say: () => undefined, end: (why: string) => void ends.push(why) };
  const reader = new StreamReader(settings, { bearer, caller: bearer.caller!, address: "" }, outlet);
  await reader.subscribe({ stream: "user" });
  const heard = Array.from({ length: 100 }, () => ({ what: "filters" }) as const);
  for (let n = 0; n < 2; n++) reader.hear(heard);
  expect(ends).toEqual([]);
  reader.hear(heard);
  expect(ends).toEqual(["slow"]);
});

test("a hub that stops says so", async () => {
  const cleos = await talk("stream=user", tokens.get(cleo)!);
  await running.close();
  await expect.poll(cleos.closed).toBe(1012);
  running = await start();
});
