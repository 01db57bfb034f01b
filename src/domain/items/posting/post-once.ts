import { refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { digestOf } from "../../identity/secrets.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { loadItem } from "../save.ts";
import type { Draft, Item } from "../types.ts";
import { postItem } from "./post.ts";

/** A key that an application sends along so that a request which it repeats has no second effect. */
export type Once = { tokenId: number; key: string };

/** For so long a key is known. */
const lifetime = 3600 * 1000;

/**
 * Posts the draft, once for each key of an application (mastodon contract 3.4): the key and the post are written together, so whoever
 * repeats the request gets the same post, also while the first is under way and after the process was killed. What fails frees the key.
 */
export async function postOnce(hub: Hub, author: Channel, draft: Draft, { tokenId, key }: Once): Promise<Item> {
  const digest = digestOf(key);
  return inTransaction(hub, async (hub) => {
    await hub.db.deleteFrom("idempotency").where("created", "<", momentIn(hub, -lifetime)).execute();
    const row = await hub.db
      .insertInto("idempotency")
      .values({ token_id: tokenId, digest, kind: "status", result: 0, created: now(hub) })
      .onConflict((conflict) => conflict.columns(["token_id", "digest"]).doNothing())
      .returning("digest")
      .executeTakeFirst();
    if (!row) return postedBefore(hub, tokenId, digest);
    const item = await postItem(hub, author, draft);
    await hub.db
      .updateTable("idempotency")
      .set({ result: item.id })
      .where("token_id", "=", tokenId)
      .where("digest", "=", digest)
      .execute();
    return item;
  });
}

async function postedBefore(hub: Hub, tokenId: number, digest: string): Promise<Item> {
  const known = await hub.db
    .selectFrom("idempotency")
    .innerJoin("item", "item.id", "idempotency.result")
    .select("item.id")
    .where("token_id", "=", tokenId)
    .where("digest", "=", digest)
    .where("item_deleted", "=", 0)
    .executeTakeFirst();
  if (!known) throw refusal("duplicate_post");
  return loadItem(hub, known.id);
}
