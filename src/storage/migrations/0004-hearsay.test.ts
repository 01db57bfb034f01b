import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDatabase, onPostgres } from "../../../test/support/hub.ts";
import { readConfig } from "../../config/config.ts";
import { migrate, openDatabase } from "../database.ts";

/** A database of the version before: what imports brought, what the hub learned, and a channel that came as a clone. */
test("what came with imports becomes hearsay, and clones get the addresses of this hub", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const { url, drop } = await freshDatabase(folder);
  const { database } = readConfig({ HUBBUB_BASE_URL: "https://hub.example", HUBBUB_DATABASE_URL: url });
  const db = openDatabase(database);
  const engine = onPostgres ? "postgres" : "sqlite";
  await migrate(db, engine, "0003-clients-search");
  await db.insertInto("setting").values({ k: "base_url", v: "https://hub.example" }).execute();
  const run = { account_id: 1, channel_id: 1, source: "x", options: "{}", progress: "{}", report: "{}" };
  await db
    .insertInto("import_run")
    .values({ ...run, state: "done", created: "2026-01-01 10:00:00", updated: "2026-01-01 11:00:00" })
    .execute();
  const moments = {
    before: "2026-01-01 09:00:00",
    imported: "2026-01-01 10:30:00",
    after: "2026-01-01 12:00:00",
    clone: "2026-01-01 10:00:00",
  };
  for (const [hash, xchan_created] of Object.entries(moments)) {
    const names = { xchan_hash: hash, xchan_addr: `${hash}@far.example`, xchan_url: `https://far.example/${hash}` };
    await db
      .insertInto("xchan")
      .values({ ...names, xchan_photo_m: "javascript:x", xchan_created })
      .execute();
  }
  const keys = { channel_pubkey: "", channel_prvkey: "", channel_ed25519_pubkey: "", channel_ed25519_prvkey: "" };
  const names = { channel_name: "C", channel_address: "cora", channel_guid: "g", channel_guid_sig: "s" };
  const { channel_id } = await db
    .insertInto("channel")
    .values({ ...keys, ...names, channel_hash: "clone", channel_account_id: 1, channel_created: moments.clone })
    .returning("channel_id")
    .executeTakeFirstOrThrow();
  await migrate(db, engine);
  const rows = await db
    .selectFrom("xchan")
    .select(["xchan_hash", "xchan_hearsay", "xchan_addr", "xchan_photo_m"])
    .orderBy("xchan_id")
    .execute();
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["before", 0, "before@far.example", "javascript:x"],
    ["imported", 1, "imported@far.example", ""],
    ["after", 0, "after@far.example", "javascript:x"],
    ["clone", 0, "cora@hub.example", `https://hub.example/photo/profile/m/${channel_id}`],
  ]);
  await db.destroy();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
