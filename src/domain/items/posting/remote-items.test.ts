import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { freshDatabase } from "../../../../test/support/hub.ts";
import { readConfig } from "../../../config/config.ts";
import { migrate, openDatabase } from "../../../storage/database.ts";

test("an update leaves a thing of another service to the first of its items", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const { url, drop } = await freshDatabase(folder);
  const { database } = readConfig({ HUBBUB_DATABASE_URL: url });
  const db = openDatabase(database);
  await migrate(db, database.engine, "0003-clients-search");
  const item = (message: number, deleted: number) =>
    sql`insert into item (uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received, changed, item_deleted)
      values (1, 1, ${message}, ${message}, ${message}, 1, 1, '', '', '', '', ${deleted})`.execute(db);
  const meta = (message: number, k: string, v: string) =>
    sql`insert into iconfig (message_id, uid, cat, k, v) values (${message}, 1, 'system', ${k}, ${v})`.execute(db);
  for (const [message, deleted] of [
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 0],
  ] as const) {
    await item(message, deleted);
    await meta(message, "elsewhere", "7");
  }
  await meta(4, "elsewhere", "8");
  await meta(4, "WEBPAGE", "start");
  expect((await migrate(db, database.engine))[0]).toBe("0004-moves-and-marks");
  const rows = await db.selectFrom("iconfig").select(["message_id", "k", "v", "remote_key"]).orderBy("id").execute();
  expect(rows.filter((row) => row.remote_key !== null).map(({ message_id, v }) => [message_id, v])).toEqual([
    [2, "7"],
    [4, "8"],
  ]);
  expect(rows).toHaveLength(6);
  const again = db.insertInto("iconfig").values({ ...rows[1]!, uid: 1, cat: "system" });
  await expect(again.execute()).rejects.toThrow(/unique/i);
  await db.destroy();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
