import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { fingerAt, fingerOf, jsonAnswer, openElsewhere } from "../../../../test/support/elsewhere.ts";
import { password } from "../../../../test/support/hub.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";

/** Looking people and posts up elsewhere, from pages and both APIs (federation contract 17). */

let world: TestApp;
let alma: Person;
let member: Visitor;
const elsewhere = openElsewhere();

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: "https://hub.example" }, fetch: elsewhere.fetch });
  alma = await world.person("alma");
  member = visitorOf(world.app);
  await member.logIn("alma", password);
});
afterAll(() => world.close());
beforeEach(() => void (elsewhere.asked.length = 0));

const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const asked = (): string[] => elsewhere.asked.map(({ url }) => url);
const words = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

let count = 0;
/** Somebody whom the hub does not know. */
function stranger(): { nick: string; address: string; id: string; page: string } {
  const nick = `stranger${++count}`;
  elsewhere.actor(nick);
  const page = `https://far.example/@${nick}`;
  elsewhere.put(page, () => jsonAnswer(elsewhere.actor(nick)));
  return { nick, address: `${nick}@far.example`, id: idOf(nick), page };
}

type Door = (text: string) => Promise<{ status: number; text: string }>;
const encoded = encodeURIComponent;
const paths: Record<string, string> = {
  "/follow": "/follow?url=",
  "/connections": "/connections?find=",
  "/search": "/search?search=",
};
const pages: Record<string, Door> = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [name, (text) => browse(`${path}${encoded(text)}`)]),
);
/** Goes where a browser goes on by itself. */
async function browse(path: string, visitor = member) {
  const page = await visitor.get(path);
  const onward = /^0; url=(.*)$/.exec(page.headers.get("refresh") ?? "")?.[1];
  return onward === undefined ? page : visitor.get(onward);
}
const calls: Record<string, Door> = {
  "users/show": (screen_name) => alma.get("/api/users/show.json", { screen_name }),
  "users/show by profile": (profileurl) => alma.get("/api/users/show.json", { profileurl }),
  "users/search": (q) => alma.get("/api/users/search.json", { q }),
  "externalprofile/show": (profileurl) => alma.get("/api/externalprofile/show.json", { profileurl }),
  "friendships/create": (screen_name) => alma.post("/api/friendships/create.json", { screen_name }),
  xchan: (address) => alma.get("/api/z/1.0/xchan", { address }),
};

describe.each(Object.entries(pages))("%s", (_, door) => {
  test.each<[string, (one: ReturnType<typeof stranger>) => string]>([
    ["nick@host", ({ address }) => address],
    ["@nick@host", ({ address }) => `@${address}`],
    ["their id", ({ id }) => id],
    ["the address of their page", ({ page }) => page],
  ])("finds somebody by %s", async (_, nameOf) => {
    const one = stranger();
    const page = await door(nameOf(one));
    expect([page.status, words(page.text)]).toEqual([200, expect.stringContaining(one.address)]);
    const rows = world.hub.db.selectFrom("actor").select("id").where("actor_id", "=", one.id);
    expect(await rows.execute()).toHaveLength(1);
    elsewhere.asked.length = 0;
    // From then on they are known.
    expect(words((await door(one.address)).text)).toContain(one.address);
    expect(asked()).toEqual([]);
  });

  test.each<[string, string, () => void, string]>([
    ["is unknown there", "nobody@far.example", () => undefined, "neither here nor there"],
    [
      "has a silent server",
      "ann@silent.example",
      () => elsewhere.put(fingerAt("ann@silent.example"), new Error("silent")),
      "does not answer",
    ],
    [
      "is refused to us",
      "ann@closed.example",
      () => {
        elsewhere.put(fingerAt("ann@closed.example"), () =>
          jsonAnswer(fingerOf("ann@closed.example", "https://closed.example/ann"), "application/jrd+json"),
        );
        elsewhere.put("https://closed.example/ann", 403);
      },
      "does not let this hub look",
    ],
    [
      "is nothing that can be read",
      "https://far.example/picture",
      () => elsewhere.put("https://far.example/picture", () => jsonAnswer({}, "text/html")),
      "this hub can read",
    ],
  ])("says that somebody %s", async (_, text, prepare, sentence) => {
    prepare();
    expect(words((await door(text)).text)).toContain(sentence);
  });
});

test.each(Object.values(paths))("%s says what happens before anything does", async (path) => {
  const { address, page } = stranger();
  for (const text of [address, page]) {
    const { status, text: shown, headers } = await member.get(`${path}${encoded(text)}`);
    const refresh = `0; url=${path}${encoded(text)}&asked=1`.replaceAll("%20", "+");
    expect([status, words(shown), headers.get("refresh")]).toEqual([
      200,
      expect.stringContaining(`“${text}” is not known here yet, so far.example is being asked.`),
      refresh,
    ]);
  }
  for (const text of ["nobody", "nobody@hub.example", "two words", ""])
    expect((await member.get(`${path}${encoded(text)}`)).headers.get("refresh")).toBeNull();
  expect(asked()).toEqual([]);
});

test.each(Object.entries(calls))("%s answers somebody of elsewhere, by an id of here", async (name, door) => {
  const one = stranger();
  const answer = await door(name.includes("rofile") ? one.page : one.address);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(one.nick)]);
  expect(asked()).toContain(one.id);
});

