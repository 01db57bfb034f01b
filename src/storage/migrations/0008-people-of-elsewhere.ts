import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Actors of other hubs, their keys, and the hubs themselves (federation contract 1.3, 1.4, 1.6). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "actor", [
    ["id", "id"],
    ["text", "actor_id compared"],
    ["big", "xchan_id"],
    ["text", "type inbox host"],
    ["empty", "shared_inbox outbox followers following featured also_known_as moved_to picture"],
    ["flag", "manually_approves"],
    ["date", "fetched"],
    ["zero", "updated gone"],
  ]);
  await createTable(db, engine, "actor_key", [
    ["id", "id"],
    ["text", "key_id owner kind key"],
    ["date", "fetched"],
    ["zero", "gone"],
  ]);
  await createTable(db, engine, "peer", [
    ["id", "id"],
    ["text", "host"],
    ["date", "first_contact last_contact"],
  ]);
  await createIndexes(db, {
    actor_compared_unique: "actor (compared)",
    actor_xchan: "actor (xchan_id)",
    actor_host: "actor (host)",
    actor_key_unique: "actor_key (key_id)",
    actor_key_owner: "actor_key (owner)",
    actor_key_gone: "actor_key (gone)",
    peer_host_unique: "peer (host)",
    peer_contact: "peer (last_contact)",
  });
}
