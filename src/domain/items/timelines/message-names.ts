import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { cutPage } from "../../../storage/key-page.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { no, sharesPurely, yes } from "../queries.ts";

/** What a message is called here and elsewhere. */
export type MessageName = {
  mid: string;
  uuid: string;
  plink: string;
  /** Of an author who lives on this hub. */
  nick: string | null;
  /** 1 for what repeats another message and adds nothing. */
  pure: number;
};

/** The same with who wrote it. */
export type NamedMessage = MessageName & { author: Person };

/** A person as documents name them. */
export type Person = Pick<Xchan, "xchan_hash" | "xchan_addr" | "xchan_url" | "xchan_network">;

/** The names of messages, by ids of items. */
export async function namesOf(hub: Hub, ids: readonly number[]): Promise<Map<number, NamedMessage>> {
  const rows = await compiled(hub, "names of items", { ids }, (slots) =>
    selectNames(hub)
      .select(["xchan_hash", "xchan_addr", "xchan_url", "xchan_network"])
      .where(isOneOf(hub.engine, sql.ref("item.id"), slots.ids)),
  );
  return new Map(
    rows.map(({ id, mid, uuid, plink, nick, pure, ...author }) => [id, { mid, uuid, plink, nick, pure, author }]),
  );
}

/** The name of a message of somebody elsewhere that is for everybody: whoever looks can read it where it is. */
export async function publicNameElsewhere(hub: Hub, messageId: number): Promise<NamedMessage | undefined> {
  const copy = await hub.db
    .selectFrom("item")
    .innerJoin("actor", "actor.xchan_id", "item.author_id")
    .select("item.id")
    .where("item.message_id", "=", messageId)
    .where("item.item_private", "=", no)
    .where("item.item_deleted", "=", no)
    .limit(1)
    .executeTakeFirst();
  return copy && (await namesOf(hub, [copy.id])).get(copy.id);
}

function selectNames(hub: Hub) {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["item.id", "message.mid", "message.uuid", "message.plink", "channel.channel_address as nick"])
    .select(sql<number>`case when message.shared_id > 0 and ${sharesPurely()} then 1 else 0 end`.as("pure"));
}

/** What answers an item directly, or all that a thread consists of: by item id. */
export type Answers = { parent: number } | { thread: number };

export type NamesPage = { names: MessageName[]; next: number | undefined };

/** As much of it as the observer may see, the oldest first. */
export async function listAnswers(
  hub: Hub,
  observer: Observer,
  answers: Answers,
  { after = 0, count }: { after: number | undefined; count: number },
): Promise<NamesPage> {
  const rows = await selectAnswers(hub, observer, answers)
    .where("item.id", ">", after)
    .orderBy("item.id")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.id);
  return { names: page.map(({ id: _id, ...name }) => name), next };
}

/** What came of elsewhere into a thread, as it came and as its owner handed it on. */
export type HandedOn = { uuid: string; revision: number; document: string };

/** As much of it as the observer may see, the oldest first, by the item that the thread begins with. */
export async function listHandedOn(
  hub: Hub,
  observer: Observer,
  thread: number,
  { after = 0, count }: { after: number | undefined; count: number },
): Promise<{ handedOn: HandedOn[]; next: number | undefined }> {
  const rows = await selectHandedOn(hub, observer, thread)
    .select(["item.id", "message.uuid", "message.revision", "foreign_document.document"])
    .where("item.id", ">", after)
    .orderBy("item.id")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.id);
  return { handedOn: page.map(({ id: _id, ...one }) => one), next };
}

export async function countHandedOn(hub: Hub, observer: Observer, thread: number): Promise<number> {
  const some = selectHandedOn(hub, observer, thread).select("item.id").limit(mostAnswers).as("some");
  const { count } = await hub.db
    .selectFrom(some)
    .select(sql<number>`cast(count(*) as integer)`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function selectHandedOn(hub: Hub, observer: Observer, thread: number) {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("foreign_document", "foreign_document.message_id", "item.message_id")
    .where("item.parent", "=", thread)
    .where("item.item_normal", "=", yes)
    .where("item.item_thread_top", "=", no)
    .where(visibleTo(hub, observer));
}

/** How many that are; more than this are not counted. */
export const mostAnswers = 5000;

export async function countAnswers(hub: Hub, observer: Observer, answers: Answers): Promise<number> {
  const some = selectAnswers(hub, observer, answers).limit(mostAnswers).as("some");
  const { count } = await hub.db
    .selectFrom(some)
    .select(sql<number>`cast(count(*) as integer)`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function selectAnswers(hub: Hub, observer: Observer, answers: Answers) {
  const shown = selectNames(hub)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where(visibleTo(hub, observer));
  return "thread" in answers
    ? shown.where("item.parent", "=", answers.thread)
    : shown.where("item.thr_parent_id", "=", answers.parent).where("item.item_thread_top", "=", no);
}
