import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { isWithin } from "../../../../test/support/pace.ts";
import { receiveFollow } from "../../../domain/connections/connections.ts";
import { comparableId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { inTransaction } from "../../../hub.ts";
import { runDue } from "../../../jobs/runner.ts";
import { inPieces } from "../../../storage/sql.ts";

/** A post that goes to 5,000 people at 500 hubs costs its author's request nothing, and holds up nobody else for long. */

let world: TestApp;
let alma: Person;
let statements = 0;

const [followers, hosts] = [5000, 500];

beforeAll(async () => {
  world = await openTestApp({ onQuery: () => void statements++ });
  alma = await world.person("alma", { role: "feed" });
});
afterAll(() => world.close());

/** Posts, and answers how many statements the request took. */
async function post(body: string): Promise<number> {
  const before = statements;
  expect((await alma.post("/api/z/1.0/item/update", { body })).status).toBe(200);
  return statements - before;
}

/** One is met and follows as people do; the others are copies of what was written of that one. */
async function gather(): Promise<void> {
  const met = await meetActor(world.hub, actorOf("first"));
  await receiveFollow(world.hub, alma.channel, met, `${met.xchan_hash}/follows/1`);
  await runDue(world.hub);
  await inTransaction(world.hub, async ({ db }) => {
    const { id: _, ...actor } = await db.selectFrom("actor").selectAll().executeTakeFirstOrThrow();
    const { abook_id: __, ...abook } = await db
      .selectFrom("abook")
      .selectAll()
      .where("abook_xchan", "=", met.xchan_hash)
      .executeTakeFirstOrThrow();
    const { xchan_id: ___, ...xchan } = met;
    const ids = Array.from({ length: followers - 1 }, (____, n) => `https://h${n % hosts}.example/users/${n}`);
    for (const piece of inPieces(ids)) {
      const people = piece.map((id) => ({ ...xchan, xchan_hash: id, xchan_guid: id, xchan_url: id, xchan_addr: "" }));
      const written = await db.insertInto("xchan").values(people).returning(["xchan_id", "xchan_hash"]).execute();
      const actors = written.map(({ xchan_id, xchan_hash: actor_id }) => {
        const { host, origin } = new URL(actor_id);
        const reached = { host, inbox: `${actor_id}/inbox`, shared_inbox: `${origin}/inbox` };
        return { ...actor, ...reached, actor_id, xchan_id, compared: comparableId(actor_id) };
      });
      await db.insertInto("actor").values(actors).execute();
      await db
        .insertInto("abook")
        .values(piece.map((abook_xchan) => ({ ...abook, abook_xchan })))
        .execute();
    }
  });
}

/** How long the work keeps the thread to itself at most, in milliseconds of the processor's: others wait no longer for their turn. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  let before = process.threadCpuUsage();
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
}

test("few statements, one job, and short turns", async () => {
  const alone = await post("Before anybody follows");
  await runDue(world.hub);
  await gather();
  // One more at most: the job.
  expect(await post("To all of them")).toBeLessThanOrEqual(alone + 1);
  const jobs = await world.hub.db.selectFrom("job").select("name").where("name", "=", "federate").execute();
  expect(jobs).toHaveLength(1);
  const before = statements;
  const longest = await longestTurn(() => runDue(world.hub));
  expect(statements - before).toBeLessThan(100);
  const rows = await world.hub.db
    .selectFrom("delivery")
    .select(["host", "recipients"])
    .where("object_id", "like", "%/item/%")
    .execute();
  expect(rows).toHaveLength(hosts + 1);
  expect(rows.flatMap(({ recipients }) => JSON.parse(recipients) as number[])).toHaveLength(followers);
  expect(await world.hub.db.selectFrom("job").select("name").execute()).toEqual([]);
  expect([longest, isWithin(300, longest)]).toEqual([longest, true]);
});
