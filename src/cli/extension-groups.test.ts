import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, hubbubJson, hubbubProcess, newPlace } from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import type { Finding } from "./checks/finding.ts";

/** What extensions add to the command, as operators call it. */

const example = resolve(import.meta.dirname, "../../examples/on-this-day");
const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
let place: Place;

beforeAll(async () => {
  place = await newPlace({ HUBBUB_BASE_URL: "https://hub.example", HUBBUB_EXTENSIONS: example });
  const who = ["--email", "a@example.org", "--password", "long-enough", "--nick", "alma", "--name", "Alma"];
  await hubbubJson(place, "account", "create", ...who);
});
afterAll(async () => {
  await place.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("a command of an extension answers as a process, in words and as JSON, and fails with a sentence", async () => {
  const said = await hubbubProcess(place, ["x-on-this-day", "count", "alma"]);
  expect(said).toEqual({ code: 0, signal: null, stdout: "0 posts are from this day.\n", stderr: "" });
  expect(await hubbubJson(place, "x-on-this-day", "count", "alma")).toEqual({ count: 0 });
  const failed = await hubbub(place, ["x-on-this-day", "count", "nobody"]);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("There is no channel nobody.")]);
  expect((await hubbub(place, ["x-on-this-day", "--help"])).stdout).toContain("how many posts of a channel");
});

test("the doctor names the extension, and colours of a theme that are too weak", async () => {
  const pale = join(folder, "pale.mjs");
  const themes = [{ name: "pale", label: "Pale", light: { "--ink": "#999999" }, dark: {} }];
  writeFileSync(pale, `export default ${JSON.stringify({ interface: 1, name: "own", summary: "pale", themes })};`);
  const env = { ...place.env, HUBBUB_EXTENSIONS: `${example},${pale}` };
  const { stdout } = await hubbub({ env }, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(findings.find(({ check }) => check === "extensions")).toMatchObject({
    state: "ok",
    found: "on-this-day, own",
  });
  const weak = findings.filter(({ check }) => check === "colours of themes");
  expect(weak.map(({ state }) => state)).toEqual(["warning", "warning", "warning"]);
  expect(weak[0]!.found).toContain("own/pale is hard to read in the light: --ink (#999999) on --bg (#eef3f0)");
});
