import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What goes out to other hubs and what came in from them, and how each of them answers (federation contract 1.6, 12). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "outbox_activity", [
    ["id", "id"],
    ["text", "deed variant object_id bytes"],
    ["big", "sender"],
    ["flag", "begins"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "delivery", [
    ["id", "id"],
    ["big", "activity"],
    ["text", "inbox host object_id recipients state"],
    ["flag", "shared priority attempts last_status"],
    ["empty", "last_error"],
    ["date", "next_at created"],
    ["zero", "lease_until ended"],
  ]);
  await createTable(db, engine, "inbox_activity", [
    ["id", "id"],
    ["text", "activity_id signer host scheme object_id bytes state"],
    ["empty", "thread_id last_error"],
    ["flag", "attempts"],
    ["date", "received next_at"],
    ["zero", "lease_until ended"],
  ]);
  await createTable(
    db,
    engine,
    "inbox_recipient",
    [["big", "inbox_activity channel_id"]],
    ["primary key (inbox_activity, channel_id)"],
  );
  await addPeerColumns(db, engine);
  const waiting = "where state = 'waiting'";
  await createIndexes(db, {
    outbox_activity_unique: "outbox_activity (deed, variant)",
    outbox_activity_object: "outbox_activity (object_id)",
    outbox_activity_created: "outbox_activity (created)",
    outbox_activity_sender: "outbox_activity (sender)",
    delivery_activity: "delivery (activity)",
    delivery_order: `delivery (object_id, host, id) ${waiting}`,
    delivery_due: `delivery (priority, next_at, id) ${waiting}`,
    delivery_next: `delivery (next_at, id) ${waiting}`,
    delivery_host: "delivery (host, state)",
    delivery_unsent: "delivery (state, id) where state in ('failed', 'given up', 'held')",
    inbox_activity_unique: "inbox_activity (activity_id)",
    inbox_activity_due: `inbox_activity (next_at, id) ${waiting}`,
    inbox_activity_order: `inbox_activity (object_id, id) ${waiting}`,
    inbox_activity_thread: `inbox_activity (thread_id, id) ${waiting}`,
    inbox_activity_failed: "inbox_activity (id) where state = 'failed'",
    inbox_activity_ended: "inbox_activity (ended)",
    peer_circuit: "peer (next_probe) where circuit = 'open'",
  });
}

async function addPeerColumns(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  const kinds = {
    [`${text} not null default ''`]: "circuit scheme last_error",
    [`${text} not null default '0001-01-01 00:00:00'`]:
      "failing_since next_probe dead_since scheme_since last_ok last_failed",
    "integer not null default 0": "failures probes scheme_failures",
  };
  for (const [kind, columns] of Object.entries(kinds))
    for (const column of columns.split(" ")) await sql.raw(`alter table peer add column ${column} ${kind}`).execute(db);
}
