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

/** What a key has made. */
export type OnceKind = "status" | "mail";

/**
 * Posts the draft, once for each key of an application (mastodon contract 3.4): the key and the post are written together, so whoever
 * repeats the request gets the same post, also while the first is under way and after the process was killed. What fails frees the key.
 */
export async function postOnce(hub: Hub, author: Channel, draft: Draft, once: Once): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const id = await doOnce(hub, once, "status", async (hub) => (await postItem(hub, author, draft)).id);
    const known = await hub.db
      .selectFrom("item")
      .select("id")
      .where("id", "=", id)
      .where("item_deleted", "=", 0)
      .executeTakeFirst();
    if (!known) throw refusal("duplicate_post");
    return loadItem(hub, known.id);
  });
}

/** Does something once for each key, and answers the id of what it has made. Part of a transaction. Throws conflict where the key has made something of another kind. */
export async function doOnce(
  hub: Hub,
  { tokenId, key }: Once,
  kind: OnceKind,
  act: (hub: Hub) => Promise<number>,
): Promise<number> {
  const digest = digestOf(key);
  await hub.db.deleteFrom("idempotency").where("created", "<", momentIn(hub, -lifetime)).execute();
  const row = await hub.db
    .insertInto("idempotency")
    .values({ token_id: tokenId, digest, kind, result: 0, created: now(hub) })
    .onConflict((conflict) => conflict.columns(["token_id", "digest"]).doNothing())
    .returning("digest")
    .executeTakeFirst();
  if (!row) return doneBefore(hub, tokenId, digest, kind);
  const result = await act(hub);
  await hub.db
    .updateTable("idempotency")
    .set({ result })
    .where("token_id", "=", tokenId)
    .where("digest", "=", digest)
    .execute();
  return result;
}

async function doneBefore(hub: Hub, tokenId: number, digest: string, kind: OnceKind): Promise<number> {
  const known = await hub.db
    .selectFrom("idempotency")
    .select("result")
    .where("token_id", "=", tokenId)
    .where("digest", "=", digest)
    .where("kind", "=", kind)
    .executeTakeFirst();
  if (!known) throw refusal("duplicate_post");
  return known.result;
}
