import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startWatchedHub } from "./processes.ts";

test("nobody waits for what a hub that has ended would say of its event loop", async () => {
  const data = mkdtempSync(join(tmpdir(), "hubbub-bench-processes-"));
  const file = join(data, "hub.db");
  const place = { settings: { engine: "sqlite", file }, url: `sqlite:${file}` } as const;
  const hub = await startWatchedHub(place, "http://hub.localhost", data);
  expect(await hub.longestHold()).toBeGreaterThan(0);
  const ended = new Promise((resolve) => hub.process.once("exit", resolve));
  hub.process.kill("SIGKILL");
  await ended;
  await expect(hub.longestHold()).rejects.toThrow("The hub ended while it was measured");
  rmSync(data, { recursive: true, force: true });
});
