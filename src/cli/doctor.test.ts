import { chmodSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, hubbubJson, emptyPlace, newPlace, openPlace, serve } from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import { freePort } from "../../test/support/free-port.ts";
import { openTestHub } from "../../test/support/hub.ts";
import { openTlsProxy } from "../../test/support/tls-proxy.ts";
import { serveHub } from "../main.ts";
import type { Finding } from "./checks/finding.ts";
import { lookFromOutside } from "./checks/outside.ts";

let place: Place;
beforeAll(async () => {
  place = await newPlace({ HUBBUB_BASE_URL: "https://hub.example" });
  await hubbub(place, ["migrate"]);
});
afterAll(() => place.remove());

async function examine(
  env = {},
): Promise<{ code: number | null; states: Record<string, string>; findings: Finding[] }> {
  const { code, stdout } = await hubbub({ env: { ...place.env, ...env } }, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { code, findings, states: Object.fromEntries(findings.map(({ check, state }) => [check, state])) };
}

test("a healthy hub passes, before and while it runs", async () => {
  const { code, states } = await examine();
  // Nobody has this name.
  const { name, ...others } = states;
  expect([code, name, new Set(Object.values(others))]).toEqual([0, "warning", new Set(["ok"])]);
  expect(Object.keys(states)).toEqual([
    "database",
    "tables",
    "clock of the database",
    "processes",
    "pair",
    "files",
    "deliveries",
    "inbox",
    "backups",
    "data folder",
    "blobs",
    "privacy of the data",
    "disk",
    "clock of the disk",
    "base URL",
    "port",
    "name",
  ]);
  const running = await serve(place);
  expect(await examine()).toMatchObject({ code: 0, states: { port: "ok" } });
  await running.stop();
});

test("tables that wait for a step are told, and the doctor leaves them alone", async () => {
  const fresh = await emptyPlace();
  const { findings } = await hubbubJson<{ findings: Finding[] }>(fresh, "doctor");
  expect(findings.find(({ check }) => check === "tables")?.state).not.toBe("failed");
  expect((await hubbubJson<{ steps: string[] }>(fresh, "migrate")).steps).not.toEqual([]);
  await fresh.remove();
});

test.each([
  ["database", { HUBBUB_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" }],
  ["base URL", { HUBBUB_BASE_URL: "http://hub.example" }],
  ["data folder", { HUBBUB_DATA: "/proc/1/hubbub", HUBBUB_DATABASE_URL: "sqlite:/proc/1/hubbub/hubbub.db" }],
  ["settings", { HUBBUB_PORT: "many" }],
])("%s: a failure comes with advice", async (check, env) => {
  const { code, findings } = await examine(env);
  // Who may write everywhere learns it from the room that is left.
  const bad = findings.filter(({ state }) => state === "failed");
  expect(code).toBe(1);
  expect(bad.map((finding) => finding.check)).toContain(
    check === "data folder" && process.getuid?.() === 0 ? "disk" : check,
  );
  for (const { advice } of bad) expect(advice).toMatch(/\w/);
});

test("files that others could read are told", async () => {
  chmodSync(place.folder, 0o750);
  const { code, findings } = await examine();
  chmodSync(place.folder, 0o700);
  expect(code).toBe(0);
  expect(findings.find(({ state, check }) => state !== "ok" && check !== "name")).toEqual({
    check: "privacy of the data",
    state: "warning",
    found: `others on this machine may look into ${place.folder}`,
    advice: `Run: chmod -R go= ${place.folder}`,
  });
});

test("a database from which a newer program has taken something is one sentence everywhere", async () => {
  const fresh = await newPlace();
  const hub = await openPlace(fresh);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(hub.db);
  await sql`insert into contraction (step) values ('9999-future')`.execute(hub.db);
  await hub.close();
  const sentence = "The database belongs to a newer version of Hubbub than this one: update the program.\n";
  for (const args of [["serve"], ["work"], ["migrate"], ["account", "list"], ["backup", fresh.folder]])
    expect([args, await hubbub(fresh, args)]).toEqual([args, { code: 1, signal: null, stdout: "", stderr: sentence }]);
  const { code, stdout } = await hubbub(fresh, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect([code, findings.find(({ check }) => check === "tables")]).toEqual([
    1,
    {
      check: "tables",
      state: "failed",
      found: "belong to a newer version of Hubbub (9999-future)",
      advice: "Update the program; an older one cannot use these tables.",
    },
  ]);
  await fresh.remove();
});

test("another program on the port", async () => {
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(Number(place.env["HUBBUB_PORT"]), "127.0.0.1", resolve));
  expect(await examine()).toMatchObject({ code: 1, states: { port: "failed" } });
  other.close();
});

test("what others find is told, as far as it can be seen from here", async () => {
  const port = await freePort();
  const changed: Record<string, string> = {};
  const proxy = await openTlsProxy(port, undefined, changed);
  const env = {
    HUBBUB_BASE_URL: `https://localhost:${proxy.port}`,
    HUBBUB_PORT: String(port),
    HUBBUB_TRUST_PROXY: "on",
  };
  const hub = await openTestHub({ env, clock: new Date().toISOString() });
  const running = await serveHub(hub);
  const ca = readFileSync(proxy.certificate);
  const look = async (trust = {}) =>
    Object.fromEntries((await lookFromOutside(hub.config, trust)).map((one) => [one.check, one]));
  const found = await look({ ca });
  // Certificates of tests hold for two days, and this machine is not public.
  const states = Object.fromEntries(Object.entries(found).map(([check, { state }]) => [check, state]));
  expect(states).toEqual({
    name: "warning",
    certificate: "warning",
    actor: "ok",
    WebFinger: "ok",
    "clock of the web server": "ok",
    "header Host": "ok",
  });
  expect([found["name"]!.found, found["certificate"]!.found]).toEqual([
    expect.stringContaining("not public"),
    expect.stringMatching(/^holds for [12] days$/),
  ]);
  const strange = await look();
  expect(strange["certificate"]!.found).toContain("certificate");
  expect(strange["actor"]).toMatchObject({ state: "warning", advice: expect.stringContaining("serve") });
  changed["host"] = "127.0.0.1:8080";
  expect((await look({ ca }))["header Host"]).toMatchObject({
    state: "warning",
    advice: expect.stringContaining("X-Forwarded-Host"),
  });
  changed["x-forwarded-host"] = `localhost:${proxy.port}`;
  expect((await look({ ca }))["header Host"]?.state).toBe("ok");
  await running.close();
  expect((await look({ ca }))["WebFinger"]).toMatchObject({
    state: "warning",
    found: expect.stringContaining("webfinger"),
  });
  proxy.close();
});
