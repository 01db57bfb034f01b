import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { picture } from "../../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { webPages } from "../../web.ts";
import { contrast, mix, readColour } from "../../look/colours.ts";
import { staysWithin } from "../../look/look-sheet.ts";

/** How administrators make the pages look like theirs, within limits. */

let hub: TestHub;
let root: Visitor;
let nobody: Visitor;
const usual = { site_name: "Our hub", accent_light: "#17684d", accent_dark: "#7dd3b0", front_text: "", css: "" };
const save = (fields: Record<string, string | File>) => root.post("/admin/look", { ...usual, ...fields });
const sheetOf = (page: string) => /<link rel="stylesheet" href="(\/look\/[^"]+)"/.exec(page)?.[1];

beforeAll(async () => {
  hub = await openTestHub();
  await createChannel(hub, await makeAccount(hub, "root@example.org", { roles: 4096 }), { nick: "root", name: "Root" });
  const app = webPages(hub);
  [root, nobody] = [visitorOf(app, hub.config.host), visitorOf(app, hub.config.host)];
  await root.logIn("root", password);
  await root.get("/admin/look");
});
afterAll(() => hub.close());

test("colours and styles come to every page at an address that changes with them, kept pages too", async () => {
  expect(sheetOf((await nobody.get("/about")).text)).toBeUndefined();
  expect((await save({ accent_light: "#7A1FA2", css: ".brand { color: teal }" })).status).toBe(303);
  const path = sheetOf((await nobody.get("/about")).text)!;
  const sheet = await nobody.get(path);
  expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(sheet.headers.get("cache-control")).toContain("immutable");
  expect(sheet.text).toMatch(/--accent: #7a1fa2[^]*prefers-color-scheme: dark[^]*#7dd3b0[^]*\.brand \{ color: teal \}/);
  expect((await save({ css: ".brand { color: navy }" })).status).toBe(303);
  expect((await nobody.get(path)).status).toBe(404);
  expect(sheetOf((await nobody.get("/about")).text)).not.toBe(path);
  expect((await save({})).status).toBe(303);
  expect(sheetOf((await nobody.get("/")).text)).toBeUndefined();
});

test("colours that cannot be read are refused, with a sentence", async () => {
  for (const [wrong, words] of [
    [{ accent_light: "#ffee00" }, "too pale"],
    [{ accent_dark: "#202020" }, "too dim"],
    [{ accent_light: "red" }, "six digits"],
  ] as const) {
    const answer = await save(wrong);
    expect([wrong, answer.status, answer.text.includes(words)]).toEqual([wrong, 422, true]);
  }
  expect([readColour("#ABCDEF"), readColour("12345"), mix("#000000", "#ffffff", 0.5)]).toEqual([
    "#abcdef",
    undefined,
    "#808080",
  ]);
  expect([contrast("#000000", "#ffffff"), contrast("#777777", "#777777")]).toEqual([21, 1]);
});

test("styles load nothing, however that is written", async () => {
  const within = [".a { color: red }", "", "/* url(x) */ .a::before { content: '\\201C' }", ".curl { width: 1px }"];
  expect(within.filter((css) => !staysWithin(css))).toEqual([]);
  const beyond = [
    "@import 'https://a.example/x.css';",
    "@IMPORT url(x)",
    ".a { background: url(https://a.example/x) }",
    ".a { background: u\\72l(https://a.example/x) }",
    ".a { background: \\000075rl(x) }",
    ".a { background: image-set('x' 1x) }",
    "@font-face { font-family: x; src: local(x) }",
    "</style><script>",
  ];
  for (const css of beyond) expect([css, (await save({ css })).status]).toEqual([css, 422]);
  expect((await save({ css: "x".repeat(20_001) })).status).toBe(422);
});

test("a logo is drawn anew, stands everywhere, and can be taken back", async () => {
  const bytes = await picture(40, 20).png().toBuffer();
  const file = (content: Buffer) => new File([new Uint8Array(content)], "logo.png", { type: "image/png" });
  expect((await save({ logo: file(Buffer.from("<svg onload=alert(1)>")) })).status).toBe(422);
  expect((await save({ logo: file(bytes) })).status).toBe(303);
  const front = (await nobody.get("/")).text;
  const path = /<img src="(\/look\/[^"]+logo\.png)"/.exec(front)![1]!;
  expect((await nobody.get(path)).headers.get("content-type")).toBe("image/png");
  expect((await nobody.get("/manifest.webmanifest")).text).toContain(path.replace("logo.png", "logo-large.png"));
  expect((await save({ no_logo: "1" })).status).toBe(303);
  expect((await nobody.get(path)).status).toBe(404);
  expect((await nobody.get("/")).text).toContain("/logo.svg");
});

test("the first page says what administrators have written, and nothing harmful", async () => {
  const front_text = "For **singers** <script>alert(1)</script>";
  expect((await save({ front_text, site_name: "The choir" })).status).toBe(303);
  const front = (await nobody.get("/")).text;
  expect(front).toContain("For <strong>singers</strong>");
  expect(front).not.toContain("<script>alert");
  expect(front).toContain("<h1>The choir</h1>");
  expect((await save({ front_text: "x".repeat(5001) })).status).toBe(422);
});

test("rules and what the hub does with data are for everybody to read", async () => {
  expect((await nobody.get("/about")).text).toContain("have not written anything");
  const texts = { description: "", about: "One\n\nTwo", rules: "Be <kind>.", privacyPolicy: "None.", publicEmail: "" };
  expect((await root.post("/admin/texts", texts)).status).toBe(303);
  expect((await nobody.get("/about")).text).toMatch(/<p>One<\/p>\s*<p>Two<\/p>[^]*Be &lt;kind&gt;\.[^]*None\./);
});
