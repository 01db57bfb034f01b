import { react } from "../../src/domain/items/posting/react.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import type { Audience, Item } from "../../src/domain/items/types.ts";
import { runDue } from "../../src/jobs/runner.ts";
import type { Hub } from "../../src/hub.ts";
import type { Value } from "./bulk.ts";
import type { Person } from "./people.ts";

/**
 * The bench writes its rows straight into the tables, so it takes them from the domain: of each kind of row that the
 * data set needs, one is really posted, and all others are copies of it with other people, texts, ids and dates.
 */
export type ExampleRow = Record<string, Value>;

export const audiences = ["public", "group", "people"] as const;
export type AudienceName = (typeof audiences)[number];
export type Kind = "top" | "comment" | "like";
export type Holder = "owner" | "author" | "reader";

/** Names the rows of one kind: did the thread's owner write it, and whose copy is it? */
export function itemKey(audience: AudienceName, kind: Kind, byOwner: boolean, holder: Holder): string {
  return `${audience} ${kind} by ${byOwner ? "owner" : "another"} of ${holder}`;
}

export type Examples = {
  /** By itemKey. */
  items: Map<string, ExampleRow>;
  /** By audience and kind. */
  messages: Map<string, ExampleRow>;
  /** By type. */
  terms: Map<number, ExampleRow>;
  /** By kind. */
  notices: Map<string, ExampleRow>;
  /** Who wrote and answered the examples: their names are replaced in the copies. */
  owner: Person;
  other: Person;
};

/** The same row with other values; the order of the columns stays. */
export function withValues(row: ExampleRow, values: ExampleRow): ExampleRow {
  return { ...row, ...values };
}

/** Posts one thread for each audience through the domain, takes its rows and removes them again. */
export async function takeExamples(hub: Hub, [owner, other, third]: [Person, Person, Person]): Promise<Examples> {
  for (const audience of audiences) {
    const top = await postItem(hub, owner.channel, {
      body: "Of an #example",
      ...audienceOf(audience, owner, [other, third]),
    });
    await runDue(hub);
    for (const author of [other, owner]) {
      await postItem(hub, author.channel, { body: "An answer", parent: { mid: top.mid } });
      await react(hub, author.channel, { mid: top.mid }, "like", "stays");
    }
    await runDue(hub);
  }
  await postItem(hub, other.channel, { body: `@${owner.channel.channel_address} is mentioned` });
  await runDue(hub);
  const examples = await readExamples(hub, owner, other);
  for (const table of ["item", "message", "term", "iconfig", "notify"] as const)
    await hub.db.deleteFrom(table).execute();
  return examples;
}

function audienceOf(name: AudienceName, owner: Person, readers: Person[]): { audience?: Audience } {
  if (name === "public") return {};
  const none = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
  if (name === "group") return { audience: { ...none, allow_gid: [owner.group.hash] } };
  return { audience: { ...none, allow_cid: readers.map((reader) => reader.channel.channel_hash) } };
}

async function readExamples(hub: Hub, owner: Person, other: Person): Promise<Examples> {
  const { db } = hub;
  const items: ExampleRow[] = await db.selectFrom("item").selectAll().orderBy("id").execute();
  const messages: ExampleRow[] = await db.selectFrom("message").selectAll().orderBy("id").execute();
  const terms: ExampleRow[] = await db.selectFrom("term").selectAll().execute();
  const notices = (await db.selectFrom("notify").selectAll().where("item_id", ">", 0).execute()) as ExampleRow[];
  const examples: Examples = {
    items: new Map(),
    messages: new Map(),
    terms: new Map(terms.map((term) => [Number(term["ttype"]), term])),
    notices: new Map(notices.map((notice) => [String(notice["kind"]), notice])),
    owner,
    other,
  };
  const byId = new Map(messages.map((message) => [message["id"], message]));
  for (const item of items) {
    delete item["item_normal"];
    const message = byId.get(item["message_id"])!;
    const audience =
      audiences[Math.floor(messages.indexOf(messages.find((one) => one["mid"] === message["parent_mid"])!) / 5)];
    if (!audience) continue;
    const kind = kindOf(item as unknown as Item);
    const byOwner = item["author_id"] === item["owner_id"];
    // A like of one's own post names one person only, so it cannot stand for all others.
    if (kind !== "like" || !byOwner) examples.messages.set(`${audience} ${kind}`, message);
    examples.items.set(itemKey(audience, kind, byOwner, holderOf(item, owner, other)), item);
  }
  return examples;
}

function kindOf(item: Pick<Item, "item_thread_top" | "item_notshown">): Kind {
  if (item.item_thread_top === 1) return "top";
  return item.item_notshown === 1 ? "like" : "comment";
}

function holderOf(item: ExampleRow, owner: Person, other: Person): Holder {
  if (item["uid"] === owner.channel.channel_id) return "owner";
  return item["uid"] === other.channel.channel_id && item["author_id"] === other.channel.xchan_id ? "author" : "reader";
}
