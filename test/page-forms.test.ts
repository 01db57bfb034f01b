import { resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, receiveAccept } from "../src/domain/connections/connections.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { createChannel } from "../src/domain/identity/channels/channels.ts";
import { stageBytes } from "../src/domain/files/blobs.ts";
import { startList, takeList } from "../src/domain/import/lists/lists.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { findSession } from "../src/domain/identity/accounts/sessions.ts";
import onThisDay from "../examples/on-this-day/on-this-day.ts";
import { extensionPages } from "../src/faces/web/extension-pages.ts";
import { pages as ownPages } from "../src/faces/web/pages/table.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { crawl } from "./support/crawl.ts";
import type { ShownForm } from "./support/crawl.ts";
import { clientOf } from "./support/client.ts";
import { makeAccount, password } from "./support/hub.ts";
import { arrivesIn } from "./support/incoming.ts";
import { picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";
import type { VisitedPage, Visitor } from "./support/visitor.ts";
import { wholeChannel } from "./support/whole-channel.ts";
import { size } from "./support/size.ts";
import { anyCharacter } from "./support/any-character.ts";

/** Every page, those of an extension among them, with odd addresses and odd forms, for everybody: an answer or a clear refusal, never a fault of the hub. */

let world: TestApp;
let zoe: Person;
let owner: Visitor;
let stranger: Visitor;
let anonymous: Visitor;
let administrator: Visitor;
let paths: string[];
let forms: ShownForm[];
let names: Record<string, string[]>;
let image: Buffer;

const example = resolve(import.meta.dirname, "../examples/on-this-day");
const pages = [...ownPages, ...extensionPages({ extensions: [onThisDay] })];
const runs = size(1, 20);

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_EXTENSIONS: example } });
  const alma = await wholeChannel(world.hub, "alma");
  await knowElsewhere(alma);
  zoe = await world.person("zoe");
  await zoe.post("/api/z/1.0/item/update", { body: "zoe's own" });
  image = await picture(20, 20).png().toBuffer();
  [owner, stranger, anonymous] = [visitorOf(world.app), visitorOf(world.app), visitorOf(world.app)];
  await owner.logIn("alma", password);
  await stranger.logIn("zoe", password);
  await owner.get("/settings/webhooks");
  await owner.post("/settings/webhooks", { url: "https://receiver.example/", events: "post.received" });
  const first = [
    "/",
    "/network",
    "/channel/alma",
    "/cloud/alma",
    "/photos/alma",
    "/events?from=2026-06-20",
    "/mail",
    "/settings",
  ];
  const more = [
    "/webpages/alma",
    "/menu/alma",
    "/wiki/alma",
    "/page/alma/about-us",
    "/moderate",
    "/import",
    "/uexport",
  ];
  ({ paths, forms } = await crawl(
    owner,
    [
      ...first,
      ...more,
      "/new_channel",
      "/search",
      "/folders",
      "/drafts",
      "/scheduled",
      "/welcome",
      "/settings/invitations",
      "/x/on-this-day/alma",
    ],
    kindOf,
    isFine,
  ));
  names = await knownNames();
});
afterAll(() => world?.close());

/** Somebody of another hub with a post, lists of servers that the owner has brought along, and somebody who may see the pages of administrators. */
async function knowElsewhere(alma: Channel): Promise<void> {
  const { hub } = world;
  const carla = await meetActor(hub, actorOf("carla"));
  await connect(hub, alma, carla);
  await receiveAccept(hub, alma, carla);
  const actor = carla.xchan_hash;
  const object = { id: `${actor}/1`, type: "Note", attributedTo: actor, content: "<p>From far</p>" };
  const to = ["https://www.w3.org/ns/activitystreams#Public", `${actor}/followers`];
  await arrivesIn(hub)({ id: `${actor}/2`, type: "Create", actor, to, object: { ...object, to } }, [alma]);
  const staged = await stageBytes(hub, Buffer.from("bad.example\n"));
  for (const begins of [true, false]) {
    const list = await takeList(hub, alma, { staged, filename: "domain_blocks.csv" }, undefined);
    if (begins) await startList(hub, alma.channel_id, list);
  }
  const root = await makeAccount(hub, "root@example.org", { roles: 4096 });
  await createChannel(hub, root, { nick: "root", name: "Root" });
  administrator = visitorOf(world.app);
  await administrator.logIn("root", password);
}

