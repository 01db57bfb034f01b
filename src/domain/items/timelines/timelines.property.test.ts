import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, connectionId, mark, newcomer } from "../../../../test/support/people.ts";
import { addMembers, createGroup } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { siteChannelId } from "../../identity/channels/site-actor.ts";
import { findChannelById } from "../../identity/channels/find-channel.ts";
import { listTimeline } from "./list-timeline.ts";
import { directAnswers, wholeThread } from "./thread-timeline.ts";
import {
  favorites,
  homeTimeline,
  mentionsTimeline,
  networkPublicTimeline,
  publicTimeline,
  retweetsOfMe,
  userTimeline,
} from "./timelines.ts";
import type { TimelineQuery } from "./timelines.ts";
import type { StatusItem } from "../columns.ts";
import { size } from "../../../../test/support/size.ts";

/**
 * Every timeline (microblog contract 3.3, 8.2, 8.4, 8.5, 8.10), in any combination of bounds, over copies of messages in any
 * state, against a plain reading of it; and paged while other people post and delete.
 *
 * What holds then: a reader who goes on by `max_id` (the oldest id seen, minus one) or catches up by `since_id` gets each
 * status that was there all the time exactly once, and nothing twice. By `page` nothing that was there is lost while others
 * only post (it moves on to later pages, so that some of it may come twice), and nothing comes twice while others only delete.
 */

const people = 5;
/** The reader; person 4 is blocked where a world says so. */
const reader = 0;

let hub: TestHub;
let channels: Channel[];
let listId: number;
let contacts: number[];
let siteId: number;

beforeAll(async () => {
  hub = await openTestHub();
  siteId = await siteChannelId(hub);
  channels = [];
  for (let n = 0; n < people; n++) channels.push(await newcomer(hub, `person${n}`));
  for (const friend of channels.slice(1)) await befriend(hub, channels[reader]!, friend);
  const { id } = await createGroup(hub, channels[reader]!.channel_id, "Some");
  listId = id;
  await addMembers(hub, channels[reader]!.channel_id, id, [channels[1]!.channel_hash, channels[4]!.channel_hash]);
  contacts = [];
  for (const friend of channels.slice(1)) contacts.push(await connectionId(hub, channels[reader]!, friend));
});
afterAll(() => hub.close());

/** Stands for the site's own channel among the owners of rows. */
const site = people;

/** A message in a thread, and who has copies of it: always its wall, or the site; perhaps the reader, perhaps somebody else. */
type Message = {
  /** Its thread is another hub's. */
  elsewhere: boolean;
  author: number;
  wall: number;
  /** Answers the message this many places before it, in the same thread; 0 begins a thread. */
  answers: number;
  private: boolean;
  origin: boolean;
  state: "normal" | "deleted" | "hidden" | "notshown";
  readerHas: boolean;
  /** The reader's copy came later than those of this many messages after it. */
  late: boolean;
  otherHas: boolean;
  starred: boolean;
  mentions: boolean;
  reshared: boolean;
};

const seldom = fc.nat({ max: 5 }).map((n) => n === 0);
const message: fc.Arbitrary<Message> = fc.record({
  elsewhere: fc.boolean(),
  author: fc.nat({ max: people - 1 }),
  wall: fc.nat({ max: people - 1 }),
  answers: fc.nat({ max: 3 }),
  private: seldom,
  origin: fc.nat({ max: 5 }).map((n) => n > 0),
  state: fc.constantFrom("normal", "normal", "normal", "normal", "normal", "deleted", "hidden", "notshown"),
  readerHas: fc.boolean(),
  late: seldom,
  otherHas: fc.boolean(),
  starred: seldom,
  mentions: seldom,
  reshared: seldom,
});

/** A row as the oracle knows it. */
type Row = {
  id: number;
  uid: number;
  message: number;
  parent: number;
  direct: number;
  top: boolean;
  wall: boolean;
  author: number;
  owner: number;
} & Pick<Message, "private" | "origin" | "state" | "starred" | "mentions" | "reshared">;

