import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { freshDatabase, onPostgres } from "../../../test/support/hub.ts";
import { readConfig } from "../../config/config.ts";
import { migrate, openDatabase } from "../database.ts";

test("texts of profiles and notices that are here already are left to jobs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const { url, drop } = await freshDatabase(folder);
  const { database } = readConfig({ HUBBUB_BASE_URL: "https://hub.example", HUBBUB_DATABASE_URL: url });
  const db = openDatabase(database);
  const engine = onPostgres ? "postgres" : "sqlite";
  await migrate(db, engine, "0004-moves-and-marks");
  const profile = { aid: 1, uid: 1 };
  await db
    .insertInto("profile")
    .values({ ...profile, profile_guid: "a", profile_name: "A" })
    .execute();
  await db
    .insertInto("profile")
    .values({ ...profile, profile_guid: "b", profile_name: "B", music: "[b]Jazz[/b]" })
    .execute();
  await sql`insert into notify (hash, xname, url, photo, created, msg, aid, uid, link, ntype, otype, item_id)
    values ('h', '', '', '', '2026-01-01 10:00:00', 'x', 1, 1, '', 1, 'item', 0)`.execute(db);
  await migrate(db, engine, "0005-one-house");
  expect(await db.selectFrom("profile").select("html").orderBy("id").execute()).toEqual([
    { html: "{}" },
    { html: null },
  ]);
  expect((await sql`select html, plain from notify`.execute(db)).rows).toEqual([{ html: null, plain: null }]);
  expect(await db.selectFrom("job").select("name").orderBy("name").execute()).toEqual([
    { name: "lay-out-notices" },
    { name: "lay-out-profiles" },
  ]);
  await db.destroy();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
