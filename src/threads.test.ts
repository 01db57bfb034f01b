import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import type * as work from "../test/support/thread-work.ts";
import { HubError, TookTooLong } from "./errors.ts";
import { Threads } from "./threads.ts";
import type { Calls, Crew } from "./threads.ts";

/** Threads really end, really wait their turn, and never come before requests. */

const opened: Threads[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((threads) => threads.close()));
});

function open(settings: Partial<Crew> = {}): Calls<typeof work> & Pick<Threads, "close"> {
  const threads = new Threads();
  opened.push(threads);
  const module = new URL("../test/support/thread-work.ts", import.meta.url);
  const calls = threads.of<typeof work>({ module, threads: 2, queue: 2, limit: 60_000, ...settings });
  return { run: (name, ...args) => calls.run(name, ...args), close: () => threads.close() };
}

function flag(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4));
}

function raise(flag: Int32Array<SharedArrayBuffer>): void {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

const python = "/usr/bin/python3";

/** Systemd may forbid it: `SystemCallFilter=~@resources`. */
test.skipIf(process.platform !== "linux" || !existsSync(python))(
  "threads work where they may not give way",
  async () => {
    const script = `import { Threads } from "./src/threads.ts";
      const threads = new Threads();
      const module = new URL("./test/support/thread-work.ts", "file://" + process.cwd() + "/");
      const calls = threads.of({ module, threads: 1, queue: 1, limit: 60_000 });
      console.log(await calls.run("double", 21));
      await threads.close();`;
    const args = ["test/support/without-priorities.py", process.execPath, "--input-type=module", "-e", script];
    const { stdout } = await promisify(execFile)(python, args, { cwd: join(import.meta.dirname, "..") });
    expect(stdout).toBe("42\n");
  },
);

test("functions answer from threads of lower priority that know nothing of the environment", async () => {
  const { run } = open();
  expect(await run("double", 21)).toBe(42);
  const place = await run("where");
  expect(place).toMatchObject({ nice: 10, environment: [] });
  expect(place.thread).not.toBe(0);
});

test("so many run at once, so many wait, and the next one is refused", async () => {
  const { run } = open();
  const [first, second] = [flag(), flag()];
  const both = [run("waitFor", first), run("waitFor", second)];
  const waiting = [run("double", 1), run("double", 2)];
  await expect(run("double", 3)).rejects.toMatchObject({ kind: "too-many", retryAfter: 5 });
  raise(first);
  expect(await Promise.all(waiting)).toEqual([2, 4]);
  raise(second);
  const [one, other] = await Promise.all(both);
  expect(one).not.toBe(other);
});

test("what takes too long ends with its thread, and what waits goes on in a new one", async () => {
  const { run } = open({ threads: 1, limit: 100 });
  const before = await run("where");
  const endless = run("spin");
  const next = run("where");
  await expect(endless).rejects.toThrow(TookTooLong);
  const after = await next;
  expect(after.thread).not.toBe(before.thread);
  expect(existsSync(`/proc/self/task/${before.system}`)).toBe(false);
});

test("what waits for its turn of the processor has ten times as long by the clock", async () => {
  const { run } = open({ threads: 1, limit: 1000 });
  await run("where");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const slow = flag();
  const waiting = run("waitFor", slow);
  vi.advanceTimersByTime(9_999);
  raise(slow);
  await waiting;
  const endless = run("waitFor", flag());
  vi.advanceTimersByTime(10_000);
  await expect(endless).rejects.toThrow(TookTooLong);
});

test("errors come back as they were thrown, and whatever ends a thread is the end of one call only", async () => {
  const { run } = open({ threads: 1 });
  const refused: unknown = await run("refuse").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HubError);
  expect(refused).toMatchObject({ kind: "invalid", message: "This cannot be.", field: "body" });
  await expect(run("fail")).rejects.toThrow(RangeError);
  await expect(run("leave")).rejects.toThrow("ended");
  expect(await run("double", 4)).toBe(8);
});

test("a thread ends when nothing comes any more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { run } = open();
  const before = await run("where");
  vi.advanceTimersByTime(9_000);
  expect((await run("where")).thread).toBe(before.thread);
  vi.advanceTimersByTime(10_000);
  expect((await run("where")).thread).not.toBe(before.thread);
  await expect.poll(() => existsSync(`/proc/self/task/${before.system}`)).toBe(false);
});

test("closing ends everything", async () => {
  const { run, close } = open({ threads: 1 });
  const { system } = await run("where");
  const under = [run("spin"), run("double", 1)].map((call) => expect(call).rejects.toThrow("closing"));
  await close();
  await Promise.all(under);
  expect(existsSync(`/proc/self/task/${system}`)).toBe(false);
});
