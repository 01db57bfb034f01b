import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { observerOf } from "../../domain/identity/channels/observer.ts";
import type { Heard } from "../../domain/listeners/heard.ts";
import { listen } from "../../domain/listeners/listeners.ts";

/** Chatrooms on pages: opened, talked in, changed and closed, by those who may. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;
const visitors = new Map<Person, Visitor>();
const as = (person: Person): Visitor => visitors.get(person)!;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cleo] = [await world.person("ann"), await world.person("bob"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cleo.channel);
  for (const person of [ann, bob, cleo]) {
    visitors.set(person, visitorOf(world.app));
    await as(person).logIn(person.nick, password);
  }
});
afterAll(() => world.close());

/** Opens a room for bob, or for others. */
async function open(name: string, fields: Record<string, string> = {}): Promise<string> {
  await as(ann).get("/chat/ann");
  const chosen = { audience: "chosen", contact_allow: bob.channel.channel_hash };
  const answer = await as(ann).post("/chat/ann", { name, minutes: "120", ...chosen, ...fields });
  expect(answer.status).toBe(303);
  return answer.location.replace(/\?.*$/, "");
}

/** What somebody with a look at this room hears. */
async function ear(person: Person, path: string): Promise<{ rooms: () => number[]; close: () => void }> {
  const heard: Heard[] = [];
  const close = await listen(world.hub, {
    observer: observerOf(person.channel),
    threads: [],
    rooms: [Number(path.split("/").at(-1))],
    account: person.channel.channel_account_id,
    address: "",
    hear: (more) => void heard.push(...more),
    letInUntil: () => Promise.resolve("9999-12-31 23:59:59"),
    end: () => undefined,
  });
  return { rooms: () => heard.flatMap((one) => (one.what === "room" ? [one.room] : [])), close };
}

test("a room is there for its owner and those chosen, and for nobody else", async () => {
  expect((await as(bob).get("/chat/ann")).status).toBe(404);
  expect((await as(ann).get("/chat/ann")).text).toContain("You have no chatroom.");
  const path = await open("Kitchen");
  for (const person of [ann, bob]) {
    expect((await as(person).get(path)).text).toContain("<h1>Kitchen</h1>");
    expect((await as(person).get("/chat/ann")).text).toContain("<span>Kitchen</span>");
  }
  expect((await as(bob).get(path)).text).not.toContain("?show=settings");
  for (const visitor of [as(cleo), visitorOf(world.app)]) {
    const unknown = await visitor.get("/chat/ann/999999");
    expect(unknown.status).toBe(404);
    const [here, there] = [await visitor.get(path), unknown].map(({ text }) => withoutTokens(text));
    expect(here).toBe(there?.replaceAll("/chat/ann/999999", path));
    expect((await visitor.get("/chat/ann")).status).toBe(404);
  }
});

test("what is said is heard at once by those who look at the room and may enter it", async () => {
  const path = await open("Parlour");
  const room = Number(path.split("/").at(-1));
  const [anns, cleos] = [await ear(ann, path), await ear(cleo, path)];
  await as(bob).get(path);
  const said = await as(bob).post(path, { body: "Is <b>anybody</b> here?" });
  expect([said.status, said.location]).toEqual([303, path]);
  await expect.poll(anns.rooms).toEqual([room]);
  expect((await as(ann).get(path)).text).toContain("Is &lt;b&gt;anybody&lt;/b&gt; here?");
  const part = await as(ann).post(path, { body: "Yes." }, { "hx-request": "true" });
  expect(part.text).toMatch(
    new RegExp(`^<ol class="room chat-lines" id="room-${room}">[^]*anybody[^]*Yes\\.[^]*</ol>`),
  );
  await expect.poll(() => anns.rooms().length).toBe(2);
  await as(cleo).get("/network");
  expect((await as(cleo).post(path, { body: "let me in" })).status).toBe(404);
  expect((await as(bob).post(path, { body: " " })).status).toBe(422);
  expect(cleos.rooms()).toEqual([]);
  anns.close();
  cleos.close();
});

test("its owner changes it, and closes it with all that was said", async () => {
  const path = await open("Attic", { audience: "public" });
  expect((await as(cleo).get(path)).status).toBe(200);
  await as(cleo).post(path, { body: "dusty" });
  const settings = (await as(ann).get(`${path}?show=settings`)).text;
  expect(settings).toContain('value="Attic"');
  expect(settings).toMatch(/<option value="120" selected\s*>2 hours/);
  const changes = { act: "settings", name: "Loft", minutes: "0", audience: "chosen" };
  const changed = await as(ann).post(path, { ...changes, contact_allow: bob.channel.channel_hash });
  expect(changed.status).toBe(303);
  expect((await as(cleo).get(path)).status).toBe(404);
  const shown = (await as(bob).get(path)).text;
  expect(shown).toContain("What is said here stays.");
  expect(shown).toContain("dusty");
  for (const act of ["settings", "delete"]) expect((await as(bob).post(path, { ...changes, act })).status).toBe(404);
  expect((await as(ann).get(`${path}?show=delete`)).text).toContain("Delete the room Loft?");
  expect((await as(ann).post(path, { act: "delete" })).location).toBe("/chat/ann?done=deleted");
  expect((await as(ann).get(path)).status).toBe(404);
  const room = Number(path.split("/").at(-1));
  expect(await world.hub.db.selectFrom("chat_line").selectAll().where("room_id", "=", room).execute()).toEqual([]);
});

test.each([
  ["no name", { name: " " }, "A room needs a name."],
  ["a long name", { name: "x".repeat(101) }, "at most 100 characters"],
  ["a name that is taken", { name: "Cellar" }, "There is a room of that name already."],
  ["no time", { name: "Shed", minutes: "soon" }, "This is no time"],
  ["nobody", { name: "Shed", audience: "chosen" }, "Choose at least one"],
])("a room with %s is not opened", async (_, fields, sentence) => {
  if (!(await as(ann).get("/chat/ann")).text.includes("<span>Cellar</span>")) await open("Cellar");
  await as(ann).get("/chat/ann");
  const answer = await as(ann).post("/chat/ann", { minutes: "0", audience: "public", ...fields });
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(sentence)]);
  expect(answer.text).not.toContain("<span>Shed</span>");
});

test("nobody opens rooms of somebody else", async () => {
  await as(bob).get("/chat/bob");
  const answer = await as(bob).post("/chat/ann", { name: "Mine", minutes: "0", audience: "public" });
  expect(answer.status).toBe(404);
});
