import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import { size } from "../../../test/support/size.ts";
import { sqlDate } from "../../storage/sql.ts";
import type { Answer } from "./answers.ts";
import { deliveries } from "./deliveries.ts";
import type { Courier } from "./delivery.ts";
import { sendOut } from "./outgoing.ts";
import { Worker } from "./worker.ts";

/** Whatever hosts answer, however many workers there are and whenever one dies: nothing is lost, repeated or out of order. */

const kinds = ["ok", "ok", "busy", "away", "dies before", "dies after"] as const;
const worlds = fc.record({
  sent: fc.array(fc.record({ object: fc.nat(2), hosts: fc.uniqueArray(fc.nat(2), { minLength: 1 }) }), {
    minLength: 1,
    maxLength: 8,
  }),
  answers: fc.array(fc.constantFrom(...kinds), { maxLength: 10 }),
  workers: fc.integer({ min: 1, max: 3 }),
});

test("deliveries", async () => {
  const hub = await openTestHub();
  let worldsSeen = 0;
  const untilHeld = async (dead: () => number, signal: AbortSignal): Promise<void> => {
    // Somebody may be about to take something while it is counted: it has to be the same several times.
    for (let same = 0; same < 3 && !signal.aborted;) {
      const held = await hub.db
        .selectFrom("delivery")
        .select("id")
        .where("state", "=", "waiting")
        .where("lease_until", ">", sqlDate(hub.clock()))
        .execute();
      same = dead() > 0 && held.length === dead() ? same + 1 : 0;
      await new Promise((resolve) => (same > 0 ? setTimeout(resolve, 5) : setImmediate(resolve)));
    }
  };
  await fc.assert(
    fc.asyncProperty(worlds, async ({ sent, answers, workers }) => {
      const world = ++worldsSeen;
      const wanted: string[] = [];
      for (const [n, { object, hosts }] of sent.entries()) {
        const names = hosts.map((host) => `w${world}h${host}.example`);
        const to = names.map((host) => ({ inbox: `https://${host}/inbox`, people: [1], shared: true }));
        const objectId = `w${world}o${object}`;
        await sendOut(hub, [{ deed: `d${world}.${n}`, variant: "", sender: 1, objectId, bytes: String(n), to }]);
        wanted.push(...names.map((host) => `${host} ${objectId} ${n}`));
      }
      const taken: string[] = [];
      const mayRepeat: string[] = [];
      const left = [...answers];
      let hanging = 0;
      const post: Courier["post"] = async (_, { host, objectId, bytes }) => {
        const kind = left.shift() ?? "ok";
        const name = `${host} ${objectId} ${bytes.toString()}`;
        await new Promise((resolve) => setImmediate(resolve));
        if (kind === "busy") return { scheme: "cavage", status: 503 };
        if (kind === "away") return { scheme: "cavage", fault: "unreachable", detail: "away" };
        if (kind !== "dies before") taken.push(name);
        if (kind === "ok") return { scheme: "cavage", status: 202 };
        if (kind === "dies after") mayRepeat.push(name);
        hanging += 1;
        // Nothing is ever heard of this one again.
        return new Promise<Answer>(() => undefined);
      };
      for (let round = 0; round < 14; round++) {
        hanging = 0;
        const over = new AbortController();
        const queue = (): ReturnType<typeof deliveries> => {
          const alive = deliveries({ post, meetAgain: () => Promise.resolve() });
          // Whoever is still there after its round is dead.
          return { ...alive, due: async (...asked) => (over.signal.aborted ? [] : alive.due(...asked)) };
        };
        const all = Array.from({ length: workers }, () => new Worker(hub, queue()).drain());
        // A worker that has died never ends: nobody but it holds anything any more.
        await Promise.race([Promise.all(all), untilHeld(() => hanging, over.signal)]);
        over.abort();
        hub.advance(10 * 3600);
      }
      const waiting = await hub.db.selectFrom("delivery").select("id").where("state", "<>", "done").execute();
      expect(waiting).toEqual([]);
      expect(new Set(taken)).toEqual(new Set(wanted));
      for (const name of new Set(taken)) {
        const [times, repeats] = [taken, mayRepeat].map((all) => all.filter((one) => one === name).length);
        expect(times).toBeLessThanOrEqual(1 + repeats!);
      }
      for (const place of new Set(taken.map((name) => name.replace(/ \d+$/, "")))) {
        const order = taken.filter((name) => name.startsWith(`${place} `)).map((name) => Number(name.split(" ")[2]));
        expect(order).toEqual(order.toSorted((one, other) => one - other));
      }
    }),
    { numRuns: size(15, 300) },
  );
  await hub.close();
});
