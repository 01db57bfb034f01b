import { randomUUID } from "node:crypto";
import type { FloorDatabase } from "./read.ts";

const zero = "0001-01-01 00:00:00";

export type Posted = { id: number; mid: string };

/** Stores a post by the rows that the hub writes for one, in one transaction. */
export function post(db: FloorDatabase, baseUrl: string, uid: number, xchanId: number, body: string): Promise<Posted> {
  const uuid = randomUUID();
  const mid = `${baseUrl}/item/${uuid}`;
  const moment = new Date().toISOString().slice(0, 19).replace("T", " ");
  const signature = "s".repeat(342);
  return db.transaction(async (run) => {
    const [message] = await run(
      `insert into message (mid, uuid, parent_mid, thr_parent, author_id, created, edited, expires, comments_closed, mimetype, body, html, plain, lang, verb, obj_type, plink, sig, item_verified)
      values ($1, $2, $1, $1, $3, $4, $4, $5, $5, 'text/bbcode', $6, $6, $6, 'en', 'http://activitystrea.ms/schema/1.0/post', 'http://activitystrea.ms/schema/1.0/note', $1, $7, 1)
      returning id`,
      mid,
      uuid,
      xchanId,
      moment,
      zero,
      body,
      signature,
    );
    const [item] = await run(
      `insert into item (uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received, changed, comment_policy, item_origin, item_wall, item_thread_top)
      values ($1, $1, $2, 0, 0, $3, $3, $4, $4, $4, $4, 'contacts', 1, 1, 1) returning id`,
      uid,
      message!["id"] as number,
      xchanId,
      moment,
    );
    const id = item!["id"] as number;
    await run("update item set parent = id, thr_parent_id = id where id = $1", id);
    await run("update xchan set statuses_count = statuses_count + 1 where xchan_id = $1", xchanId);
    await run("update channel set channel_lastpost = $1 where channel_id = $2", moment, uid);
    return { id, mid };
  });
}
