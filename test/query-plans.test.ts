import { CompiledQuery } from "kysely";
import type { LogEvent } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listConnections } from "../src/domain/connections/connections.ts";
import { listGroups, listMembers } from "../src/domain/groups/groups.ts";
import type { Channel } from "../src/domain/identity/channel.ts";
import { observerOf } from "../src/domain/identity/channel.ts";
import { updateChannel } from "../src/domain/identity/channels.ts";
import { findVisibleItem } from "../src/domain/items/find.ts";
import { networkPage } from "../src/domain/items/network-page.ts";
import { postItem } from "../src/domain/items/post.ts";
import { assembleStatuses } from "../src/domain/items/statuses.ts";
import { channelStream, networkStream } from "../src/domain/items/stream.ts";
import { fullThread, visibleThread, wall } from "../src/domain/items/thread.ts";
import {
  directAnswers,
  favorites,
  homeTimeline,
  mentionsTimeline,
  publicTimeline,
  userTimeline,
  wholeThread,
} from "../src/domain/items/timelines.ts";
import { expireThreads, purgeTombstones } from "../src/domain/items/trim.ts";
import type { Draft, Item } from "../src/domain/items/types.ts";
import { listNotices } from "../src/domain/notifications/notices.ts";
import { runDue } from "../src/jobs/runner.ts";
import { onPostgres, openTestHub } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";
import { befriend, deliver, newcomer, streamQuery } from "./support/people.ts";

/**
 * Every list query is served by an index: no table that grows is read from end to end, and where a list is a range
 * of an index, its order comes from there. A new list gets a row in `lists`.
 */

const growing = ["item", "message", "term", "iconfig", "notify", "abook", "job"];

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let top: Item;
let watching = false;
let seen: CompiledQuery[] = [];

beforeAll(async () => {
  hub = await openTestHub({ onQuery: (event: LogEvent) => void (watching && seen.push(event.query)) });
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  await befriend(hub, alice, bob);
  top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  await postItem(hub, bob, { body: "answer @alice", parent: { mid: top.mid } });
  await deliver(hub);
  await makeBig();
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
  // PostgreSQL plans by statistics; SQLite has none in a hub either.
  if (onPostgres) await run("analyze");
  await updateChannel(hub, bob.channel_id, { expireDays: 1 });
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
  { name: "home", read: () => homeTimeline(hub, alice, page), index: ["item_timeline"] },
  {
    name: "home after an id",
    read: () => homeTimeline(hub, alice, { ...page, sinceId: 5, maxId: 90_000 }),
    index: ["item_timeline"],
  },
  { name: "mentions", read: () => mentionsTimeline(hub, alice, page), index: ["item_addressed"] },
  { name: "favorites", read: () => favorites(hub, alice, page), index: ["item_starred"] },
  { name: "public", read: () => publicTimeline(hub, bob, page), index: ["item_public"] },
  { name: "user", read: () => userTimeline(hub, bob, alice.xchan_id, page), index: ["item_author"] },
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
  { name: "network with members", read: () => networkStream(hub, alice, streamQuery({ records: 20 })), sorts: true },
  { name: "network by mid", read: () => networkStream(hub, alice, streamQuery({ mid: top.mid })), sorts: true },
  { name: "network, unseen", read: () => networkStream(hub, alice, streamQuery({ unseen: true })), sorts: true },
  { name: "network, starred", read: () => networkStream(hub, alice, streamQuery({ star: true })), sorts: true },
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
  { name: "wall", read: () => wall(hub, undefined, alice, { count: 20 }), index: ["item_wall_ids"] },
  { name: "answers", read: () => directAnswers(hub, alice, top, page), sorts: true },
  { name: "conversation", read: () => wholeThread(hub, alice, top, page), sorts: true },
  { name: "thread", read: () => visibleThread(hub, undefined, { id: top.id }), sorts: true },
  { name: "thread in full", read: () => fullThread(hub, alice, { mid: top.mid }), sorts: true },
  { name: "one item by mid", read: () => findVisibleItem(hub, observerOf(bob), { mid: top.mid }), sorts: true },
  { name: "what belongs to statuses", read: () => assembleStatuses(hub, alice, [top], { terms: true }), sorts: true },
  { name: "notices", read: () => listNotices(hub, alice.channel_id), sorts: true },
  { name: "groups", read: () => listGroups(hub, alice.channel_id), sorts: true },
  { name: "group members", read: () => listMembers(hub, alice.channel_id, 1), sorts: true },
  { name: "connections", read: () => listConnections(hub, alice.channel_id), sorts: true },
  { name: "due jobs", read: () => runDue(hub), index: ["job_due"] },
  { name: "delivery", read: () => postAndDeliver(alice, { body: "next" }), sorts: true },
  {
    name: "comments and their delivery",
    read: () => postAndDeliver(bob, { body: "more", parent: { mid: top.mid } }),
    sorts: true,
  },
  { name: "old threads", read: () => expireThreads(hub), sorts: true },
  { name: "tombstones", read: () => purgeTombstones(hub), sorts: true },
];

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

async function postAndDeliver(who: Channel, draft: Draft): Promise<void> {
  await postItem(hub, who, draft);
  await deliver(hub);
}