let nextMessage = 1;
let nextItem = 1;

/** Writes the messages' rows and answers them; `rows` are those that are there already. */
async function write(messages: readonly Message[], rows: Row[]): Promise<Row[]> {
  const later: (() => void)[] = [];
  const fresh: Row[] = [];
  const texts: { id: number; author: number }[] = [];
  const roots = new Map<number, Pick<Message, "elsewhere" | "wall" | "private" | "origin">>();
  const threads: number[] = [];
  for (const one of messages) {
    const answered = one.answers > 0 ? threads[threads.length - one.answers] : undefined;
    const id = nextMessage++;
    texts.push({ id, author: one.author });
    const top = answered === undefined ? id : topOf([...rows, ...fresh], answered);
    const root = roots.get(top) ?? one;
    roots.set(top, root);
    const add = (holder: number) => {
      const known = [...rows, ...fresh].filter((row) => row.uid === holder);
      const parent = top === id ? undefined : known.find((row) => row.message === top)?.id;
      if (top !== id && parent === undefined) return;
      const own = nextItem++;
      const direct = answered === undefined ? own : (known.find((row) => row.message === answered)?.id ?? 0);
      const isWall = holder === root.wall && !root.elsewhere;
      fresh.push({
        id: own,
        uid: holder,
        message: id,
        parent: parent ?? own,
        direct,
        top: top === id,
        wall: isWall,
        author: one.author,
        owner: root.wall,
        private: root.private,
        origin: isWall && root.origin,
        state: one.state,
        starred: holder === reader && one.starred,
        mentions: holder === reader && one.mentions,
        reshared: one.reshared && (isWall || holder === one.author),
      });
    };
    add(root.elsewhere ? site : root.wall);
    if (one.otherHas && (root.elsewhere || root.wall !== 2)) add(2);
    const readerHas = one.readerHas || one.author === reader;
    if (readerHas && (root.elsewhere || root.wall !== reader)) {
      if (one.late && one.answers === 0) later.push(() => add(reader));
      else add(reader);
    }
    threads.push(id);
  }
  for (const add of later) add();
  await insert(texts, fresh);
  return fresh;
}

function topOf(rows: readonly Row[], message: number): number {
  const row = rows.find((one) => one.message === message)!;
  return rows.find((one) => one.id === row.parent)!.message;
}

const moment = "2026-01-01 10:00:00";

async function insert(texts: { id: number; author: number }[], rows: readonly Row[]): Promise<void> {
  const shares = [...new Set(rows.filter((row) => row.reshared).map((row) => row.message))];
  const shareIds = new Map(shares.map((message) => [message, nextMessage++]));
  const message = (id: number, author: number, shared = 0) => ({
    id,
    mid: `m${id}`,
    uuid: `u${id}`,
    parent_mid: `m${id}`,
    thr_parent: `m${id}`,
    author_id: channels[author]!.xchan_id,
    created: moment,
    edited: moment,
    verb: "post",
    obj_type: "note",
    body: shared > 0 ? `[share]text ${shared}[/share]` : `text ${id}`,
    shared_id: shared,
  });
  const messages = [
    ...texts.map(({ id, author }) => message(id, author)),
    ...[...shareIds].map(([shared, id]) => message(id, 3, shared)),
  ];
  for (const part of parts(messages)) await hub.db.insertInto("message").values(part).execute();
  for (const part of parts(rows.map(itemOf))) await hub.db.insertInto("item").values(part).execute();
  const shareRows = [...shareIds.values()].map((id) => ({
    ...itemOf({
      ...rows[0]!,
      id: nextItem++,
      uid: 3,
      message: id,
      author: 3,
      owner: 3,
      wall: true,
      private: false,
      state: "normal",
      reshared: false,
      starred: false,
      mentions: false,
      origin: false,
    }),
    // Not shown anywhere itself: this test is not about the share.
    item_notshown: 1,
  }));
  for (const part of parts(shareRows)) await hub.db.insertInto("item").values(part).execute();
}

