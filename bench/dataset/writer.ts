import { counter } from "../progress.ts";
import type { Bulk, Value } from "./bulk.ts";
import { itemKey, withValues } from "./example-rows.ts";
import type { Examples, ExampleRow, Holder } from "./example-rows.ts";
import type { Event } from "./history.ts";
import { messageRow } from "./message-rows.ts";
import type { Sources } from "./message-rows.ts";
import { stored } from "./moments.ts";
import type { Random } from "./random.ts";

const day = 24 * 3600;
/** Seen notices are removed after so many days. */
const noticesKept = 90 * day;

export type Written = {
  messages: number;
  items: number;
  /** By place: ids of some statuses that the person holds. */ samples: number[][];
  /** UUIDs of some posts that everybody may see. */ publicPosts: string[];
};

/** Writes everything that planned messages leave in the tables: messages, a row for each holder, terms, notices and counts. */
export async function writeHistory(
  bulk: Bulk,
  events: Event[],
  sources: Sources,
  end: number,
  random: Random,
): Promise<Written> {
  const tables = openTables(bulk, sources.examples);
  const report = counter("messages", events.length);
  const statuses = sources.people.map(() => 0);
  const latest = sources.people.map(() => 0);
  const samples: number[][] = sources.people.map(() => []);
  const publicPosts: string[] = [];
  let items = 0;
  let done = 0;
  for (const event of events) {
    event.id = ++done;
    event.firstItem = items + 1;
    event.uuid = uuidOf(done, random);
    const { message, terms } = messageRow(event, sources);
    tables.message(message);
    for (const term of terms) tables.term(term);
    items = writeItems(event, items, sources, end, random, tables.item, samples);
    if (end - event.at < noticesKept) writeNotices(event, sources, message, end, tables.notify);
    if (event.thread.audience === "public" && event.kind !== "like") statuses[event.author]! += 1;
    if (event.kind === "top") latest[event.author] = event.at;
    if (event.kind === "top" && event.thread.audience === "public" && publicPosts.length < 200)
      publicPosts.push(event.uuid);
    if (done % 2000 === 0) await bulk.flush();
    report(done);
  }
  await bulk.flush();
  for (const [place, { channel }] of sources.people.entries()) {
    await bulk.run(`update xchan set statuses_count = ${statuses[place]} where xchan_id = ${channel.xchan_id}`);
    if (latest[place])
      await bulk.run(
        `update channel set channel_lastpost = '${stored(latest[place])}' where channel_id = ${channel.channel_id}`,
      );
  }
  return { messages: done, items, samples, publicPosts };
}

type Tables = Record<"message" | "item" | "term" | "notify", (row: ExampleRow) => void>;

function openTables(bulk: Bulk, examples: Examples): Tables {
  const open = (name: string, example: ExampleRow, generated?: string) => {
    const columns = Object.keys(example).filter((column) => column !== generated);
    const table = bulk.table(name, columns);
    return (row: ExampleRow) => table.add(columns.map((column): Value => row[column]!));
  };
  return {
    message: open("message", examples.messages.values().next().value!),
    item: open("item", examples.items.values().next().value!),
    term: open("term", examples.terms.values().next().value!, "tid"),
    notify: open("notify", examples.notices.values().next().value!, "id"),
  };
}

function holderOf(event: Event, holder: number): Holder {
  if (holder === event.thread.holders[0]) return "owner";
  return holder === event.author ? "author" : "reader";
}

function writeItems(
  event: Event,
  last: number,
  { people, examples }: Sources,
  end: number,
  random: Random,
  add: (row: ExampleRow) => void,
  samples: number[][],
): number {
  const { thread, target, kind } = event;
  const owner = people[thread.holders[0]!]!;
  const byOwner = event.author === thread.holders[0];
  const authorId = people[event.author]!.channel.xchan_id;
  const created = stored(event.at);
  const top = kind === "top";
  const fresh = end - event.at < 2 * day;
  const allowed =
    thread.audience === "people"
      ? thread.holders
          .slice(1)
          .map((place) => `<${people[place]!.channel.channel_hash}>`)
          .join("")
      : "";
  const common = {
    message_id: event.id,
    author_id: authorId,
    owner_id: owner.channel.xchan_id,
    created,
    received: created,
    commented: top ? stored(thread.commented) : created,
    changed: top ? stored(thread.changed) : created,
  };
  let id = last;
  for (const [index, place] of thread.holders.entries()) {
    id += 1;
    const { channel } = people[place]!;
    const holder = holderOf(event, place);
    const example = examples.items.get(itemKey(thread.audience, kind, byOwner, holder))!;
    add(
      withValues(example, {
        ...common,
        id,
        uid: channel.channel_id,
        aid: channel.channel_account_id,
        parent: thread.top.firstItem + index,
        thr_parent_id: top ? id : target!.firstItem + index,
        allow_cid: example["allow_cid"] === "" ? "" : allowed,
        allow_gid: example["allow_gid"] === "" ? "" : `<${owner.group.hash}>`,
        item_unseen: example["item_unseen"] === 1 && fresh ? 1 : 0,
        item_starred: kind !== "like" && random.chance(0.004) ? 1 : 0,
        item_mentionsme: event.mentions === place ? 1 : 0,
        answers_me: target?.author === place && event.author !== place ? 1 : 0,
        item_retained: top ? Number(thread.writers.has(place)) : 0,
      }),
    );
    if (kind !== "like") sample(samples[place]!, id, random);
  }
  return id;
}

function sample(kept: number[], id: number, random: Random): void {
  if (kept.length < 20) kept.push(id);
  else if (random.chance(0.02)) kept[random.below(20)] = id;
}

/** The owner hears of every answer, others of those in threads where they take part; who is mentioned hears of that. */
function writeNotices(
  event: Event,
  sources: Sources,
  message: ExampleRow,
  end: number,
  add: (row: ExampleRow) => void,
): void {
  const { thread } = event;
  for (const [index, place] of thread.holders.entries()) {
    if (place === event.author) continue;
    const mentioned = event.mentions === place;
    const concerned = mentioned || (event.kind !== "top" && (index === 0 || thread.writers.has(place)));
    if (!concerned) continue;
    const kind = event.kind === "like" ? "reaction" : mentioned ? "mention" : "comment";
    const about = event.kind === "like" ? event.target! : event;
    add(
      withValues(sources.examples.notices.get(kind)!, {
        hash: event.uuid.replaceAll("-", "").repeat(2),
        uid: sources.people[place]!.channel.channel_id,
        actor_id: sources.people[event.author]!.channel.xchan_id,
        verb: message["verb"]!,
        item_id: about.firstItem + index,
        created: stored(event.at),
        seen: end - event.at < 2 * day ? 0 : 1,
      }),
    );
  }
}

function uuidOf(n: number, random: Random): string {
  const hex = (length: number): string =>
    Math.floor(random.next() * 16 ** length)
      .toString(16)
      .padStart(length, "0");
  return `${n.toString(16).padStart(8, "0")}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
