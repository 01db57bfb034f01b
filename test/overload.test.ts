import { Agent, request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHub } from "../src/main.ts";
import type { RunningHub } from "../src/main.ts";
import { basic } from "./support/client.ts";
import { makeChannel, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";

/** More is asked of a hub than it can do: everybody has an answer within seconds, and what was acknowledged is there. */

let settings: TestHub;
let running: RunningHub;
/** So many milliseconds each statement holds the processor. */
let slowness = 0;
const token = "f00dfeedf00dfeedf00d";

beforeAll(async () => {
  settings = await openTestHub({ env: { HUBBUB_METRICS_TOKEN: token } });
  await makeChannel(settings, "alma");
  running = await startHub(
    { ...settings.config, listen: { address: "127.0.0.1", port: 0 } },
    { makeKeys: settings.makeKeys, onQuery: () => hold(slowness) },
  );
});
afterAll(async () => {
  agent.destroy();
  await running.close();
  await settings.close();
});

function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

type Answer = { status: number; headers: IncomingHttpHeaders; text: string; took: number };
type Sent = { method?: string; headers?: Record<string, string>; body?: string };

// As many as may be at the door at once.
const agent = new Agent({ keepAlive: true, maxSockets: 500, maxFreeSockets: 500 });

function ask(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(running.url + path, { method, headers, agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          text: Buffer.concat(pieces).toString(),
          took: performance.now() - began,
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const authorization = basic(`alma:${password}`);
const read = (path = "/api/statuses/home_timeline.json"): Promise<Answer> => ask(path, { headers: { authorization } });
const post = (status: string): Promise<Answer> =>
  ask("/api/statuses/update.json", {
    method: "POST",
    headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ status }).toString(),
  });
const deliver = (): Promise<Answer> =>
  ask("/inbox/alma", { method: "POST", headers: { "content-type": "application/activity+json" }, body: "{}" });

async function stored(): Promise<string[]> {
  const rows = await settings.db.selectFrom("message").select("body").where("body", "like", "% under load").execute();
  return rows.map(({ body }) => body);
}

async function refusedSoFar(asked: string): Promise<number> {
  const { text } = await ask("/metrics", { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^hubbub_overload_refused_total\\{asked="${asked}"\\} (\\d+)$`, "m").exec(text)?.[1]);
}

describe("bursts that a hub can do", () => {
  test("forty who write, and four hundred connections, are all served", async () => {
    const twice = async (): Promise<Answer[]> => [await read("/api/z/1.0/verify"), await read("/api/z/1.0/verify")];
    const readers = Array.from({ length: 400 }, twice);
    const writers = Array.from({ length: 40 }, (_, n) => post(`burst ${n}`));
    const answers = [...(await Promise.all(readers)).flat(), ...(await Promise.all(writers))];
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await refusedSoFar("requests")).toBe(0);
  });
});

describe("more than a hub can do", () => {
  test("whoever asks is answered within seconds, or told when to come back, and what was taken is there", async () => {
    slowness = 8;
    let isOver = false;
    const answers: Answer[] = [];
    const taken: string[] = [];
    const somebody = async (_: unknown, who: number): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const text = `${who} ${n} under load`;
        const answer = await (who % 10 === 0 ? post(text) : read());
        answers.push(answer);
        if (answer.status === 200 && who % 10 === 0) taken.push(text);
        if (answer.status === 503) await sleep(300);
      }
    };
    const crowd = Array.from({ length: 450 }, somebody);
    const refusedOnce = async (face: () => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const answer = await face();
        answers.push(answer);
        if (answer.status === 503) return answer;
      }
    };
    const told = await Promise.all(
      [
        () => read(),
        () => read("/api/z/1.0/verify"),
        () => ask("/api/v1/instance"),
        () => read("/api/statuses/home_timeline.xml"),
        () => ask("/login"),
        () => ask("/channel/alma", { headers: { accept: "application/activity+json" } }),
      ].map(refusedOnce),
    );
    const health = await ask("/health");
    isOver = true;
    slowness = 0;
    await Promise.all(crowd);
    const sentence = "More is asked of this hub than it can do at the moment. Please try again in a few seconds.";
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringContaining(`{"error":"${sentence}","code":503`),
      expect.stringContaining('"reason":"server_error"'),
      JSON.stringify({ error: "There was a temporary problem serving your request, please try again" }),
      expect.stringContaining(`<error>${sentence}</error>`),
      expect.stringContaining(`<p>${sentence}</p>`),
      JSON.stringify({ error: "Out of order for the moment" }),
    ]);
    expect(health.status).toBe(200);
    expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([200, 503]);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.filter(({ headers }) => headers["retry-after"] !== "10")).toEqual([]);
    expect(await refusedSoFar("requests")).toBe(refused.length);
    // Five seconds in the line; a busy machine takes longer for the rest.
    expect(Math.max(...[health, ...answers].map(({ took }) => took))).toBeLessThan(15_000);
    expect((await stored()).toSorted()).toEqual(taken.toSorted());
    expect((await Promise.all([read(), post("afterwards")])).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("deliveries of other hubs have places of their own, and are sent away sooner", async () => {
    slowness = 10;
    const deliveries = Array.from({ length: 450 }, deliver);
    await sleep(100);
    const reader = await read();
    const answers = await Promise.all(deliveries);
    slowness = 0;
    expect(reader.status).toBe(200);
    const refused = answers.filter(({ status }) => status === 503);
    expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([400, 503]);
    expect(refused.filter(({ headers }) => headers["retry-after"] !== "10")).toEqual([]);
    expect(await refusedSoFar("deliveries")).toBe(refused.length);
    expect((await deliver()).status).toBe(400);
  });
});
