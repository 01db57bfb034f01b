import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { Collision } from "../errors.ts";
import { afterCommit, inTransaction, openHub } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { mostRepetitions } from "./collisions.ts";
import { pipelined } from "./pipelined.ts";

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

  test("statements end when the operator says, and a pooler hears nothing of a session", async () => {
    const seen = async (more: object): Promise<unknown> => {
      const { config, threads, log } = hub;
      const other = await openHub({ ...config, database: { ...config.database, ...more } }, { threads, log });
      try {
        const said = await sql`select current_setting('jit') as jit, current_setting('statement_timeout') as ends,
          (select count(*) > 0 from pg_prepared_statements where name ~ '^h') as prepared where ${1} = ${1}::int`.execute(
          other.db,
        );
        return said.rows[0];
      } finally {
        await other.close();
      }
    };
    expect(await seen({ timeout: 7 })).toEqual({ jit: "off", ends: "7s", prepared: true });
    const { url } = hub.config.database as { url: string };
    expect(await seen({ timeout: 7, direct: url })).toEqual({ jit: "on", ends: "0", prepared: false });
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
      await pipelined({ db }, db.insertInto("config").values(row));
      await pipelined({ db }, db.insertInto("config").values(row));
    };
    await expect(hub.db.transaction().execute(twice)).rejects.toMatchObject({ code: "23505" });
    const followed = hub.db.transaction().execute(async (db) => {
      await twice(db);
      await db.selectNoFrom(backend).execute();
    });
    await expect(followed).rejects.toMatchObject({ code: "23505" });
    await pipelined(hub, hub.db.insertInto("config").values(row));
    expect(await hub.db.selectFrom("config").select("v").where("k", "=", "sent twice").execute()).toEqual([{ v: "1" }]);
  });

  test("a statement reads the same at every run, whoever else runs it at the same time", async () => {
    const rows = (n: number) =>
      hub.db
        .selectNoFrom([sql<number>`${n}::bigint`.as("id"), sql<string>`${`ü${n}`}::text`.as("name")])
        .select([sql`null::int`.as("none"), sql`${n > 2}::boolean`.as("more")])
        .execute();
    const expected = (n: number) => [{ id: n, name: `ü${n}`, none: null, more: n > 2 }];
    expect(await Promise.all([1, 2, 3].map(rows))).toEqual([1, 2, 3].map(expected));
    for (const n of [4, 5, 6, 7, 8]) expect(await rows(n)).toEqual(expected(n));
  });

  test("a statement that fails once is none the worse for it", async () => {
    const divided = (by: number) => hub.db.selectNoFrom(sql<number>`(12 / ${by}::int)`.as("x")).execute();
    await expect(divided(0)).rejects.toMatchObject({ code: "22012" });
    expect(await divided(4)).toEqual([{ x: 3 }]);
    await expect(divided(0)).rejects.toMatchObject({ code: "22012" });
    expect(await Promise.all([divided(3), divided(2)])).toEqual([[{ x: 4 }], [{ x: 6 }]]);
  });

  test("a table that gets a column is read with it, in a transaction as well", async () => {
    await sql`create table changing (one text not null)`.execute(hub.db);
    await sql`insert into changing values ('a')`.execute(hub.db);
    const all = ({ db }: Pick<Hub, "db">) => sql<object>`select * from changing where one <> ${"x"}`.execute(db);
    expect((await all(hub)).rows).toEqual([{ one: "a" }]);
    await sql`alter table changing add column two bigint not null default 2`.execute(hub.db);
    for (const { rows } of await Promise.all([all(hub), all(hub), inTransaction(hub, all)]))
      expect(rows).toEqual([{ one: "a", two: 2 }]);
    await sql`alter table changing add column three text not null default 'c'`.execute(hub.db);
    expect((await inTransaction(hub, all)).rows).toEqual([{ one: "a", two: 2, three: "c" }]);
    await sql`drop table changing`.execute(hub.db);
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
    await expect.poll(() => read().catch(() => pid)).not.toBe(pid);
  });

  test("a connection that the server ends in the middle fails what is under way, and nothing else", async () => {
    const pid = await read();
    // Whoever asks for it goes last: it might not come to the others.
    const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      order by pid = pg_backend_pid()`;
    const outcomes = await Promise.allSettled([
      end.execute(hub.db),
      hub.db.transaction().execute(() => sleep(50)),
      read(),
      read(),
    ]);
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
    await expect.poll(() => read().catch(() => pid)).not.toBe(pid);
  });
});

describe("transactions that stand in each other's way", () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await openTestHub();
    const row = { uid: 0, cat: "collision", v: "", updated: "" };
    await hub.db
      .insertInto("config")
      .values([
        { ...row, k: "one" },
        { ...row, k: "two" },
      ])
      .execute();
  });
  afterAll(() => hub.close());

  const write = ({ db }: Pick<Hub, "db">, k: string, letter: string) =>
    db
      .updateTable("config")
      .set({ v: sql<string>`v || ${letter}::text` })
      .where("cat", "=", "collision")
      .where("k", "=", k);

  async function read(): Promise<string[]> {
    const rows = await hub.db.selectFrom("config").select("v").where("cat", "=", "collision").orderBy("k").execute();
    return rows.map(({ v }) => v);
  }

  /** Answers when it has been asked for as often as there are those who wait; later ones do not wait. */
  function meetingOf(count: number): () => Promise<void> {
    const all = Promise.withResolvers<void>();
    let left = count;
    return () => {
      left -= 1;
      if (left <= 0) all.resolve();
      return all.promise;
    };
  }

  test.each([
    ["waited for", async (change: ReturnType<typeof write>) => void (await change.execute())],
    ["sent only", (change: ReturnType<typeof write>, { db }: Hub) => pipelined({ db }, change)],
  ])("both are kept, the one that was undone by beginning anew: changes that are %s", async (_how, make) => {
    const meet = meetingOf(2);
    let [runs, after] = [0, 0];
    const both = (letter: string, [first, second]: readonly [string, string]) =>
      inTransaction(hub, async (hub) => {
        runs += 1;
        afterCommit(hub, () => void (after += 1));
        await write(hub, first, letter).execute();
        await meet();
        await make(write(hub, second, letter), hub);
      });
    await Promise.all([both("a", ["one", "two"]), both("b", ["two", "one"])]);
    expect(runs).toBeGreaterThan(2);
    expect(after).toBe(2);
    const [one, two] = await read();
    expect([one!.slice(-2), two!.slice(-2)].map((v) => [...v].toSorted())).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  test("so does a statement by itself", async () => {
    const before = await read();
    // It takes the rows one by one and waits before the second, which the transaction has taken first.
    await sql`create function slowly() returns trigger language plpgsql as
      $$ begin if new.v like '%s' then perform pg_sleep(0.2); end if; return new; end $$`.execute(hub.db);
    await sql`create trigger slowly after update on config for each row execute function slowly()`.execute(hub.db);
    await Promise.all([
      hub.db
        .updateTable("config")
        .set({ v: sql<string>`v || 's'` })
        .where("cat", "=", "collision")
        .execute(),
      inTransaction(hub, async (hub) => {
        await write(hub, "two", "t").execute();
        await sql`select pg_sleep(0.3)`.execute(hub.db);
        await write(hub, "one", "t").execute();
      }),
    ]);
    const added = (await read()).map((v, n) => v.slice(before[n]!.length).split("").toSorted().join(""));
    expect(added).toEqual(["st", "st"]);
    await sql`drop trigger slowly on config`.execute(hub.db);
  });

  test("one that never comes through is given up, and says why", async () => {
    let runs = 0;
    const hopeless = inTransaction(hub, async ({ db }) => {
      runs += 1;
      await sql`do $$ begin raise exception 'in the way' using errcode = '40001'; end $$`.execute(db);
    });
    await expect(hopeless).rejects.toBeInstanceOf(Collision);
    expect(runs).toBe(mostRepetitions + 1);
  });

  test("a failure inside that was overlooked is a collision all the same", async () => {
    let runs = 0;
    await inTransaction(hub, async ({ db }) => {
      runs += 1;
      if (runs === 1)
        await sql`do $$ begin raise exception 'in the way' using errcode = '40P01'; end $$`
          .execute(db)
          .catch(() => undefined);
      await db.selectNoFrom(sql`1`.as("x")).execute();
    });
    expect(runs).toBe(2);
  });
});