/** Values that stand in addresses, by the name of their place. */
async function knownNames(): Promise<Record<string, string[]>> {
  const alma = clientOf(world.app, `alma:${password}`);
  const found: Record<string, Set<string>> = {};
  for (const path of paths) {
    const row = rowOf(path);
    const values = row && match(row.path, path.split("?")[0]!);
    for (const [name, value] of Object.entries(values ?? {})) (found[name] ??= new Set()).add(value);
  }
  const files = (await alma.get("/api/z/1.0/files")).json.results as { hash: string }[];
  for (const { hash } of files) (found["hash"] ??= new Set()).add(hash);
  return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, [...values].slice(0, 20)]));
}

function rowOf(path: string): (typeof pages)[number] | undefined {
  return pages.find((row) => match(row.path, path.split("?")[0]!) !== undefined);
}

function kindOf(path: string): string | undefined {
  return path.startsWith("/logout") ? undefined : rowOf(path)?.path;
}

/** Forms of addresses, read once: there are many thousands of questions for them. */
const shapes = new Map(pages.map(({ path }) => [path, shapeOf(path)]));

function shapeOf(row: string): { parts: string[]; form: RegExp } {
  const parts: string[] = [];
  const source = row.replace(
    /\/:(\w+)(?:\{((?:[^{}]|\{[^}]*\})+)\})?(\?)?/g,
    (_all, name: string, form = "[^/]+", maybe = "") => {
      parts.push(name);
      return maybe === "" ? `/(${form.replaceAll("(", "(?:")})` : `(?:/(${form}))?`;
    },
  );
  return { parts, form: new RegExp(`^${source}$`) };
}

/** The parts of an address by their names; undefined when the row has another form. */
function match(row: string, path: string): Record<string, string> | undefined {
  const { parts, form } = shapes.get(row)!;
  const found = form.exec(path);
  return found ? Object.fromEntries(parts.map((name, at) => [name, found[at + 1] ?? ""])) : undefined;
}

const fine = [200, 204, 206, 301, 302, 303, 304, 400, 403, 404, 405, 413, 415, 416, 422, 429];

/** No fault of the hub; a refusal is a page that says so and shows nothing of the inside. */
function isFine(what: string, answer: VisitedPage): void {
  expect([what, fine.includes(answer.status) ? 200 : answer.status]).toEqual([what, 200]);
  if (answer.status < 400) return;
  if (answer.status !== 416)
    expect([what, answer.headers.get("content-type")]).toEqual([what, "text/html; charset=utf-8"]);
  expect(answer.text).not.toMatch(/\bat \S+ \(?\S*:\d+:\d+\)?|node_modules|SQLITE_|syntax error at|violates/);
}

const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "",
      "0",
      "-1",
      "1",
      "2",
      "007",
      "2147483648",
      "999999999999999",
      "9".repeat(40),
      "1.5",
      "1e3",
      "NaN",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "..",
      ".",
      "../../etc/passwd",
      "a/b",
      "\\",
      "%",
      "%25",
      "_",
      "'\"",
      "<script>alert(1)</script>",
      "a\r\nSet-Cookie: x=y",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "__proto__",
      "constructor",
      "toString",
      "null",
      "undefined",
      "[]",
      "{}",
      "on",
      "alma",
      "zoe",
      "public",
      "\0",
      "\ud7ff\ufffd\u202e",
      "😀".repeat(70),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "2026-03-01T12:00",
      "2026-02-30T25:61",
      "0000-00-00",
      "9999-99-99",
      "12:00",
      "-000001-01-01",
      "FREQ=SECONDLY",
      "#zzzzzz",
      "javascript:alert(1)",
      "http://[",
      "//elsewhere.example",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("a".repeat(300), "[b]".repeat(2000), "(".repeat(5000), "é".repeat(100_000)) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => text.toWellFormed()) },
);

/** What stands in a path: mostly something escaped, sometimes bytes that no text is made of. */
const oddPart = fc.oneof(
  {
    weight: 4,
    arbitrary: odd.filter((text) => text !== "" && text.length < 6000).map((text) => encodeURIComponent(text)),
  },
  { weight: 1, arbitrary: fc.constantFrom("%ff", "%C0%AF", "%", "%zz", "%00", "%2e%2e", "%2F", "..;", "%E2%80%AE") },
);

/** An address of the row: its parts are ones that exist, or odd ones. */
function addresses(row: string): fc.Arbitrary<string> {
  const places = [...row.matchAll(/\/:(\w+)(?:\{(?:[^{}]|\{[^}]*\})+\})?\??/g)];
  const parts = places.map(([, name = ""]) =>
    fc.oneof(oddPart, fc.constantFrom(...(names[name] ?? ["1"])), fc.constantFrom(...(names[name] ?? ["1"]))),
  );
  return fc
    .tuple(...parts)
    .map((values) => places.reduce((path, [whole], at) => path.replace(whole, `/${values[at]}`), row))
    .filter((path) => !isOfApi(path));
}

