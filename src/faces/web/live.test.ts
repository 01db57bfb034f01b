import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSession } from "../../domain/identity/accounts/sessions.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { react } from "../../domain/items/posting/react.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { callNeighbours } from "../../domain/live/neighbours.ts";
import { countListeners } from "../../domain/listeners/listeners.ts";
import { createApp, startHub } from "../../main.ts";
import type { RunningHub } from "../../main.ts";
import { workOff } from "../../workers.ts";
import { makeChannel, onPostgres, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";

/** What open pages hear, over sockets. Everything is done by a second hub on the same database, as another process would. */

let settings: TestHub;
let running: RunningHub;
/** Ends the calls of the second hub. */
let quiet: () => Promise<void>;
let ann: Channel;
let bob: Channel;
let cleo: Channel;

beforeAll(async () => {
  settings = await openTestHub({ clock: new Date() });
  quiet = callNeighbours(settings);
  running = await start();
  [ann, bob, cleo] = [
    await makeChannel(settings, "ann"),
    await makeChannel(settings, "bob"),
    await makeChannel(settings, "cleo"),
  ];
  await befriend(settings, ann, bob);
});

afterAll(async () => {
  await running.close();
  await quiet();
  await settings.close();
});

function start(): Promise<RunningHub> {
  const config = { ...settings.config, listen: { address: "127.0.0.1", port: 0 } };
  return startHub(config, { makeKeys: settings.makeKeys });
}

type News = {
  posts: number[];
  threads: number[];
  gone: number[];
  counts?: { notices: number; messages: number; requests: number };
  missed: boolean;
};
type Page = { news: News[]; ids: number[]; isOver: () => boolean; close: () => void };

/** Logs in by the pages; the cookies that the browser has then. */
async function cookiesOf(nick: string): Promise<Map<string, string>> {
  const visitor = visitorOf(createApp(settings));
  await visitor.logIn(nick, password);
  return visitor.cookies;
}

/** An open page of that browser. */
async function open(
  cookies: Map<string, string>,
  { query = "", after, url = running.url }: { query?: string; after?: number; url?: string } = {},
): Promise<Page> {
  const stop = new AbortController();
  const response = await fetch(`${url}/live${query}`, {
    headers: {
      accept: "text/event-stream",
      cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
      ...(after !== undefined && { "last-event-id": String(after) }),
    },
    signal: stop.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("content-encoding")).toBe(null);
  const page: Page = { news: [], ids: [], isOver: () => isOver, close: () => stop.abort() };
  let isOver = false;
  const read = async (): Promise<void> => {
    let text = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const whole = text.split("\n\n");
      text = whole.pop()!;
      for (const event of whole) take(page, event);
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return page;
}

function take(page: Page, event: string): void {
  const id = /^id: (\d+)$/m.exec(event)?.[1];
  if (id !== undefined) page.ids.push(Number(id));
  const data = /^data: (.*)$/m.exec(event)?.[1];
  if (data !== undefined) page.news.push(JSON.parse(data) as News);
}

async function say(who: Channel, body: string, parent?: number): Promise<number> {
  const item = await postItem(settings, who, { body, ...(parent !== undefined && { parent: { id: parent } }) });
  await workOff(settings);
  return item.id;
}

/** The row that somebody has of the message with this text. */
async function copyOf(body: string, { channel_id }: Channel): Promise<number> {
  const row = await settings.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("message.body", "=", body)
    .where("item.uid", "=", channel_id)
    .executeTakeFirstOrThrow();
  return row.id;
}

test("a post that another process delivers is heard by who gets it, and by nobody else", async () => {
  const [bobs, cleos] = [await open(await cookiesOf("bob")), await open(await cookiesOf("cleo"))];
  const id = await say(ann, "from elsewhere in the house");
  await expect.poll(() => bobs.news.flatMap(({ posts }) => posts).length).toBe(1);
  expect(bobs.news.flatMap(({ posts }) => posts)).not.toContain(id);
  await say(ann, "a comment", id);
  await expect.poll(() => bobs.news.flatMap(({ threads }) => threads)).toEqual(bobs.news[0]!.posts);
  const known = bobs.news.length;
  await react(settings, ann, { id }, "like", "stays");
  await workOff(settings);
  await expect.poll(() => bobs.news.length).toBeGreaterThan(known);
  await say(cleo, "my own");
  await expect.poll(() => cleos.news.flatMap(({ posts }) => posts).length).toBe(1);
  expect(cleos.news.flatMap(({ threads, gone }) => [...threads, ...gone])).toEqual([]);
  bobs.close();
  cleos.close();
  await expect.poll(() => countListeners(running.hub)).toBe(0);
});

test("what waits is counted anew when it changes", async () => {
  const cookies = await cookiesOf("ann");
  const page = await open(cookies);
  await say(ann, "count me");
  await expect.poll(() => page.news.length).toBeGreaterThan(0);
  await react(settings, bob, { id: await copyOf("count me", bob) }, "like", "stays");
  await workOff(settings);
  await expect.poll(() => page.news.findLast(({ counts }) => counts)?.counts?.notices ?? 0).toBeGreaterThan(0);
  page.close();
});

test("nothing is lost while a page is away, not even over a restart", async () => {
  const cookies = await cookiesOf("bob");
  const page = await open(cookies);
  await say(ann, "one");
  await expect.poll(() => page.news.flatMap(({ posts }) => posts).length).toBe(1);
  page.close();
  await say(ann, "two");
  await running.close();
  await say(ann, "three");
  running = await start();
  const back = await open(cookies, { after: Math.max(...page.ids) });
  const missed = [await copyOf("two", bob), await copyOf("three", bob)];
  const known = page.news.flatMap(({ posts }) => posts);
  await expect.poll(() => back.news.flatMap(({ posts }) => posts)).toEqual(expect.arrayContaining(missed));
  // On PostgreSQL what was told in the very last moment may come once more, since it may have been told out of order.
  if (!onPostgres) expect(back.news.flatMap(({ posts }) => posts)).toEqual(missed);
  expect(missed).not.toEqual(expect.arrayContaining(known));
  const tooFar = await open(cookies, { after: 1e12 });
  await expect.poll(() => tooFar.news.map(({ missed }) => missed)).toEqual([true]);
  back.close();
  tooFar.close();
});

test("a page hears what happened after it was asked for", async () => {
  const before = settings.clock().getTime();
  settings.advance(2);
  await say(ann, "between page and stream");
  const page = await open(await cookiesOf("bob"), { query: `?since=${before + 1000}` });
  const id = await copyOf("between page and stream", bob);
  await expect.poll(() => page.news.flatMap(({ posts }) => posts)).toContain(id);
  page.close();
});

test("who looks at a thread of somebody else hears of what they may see there", async () => {
  const id = await say(cleo, "for everybody");
  const lists = { allow_cid: [cleo.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] };
  const secret = await postItem(settings, cleo, { body: "for nobody else", audience: lists });
  const page = await open(await cookiesOf("ann"), { query: `?threads=${id},${secret.id},abc,-1` });
  await say(cleo, "more of it, for nobody else", secret.id);
  await say(cleo, "more of it", id);
  await expect.poll(() => page.news.flatMap(({ threads }) => threads)).toContain(id);
  expect(JSON.stringify(page.news)).not.toMatch(new RegExp(`\\b${secret.id}\\b`));
  page.close();
});

test("a page is not told of what it has done itself, and all others are", async () => {
  const visitor = visitorOf(createApp(settings));
  await visitor.logIn("bob", password);
  await visitor.get("/network");
  await say(ann, "to be liked here");
  const id = await copyOf("to be liked here", bob);
  const act = (name: string) =>
    visitor.post(`/item/${id}/act`, { act: name }, { "hx-request": "true", "hub-page": "this-one" });
  const [own, other] = [await open(visitor.cookies, { query: "?page=this-one" }), await open(visitor.cookies)];
  const anns = await open(await cookiesOf("ann"), { query: "?page=this-one" });
  for (const name of ["like", "unlike", "dislike"]) expect((await act(name)).status).toBe(200);
  await workOff(settings);
  // What comes after it is heard, and so it was left out and is not on its way.
  await say(ann, "the next one");
  const next = await copyOf("the next one", bob);
  await expect.poll(() => own.news.flatMap(({ posts }) => posts)).toContain(next);
  expect(own.news.flatMap(({ threads }) => threads)).not.toContain(id);
  await expect.poll(() => other.news.flatMap(({ threads }) => threads)).toContain(id);
  await expect.poll(() => anns.news.flatMap(({ threads }) => threads).length).toBeGreaterThan(0);
  await react(settings, ann, { id: await copyOf("to be liked here", ann) }, "like", "stays");
  await workOff(settings);
  await expect.poll(() => own.news.flatMap(({ threads }) => threads)).toContain(id);
  for (const page of [own, other, anns]) page.close();
});

test("a share is no new post on the page where it was made, and is one on the others of the same person", async () => {
  const visitor = visitorOf(createApp(settings));
  await visitor.logIn("bob", password);
  await visitor.get("/network");
  await say(ann, "to be shared here");
  const id = await copyOf("to be shared here", bob);
  const [own, other] = [await open(visitor.cookies, { query: "?page=this-one" }), await open(visitor.cookies)];
  const act = (on: number, name: string) =>
    visitor.post(`/item/${on}/act`, { act: name }, { "hx-request": "true", "hub-page": "this-one" });
  expect((await act(id, "share")).status).toBe(200);
  const { id: share } = await settings.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("item.uid", "=", bob.channel_id)
    .where("message.shared_id", ">", 0)
    .executeTakeFirstOrThrow();
  await workOff(settings);
  await say(ann, "the one after it");
  const next = await copyOf("the one after it", bob);
  for (const page of [own, other]) await expect.poll(() => page.news.flatMap(({ posts }) => posts)).toContain(next);
  expect([own, other].map(({ news }) => news.some(({ posts }) => posts.includes(share)))).toEqual([false, true]);
  expect((await act(id, "unshare")).status).toBe(200);
  await expect.poll(() => other.news.flatMap(({ gone }) => gone)).toContain(share);
  for (const page of [own, other]) page.close();
});

test("it ends with the log-in, and nothing is said after that", async () => {
  const cookies = await cookiesOf("bob");
  const page = await open(cookies);
  await closeSession(settings, cookies.get("hubbub")!);
  await say(ann, "too late");
  await expect.poll(page.isOver).toBe(true);
  expect(page.news).toEqual([]);
  const headers = { accept: "text/event-stream", cookie: `hubbub=${cookies.get("hubbub")}` };
  expect((await fetch(`${running.url}/live`, { headers })).status).toBe(204);
  expect((await fetch(`${running.url}/live`)).status).toBe(204);
});

test("a hub that stops ends it at once", async () => {
  const page = await open(await cookiesOf("bob"));
  await running.close();
  await expect.poll(page.isOver).toBe(true);
  running = await start();
});