function itemOf(row: Row) {
  const channel = row.uid === site ? { channel_id: siteId, channel_account_id: 0 } : channels[row.uid]!;
  return {
    id: row.id,
    uid: channel.channel_id,
    aid: channel.channel_account_id,
    message_id: row.message,
    parent: row.parent,
    thr_parent_id: row.direct,
    author_id: channels[row.author]!.xchan_id,
    owner_id: channels[row.owner]!.xchan_id,
    created: moment,
    commented: moment,
    received: moment,
    changed: moment,
    item_thread_top: row.top ? 1 : 0,
    item_wall: row.wall ? 1 : 0,
    item_origin: row.origin ? 1 : 0,
    item_private: row.private ? 1 : 0,
    public_policy: row.private ? "self" : "",
    item_deleted: row.state === "deleted" ? 1 : 0,
    item_hidden: row.state === "hidden" ? 1 : 0,
    item_notshown: row.state === "notshown" ? 1 : 0,
    item_starred: row.starred ? 1 : 0,
    item_mentionsme: row.mentions ? 1 : 0,
    reshared: row.reshared ? 1 : 0,
  };
}

function parts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 100) }, (_, n) => all.slice(n * 100, n * 100 + 100));
}

/** A timeline and what it should hold. */
type Kind = {
  read(query: TimelineQuery, rows: readonly Row[]): Promise<StatusItem[]>;
  holds(row: Row, rows: readonly Row[]): boolean;
  /** The reader's blocks do not count. */
  all?: boolean;
  /** Where only blocked people are left out. */
  thread?: boolean;
};

const shown = (row: Row): boolean => row.state === "normal";
const mine = (row: Row): boolean => row.uid === reader;
const ownOf = (row: Row, rows: readonly Row[]): boolean =>
  rows.some(
    (other) => other.message === row.message && mine(other) && (other.state === "normal" || other.state === "notshown"),
  );
/** Each message once: by the reader's copy, else by the wall's, where the reader sees that. */
const once = (row: Row, rows: readonly Row[]): boolean => mine(row) || (row.wall && !row.private && !ownOf(row, rows));
/** Or else by the site's, of what is public elsewhere. */
const orKept = (row: Row, rows: readonly Row[]): boolean =>
  once(row, rows) || (row.uid === site && !row.private && !ownOf(row, rows));
const me = (): Channel => channels[reader]!;
const someTop = (rows: readonly Row[]): Row | undefined =>
  rows.find((row) => row.top && row.wall && !row.private && shown(row));

const kinds: Record<string, Kind> = {
  home: { read: (query) => homeTimeline(hub, me(), query), holds: mine },
  mentions: {
    read: (query) => mentionsTimeline(hub, me(), query),
    holds: (row) => mine(row) && row.mentions && row.author !== reader,
  },
  favorites: { read: (query) => favorites(hub, me(), query), holds: (row) => mine(row) && row.starred, all: true },
  public: {
    read: (query) => publicTimeline(hub, me(), query),
    holds: (row) => row.wall && row.origin && !row.private,
  },
  networkpublic: {
    read: (query) => networkPublicTimeline(hub, me(), query),
    holds: (row, rows) => !row.private && orKept(row, rows),
  },
  user: {
    read: (query) => userTimeline(hub, me(), channels[1]!.xchan_id, query),
    holds: (row, rows) => row.author === 1 && orKept(row, rows),
  },
  "own posts": {
    read: (query) => userTimeline(hub, me(), me().xchan_id, query),
    holds: (row, rows) => row.author === reader && orKept(row, rows),
  },
  list: {
    read: (query) => listTimeline(hub, me(), listId, query),
    holds: (row, rows) => (row.author === 1 || row.author === 4) && once(row, rows),
  },
  "retweets of me": {
    read: (query) => retweetsOfMe(hub, me(), query),
    holds: (row) => mine(row) && row.author === reader && row.reshared,
  },
  thread: {
    read: async (query, rows) => {
      const top = someTop(rows);
      return top ? wholeThread(hub, me(), top, query) : [];
    },
    holds: (row, rows) => row.parent === someTop(rows)?.id,
    thread: true,
  },
  answers: {
    read: async (query, rows) => {
      const top = someTop(rows);
      return top ? directAnswers(hub, me(), top, query) : [];
    },
    holds: (row, rows) => row.direct === someTop(rows)?.id && row.id !== row.direct,
    thread: true,
  },
};