/** Two dots in an address of the API's pages lead to the API, which answers in its own form. */
function isOfApi(path: string): boolean {
  const { pathname } = new URL(path, "http://hub.example");
  return pathname.startsWith("/api/") && rowOf(pathname) === undefined;
}

const queryNames = [
  "page",
  "before",
  "after",
  "start",
  "year",
  "month",
  "day",
  "date",
  "next",
  "url",
  "tag",
  "cat",
  "mid",
  "search",
  "find",
  "list",
  "order",
  "done",
  "q",
  "zat",
  "edit",
  "revision",
  "dbegin",
  "dend",
  "file",
  "f",
  "from",
  "to",
  "seen",
  "type",
  "id",
  "body",
  "group",
  "old",
  "item",
  "xchan",
  "host",
  "show",
];

const everybody: [string, () => Visitor][] = [
  ["the owner", () => owner],
  ["a stranger", () => stranger],
  ["nobody", () => anonymous],
];
const readers: typeof everybody = [...everybody, ["an administrator", () => administrator]];

test("the site was walked through", () => {
  const seen = new Set(paths.map((path) => kindOf(path)));
  const shown = pages.filter(
    (page) =>
      page.get &&
      !/setup|proxy|person|login|logout|register|admin|oauth\/auth|\/:id\/end|item\/:uuid|:at|live|suggestions/.test(
        page.path,
      ),
  );
  const never = shown.map((page) => page.path).filter((path) => !seen.has(path));
  // What no page links to in this world.
  expect(never.length).toBeLessThan(26);
  expect(forms.length).toBeGreaterThan(40);
});

test.each(everybody)("%s opens everything that the owner finds", async (_name, visitor) => {
  for (const path of paths) isFine(path, await visitor().get(path));
});

describe.each(pages.filter((page) => page.get))("GET $path", (page) => {
  test("any address, any query", async () => {
    const query = fc.array(fc.tuple(fc.constantFrom(...queryNames), odd), { maxLength: 2 });
    const call = fc.tuple(addresses(page.path), query, fc.constantFrom(...readers));
    await fc.assert(
      fc.asyncProperty(call, async ([path, asked, [who, visitor]]) => {
        const search = new URLSearchParams(asked.filter(([, value]) => value.length < 6000)).toString();
        const address = search === "" ? path : `${path}?${search}`;
        isFine(`${who} ${address}`, await visitor().get(address));
      }),
      { numRuns: runs * 2 },
    );
  });
});

describe.each(pages.filter((page) => page.post))("POST $path", (page) => {
  test("any form", async () => {
    const shown = forms.filter((form) => rowOf(form.action)?.path === page.path);
    const known = shown.flatMap((form) => form.fields);
    const field = known.length === 0 ? fc.constant("x") : fc.constantFrom(...known.map((one) => one.name), "x");
    const value = fc.oneof(
      { weight: 3, arbitrary: odd },
      { weight: 1, arbitrary: fc.constantFrom(...known.flatMap((one) => one.values), "on") },
    );
    const call = fc.record({
      path:
        shown.length === 0
          ? addresses(page.path)
          : fc.oneof(
              { weight: 3, arbitrary: fc.constantFrom(...shown.map((form) => form.action)) },
              { weight: 1, arbitrary: addresses(page.path) },
            ),
      usual: fc.boolean(),
      changed: fc.array(fc.tuple(field, value), { maxLength: 4 }),
      upload: fc.constantFrom("none", "none", "empty", "image", "text", "lie", "trick"),
      who: fc.constantFrom(...everybody, everybody[0]!),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ path, usual, changed, upload, who: [who, visitor] }) => {
        const form = shown.find((one) => one.action === path);
        const sent: Record<string, string | string[] | Blob> = {};
        // Most boxes of a form are as they came; a password is never known here.
        if (usual) for (const one of form?.fields ?? []) if (!one.file) sent[one.name] = one.values[0] ?? "";
        for (const [name, value] of changed) sent[name] = value;
        delete sent["form_security_token"];
        const part = partOf(upload);
        if (part) sent[page.files?.[0] ?? "file"] = part;
        const answer = await visitor().post(path, sent);
        isFine(`${who} POST ${path} ${JSON.stringify({ ...sent, ...(part && { upload }) }).slice(0, 400)}`, answer);
        if (page.access !== "anybody" && visitor() === anonymous && answer.status < 400)
          expect([path, answer.location]).toEqual([path, expect.stringMatching(/^\/login/)]);
        await comeBack(visitor());
      }),
      { numRuns: runs * 3 },
    );
  });
});

