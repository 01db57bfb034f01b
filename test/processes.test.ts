import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, makePeople, newPlace, openPlace, post, serve } from "./support/command.ts";
import type { Place, Serving } from "./support/command.ts";

/** Several processes behind one port: whichever dies is replaced, and nothing that was acknowledged is lost. */

const token = "f00dfeedf00dfeedf00d";
let place: Place;
let serving: Serving;

beforeAll(async () => {
  place = await newPlace({ HUBBUB_PROCESSES: "2", HUBBUB_METRICS_TOKEN: token });
  await makePeople(place, "anna");
  serving = await serve(place);
});
afterAll(() => place.remove());

/** The processes that serve, by their numbers in the system. */
function pids(): number[] {
  const { pid } = serving.child;
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

/** The parts that tell what they have measured. */
async function partsThatTell(): Promise<string[]> {
  const answer = await fetch(`${place.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return [...text.matchAll(/^process_resident_memory_bytes\{process="(\d)"\}/gm)].map(([, part]) => part!);
}

const allTell = () => expect.poll(() => partsThatTell().catch(() => [])).toEqual(["1", "2"]);

test("each of them is killed in turn while somebody writes", async () => {
  await allTell();
  let isOver = false;
  const acknowledged: string[] = [];
  const write = async (name: string): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const said = `${name}-${n}`;
      const id = await post(place, "anna", said).catch(() => undefined);
      if (id !== undefined) acknowledged.push(said);
    }
  };
  const writers = Array.from({ length: 4 }, (_, n) => write(`w${n}`));
  const before = pids();
  try {
    for (const pid of before) {
      process.kill(pid, "SIGKILL");
      await expect.poll(() => pids().length === 2 && !pids().includes(pid)).toBe(true);
      await allTell();
    }
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  expect(pids().some((pid) => before.includes(pid))).toBe(false);
  expect(acknowledged.length).toBeGreaterThan(10);
  const hub = await openPlace(place);
  const rows = await hub.db.selectFrom("message").select("body").where("body", "like", "w%").execute();
  await hub.close();
  const kept = new Set(rows.map(({ body }) => body));
  expect(acknowledged.filter((body) => !kept.has(body))).toEqual([]);
  expect(serving.stderr()).toMatch(/Process 1 has ended \('?SIGKILL'?\)/);
});

test("doctor names their parts", async () => {
  const { stdout } = await hubbub(place, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; found: string }[] };
  expect(findings.find(({ check }) => check === "processes")?.found).toBe("serve 1 of 2, serve 2 of 2");
});

test("another one finds the port taken", async () => {
  const { code, stderr } = await hubbub(place, ["serve"]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*port[^\n]*\n$/i)]);
});

test("they stop as one does", async () => {
  const all = pids();
  expect(await serving.stop()).toEqual({ code: 0, signal: null });
  const alive = all.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
  expect(alive).toEqual([]);
});
