import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { LogFile } from "./log-file.ts";

const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test("who moves the file away gets a new one within a second, and several may write", () => {
  const path = join(folder, "logs", "hubbub.log");
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const [one, other] = [new LogFile(path), new LogFile(path)];
  one.write("1\n");
  other.write("2\n");
  renameSync(path, `${path}.1`);
  one.write("3\n");
  now += 1500;
  one.write("4\n");
  other.write("5\n");
  expect(readFileSync(`${path}.1`, "utf8")).toBe("1\n2\n3\n");
  expect(readFileSync(path, "utf8")).toBe("4\n5\n");
});

test("what cannot be written there goes to standard error", () => {
  const path = join(folder, "lost", "hubbub.log");
  const file = new LogFile(path);
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  rmSync(join(folder, "lost"), { recursive: true });
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 5000);
  file.write("lost\n");
  expect(said.mock.calls).toEqual([["lost\n"]]);
});