function partOf(upload: string): Blob | undefined {
  if (upload === "none") return undefined;
  const bytes = { empty: "", image: new Uint8Array(image), text: "hello", lie: "<svg onload=alert(1)>", trick: "x" }[
    upload
  ]!;
  const name = upload === "trick" ? "../../\u202e..\\a\0b.html" : `${upload}.png`;
  return new File([bytes], name, { type: upload === "text" ? "text/plain" : "image/png" });
}

/** Some forms end the log-in. */
async function comeBack(visitor: Visitor): Promise<void> {
  const login = visitor === owner ? "alma" : visitor === stranger ? "zoe" : undefined;
  if (login === undefined || (await findSession(world.hub, visitor.cookies.get("hubbub") ?? ""))) return;
  await visitor.logIn(login, password);
  // From now on forms have the token of this log-in.
  expect((await visitor.get("/settings")).status).toBe(200);
}

/** An address of the row that need not name anything. */
function plainAddress(row: string): string {
  const parts: Record<string, string> = { what: "basic", year: "2026", month: "03", size: "l" };
  return row.replace(/\/:(\w+)(?:\{[^}]*\})?\??/g, (_all, name: string) => `/${parts[name] ?? "1"}`);
}

test("a form without its token, from elsewhere or of another kind is refused and changes nothing", async () => {
  const rows = pages.filter((page) => page.post && page.access === "member");
  for (const { path: row } of rows) {
    const path = plainAddress(row);
    const count = async () =>
      (
        await world.hub.db
          .selectFrom("item")
          .select(world.hub.db.fn.countAll<number>().as("n"))
          .executeTakeFirstOrThrow()
      ).n;
    const before = await count();
    const refused: [string, VisitedPage][] = [
      ["no token", await owner.post(path, { form_security_token: "" })],
      ["wrong token", await owner.post(path, { form_security_token: "x".repeat(owner.token().length) })],
      ["another's token", await owner.post(path, { form_security_token: stranger.token() })],
      ["another site", await owner.post(path, {}, { origin: "https://elsewhere.example" })],
      ["cross-site", await owner.post(path, {}, { "sec-fetch-site": "cross-site" })],
    ];
    for (const [what, answer] of refused) expect([path, what, answer.status]).toEqual([path, what, 403]);
    expect(await count()).toBe(before);
  }
});

test("bodies that are broken or too large", async () => {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const bodies: [string, string | Uint8Array<ArrayBuffer>, number[]][] = [
    ["application/json", "{}", [415]],
    ["text/plain", "a=b", [415]],
    ["", "a=b", [415]],
    ["multipart/form-data", "no boundary", [422]],
    ["multipart/form-data; boundary=a", '--a\r\nContent-Disposition: form-data; name="x"\r\n\r\nno end', [422]],
    [
      "multipart/form-data; boundary=a",
      '--a\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nno end',
      [422],
    ],
    ["application/x-www-form-urlencoded", "a=1&".repeat(300_000), [403, 413]],
    ["application/x-www-form-urlencoded", `x=${"y".repeat(6_000_000)}`, [413]],
    ["application/x-www-form-urlencoded", "%ff=%00&%zz", [403]],
  ];
  const sent = bodies.map(([type, body, statuses]) => ({
    type,
    bytes: typeof body === "string" ? new TextEncoder().encode(body) : body,
    begins: String(body).slice(0, 30),
    statuses,
  }));
  const posts = pages.filter((one) => one.post && one.access === "member");
  for (const [at, page] of posts.entries()) {
    const path = plainAddress(page.path);
    for (const { type, bytes, begins, statuses } of sent) {
      // What is large takes most of the time and is refused before any page sees it.
      if (bytes.length > 10_000 && at % size(30, 1) !== 0) continue;
      const response = await world.app.request(`http://hub.example${path}`, {
        method: "POST",
        body: bytes,
        headers: { cookie, host: "hub.example", ...(type && { "content-type": type }) },
      });
      expect([path, type, begins, statuses.includes(response.status) ? 0 : response.status]).toEqual([
        path,
        type,
        begins,
        0,
      ]);
      await response.text();
    }
  }
});
