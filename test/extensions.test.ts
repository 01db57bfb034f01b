import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "../src/cli/program.ts";
import { ConfigError } from "../src/config/read.ts";
import { readConfig } from "../src/config/config.ts";
import type { Extension } from "../src/extensions/extension.ts";
import { loadExtensions } from "../src/extensions/load.ts";
import { toolsOf } from "../src/extensions/tools.ts";
import { inTransaction } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { addExtensionJob } from "../src/jobs/queue.ts";
import { countResting, forgetResting, wakeResting } from "../src/jobs/resting.ts";
import { runDue, startRunner } from "../src/jobs/runner.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { makeAccount, password } from "./support/hub.ts";
import { createGuest } from "../src/domain/connections/guests.ts";
import { createChannel } from "../src/domain/identity/channels/channels.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** The example of docs/extensions.md, and wrong ones, through the doors of a real hub. */

const example = resolve(import.meta.dirname, "../examples/on-this-day");
const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));

let world: TestApp;
let alma: Person;
let owner: Visitor;
let zoe: Visitor;
let nobody: Visitor;

const log = { failures: 0 };
const failing: Extension = {
  interface: 1,
  name: "failing",
  summary: "fails at first",
  jobs: [
    {
      name: "once",
      async run(tools) {
        await tools.settings.set("tried", String(++log.failures));
        if (log.failures === 1) throw new Error("not yet");
      },
    },
  ],
};

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_EXTENSIONS: example }, clock: "2026-06-20T12:00:00Z" });
  alma = await world.person("alma");
  await world.person("zoe");
  world.hub.setClock("2025-06-20T09:00:00Z");
  await alma.post("/api/z/1.0/item/update", { body: "a public birthday" });
  await alma.post("/api/z/1.0/item/update", { body: "a quiet birthday", contact_allow: [alma.channel.channel_hash] });
  world.hub.setClock("2025-06-21T09:00:00Z");
  await alma.post("/api/z/1.0/item/update", { body: "the day after" });
  world.hub.setClock("2026-06-20T12:00:00Z");
  const root = await makeAccount(world.hub, "root@example.org", { roles: 4096 });
  await createChannel(world.hub, root, { nick: "root", name: "Root" });
  [owner, zoe, nobody] = [visitorOf(world.app), visitorOf(world.app), visitorOf(world.app)];
  await owner.logIn("alma", password);
  await zoe.logIn("zoe", password);
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a page shows each reader what they may see, and is part of the hub's own frame", async () => {
  const own = await owner.get("/x/on-this-day");
  expect(own.status).toBe(200);
  for (const words of ["a public birthday", "a quiet birthday", 'class="x-on-this-day"'])
    expect(own.text).toContain(words);
  expect(own.text).not.toContain("the day after");
  expect(own.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const visitor of [zoe, nobody]) {
    const page = await visitor.get("/x/on-this-day/alma");
    expect(page.text).toContain("a public birthday");
    expect(page.text).not.toContain("a quiet birthday");
  }
  expect((await nobody.get("/x/on-this-day")).location).toBe("/login?next=%2Fx%2Fon-this-day");
  const guest = visitorOf(world.app);
  const { atoken_token } = await createGuest(world.hub, alma.channel, { name: "Grace" });
  const seen = await guest.get(`/x/on-this-day/alma?zat=${atoken_token}`);
  expect(seen.text).toContain("a public birthday");
  expect(seen.text).not.toContain("a quiet birthday");
  expect((await guest.get("/x/on-this-day")).location).toBe("/login?next=%2Fx%2Fon-this-day");
  expect((await zoe.get("/x/on-this-day/nobody-of-that-name")).status).toBe(404);
  expect((await zoe.get("/x/other")).status).toBe(404);
  expect((await owner.get("/settings")).text).toContain('href="/x/on-this-day"');
  expect((await nobody.get("/about")).text).not.toContain('href="/x/on-this-day"');
});

