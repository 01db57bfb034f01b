import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { missing } from "../../errors.ts";
import { causedBy, inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import type { FirstContactTable } from "../../storage/tables/items.ts";
import { setConfigs } from "../identity/channels/channel-config.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { families } from "../identity/channels/channel-settings.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { dropNoticesBy } from "../notifications/drop.ts";
import { notify } from "../notifications/notify.ts";

/**
 * What strangers of elsewhere have written to a channel that wants to be asked first (federation contract 13). It stands in a table of
 * its own, as it came, and takes effect when the channel lets its author in: until then it is no post and no message, for nobody.
 */
export type FirstContact = Selectable<FirstContactTable>;

/** More than this of a text nobody needs to decide. */
const longest = 500;
/** So many wait for one channel; what comes then is lost. */
const most = 200;

/** Somebody's words, and the channel that they wait for. */
export type Held = Pick<FirstContact, "author_id" | "mid" | "is_private" | "plain" | "document" | "forwarded">;

/** Keeps it for a channel, which is told once of each person. What has changed takes the place of what was there. Part of a transaction. */
export async function keepFirstContact(hub: Hub, channel: Channel, held: Held, isEdit: boolean): Promise<void> {
  const uid = channel.channel_id;
  const waiting = await hub.db
    .selectFrom("first_contact")
    .select([(eb) => eb.fn.countAll<number>().as("all")])
    .select(sql<number>`coalesce(sum(case when author_id = ${held.author_id} then 1 else 0 end), 0)`.as("of_author"))
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  if (Number(waiting.all) >= most) return;
  const { document, forwarded } = held;
  const plain = held.plain.slice(0, longest);
  await hub.db
    .insertInto("first_contact")
    .values({ ...held, plain, uid, received: now(hub) })
    .onConflict((conflict) =>
      isEdit
        ? conflict
            .columns(["uid", "mid"])
            .doUpdateSet({ plain, document, forwarded })
            .whereRef("first_contact.author_id", "=", "excluded.author_id")
        : conflict.columns(["uid", "mid"]).doNothing(),
    )
    .execute();
  if (Number(waiting.of_author) === 0) await notify(hub, [{ kind: "stranger", to: channel, actor: held.author_id }]);
}

/** What waits for the channel, the newest first; `before` is the last page's `next`. */
export async function firstContacts(
  hub: Hub,
  { channel_id: uid }: Channel,
  { before = Number.MAX_SAFE_INTEGER, count }: { before?: number | undefined; count: number },
): Promise<{ contacts: FirstContact[]; next: number | undefined }> {
  const contacts = await hub.db
    .selectFrom("first_contact")
    .selectAll()
    .where("uid", "=", uid)
    .where("let_in", "=", sql.lit(0))
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(count)
    .execute();
  return { contacts, next: contacts.length < count ? undefined : contacts.at(-1)?.id };
}

/** Whoever has written this is heard from now on, with all that waits of them, which a job lets take effect. Throws missing. */
export async function letContactIn(hub: Hub, channel: Channel, id: number): Promise<void> {
  await inTransaction(causedBy(hub, `let in ${randomUUID()}`), async (hub) => {
    const author = await authorOf(hub, channel, id);
    const person = await findXchan(hub, { id: author });
    if (!person) throw missing("Item");
    const uid = channel.channel_id;
    await setConfigs(hub, uid, families.letIn, { [person.xchan_hash]: "1" });
    await hub.db
      .updateTable("first_contact")
      .set({ let_in: 1 })
      .where("uid", "=", uid)
      .where("author_id", "=", author)
      .execute();
    await addJob(hub, "take-first-contacts", { channel: uid, person: author });
    await dropNoticesBy(hub, uid, "stranger", author);
  });
}

/** All that waits of whoever has written this is gone, and nobody hears of it. Throws missing. */
export async function refuseContact(hub: Hub, channel: Channel, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const author = await authorOf(hub, channel, id);
    await hub.db
      .deleteFrom("first_contact")
      .where("uid", "=", channel.channel_id)
      .where("author_id", "=", author)
      .execute();
    await dropNoticesBy(hub, channel.channel_id, "stranger", author);
  });
}

async function authorOf(hub: Hub, { channel_id: uid }: Channel, id: number): Promise<number> {
  const row = await hub.db
    .selectFrom("first_contact")
    .select("author_id")
    .where("id", "=", id)
    .where("uid", "=", uid)
    .where("let_in", "=", sql.lit(0))
    .executeTakeFirst();
  if (!row) throw missing("Item");
  return row.author_id;
}

/** What waits of somebody who was let in, the oldest first. */
export async function contactsLetIn(hub: Hub, uid: number, author: number): Promise<FirstContact[]> {
  return hub.db
    .selectFrom("first_contact")
    .selectAll()
    .where("uid", "=", uid)
    .where("let_in", "=", sql.lit(1))
    .where("author_id", "=", author)
    .orderBy("id")
    .execute();
}

/** It has taken effect. */
export async function forgetContact(hub: Hub, { id }: Pick<FirstContact, "id">): Promise<void> {
  await hub.db.deleteFrom("first_contact").where("id", "=", id).execute();
}

/** Its author has deleted it. Part of a transaction. */
export async function withdrawContact(hub: Hub, author: number, mid: string): Promise<void> {
  await hub.db.deleteFrom("first_contact").where("mid", "=", mid).where("author_id", "=", author).execute();
}

/** Nothing of this person waits any more. */
export async function forgetContactsBy(hub: Hub, author: number): Promise<void> {
  await hub.db.deleteFrom("first_contact").where("author_id", "=", author).execute();
}

/** As long as notices that are kept apart. */
const keptFor = 90 * 24 * 3600 * 1000;

/** Forgets what nobody has decided about. Part of a regular job. */
export async function trimFirstContacts(hub: Hub): Promise<void> {
  const old = hub.db.selectFrom("first_contact").select("id").where("received", "<", momentIn(hub, -keptFor));
  await removeInSteps((steps) =>
    hub.db.deleteFrom("first_contact").where("id", "in", old.limit(steps)).executeTakeFirst(),
  );
}
