import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { fingerAt, openElsewhere } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { findConnectionTo, listHostBlocks } from "../../domain/connections/connections.ts";
import { setAccountFlag } from "../../domain/identity/accounts/accounts.ts";
import { startList } from "../../domain/import/lists/lists.ts";
import { trimLists } from "../../domain/import/lists/trim-lists.ts";
import { now } from "../../hub.ts";
import { runDue } from "../../jobs/runner.ts";
import { jobs } from "../../jobs/table.ts";
import { zeroDate } from "../../storage/sql.ts";

/** Lists that Mastodon exports, taken over from the page (federation contract 11). */

let world: TestApp;
let ann: Person;
let bob: Person;
let visitor: Visitor;
const elsewhere = openElsewhere();
const home = "/settings/import-lists";

beforeAll(async () => {
  world = await openTestApp({ fetch: elsewhere.fetch });
  bob = await world.person("bob");
});
afterAll(() => world.close());

let round = 0;
/** Everybody begins with nothing, and with budgets of their own. */
beforeEach(async () => {
  ann = await world.person(`ann${++round}`);
  visitor = visitorOf(world.app);
  await visitor.logIn(ann.nick, password);
  elsewhere.asked.length = 0;
});

const uid = () => ann.channel.channel_id;
const words = (page: VisitedPage): string =>
  page.text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'");
const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const connection = (hash: string) => findConnectionTo(world.hub, uid(), hash);
/** Which of these people were looked up; their host is asked several times for each. */
const lookUps = (addresses: readonly string[]): string[] =>
  addresses.filter((address) => elsewhere.asked.some(({ url }) => url === fingerAt(address)));

let count = 0;
/** The nicks of people elsewhere whom the hub does not know. */
function strangers(many: number): string[] {
  return Array.from({ length: many }, () => {
    const nick = `stranger${++count}`;
    elsewhere.actor(nick);
    return nick;
  });
}

/** Sends a file and goes where that leads. */
async function bring(
  text: string | Uint8Array<ArrayBuffer>,
  name = "list.csv",
  kind = "auto",
): Promise<{ path: string; page: VisitedPage }> {
  await visitor.get(home);
  const answer = await visitor.post(home, { file: new File([text], name), kind });
  if (answer.status !== 303) return { path: "", page: answer };
  return { path: answer.location, page: await visitor.get(answer.location) };
}

async function begin(path: string): Promise<void> {
  expect((await visitor.post(`${path}/start`, {})).location).toBe(path);
}

/** Brings a list and has all of it done that can be done by now. */
async function carryOut(text: string, name?: string, kind?: string): Promise<{ path: string; page: VisitedPage }> {
  const { path } = await bring(text, name, kind);
  await begin(path);
  await world.work();
  return { path, page: await visitor.get(path) };
}

const following = (addresses: readonly string[]): string =>
  ["Account address,Show boosts,Notify on new posts,Languages", ...addresses.map((one) => `${one},true,false,`)].join(
    "\n",
  );
const far = (nick: string): string => `${nick}@far.example`;

