import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { unanswered } from "./unanswered.ts";

describe("statements on PostgreSQL", () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await openTestHub();
  });
  afterAll(() => hub.close());

  const backend = sql<number>`pg_backend_pid()`.as("pid");
  const read = async (): Promise<number> => (await hub.db.selectNoFrom(backend).executeTakeFirstOrThrow()).pid;
  const broken = (): Promise<unknown> => hub.db.selectNoFrom(sql`1 / 0`.as("x")).execute();

  test("reads of one turn share a connection, and a failure among them is its own", async () => {
    const [one, failure, other] = await Promise.allSettled([read(), broken(), read()]);
    expect(failure).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(one).toMatchObject({ status: "fulfilled" });
    expect(one).toEqual(other);
  });

  test("a transaction has a connection of its own, and ends with what was done in it", async () => {
    await hub.db.transaction().execute(async (db) => {
      const [inside, outside] = await Promise.all([db.selectNoFrom(backend).executeTakeFirstOrThrow(), read()]);
      expect(outside).not.toBe(inside.pid);
      await db.insertInto("config").values({ uid: 0, cat: "test", k: "kept", v: "1", updated: "" }).execute();
    });
    const failed = hub.db.transaction().execute(async (db) => {
      await db.insertInto("config").values({ uid: 0, cat: "test", k: "lost", v: "1", updated: "" }).execute();
      await db.selectNoFrom(sql`1 / 0`.as("x")).execute();
    });
    await expect(failed).rejects.toMatchObject({ code: "22012" });
    const rows = await hub.db.selectFrom("config").select("k").where("cat", "=", "test").execute();
    expect(rows).toEqual([{ k: "kept" }]);
  });

  test("a commit after a failure that was overlooked is none", async () => {
    const overlooked = hub.db.transaction().execute(async (db) => {
      await db.insertInto("config").values({ uid: 0, cat: "test", k: "overlooked", v: "1", updated: "" }).execute();
      await db
        .selectNoFrom(sql`1 / 0`.as("x"))
        .execute()
        .catch(() => undefined);
    });
    await expect(overlooked).rejects.toThrow("rolled back");
    expect(await hub.db.selectFrom("config").select("k").where("k", "=", "overlooked").execute()).toEqual([]);
  });

  test("a change whose answer nobody waits for fails what follows it, for its own reason", async () => {
    const row = { uid: 0, cat: "test", k: "sent twice", v: "1", updated: "" };
    const twice = async (db: typeof hub.db): Promise<void> => {
      await unanswered({ db }, db.insertInto("config").values(row));
      await unanswered({ db }, db.insertInto("config").values(row));
    };
    await expect(hub.db.transaction().execute(twice)).rejects.toMatchObject({ code: "23505" });
    const followed = hub.db.transaction().execute(async (db) => {
      await twice(db);
      await db.selectNoFrom(backend).execute();
    });
    await expect(followed).rejects.toMatchObject({ code: "23505" });
    await unanswered(hub, hub.db.insertInto("config").values(row));
    expect(await hub.db.selectFrom("config").select("v").where("k", "=", "sent twice").execute()).toEqual([{ v: "1" }]);
  });

  test("more readers than connections are all answered", async () => {
    const later = (): Promise<number> => new Promise((resolve) => setImmediate(resolve)).then(read);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? read() : later())));
    expect(answers.every((pid) => pid > 0)).toBe(true);
  });

  test("a connection that the server ends is replaced", async () => {
    const pid = await read();
    await hub.db
      .selectNoFrom(sql`pg_terminate_backend(${pid}::int)`.as("done"))
      .execute()
      .catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await read()).not.toBe(pid);
  });
});