type Unwanted = "nobody" | "blocked" | "ignored";

function expected(kind: Kind, rows: readonly Row[], unwanted: Unwanted, narrow: Narrow): number[] {
  const leavesOut = !kind.all && (unwanted === "blocked" || (unwanted === "ignored" && !kind.thread));
  return rows
    .filter((row) => shown(row) && kind.holds(row, rows))
    .filter((row) => !leavesOut || (row.author !== 4 && row.owner !== 4))
    .filter((row) => !narrow.tops || kind.thread || row.top)
    .filter((row) => narrow.contact === undefined || row.author === narrow.contact)
    .filter((row) => narrow.thread === undefined || kind.thread || topOf(rows, row.message) === narrow.thread)
    .map((row) => row.id)
    .toSorted((one, other) => other - one);
}

type Narrow = { tops: boolean; contact: number | undefined; thread: number | undefined };

const narrowing = fc.record({
  tops: fc.boolean(),
  contact: fc.constantFrom(undefined, undefined, 1, 4),
  threadAt: fc.constantFrom(undefined, undefined, undefined, 0, 3),
});

function queryOf(rows: readonly Row[], narrow: Narrow): Partial<TimelineQuery> {
  const thread = narrow.thread === undefined ? undefined : rows.find((row) => row.message === narrow.thread)!.id;
  return {
    excludeReplies: narrow.tops,
    ...(narrow.contact !== undefined && { contactId: contacts[narrow.contact - 1]! }),
    ...(thread !== undefined && { conversationId: thread }),
  };
}

async function empty(unwanted: Unwanted): Promise<void> {
  await hub.db.deleteFrom("item").execute();
  await hub.db.deleteFrom("message").execute();
  await mark(hub, me(), channels[4]!, { blocked: unwanted === "blocked", ignored: unwanted === "ignored" });
  channels[reader] = (await findChannelById(hub, me().channel_id))!;
}

const unwantedOf = fc.constantFrom<Unwanted>("nobody", "nobody", "blocked", "ignored");
const runs = { numRuns: size(5, 150) };

test("every page of every timeline is what a plain reading says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 40 }),
      unwantedOf,
      narrowing,
      fc.array(
        fc.record({
          count: fc.integer({ min: 1, max: 25 }),
          page: fc.integer({ min: 1, max: 4 }),
          since: fc.nat(60),
          max: fc.nat(60),
        }),
        { minLength: 3, maxLength: 3 },
      ),
      async (messages, unwanted, { threadAt, ...more }, places) => {
        await empty(unwanted);
        const rows = await write(messages, []);
        const tops = [...new Set(rows.filter((row) => row.top).map((row) => row.message))];
        const narrow = { ...more, thread: threadAt === undefined ? undefined : tops[threadAt] };
        const ids = rows.map((row) => row.id);
        const lowest = Math.min(...ids);
        for (const [name, kind] of Object.entries(kinds)) {
          const all = expected(kind, rows, unwanted, narrow);
          for (const { count, page, since, max } of places) {
            const sinceId = since > 30 ? 0 : lowest + since;
            const maxId = max > 40 ? 0 : lowest + max;
            const found = await kind.read({ ...queryOf(rows, narrow), count, page, sinceId, maxId }, rows);
            const bounded = all.filter((id) => id > sinceId && (maxId === 0 || id <= maxId));
            const place = { name, count, page, sinceId, maxId, narrow };
            expect([place, found.map((item) => item.id)]).toEqual([
              place,
              bounded.slice((page - 1) * count, page * count),
            ]);
          }
        }
      },
    ),
    runs,
  );
});

