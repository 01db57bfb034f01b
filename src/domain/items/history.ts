import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { MessageVersionTable } from "../../storage/tables/items.ts";
import { pollOf, questionType } from "./poll.ts";
import type { Poll } from "./poll.ts";
import type { Item } from "./types.ts";

/** What a message said from `written` on, until it was edited. */
export type FormerVersion = Selectable<MessageVersionTable>;

/** So many versions of a message are kept besides the first one, the newest of them. */
const most = 20;

/** Where a version was no poll. */
const noQuestion = "{}";

/** What a version is told from the one before it by, besides its poll. */
type Worded = Pick<FormerVersion, "title" | "summary" | "html" | "attach" | "item_nsfw">;

/**
 * Keeps what a message says before this takes its place, where it differs or where it becomes another poll (`asksOther`); answers
 * whether it has been kept. Part of the transaction that changes it.
 */
export async function keepFormer(hub: Hub, messageId: number, next: Worded, asksOther: boolean): Promise<boolean> {
  const said = hub.db
    .selectFrom("message")
    .select(["id", "revision", "edited", "title", "summary", "html", "attach", "item_nsfw"])
    .select(sql<string>`case when obj_type = ${questionType} then obj else ${noQuestion} end`.as("question"))
    .where("id", "=", messageId)
    .where((x) =>
      x.or([
        sql.lit(asksOther),
        x("title", "<>", next.title),
        x("summary", "<>", next.summary),
        x("html", "<>", next.html),
        x("attach", "<>", next.attach),
        x("item_nsfw", "<>", next.item_nsfw),
      ]),
    );
  const [kept] = await hub.db
    .insertInto("message_version")
    .columns(["message_id", "revision", "written", "title", "summary", "html", "attach", "item_nsfw", "question"])
    .expression(said)
    .returning("revision")
    .execute();
  if (!kept || kept.revision < most) return kept !== undefined;
  const newer = hub.db
    .selectFrom("message_version as newer")
    .select("newer.revision")
    .where("newer.message_id", "=", messageId)
    .orderBy("newer.revision", "desc")
    .limit(most);
  const first = hub.db
    .selectFrom("message_version as first")
    .select((x) => x.fn.min("first.revision").as("revision"))
    .where("first.message_id", "=", messageId);
  await hub.db
    .deleteFrom("message_version")
    .where("message_id", "=", messageId)
    .where("revision", "not in", newer)
    .where("revision", ">", first)
    .execute();
  return true;
}

/** What a message said before it was edited, oldest first; nothing of edits that were made before versions were kept. */
export async function formerVersions(hub: Hub, messageId: number): Promise<FormerVersion[]> {
  return hub.db
    .selectFrom("message_version")
    .selectAll()
    .where("message_id", "=", messageId)
    .orderBy("revision")
    .execute();
}

/** The poll that a message was before an edit; of versions that say nothing of it, the one that it is now. */
export function formerPoll({ question }: FormerVersion, now: Pick<Item, "obj_type" | "obj">): Poll | undefined {
  return pollOf(question === "" ? now : { obj_type: questionType, obj: question });
}

/** Forgets what these messages said before. */
export async function forgetFormer(hub: Hub, messages: readonly number[]): Promise<void> {
  await hub.db
    .deleteFrom("message_version")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}
