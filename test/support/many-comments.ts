import { postItem } from "../../src/domain/items/posting/post.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { inTransaction } from "../../src/hub.ts";
import type { Hub } from "../../src/hub.ts";

/** Says the same thing again and again, "number 0." and so on, by rows alone: saying it for real takes long. Answers the ids in order. */
export async function commentOften(hub: Hub, author: Channel, parent: number, times: number): Promise<number[]> {
  const first = await postItem(hub, author, { body: "number 0.", parent: { id: parent } });
  const {
    id: _,
    item_normal: ___,
    ...item
  } = await hub.db.selectFrom("item").selectAll().where("id", "=", first.id).executeTakeFirstOrThrow();
  const said = hub.db.selectFrom("message").selectAll().where("id", "=", first.message_id);
  const { id: __, ...message } = await said.executeTakeFirstOrThrow();
  const all = Array.from({ length: times - 1 }, (_, at) => ({
    ...message,
    html: `number ${at + 1}.`,
    mid: `${message.mid.slice(0, -8)}${String(at).padStart(8, "f")}`,
    uuid: `${message.uuid.slice(0, -8)}${String(at).padStart(8, "f")}`,
  }));
  const made = [first.id];
  await inTransaction(hub, async ({ db }) => {
    for (let at = 0; at < all.length; at += 100) {
      const ids = await db
        .insertInto("message")
        .values(all.slice(at, at + 100))
        .returning("id")
        .execute();
      const items = ids.map(({ id }) => ({ ...item, message_id: id }));
      made.push(...(await db.insertInto("item").values(items).returning("id").execute()).map(({ id }) => id));
    }
  });
  return made;
}
