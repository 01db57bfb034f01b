import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { planArchives } from "../src/domain/archives/archive-place.ts";
import { sendArchive } from "../src/domain/archives/send-archive.ts";
import { setAccountFlag, setPassword } from "../src/domain/identity/accounts/accounts.ts";
import { unseal } from "../src/domain/backups/seal.ts";
import { now } from "../src/hub.ts";
import { zeroDate } from "../src/storage/sql.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { put } from "./support/files.ts";
import { password } from "./support/hub.ts";
import { visitorOf } from "./support/visitor.ts";
import type { VisitedPage, Visitor } from "./support/visitor.ts";
import { hasWebdav, startWebdavServer } from "./support/webdav-server.ts";
import type { WebdavServer } from "./support/webdav-server.ts";

/** Archives that go to a disk of their owner's, by the settings page and the queue, onto a real WebDAV server. */

const home = "/settings/archives";

describe.runIf(hasWebdav)("archives on WebDAV", () => {
  let server: WebdavServer;
  let world: TestApp;
  let ann: Person;
  let atHome: Visitor;
  beforeAll(async () => {
    server = await startWebdavServer();
    world = await openTestApp({
      env: { HUBBUB_IMPORT_FROM: "127.0.0.1", HUBBUB_SMTP_URL: "smtp://127.0.0.1:1" },
    });
    ann = await world.person("ann");
    await ann.post("/api/z/1.0/item/update", { body: "a post of mine" });
    await put(world.hub, ann.channel, "notes.txt", "some notes");
    atHome = visitorOf(world.app);
    await atHome.logIn("ann", password);
  });
  afterAll(async () => {
    await world.close();
    await server.stop();
  });

  const save = async (more: Record<string, string> = {}): Promise<VisitedPage> => {
    await atHome.get(home);
    return atHome.post(home, {
      kind: "webdav",
      address: server.address,
      login: server.login,
      secret: server.password,
      region: "",
      every: "day",
      keep: "2",
      passphrase: "",
      own_password: password,
      ...more,
    });
  };
  const press = async (what: string): Promise<VisitedPage> => {
    await atHome.get(home);
    return atHome.post(`${home}/${what}`, {});
  };
  const nextDay = async (): Promise<void> => {
    world.hub.advance(24 * 3600);
    // A regular job, which nobody has planned here.
    await planArchives(world.hub);
    await world.work();
  };
  const row = () => world.hub.db.selectFrom("archive_place").selectAll().executeTakeFirst();

  test("a place is named with one's own password, and what opens it is never shown or stored as it is", async () => {
    expect((await save({ own_password: "wrong" })).status).toBe(422);
    expect((await save({ address: "ftp://files.example/" })).status).toBe(422);
    expect((await save({ secret: "" })).text).toContain("For this place the hub has no password yet.");
    expect(await row()).toBeUndefined();
    expect((await save()).location).toBe(`${home}?done=saved`);
    const shown = await atHome.get(home);
    expect(shown.text).toContain(server.address);
    expect(shown.text).not.toContain("correct:horse");
    expect(JSON.stringify(await row())).not.toContain("correct");
    expect((await press("try")).location).toBe(`${home}?done=archives-tried`);
  });

  test("archives come when they are due, are named by their time, and so many are kept", async () => {
    await world.work();
    expect(server.names()).toEqual(["hubbub-ann-20260301T120000.tar"]);
    const text = server.read("hubbub-ann-20260301T120000.tar").toString("latin1");
    for (const part of ["archive.json", "a post of mine", "some notes", "SHA256SUMS.sig"]) expect(text).toContain(part);
    await world.work();
    expect(server.names()).toHaveLength(1);
    for (let day = 0; day < 3; day++) await nextDay();
    expect(server.names()).toHaveLength(2);
    expect(server.names().every((name) => name.endsWith(".tar"))).toBe(true);
    expect((await atHome.get(home)).text).toContain(server.names()[1]);
    await press("now");
    world.hub.advance(1);
    await world.work();
    expect(await row()).toMatchObject({ under_way: "", failures: 0, last_name: server.names()[1] });
  });

  test("nothing is sent for an account that is locked out, and archives go on when it is let in again", async () => {
    const account_id = ann.channel.channel_account_id;
    const before = server.names();
    await setAccountFlag(world.hub, account_id, "blocked", true);
    await nextDay();
    expect([server.names(), (await row())!.failures]).toEqual([before, 0]);
    await setAccountFlag(world.hub, account_id, "blocked", false);
    await atHome.logIn("ann", password);
    await nextDay();
    expect(server.names()).not.toEqual(before);
  });

  test("nothing is sent after a change of the password until the owner says so, not even what is on its way", async () => {
    const [before, { channel_account_id: account }] = [server.names(), ann.channel];
    await setPassword(world.hub, account, password);
    await nextDay();
    expect(server.names()).toEqual(before);
    await atHome.logIn("ann", password);
    expect((await atHome.get("/settings")).text).toContain("Paused since your password was changed: look here");
    expect((await atHome.get(home)).text).toMatch(/Paused since your password was changed at [^]*If it is yours/);
    await world.hub.db
      .updateTable("archive_place")
      .set({ paused: zeroDate, next_at: now(world.hub) })
      .execute();
    const { blobs } = world.hub;
    vi.spyOn(blobs, "stage").mockImplementationOnce(async (bytes, most) => {
      await setPassword(world.hub, account, password);
      return blobs.stage(bytes, most);
    });
    await sendArchive(world.hub, { uid: ann.channel.channel_id }, () => () => ({ subject: "", parts: [] }));
    expect([server.names(), (await row())!.failures]).toEqual([before, 0]);
    await atHome.logIn("ann", password);
    expect((await press("now")).location).toBe(`${home}?done=archives-now`);
    await world.work();
    expect(server.names()).not.toEqual(before);
  });

  test("what has arrived is not sent again, whenever the hub was killed", async () => {
    const { last_name } = (await row())!;
    const written = server.written(last_name);
    const killed = { under_way: last_name, last_name: "", next_at: "2026-01-01 00:00:00" };
    await world.hub.db.updateTable("archive_place").set(killed).execute();
    await nextDay();
    expect(await row()).toMatchObject({ under_way: "", last_name });
    expect(server.written(last_name)).toBe(written);
  });

  test("a server that is away is tried again, its owner is told once, and the archive arrives under its first name", async () => {
    await server.kill();
    await press("now");
    for (let attempt = 0; attempt < 4; attempt++) await nextDay();
    const failing = (await row())!;
    expect(failing).toMatchObject({ reason: "away", failures: expect.any(Number) });
    expect(failing.failures).toBeGreaterThanOrEqual(3);
    const letters = await world.hub.db.selectFrom("letter").select("subject").execute();
    expect(letters.filter(({ subject }) => subject.startsWith("Archives of"))).toHaveLength(1);
    expect((await atHome.get("/settings")).text).toContain("The last archive did not arrive");
    expect((await press("try")).text).toContain("The server did not answer");
    await server.startAgain();
    await nextDay();
    expect(await row()).toMatchObject({ failures: 0, last_name: failing.under_way });
    expect(server.names()).toContain(failing.under_way);
  });

  test("with a passphrase only who knows it can read them", async () => {
    expect((await save({ secret: "", passphrase: "three blind mice" })).location).toBe(`${home}?done=saved`);
    world.hub.advance(60);
    await world.work();
    const { last_name } = (await row())!;
    expect(last_name).toMatch(/\.tar\.age$/);
    const sealed = server.read(last_name);
    expect(sealed.toString("latin1")).not.toContain("a post of mine");
    const opened = Buffer.concat(await (await unseal(Readable.from([sealed]), [], "three blind mice")).toArray());
    expect(opened.toString("latin1")).toContain("a post of mine");
  });

  test("a wrong password is said, and another place is not told the old one", async () => {
    expect((await save({ login: "bob", secret: "" })).status).toBe(422);
    await save({ login: "bob", secret: "guessed" });
    expect((await press("try")).text).toContain("The server refuses the user name or the password");
  });

  test("a folder in one that is not there, and a server that speaks something else, are told apart", async () => {
    await save({ address: `${server.address}/no/such/folder` });
    expect((await press("try")).text).toContain("There is no such folder or bucket on the server.");
    const other = createServer((_, answer) => void answer.end("<h1>Hello</h1>")).listen(0, "127.0.0.1");
    await once(other, "listening");
    await save({ address: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`, secret: "x" });
    const tried = await press("try");
    other.close();
    expect(tried.text).toContain("The server answers, but not as it should");
    expect(tried.text).toContain("the WebDAV server answers 200 to PROPFIND");
  });

  test("private addresses are not asked, except those that the operator allows", async () => {
    await save({ address: "http://127.0.0.2:80/x", login: "x", secret: "y" });
    const tried = await press("try");
    expect([tried.status, tried.text.includes("The hub does not ask this address")]).toEqual([422, true]);
  });

  test("what opens the place and cannot be read any more is asked for again, however it was damaged", async () => {
    const { sealed } = (await row())!;
    const damaged = ["", "short", "in the clear: a password of somebody", sealed.slice(0, 30), `A${sealed.slice(1)}A`];
    for (const sealed of damaged) {
      await world.hub.db.updateTable("archive_place").set({ sealed }).execute();
      const [shown, tried, saved] = [await atHome.get(home), await press("try"), await save({ secret: "" })];
      expect([shown.status, tried.status, saved.status]).toEqual([200, 422, 422]);
      expect(tried.text).toContain("The hub cannot read the password for this place any more: type it again.");
      expect(saved.text).toContain("For this place the hub has no password yet.");
    }
    const unsealed = await save();
    expect([unsealed.status, unsealed.text.includes("The hub cannot read the passphrase any more")]).toEqual([
      422,
      true,
    ]);
    expect((await save({ passphrase: "three blind mice" })).location).toBe(`${home}?done=saved`);
    expect((await press("try")).location).toBe(`${home}?done=archives-tried`);
  });

  test("others have no place, and one that is removed is forgotten", async () => {
    const stranger = visitorOf(world.app);
    expect((await stranger.get(home)).location).toContain("/login");
    await world.person("zoe");
    await stranger.logIn("zoe", password);
    expect((await stranger.get(home)).text).not.toContain("127.0.0");
    expect((await stranger.post(`${home}/now`, {})).status).toBe(404);
    expect((await press("remove")).location).toBe(`${home}?done=removed`);
    expect(await row()).toBeUndefined();
  });
});
