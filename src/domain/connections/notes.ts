import { sql } from "kysely";
import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { removeConfig, setConfig } from "../identity/channels/channel-config.ts";
import { families } from "../identity/channels/channel-settings.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** Longest note about somebody. */
export const longestNote = 2000;

/** Keeps what the channel notes about somebody, whom it need not be connected with; an empty note is none. Nobody else sees it. */
export async function setNote(hub: Hub, { channel_id: uid }: Channel, hash: string, text: string): Promise<void> {
  const note = text.trim();
  if ([...note].length > longestNote) throw refusal("note_too_long", { most: longestNote });
  await inTransaction(hub, (hub) =>
    note === "" ? removeConfig(hub, uid, families.notes, hash) : setConfig(hub, uid, families.notes, hash, note),
  );
}

/** The channel's notes about these people, by xchan_id. */
export async function notesAbout(hub: Hub, uid: number, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("config", "config.k", "xchan_hash")
    .select(["xchan_id", "v"])
    .where("config.uid", "=", uid)
    .where("config.cat", "=", families.notes)
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), ids))
    .execute();
  return new Map(rows.map(({ xchan_id, v }) => [xchan_id, v]));
}
