import { sql } from "kysely";
import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelByHash } from "../identity/channels/channels.ts";
import { isPermissionName } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { shareGrants } from "./grants.ts";
import { changeRow, rowById } from "./rows.ts";
import type { Abconfig, Abook } from "./types.ts";

/** Connection metadata of the channel by id, or that of one connection, or of one family. */
export async function listAbconfig(
  hub: Hub,
  uid: number,
  { abookId, cat }: { abookId?: number | undefined; cat?: string | undefined } = {},
): Promise<Abconfig[]> {
  let query = hub.db.selectFrom("abconfig").selectAll().where("chan", "=", uid).orderBy("id");
  if (cat !== undefined) query = query.where("cat", "=", cat);
  if (abookId !== undefined) {
    query = query.where("xchan", "=", (eb) =>
      eb.selectFrom("abook").select("abook_xchan").where("abook_id", "=", abookId).where("abook_channel", "=", uid),
    );
  }
  return query.execute();
}

/** A setting that a channel keeps about one of its connections. */
export type AbconfigEntry = { cat: string; k: string; v: string };

/**
 * Writes one value about a connection and answers its row; undefined when an empty value deleted it. What the
 * connection grants cannot be written, and a changed grant is told to the other side.
 */
export async function setAbconfig(
  hub: Hub,
  channel: Channel,
  abookId: number,
  entry: AbconfigEntry,
): Promise<Abconfig | undefined> {
  const checked = readEntry(entry);
  return inTransaction(hub, async (hub) => {
    const row = await rowById(hub, channel.channel_id, abookId);
    if (checked.v === "") {
      await deleteValue(hub, row, checked);
      return undefined;
    }
    const written = await writeValue(hub, row, checked);
    if (checked.cat === "my_perms") await shareChange(hub, channel, row);
    return written;
  });
}

/** Grants a connection one permission, or takes it back; the other side is told. */
export async function setGrant(
  hub: Hub,
  channel: Channel,
  abookId: number,
  permission: PermissionName,
  on: boolean,
): Promise<void> {
  await setAbconfig(hub, channel, abookId, { cat: "my_perms", k: permission, v: on ? "1" : "0" });
}

/**
 * What the channel grants one connection, wants of it and keeps about it holds of the other as well, which is told; not what those
 * grant. Part of a transaction.
 */
export async function copyAbconfig(hub: Hub, channel: Channel, from: Abook, to: Abook): Promise<void> {
  await hub.db
    .insertInto("abconfig")
    .columns(["chan", "xchan", "cat", "k", "v"])
    .expression((eb) =>
      eb
        .selectFrom("abconfig as former")
        .select(["former.chan", sql<string>`cast(${to.abook_xchan} as text)`.as("xchan")])
        .select(["former.cat", "former.k", "former.v"])
        .where("former.chan", "=", from.abook_channel)
        .where("former.xchan", "=", from.abook_xchan)
        .where("former.cat", "<>", "their_perms"),
    )
    .onConflict((conflict) =>
      conflict.columns(["chan", "xchan", "cat", "k"]).doUpdateSet((eb) => ({ v: eb.ref("excluded.v") })),
    )
    .execute();
  await shareChange(hub, channel, to);
}

/** The row counts as updated, and the other side learns what it may do now; part of a transaction. */
export async function shareChange(hub: Hub, channel: Channel, row: Abook): Promise<void> {
  await changeRow(hub, channel.channel_id, row.abook_xchan, {});
  const other =
    row.abook_self === 1 || row.abook_pending === 1 ? undefined : await findChannelByHash(hub, row.abook_xchan);
  if (other && row.follow_in === "accepted") await shareGrants(hub, channel, other);
}

function readEntry({ cat, k, v }: AbconfigEntry): AbconfigEntry {
  if (cat === "their_perms") {
    throw refusal("permission_denied", { field: "cat" });
  }
  for (const [field, text] of Object.entries({ cat, k })) {
    if (text === "" || text.length > 255) throw refusal("abconfig_value_wrong", { field });
  }
  if (cat !== "my_perms" && cat !== "autoperms") return { cat, k, v: readText(v) };
  if (!isPermissionName(k)) throw refusal("no_such_permission");
  return { cat, k, v: readBoolean(v) };
}

function readText(v: string): string {
  if (v.length > 65_535) throw refusal("value_too_long", { field: "v" });
  return v;
}

function readBoolean(v: string): "0" | "1" {
  if (/^(1|true|yes|on)$/i.test(v)) return "1";
  if (/^(0|false|no|off)$/i.test(v)) return "0";
  throw refusal("permission_value_wrong");
}

async function writeValue(hub: Hub, row: Abook, { cat, k, v }: AbconfigEntry): Promise<Abconfig> {
  return hub.db
    .insertInto("abconfig")
    .values({ chan: row.abook_channel, xchan: row.abook_xchan, cat, k, v })
    .onConflict((conflict) => conflict.columns(["chan", "xchan", "cat", "k"]).doUpdateSet({ v }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function deleteValue(hub: Hub, row: Abook, { cat, k }: AbconfigEntry): Promise<void> {
  await hub.db
    .deleteFrom("abconfig")
    .where("chan", "=", row.abook_channel)
    .where("xchan", "=", row.abook_xchan)
    .where("cat", "=", cat)
    .where("k", "=", k)
    .execute();
}