describe("what is in a file", () => {
  const kinds: [string, string, string, string][] = [
    ["columns of those who are followed", following([far("x")]), "a.csv", "People to follow"],
    ["fewer columns", `Account address,Show boosts\n${far("x")},true`, "a.csv", "People to follow"],
    [
      "columns of those who are muted",
      `Account address,Hide notifications\r\n${far("x")},true`,
      "a.csv",
      "People to mute",
    ],
    ["hosts alone", "bad.example\n", "a.csv", "Servers to block"],
    ["columns of hosts", "#domain,#severity\nbad.example,suspend", "a.csv", "Servers to block"],
    ["the name of a file without columns", `${far("x")}\n`, "blocked_accounts.csv", "People to block"],
    [
      "the name of a file with one column",
      `\uFEFFAccount address\n${far("x")}\n`,
      "muted_accounts.csv",
      "People to mute",
    ],
  ];
  test.each(kinds)("is known by %s", async (_, text, name, title) => {
    const { page } = await bring(text, name);
    expect([page.status, words(page)]).toEqual([200, expect.stringContaining(`${title} ${name} 1 to be done`)]);
    expect(elsewhere.asked).toEqual([]);
  });

  test("is what was chosen by hand", async () => {
    const { page } = await bring(`${far("x")}\n`, "people.csv", "block");
    expect(words(page)).toContain("People to block people.csv 1 to be done");
  });

  const faulty: [string, string | Uint8Array<ArrayBuffer>, string, string, number, string][] = [
    ["people of whom it says nothing", `${far("x")}\n`, "people.csv", "auto", 422, "does not say what it is a list of"],
    ["nothing", "", "following.csv", "auto", 422, "Choose the file"],
    ["columns alone", "Account address,Show boosts", "a.csv", "auto", 422, "nothing in this file"],
    ["no people", "one,two\nthree,four", "a.csv", "follow", 422, "nothing in this file"],
    ["what is no text", new Uint8Array([0x61, 0xff, 0xfe, 0x00]), "a.csv", "follow", 422, "not a text"],
    ["more bytes than anybody has", "x".repeat(2 ** 20 + 1), "a.csv", "follow", 413, "at most 1.0 MB"],
    ["more lines than anybody has", "a@b.example\n".repeat(10_001), "a.csv", "follow", 413, "at most 10000 lines"],
    ["an odd kind", far("x"), "a.csv", "burn", 422, "not one of the choices"],
  ];
  test.each(faulty)("%s is refused with a sentence", async (_, text, name, kind, status, sentence) => {
    const { page } = await bring(text, name, kind);
    expect([page.status, words(page)]).toEqual([status, expect.stringContaining(sentence)]);
    expect(await world.hub.db.selectFrom("list_import").select("id").where("uid", "=", uid()).execute()).toEqual([]);
  });

  test("stands in the preview: what is to be done, what is so already, and what cannot be used", async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    const lines = [far("x"), far("X"), "BOB@hub.example", "no address", "a@b@c.example", "<b>@far.example\0"];
    const { page, path } = await bring(following(lines));
    expect(words(page)).toMatch(/1 to be done 1 you follow already 3 cannot be used/);
    expect(page.text).toContain("<code>&lt;b&gt;@far.example");
    const rows = world.hub.db.selectFrom("job").select("id").where("name", "=", "go-through-list");
    expect([elsewhere.asked, await rows.execute()]).toEqual([[], []]);
    expect((await visitor.post(`${path}/dismiss`, {})).location).toBe(`${home}?done=removed`);
    expect((await visitor.get(path)).status).toBe(404);
  });

  test("is not kept more than twenty times", async () => {
    for (let time = 0; time < 20; time++) await bring("bad.example");
    const { page } = await bring("bad.example");
    expect([page.status, words(page)]).toEqual([403, expect.stringContaining("You have brought 20 lists lately.")]);
  });
});

