import type { Hub } from "../../../hub.ts";
import { comparableId } from "./foreign-ids.ts";

/** Whether somebody of elsewhere lets their followers answer, unless a post says otherwise (federation contract 1.5). */

/**
 * Does their document let them? It is not described anew until the end of the transaction that this is part of, so that what is
 * written by it holds.
 */
export async function letsFollowersAnswer(hub: Hub, id: string): Promise<boolean> {
  let said = hub.db.selectFrom("actor").select("followers_answer").where("compared", "=", comparableId(id));
  if (hub.engine === "postgres") said = said.forShare();
  return (await said.executeTakeFirst())?.followers_answer !== 0;
}

/** Those who follow them hear of it. Part of the transaction that notes what the document says. */
export async function letFollowersAnswer(hub: Hub, id: string, may: boolean): Promise<void> {
  const v = may ? "1" : "0";
  const followers = hub.db
    .selectFrom("abook")
    .select("abook_channel")
    .where("abook_xchan", "=", id)
    .where("follow_out", "=", "accepted");
  await hub.db
    .updateTable("abconfig")
    .set({ v })
    .where("chan", "in", followers)
    .where("xchan", "=", id)
    .where("cat", "=", "their_perms")
    .where("k", "=", "post_comments")
    .where("v", "<>", v)
    .execute();
}