test.each(Object.entries(calls))(
  "%s says of somebody whom nobody knows there what it always says",
  async (name, door) => {
    const address = name.includes("rofile") ? "https://far.example/nobody" : "nobody@far.example";
    const { status, text } = await door(address);
    expect([status, text]).toEqual(name === "users/search" ? [200, "[]"] : [404, expect.any(String)]);
    expect(asked()).not.toEqual([]);
  },
);

test("who is asked to connect is asked there", async () => {
  const one = stranger();
  await alma.post("/api/friendships/create.json", { screen_name: one.address });
  const rows = world.hub.db.selectFrom("abook").select("follow_out").where("abook_xchan", "=", one.id);
  expect(await rows.execute()).toEqual([{ follow_out: "requested" }]);
});

describe("a post", () => {
  const everybody = "https://www.w3.org/ns/activitystreams#Public";
  function post(more: object = {}) {
    const writer = stranger();
    const id = `https://far.example/notes/${count}`;
    const content = `<p>Words of ${writer.nick}</p>`;
    elsewhere.put(id, {
      id,
      type: "Note",
      attributedTo: writer.id,
      content,
      to: [everybody],
      published: "2026-02-01T10:00:00Z",
      ...more,
    });
    return { id, words: `Words of ${writer.nick}` };
  }

  test.each<[string, Door]>([
    ["/search", pages["/search"]!],
    ["search", (q) => alma.get("/api/search.json", { q })],
  ])("is found by its address: %s", async (_, door) => {
    const { id, words: said } = post();
    expect(words((await door(id)).text)).toContain(said);
    elsewhere.asked.length = 0;
    expect(words((await door(id)).text)).toContain(said);
    expect(asked()).toEqual([]);
  });

  test("is found by the address of its page, and taken from its own id", async () => {
    const { id, words: said } = post();
    const page = `${id}.html`;
    elsewhere.put(page, { id, type: "Note", attributedTo: idOf("eve"), content: "forged", to: [everybody] });
    expect(words((await pages["/search"]!(page)).text)).not.toContain("forged");
    expect(words((await pages["/search"]!(id)).text)).toContain(said);
  });

  test.each<[string, object]>([
    ["of a writer on another server", { attributedTo: "https://other.example/users/eve" }],
    ["without a writer", { attributedTo: undefined }],
    ["with an id of ours", { id: "https://hub.example/item/1" }],
    ["without an id", { id: undefined }],
    ["that is an activity", { type: "Create", actor: idOf("eve"), object: "https://far.example/notes/other" }],
  ])("%s is not", async (_, more) => {
    const { id, words: said } = post(more);
    expect(words((await pages["/search"]!(id)).text)).not.toContain(said);
  });
});

describe("nobody", () => {
  test("without a log-in causes a request, on no page and by no call", async () => {
    const { address, page } = stranger();
    const visitor = visitorOf(world.app);
    for (const path of [
      `/search?search=${encoded(address)}`,
      `/search?search=${encoded(page)}`,
      `/follow?url=${encoded(address)}`,
      `/connections?find=${address}`,
    ])
      await visitor.get(path);
    for (const [path, query] of [
      ["users/show", { screen_name: address }],
      ["users/show", { profileurl: page }],
      ["users/search", { q: address }],
      ["externalprofile/show", { profileurl: page }],
      ["search", { q: page }],
    ] as const)
      await world.anonymous.get(`/api/${path}.json`, query);
    await world.anonymous.get("/api/z/1.0/xchan", { address });
    expect(asked()).toEqual([]);
  });

  test("looks up what is of this hub, or no address at all", async () => {
    for (const text of [
      "nobody",
      "nobody@hub.example",
      "https://hub.example/channel/nobody",
      "two words",
      "@",
      "a@b@c.example",
    ])
      for (const door of [...Object.values(pages), ...Object.values(calls)]) await door(text);
    expect(asked()).toEqual([]);
  });

  test("looks up more than 30 in an hour, or is kept for longer than ten seconds", async () => {
    const limited = await openTestApp({
      env: { HUBBUB_BASE_URL: "https://hub.example", HUBBUB_RATE_LIMITS: "on" },
      fetch: elsewhere.fetch,
    });
    const bea = await limited.person("bea");
    const show = async (nick: string) => bea.get("/api/users/show.json", { screen_name: `${nick}@far.example` });
    for (let time = 0; time < 30; time++) expect((await show(`absent${time}`)).status).toBe(404);
    const refused = await show("absent30");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    const visitor = visitorOf(limited.app);
    await visitor.logIn("bea", password);
    for (const path of Object.values(paths)) {
      const shown = await browse(`${path}absent31@far.example`, visitor);
      expect([shown.status, words(shown.text)]).toEqual([
        429,
        expect.stringContaining("You have looked up 30 addresses"),
      ]);
    }
    expect((await bea.get("/api/users/show.json", { screen_name: "bea" })).status).toBe(200);
    limited.hub.advance(3600);
    elsewhere.put(fingerAt("slow@far.example"), () => new Promise(() => undefined));
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => {
      expect(time).toBe(10_000);
      const controller = new AbortController();
      setImmediate(() => controller.abort());
      return controller.signal;
    });
    expect((await show("slow")).status).toBe(404);
    timeout.mockRestore();
    await limited.close();
  });
});