test("its styles and themes are files with a digest, and administrators choose the theme", async () => {
  const sheet = /href="(\/assets\/\w+\/x\/on-this-day\.css)"/.exec((await owner.get("/x/on-this-day")).text)![1]!;
  const answer = await nobody.get(sheet);
  expect([answer.headers.get("content-type"), answer.text]).toEqual([
    "text/css; charset=utf-8",
    ".x-on-this-day .lead { font-style: italic }",
  ]);
  const root = visitorOf(world.app);
  await root.logIn("root", password);
  expect((await root.get("/admin/look")).text).toContain("Sepia");
  const fields = { site_name: "Hub", accent_light: "#17684d", accent_dark: "#7dd3b0", front_text: "", css: "" };
  expect((await root.post("/admin/look", { ...fields, theme: "on-this-day/sepia" })).status).toBe(303);
  const { text } = await nobody.get("/about");
  for (const ground of ["#f4ecdc", "#1a1612"]) expect(text).toContain(`<meta name="theme-color" content="${ground}"`);
  const theme = /href="(\/assets\/\w+\/x\/on-this-day\/sepia\.css)"/.exec(text)![1]!;
  const colours = (await nobody.get(theme)).text;
  expect(colours).toMatch(/--bg: #f4ecdc[^]*data-theme="dark"[^]*--bg: #1a1612/);
  expect(colours.match(/^@media screen\b/gm)).toHaveLength(colours.match(/:root/g)!.length);
  expect((await root.post("/admin/look", { ...fields, theme: "on-this-day/none" })).status).toBe(303);
  expect((await nobody.get("/about")).text).not.toContain("sepia.css");
});

test("its form needs the token, and its daily job writes for those who want it, once", async () => {
  await owner.get("/x/on-this-day");
  expect((await owner.post("/x/on-this-day", { remind: "1", form_security_token: "wrong" })).status).toBe(403);
  await owner.get("/x/on-this-day");
  expect((await owner.post("/x/on-this-day", { remind: "1" })).location).toContain("/x/on-this-day");
  const runner = await startRunner(world.hub);
  await runner.drain();
  await runner.stop();
  const [extension] = world.hub.extensions;
  const tools = toolsOf(world.hub, extension!);
  const channel = (await tools.channel("alma"))!;
  const since = new Date("2026-06-20T00:00:00Z");
  const seen = await tools.posts(tools.readerOf(channel), channel, { since });
  expect(seen.map(({ title, isPrivate }) => [title, isPrivate])).toEqual([["On this day", true]]);
  expect(await tools.posts(await tools.stranger(), channel, { since })).toEqual([]);
  expect(() => tools.readerOf({ ...channel })).toThrow(TypeError);
});

test("a job that fails is tried again, and is there only when its unit of work is", async () => {
  const hub: Hub = { ...world.hub, extensions: [failing] };
  const tools = toolsOf(hub, failing);
  const undone = tools.together(async (inside) => {
    await inside.addJob("once");
    await inside.settings.set("undone", "1");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await tools.settings.all()).toEqual(new Map());
  await tools.addJob("once");
  await runDue(hub);
  world.hub.advance(60);
  await runDue(hub);
  await runDue(hub);
  expect(await tools.settings.get("tried")).toBe("2");
});

test("jobs whose extension is not there rest, and go on when it is back", async () => {
  const without: Hub = { ...world.hub, extensions: [] };
  const withIt: Hub = { ...world.hub, extensions: [failing] };
  await inTransaction(without, (inside) => addExtensionJob(inside, "x/failing/once", null));
  for (let times = 0; times < 12; times++) {
    await runDue(without);
    world.hub.advance(4000);
  }
  const ours = async () => (await countResting(world.hub)).filter(({ name }) => name === "x/failing/once");
  expect(await ours()).toEqual([{ name: "x/failing/once", count: 1 }]);
  const root = visitorOf(world.app);
  await root.logIn("root", password);
  expect((await root.get("/admin/jobs")).text).toContain("x/failing/once: 1 job rests");
  await wakeResting(withIt);
  await runDue(withIt);
  expect(await ours()).toEqual([]);
  expect(await toolsOf(withIt, failing).settings.get("tried")).toBe("3");
  await inTransaction(without, (inside) => addExtensionJob(inside, "x/failing/once", null));
  await runDue(without);
  expect(await forgetResting(world.hub, "failing")).toBe(1);
});

test("its commands stand among those of the hub", async () => {
  const env = { HUBBUB_EXTENSIONS: example };
  expect((await buildProgram(["--help"], env)).helpInformation()).toContain("x-on-this-day");
  expect((await buildProgram(["config"], { HUBBUB_EXTENSIONS: "/nowhere" })).helpInformation()).toContain("config");
  const [extension] = world.hub.extensions;
  const count = extension!.commands![0]!;
  world.hub.setClock("2026-06-20T12:00:00Z");
  expect(await count.run(toolsOf(world.hub, extension!), { nick: "alma" })).toEqual({ count: 2 });
});

const head = 'interface: 1, name: "a", summary: "b"';
const run = "run: async () => {}";

test.each([
  ["export default 1;", "no default export"],
  ["export default { interface: 2 };", "version 2 of the interface; this hub has version 1"],
  ["throw new Error('broken inside');", "cannot be loaded: broken inside"],
  [`export default { ${head}, name: "Bad Name" };`, "name: lower-case letters"],
  [`export default { ${head}, jobs: [{ name: "j", ${run} }, { name: "j", ${run} }] };`, "jobs: two have the same name"],
  [`export default { ${head}, pages: [{ path: "../p", access: "anybody", get: async () => {} }] };`, "pages.0.path"],
  [`export default { ${head}, pages: [{ path: "p", access: "friends", get: async () => {} }] };`, "pages.0.access"],
  [
    `export default { ${head}, themes: [{ name: "t", label: "T", light: { "--bg": "url(x)" }, dark: {} }] };`,
    "themes.0",
  ],
  [`export default { ${head}, surprise: 1 };`, "surprise"],
])("%s is refused with a sentence", async (text, words) => {
  const place = mkdtempSync(join(folder, "wrong-"));
  writeFileSync(join(place, "index.js"), text);
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  await expect(loadExtensions([place])).rejects.toThrow(ConfigError);
  await expect(loadExtensions([place])).rejects.toThrow(words);
});

test("what is not there, named twice or named wrongly is refused", async () => {
  await expect(loadExtensions(["/nowhere/at-all"])).rejects.toThrow("There is no extension /nowhere/at-all");
  await expect(loadExtensions(["no-such-package-of-anybody"])).rejects.toThrow(ConfigError);
  await expect(loadExtensions([example, example])).rejects.toThrow("Two extensions are named on-this-day");
  expect(() => readConfig({ HUBBUB_EXTENSIONS: "a b" })).toThrow(ConfigError);
  expect(readConfig({ HUBBUB_EXTENSIONS: "@me/one, ./two" }).extensions).toEqual(["@me/one", resolve("two")]);
});