/** What others do between two requests. */
type Deed = { posts: Message[]; deletes: number[] };

const deed: fc.Arbitrary<Deed> = fc.record({
  posts: fc.array(
    message.map((one) => ({ ...one, answers: 0 })),
    { maxLength: 4 },
  ),
  deletes: fc.array(fc.nat(1000), { maxLength: 3 }),
});

async function act(deed: Deed, rows: Row[], which: "both" | "posts" | "deletes"): Promise<void> {
  if (which !== "deletes") rows.push(...(await write(deed.posts, rows)));
  if (which === "posts") return;
  const gone = new Set(deed.deletes.map((n) => rows[n % Math.max(rows.length, 1)]?.message));
  for (const row of rows) if (gone.has(row.message)) row.state = "deleted";
  for (const message of gone)
    if (message !== undefined)
      await hub.db.updateTable("item").set({ item_deleted: 1 }).where("message_id", "=", message).execute();
}

test("by max_id and since_id nothing is lost and nothing comes twice while others post and delete", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 5, maxLength: 30 }),
      fc.array(deed, { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(...Object.keys(kinds)),
      async (messages, deeds, count, name) => {
        await empty("nobody");
        const rows = await write(messages, []);
        const kind = kinds[name]!;
        const none = { tops: false, contact: undefined, thread: undefined };
        const before = expected(kind, rows, "nobody", none);
        const seen: number[] = [];
        let maxId = 0;
        for (let step = 0; ; step++) {
          const found = await kind.read({ count, page: 1, maxId }, rows);
          seen.push(...found.map((item) => item.id));
          if (found.length === 0) break;
          maxId = found.at(-1)!.id - 1;
          if (maxId === 0) break;
          await act(deeds[step % deeds.length]!, rows, "both");
        }
        expect([name, new Set(seen).size]).toEqual([name, seen.length]);
        const after = new Set(expected(kind, rows, "nobody", none));
        expect([name, before.filter((id) => after.has(id) && !seen.includes(id))]).toEqual([name, []]);
        // Catching up from the newest one that was seen: all that is newer, once, from the new end back to it.
        const sinceId = seen[0] ?? 0;
        const news: number[] = [];
        for (let until = 0; ;) {
          const found = await kind.read({ count, page: 1, sinceId, maxId: until }, rows);
          if (found.length === 0) break;
          news.push(...found.map((item) => item.id));
          until = found.at(-1)!.id - 1;
          if (until <= sinceId) break;
        }
        expect([name, news]).toEqual([name, expected(kind, rows, "nobody", none).filter((id) => id > sinceId)]);
      },
    ),
    { numRuns: runs.numRuns * 2 },
  );
});

test.each(["posts", "deletes"] as const)("by page, while others only do this: %s", async (which) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 5, maxLength: 30 }),
      fc.array(deed, { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(...Object.keys(kinds).filter((name) => !kinds[name]!.thread)),
      async (messages, deeds, count, name) => {
        await empty("nobody");
        const rows = await write(messages, []);
        const kind = kinds[name]!;
        const none = { tops: false, contact: undefined, thread: undefined };
        const before = expected(kind, rows, "nobody", none);
        const seen: number[] = [];
        for (let page = 1; page < 100; page++) {
          const found = await kind.read({ count, page }, rows);
          if (found.length === 0) break;
          seen.push(...found.map((item) => item.id));
          if (page <= 10) await act(deeds[page % deeds.length]!, rows, which);
        }
        if (which === "posts") expect([name, before.filter((id) => !seen.includes(id))]).toEqual([name, []]);
        else expect([name, new Set(seen).size]).toEqual([name, seen.length]);
      },
    ),
    runs,
  );
});
