import { sql } from "kysely";
import type { DeleteQueryBuilder, DeleteResult } from "kysely";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { emitToChannels } from "../live/emit.ts";
import type { NoticeKind } from "./kinds.ts";
import { areOfMails } from "./of-mails.ts";

/** Removes notices of the channel: these, or all that its policy does not keep apart. Those of somebody else, and those that are gone, stay as they are. */
export async function dropNotices(hub: Hub, uid: number, ids?: readonly number[]): Promise<void> {
  await inTransaction(hub, (hub) =>
    drop(hub, (all) => {
      const own = all.where("uid", "=", uid);
      return ids ? own.where(isOneOf(hub.engine, sql.ref("id"), ids)) : own.where("filtered", "=", sql.lit(0));
    }),
  );
}

/** Removes the notices of these direct messages: they are gone. */
export async function dropNoticesOfMails(hub: Hub, uid: number, mails: readonly number[]): Promise<void> {
  if (mails.length > 0) await drop(hub, (all) => all.where(areOfMails(hub, uid, mails)));
}

/** Removes the notice of comments that wait to be let in. */
export async function dropHeldNotice(hub: Hub, uid: number): Promise<void> {
  await drop(hub, (all) => all.where("uid", "=", uid).where("kind", "=", sql.lit("held")));
}

/** Removes the notices of one kind that a channel has of somebody. */
export async function dropNoticesBy(hub: Hub, uid: number, kind: NoticeKind, actor: number): Promise<void> {
  await drop(hub, (all) => all.where("uid", "=", uid).where("kind", "=", kind).where("actor_id", "=", actor));
}

/** Removes notices of one kind about these items of channels: something newer is told in their place. */
export async function dropNoticesOfKind(hub: Hub, kind: NoticeKind, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length > 0) await drop(hub, (all) => all.where(areAbout(hub, itemIds)).where("kind", "=", kind));
}

/** Removes notices about these items of channels: what nobody sees, no notice tells of. */
export async function dropNoticesAbout(hub: Hub, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length > 0) await drop(hub, (all) => all.where(areAbout(hub, itemIds)));
}

/** Removes what all who have a copy of the message were told of one reaction of somebody. */
export async function dropNoticesOfReaction(
  hub: Hub,
  messageId: number,
  { verb, actor }: { verb: string; actor: number },
): Promise<void> {
  const copies = hub.db.selectFrom("item").select("id").where("message_id", "=", messageId);
  await drop(hub, (all) =>
    all
      .where("item_id", "in", copies)
      .where("item_id", ">", sql.lit(0))
      .where("kind", "=", "reaction")
      .where("verb", "=", verb)
      .where("actor_id", "=", actor),
  );
}

function areAbout({ engine }: Hub, itemIds: readonly number[]) {
  return sql<boolean>`item_id > 0 and ${isOneOf(engine, sql.ref("item_id"), itemIds)}`;
}

type Notices = DeleteQueryBuilder<Tables, "notify", DeleteResult>;

/** Removes notices; whoever listens hears that what waits for them has changed. */
async function drop(hub: Hub, which: (all: Notices) => Notices): Promise<void> {
  const dropped = await which(hub.db.deleteFrom("notify")).returning("uid").execute();
  await emitToChannels(hub, "notices", [...new Set(dropped.map(({ uid }) => uid))]);
}

const keptFor = 90 * 24 * 3600 * 1000;

/** Removes seen notices of more than 90 days ago; a scheduled job does this, so that the table does not grow for ever. */
export async function trimNotices(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  const old = hub.db.selectFrom("notify").select("id").where("seen", "=", 1).where("created", "<", oldest);
  await removeInSteps((most) => hub.db.deleteFrom("notify").where("id", "in", old.limit(most)).executeTakeFirst());
}
