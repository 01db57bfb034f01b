import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { families } from "../identity/channels/channel-settings.ts";

/** Drops whom a channel that is gone knew, its groups, and what it had chosen. May run twice. */
export async function dropKnown(hub: Hub, channel: number): Promise<void> {
  await dropPeople(hub, channel);
  await inTransaction(hub, (hub) => dropChoices(hub, channel));
}

/** The row of the channel itself stays, as its identity does. */
async function dropPeople({ db }: Hub, channel: number): Promise<void> {
  const grants = db.selectFrom("abconfig").select("id").where("chan", "=", channel);
  const members = db.selectFrom("pgrp_member").select("id").where("uid", "=", channel);
  const people = db.selectFrom("abook").select("abook_id").where("abook_channel", "=", channel);
  const others = people.where("abook_self", "=", sql.lit(0));
  await removeInSteps((most) => db.deleteFrom("abconfig").where("id", "in", grants.limit(most)).executeTakeFirst());
  await removeInSteps((most) => db.deleteFrom("pgrp_member").where("id", "in", members.limit(most)).executeTakeFirst());
  await removeInSteps((most) => db.deleteFrom("abook").where("abook_id", "in", others.limit(most)).executeTakeFirst());
}

/** How far its permissions reached still says what of it was open to the public, for other hubs that ask. */
async function dropChoices({ db }: Hub, uid: number): Promise<void> {
  const statements = [
    db.deleteFrom("config").where("uid", "=", uid).where("cat", "<>", families.limits),
    db.deleteFrom("pgrp").where("uid", "=", uid),
    db.deleteFrom("term").where("uid", "=", uid),
    db.deleteFrom("host_block").where("uid", "=", uid),
    db.deleteFrom("sent_follow").where("uid", "=", uid),
    db.deleteFrom("marker").where("uid", "=", uid),
    db.deleteFrom("dismissed_suggestion").where("uid", "=", uid),
    db.deleteFrom("dismissed_announcement").where("uid", "=", uid),
    db.deleteFrom("announcement_reaction").where("uid", "=", uid),
  ];
  for (const statement of statements) await statement.execute();
}