describe("a list", () => {
  test("of people to follow is followed as by hand, once however often it is brought", async () => {
    const [first, second] = strangers(2) as [string, string];
    const list = following([
      far(first),
      far(second),
      "bob@hub.example",
      `${ann.nick}@hub.example`,
      far("nobody"),
      "ghost@hub.example",
    ]);
    const { page } = await carryOut(list);
    expect(words(page)).toContain("6 of 6 are settled. It is done. 6 of 6 3 have been asked 3 could not be done");
    for (const nobody of [far("nobody"), "ghost@hub.example"])
      expect(words(page)).toContain(`Nobody is known as “${nobody}”, neither here nor there.`);
    expect(elsewhere.asked.filter(({ url }) => url.includes("//hub.example"))).toEqual([]);
    expect(page.headers.get("refresh")).toBeNull();
    for (const hash of [idOf(first), idOf(second), bob.channel.channel_hash])
      expect(await connection(hash)).toMatchObject({ follow_out: expect.stringMatching(/requested|accepted/) });
    const sent = () => elsewhere.asked.filter(({ options }) => options.method === "POST").length;
    expect(sent()).toBe(2);
    elsewhere.asked.length = 0;
    const again = await carryOut(list);
    expect(words(again.page)).toContain("3 you follow already");
    expect([sent(), lookUps([first, second, "nobody"].map(far))]).toEqual([0, [far("nobody")]]);
  });

  test("of people to block blocks those who are known, and those who are not", async () => {
    const [one] = strangers(1) as [string];
    const { page } = await carryOut(`${far(one)}\nbob@hub.example\n`, "blocked_accounts.csv");
    expect(words(page)).toContain("2 of 2 are settled. It is done. 2 of 2 2 are blocked");
    for (const hash of [idOf(one), bob.channel.channel_hash])
      expect(await connection(hash)).toMatchObject({ abook_blocked: 1 });
    const { page: preview } = await bring(`${far(one)}\nbob@hub.example\n`, "blocked_accounts.csv");
    expect(words(preview)).toContain("2 you have blocked already");
    // Whom one has blocked one does not follow.
    const { page: refused } = await carryOut(following(["bob@hub.example"]));
    expect(words(refused)).toMatch(/Could not be done bob@hub\.example: .*blocked/);
  });

  test("of people to mute mutes anybody, connected or not", async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    const [one] = strangers(1) as [string];
    const list = `Account address,Hide notifications\n${far(one)},true\nbob@hub.example,false\n`;
    const { page } = await carryOut(list);
    expect(words(page)).toContain("2 are muted");
    for (const hash of [idOf(one), bob.channel.channel_hash])
      expect(await connection(hash)).toMatchObject({ abook_ignored: 1 });
    expect(words((await bring(list)).page)).toContain("2 you have muted already");
  });

  test("of servers blocks them whole, though not this one", async () => {
    const { page } = await carryOut("#domain\nBad.example\nworse.example:8443\nhub.example\n");
    expect(words(page)).toContain("2 are blocked 1 could not be done");
    expect(words(page)).toContain("hub.example: This hub cannot block itself.");
    expect(await listHostBlocks(world.hub, uid())).toMatchObject([
      { host: "bad.example", kind: "block" },
      { host: "worse.example:8443", kind: "block" },
    ]);
    expect([elsewhere.asked, words((await bring("bad.example\n")).page)]).toEqual([
      [],
      expect.stringContaining("1 you have blocked already"),
    ]);
  });

  test("waits for whoever does not answer, and says so when they never do", async () => {
    const [one] = strangers(1) as [string];
    elsewhere.put(fingerAt("eve@silent.example"), new Error("silent"));
    const { path, page } = await carryOut(following(["eve@silent.example", far(one)]));
    expect(words(page)).toContain("1 of 2 are settled. It goes on in 60 minutes");
    expect([page.headers.get("refresh"), await connection(idOf(one))]).toEqual([
      "10",
      expect.objectContaining({ follow_out: "requested" }),
    ]);
    for (const hours of [1, 6, 24]) {
      elsewhere.asked.length = 0;
      world.hub.advance(hours * 3600 - 60);
      await world.work();
      expect(lookUps(["eve@silent.example"])).toEqual([]);
      world.hub.advance(60);
      await world.work();
      expect(lookUps(["eve@silent.example"])).toHaveLength(1);
    }
    expect(words(await visitor.get(path))).toContain("The server of “eve@silent.example” does not answer.");
    expect(words(await visitor.get(path))).toContain("2 of 2 are settled. It is done.");
  });

  test("has no more than thirty people looked up in ten minutes, whatever is dismissed", async () => {
    const people = strangers(70).map(far);
    const { path, page } = await carryOut(following(people.slice(0, 40)));
    expect([words(page), lookUps(people).length]).toEqual([
      expect.stringContaining("30 of 40 are settled. It goes on in 10 minutes"),
      30,
    ]);
    await visitor.post(`${path}/dismiss`, {});
    expect(words((await carryOut(following(people.slice(40)))).page)).toContain("0 of 30 are settled.");
    expect(lookUps(people)).toHaveLength(30);
    world.hub.advance(600);
    await world.work();
    expect(lookUps(people)).toHaveLength(60);
    // What was dismissed does not go on.
    expect(lookUps(people.slice(30, 40))).toEqual([]);
  });

  test("has no more than four hundred followed in a day", async () => {
    const [one] = strangers(1) as [string];
    const { path } = await bring(following([far(one)]));
    const sent = now(world.hub);
    const rows = Array.from({ length: 400 }, () => ({ uid: uid(), sent }));
    await world.hub.db.insertInto("sent_follow").values(rows).execute();
    await begin(path);
    await world.work();
    expect(words(await visitor.get(path))).toContain("0 of 1 are settled. It goes on in 24 hours");
    world.hub.advance(24 * 3600);
    await world.work();
    expect(words(await visitor.get(path))).toContain("1 of 1 are settled. It is done.");
  });

  test("is begun once, stopped in the middle, and gone on with", async () => {
    const nicks = strangers(3);
    const { path } = await bring(following(nicks.map(far)));
    await begin(path);
    expect((await visitor.post(`${path}/start`, {})).status).toBe(422);
    // While the second is looked up, its owner has enough.
    elsewhere.put(fingerAt(far(nicks[1]!)), async () => {
      await visitor.post(`${path}/stop`, {});
      return new Response("", { status: 404 });
    });
    await world.work();
    const stopped = "It was stopped. 2 of 3 1 have been asked 1 could not be done 1 were not begun Go on";
    expect(words(await visitor.get(path))).toContain(stopped);
    world.hub.advance(24 * 3600);
    await world.work();
    expect([await connection(idOf(nicks[2]!)), lookUps([far(nicks[2]!)])]).toEqual([undefined, []]);
    expect((await visitor.post(`${path}/start`, {})).status).toBe(303);
    // Whoever was at it before does nothing more.
    const [asked, list] = [elsewhere.asked.length, Number(path.split("/").at(-1))];
    await jobs["go-through-list"](world.hub, { list, turn: 1 });
    expect(elsewhere.asked).toHaveLength(asked);
    await world.work();
    const page = await visitor.get(path);
    expect(words(page)).toContain("3 of 3 are settled. It is done. 3 of 3 2 have been asked 1 could not be done");
    expect(page.text).not.toContain(`${path}/start`);
  });

  test("that is stopped while somebody was looked up does nothing more about them", async () => {
    const [one] = strangers(1) as [string];
    const { path } = await bring(following([far(one)]));
    await begin(path);
    const document = elsewhere.actor(one);
    elsewhere.put(document.id, async () => {
      await visitor.post(`${path}/stop`, {});
      return new Response(JSON.stringify(document), { headers: { "content-type": "application/activity+json" } });
    });
    await world.work();
    expect([await connection(idOf(one)), words(await visitor.get(path))]).toEqual([
      undefined,
      expect.stringContaining("0 of 1 are settled. It was stopped."),
    ]);
  });

  test("goes on where it was when the process dies in the middle, and asks nobody twice", async () => {
    const nicks = strangers(4);
    const { path } = await bring(following(nicks.map(far)));
    await begin(path);
    let die = (): void => undefined;
    const died = new Promise<void>((resolve) => (die = resolve));
    // The worker gets as far as the third, and comes back when nobody expects it any more.
    let comeBack = (_answer: Response): void => undefined;
    elsewhere.put(fingerAt(far(nicks[2]!)), () => {
      die();
      return new Promise((resolve) => (comeBack = resolve));
    });
    const late = runDue(world.hub);
    await died;
    elsewhere.actor(nicks[2]!);
    await world.hub.db
      .updateTable("job")
      .set({ leased_until: zeroDate })
      .where("name", "=", "go-through-list")
      .execute();
    await world.work();
    comeBack(new Response("", { status: 404 }));
    await late;
    expect(words(await visitor.get(path))).toContain("4 of 4 are settled. It is done. 4 of 4 4 have been asked");
    const follows = elsewhere.asked.filter(({ options }) => options.method === "POST");
    expect(follows).toHaveLength(4);
  });

  test("is gone through by the job of its turn alone", async () => {
    const nicks = strangers(31);
    const { path } = await carryOut(following(nicks.map(far)));
    const list = Number(path.split("/").at(-1));
    const waiting = () => world.hub.db.selectFrom("job").select("id").where("name", "=", "go-through-list").execute();
    const before = [await waiting(), elsewhere.asked.length];
    // What a process did that died before it could say so is run again.
    await jobs["go-through-list"](world.hub, { list, turn: 0 });
    expect([await waiting(), elsewhere.asked.length]).toEqual(before);
    await visitor.post(`${path}/stop`, {});
  });

  test("ends with the channel that brought it", async () => {
    const { path } = await bring("bad.example\n");
    await begin(path);
    const moved = (to: string) =>
      world.hub.db.updateTable("channel").set({ channel_moved: to }).where("channel_id", "=", uid()).execute();
    await moved("https://far.example/users/ann");
    await world.work();
    await moved("");
    expect([words(await visitor.get(path)), await listHostBlocks(world.hub, uid())]).toEqual([
      expect.stringContaining("0 of 1 are settled. It was stopped."),
      [],
    ]);
  });

  test("ends where its account is locked out, and goes on when it is not any more", async () => {
    const { path } = await bring("worst.example\n");
    await begin(path);
    const lockedOut = (on: boolean) => setAccountFlag(world.hub, ann.channel.channel_account_id, "blocked", on);
    await lockedOut(true);
    await world.work();
    expect(await listHostBlocks(world.hub, uid())).toEqual([]);
    await lockedOut(false);
    await visitor.logIn(ann.nick, password);
    expect(words(await visitor.get(path))).toContain("It was stopped.");
    expect((await visitor.post(`${path}/start`, {})).status).toBe(303);
    await world.work();
    expect(await listHostBlocks(world.hub, uid())).toHaveLength(1);
  });

  test("gives an entry up that always takes its worker along", async () => {
    const [one] = strangers(1) as [string];
    const { path } = await bring(following([far(one)]));
    await world.hub.db.updateTable("list_import_entry").set({ tries: 8 }).where("uid", "=", uid()).execute();
    await begin(path);
    await world.work();
    expect(words(await visitor.get(path))).toContain(`${far(one)}: It was tried several times`);
  });

  test("is nobody else's", async () => {
    const { path } = await bring("private-block.example\n");
    const other = visitorOf(world.app);
    await other.logIn("bob", password);
    expect((await other.get(home)).text).not.toContain("list.csv");
    expect((await other.get(path)).status).toBe(404);
    for (const deed of ["start", "stop", "dismiss"]) expect((await other.post(`${path}/${deed}`, {})).status).toBe(404);
    await expect(startList(world.hub, bob.channel.channel_id, Number(path.split("/").at(-1)))).rejects.toMatchObject({
      kind: "missing",
    });
    expect(words(await visitor.get(path))).toContain("1 to be done");
  });

  test("stands on the page of all lists until it is dismissed, and is trimmed a month after its end", async () => {
    const { path } = await carryOut("bad.example\n", "domain_blocks.csv");
    const unseen = await bring("worse.example\n", "unseen.csv");
    expect(words(await visitor.get(home))).toMatch(/unseen\.csv .* not begun .*domain_blocks\.csv .*: done/);
    world.hub.advance(3 * 24 * 3600);
    await trimLists(world.hub);
    expect([(await visitor.get(unseen.path)).status, (await visitor.get(path)).status]).toEqual([404, 200]);
    world.hub.advance(28 * 24 * 3600);
    await trimLists(world.hub);
    await visitor.logIn(ann.nick, password);
    expect((await visitor.get(path)).status).toBe(404);
    const left = world.hub.db.selectFrom("list_import_entry").select("id").where("uid", "=", uid());
    expect(await left.execute()).toEqual([]);
  });
});
