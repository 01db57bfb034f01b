import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  childrenOf,
  findOldNode,
  hubbubProcess,
  isAlive,
  makePeople,
  newPlace,
  post,
  serve,
} from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";

/** A hub that is not started by Node itself, and its signals. */

let place: Place;
beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "anna");
});
afterAll(() => place.remove());

const old = findOldNode();

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s to an npm that started the hub stops it and leaves the port",
  async (signal) => {
    const npm = spawn("npm", ["start"], {
      cwd: resolve(import.meta.dirname, "../.."),
      env: { PATH: process.env["PATH"], HOME: place.folder, ...place.env },
    });
    let printed = "";
    npm.stdout.on("data", (chunk) => (printed += String(chunk)));
    const ended = once(npm, "exit");
    await expect.poll(() => printed).toContain("ready at");
    npm.kill(signal);
    await ended;
    await expect(fetch(`${place.url}/api/z/1.0/version`)).rejects.toThrow("fetch failed");
  },
);

describe.skipIf(!old)("started by an older Node", () => {
  const node = old!;

  test("commands answer, with their exit codes", async () => {
    expect(JSON.parse((await hubbubProcess(place, ["channel", "list", "--json"], { node })).stdout)).toContainEqual(
      expect.objectContaining({ nick: "anna" }),
    );
    expect(await hubbubProcess(place, ["connect", "anna", "nobody"], { node })).toMatchObject({
      code: 1,
      stderr: "Channel nobody not found.\n",
    });
    expect(await hubbubProcess(place, ["dance"], { node })).toMatchObject({ code: 2, stdout: "" });
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s stops the hub cleanly", async (signal) => {
    const running = await serve(place, { node });
    expect(await post(place, "anna", "hello")).toBeGreaterThan(0);
    expect(await running.stop(signal)).toEqual({ code: 0, signal: null });
  });

  test("the hub stops when whoever started it is killed", async () => {
    const running = await serve(place, { node });
    const [hub] = childrenOf(running.child.pid!);
    expect(isAlive(hub!)).toBe(true);
    if (existsSync("/proc/self/environ"))
      expect(readFileSync(`/proc/${hub}/environ`, "latin1")).toContain("MALLOC_ARENA_MAX=2");
    // The output stays open until the hub itself is gone.
    expect(await running.stop("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
    await expect.poll(() => isAlive(hub!)).toBe(false);
    expect(running.stderr()).toBe("");
  });

  test("a hub that is killed takes whoever started it with it", async () => {
    const running = await serve(place, { node });
    process.kill(childrenOf(running.child.pid!)[0]!, "SIGKILL");
    expect(await running.stop("SIGWINCH")).toEqual({ code: null, signal: "SIGKILL" });
  });
});
