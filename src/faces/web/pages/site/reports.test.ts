import { describe, expect, test } from "vitest";
import { actorOf } from "../../../../../test/support/actors.ts";
import { makeAccount, password } from "../../../../../test/support/hub.ts";
import { copyOf, deliver, nobody } from "../../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../../test/support/three-people.ts";
import type { ThreePeople } from "../../../../../test/support/three-people.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createChannel, findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { meetActor } from "../../../../domain/peers/meet-actor.ts";
import { countOpenReports, listReports, trimReports } from "../../../../domain/reports/list.ts";
import { moderate } from "../../../../domain/reports/moderate.ts";
import { receiveReport } from "../../../../domain/reports/receive-report.ts";
import { report } from "../../../../domain/reports/report.ts";
import { runDue } from "../../../../jobs/runner.ts";
import { measureMail } from "../../mails/measures.ts";
import { webPages } from "../../web.ts";

let people: ThreePeople;
let root: Visitor;
let alice: Visitor;

beforeEachThreePeople("all with alice", async (three) => {
  people = three;
  const { hub, round } = three;
  await hub.db.deleteFrom("report").execute();
  const account = await makeAccount(hub, `root${round}@example.org`, { roles: 4096 });
  await createChannel(hub, account, { nick: `root${round}`, name: "Root" });
  root = await loggedIn(`root${round}`);
  alice = await loggedIn(`alice${round}`);
});

async function loggedIn(nick: string): Promise<Visitor> {
  const visitor = visitorOf(webPages(people.hub), people.hub.config.host);
  await visitor.logIn(nick, password);
  return visitor;
}

const openReports = async () => (await listReports(people.hub, "open", { count: 50 })).reports;

describe("reporting", () => {
  test("a post is reported from its menu, and administrators see who, what and why", async () => {
    const { hub, alice: own, bob } = people;
    const item = await postItem(hub, bob, { body: "Buy [b]this[/b] <now>" });
    await deliver(hub);
    const shown = (await copyOf(hub, own, item))?.id;
    expect((await alice.get("/network")).text).toContain(`/report?item=${shown}`);
    const form = await alice.get(`/report?item=${shown}`);
    expect([form.status, form.text.includes("is not"), form.text.includes("Tell those who run")]).toEqual([
      200,
      true,
      false,
    ]);
    const sent = await alice.post(`/report?item=${shown}`, { body: "Spam & <b>lies</b>" });
    expect(sent.status).toBe(303);
    const desk = (await root.get("/admin/reports")).text;
    for (const words of [
      "Spam &amp; &lt;b&gt;lies&lt;/b&gt;",
      "Buy this &lt;now&gt;",
      `alice${people.round}`,
      `bob${people.round}`,
      `/item/${item.uuid}`,
    ])
      expect(desk).toContain(words);
    expect((await root.get("/admin")).text).toMatch(/Open reports<\/dt>\s*<dd><a href="\/admin\/reports">1</);
  });

  test("somebody is reported without a post, here or elsewhere", async () => {
    const { hub, bob } = people;
    const far = await meetActor(hub, actorOf("mallory"));
    expect((await alice.get(`/report?xchan=${encodeURIComponent(far.xchan_hash)}`)).text).toContain(
      "Tell those who run far.example",
    );
    const to = (hash: string) => `/report?xchan=${encodeURIComponent(hash)}`;
    expect((await alice.post(to(far.xchan_hash), { body: "rude", forward: "1" })).status).toBe(303);
    expect((await alice.post(to(bob.channel_hash), { body: "" })).status).toBe(303);
    expect((await openReports()).map(({ forwarded, comment }) => [forwarded, comment])).toEqual([
      [1, "rude"],
      [0, ""],
    ]);
    await runDue(hub);
    const sent = await hub.db
      .selectFrom("delivery")
      .innerJoin("outbox_activity", "outbox_activity.id", "delivery.activity")
      .select(["inbox", "bytes"])
      .execute();
    expect(sent.map(({ inbox, bytes }) => [inbox, JSON.parse(bytes)])).toEqual([
      [
        "https://far.example/inbox",
        expect.objectContaining({
          type: "Flag",
          actor: "http://hub.example/actor",
          object: [far.xchan_hash],
          content: "rude",
        }),
      ],
    ]);
    expect(sent[0]!.bytes).not.toContain("alice");
  });

  test("nobody reports what they cannot see, nor themselves, nor without end", async () => {
    const { hub, alice: own, bob, carol } = people;
    const hidden = await postItem(hub, bob, {
      body: "for Carol",
      audience: { ...nobody, allow_cid: [carol.channel_hash] },
    });
    const mine = await postItem(hub, own, { body: "mine" });
    const unknown = await alice.get("/report?item=99999999");
    for (const path of [
      `/report?item=${hidden.id}`,
      `/report?item=${mine.id}`,
      "/report?xchan=nobody",
      "/report",
      `/report?xchan=${own.channel_hash}`,
    ]) {
      const { status, text } = await alice.get(path);
      expect([path, status, text.includes("for Carol"), text.length]).toEqual([path, 404, false, unknown.text.length]);
      expect((await alice.post(path, { body: "x" })).status).toBe(404);
    }
    expect((await alice.post(`/report?xchan=${bob.channel_hash}`, { body: "x".repeat(1001) })).status).toBe(413);
    const again = () => report(hub, own, { person: bob.channel_hash, items: [], comment: "", forward: false });
    for (let n = 0; n < 20; n++) await again();
    await expect(again()).rejects.toMatchObject({ kind: "too-many" });
    expect(await countOpenReports(hub)).toBe(20);
  });
});

describe("the desk", () => {
  test("does not exist for others", async () => {
    for (const path of ["/admin/reports", "/admin/reports?show=closed"])
      expect([path, (await alice.get(path)).status]).toEqual([path, 404]);
    expect((await alice.post("/admin/reports/1", {})).status).toBe(404);
  });

  test("a report is closed once, with a note, and stays for 180 days", async () => {
    const { hub, alice: own, bob } = people;
    await report(hub, own, { person: bob.channel_hash, items: [], comment: "spam", forward: false });
    const { id } = (await openReports())[0]!;
    await root.get("/admin/reports");
    expect((await root.post(`/admin/reports/${id}`, { note: "talked to them" })).status).toBe(303);
    expect((await root.post(`/admin/reports/${id}`, { note: "again" })).status).toBe(404);
    expect(await openReports()).toEqual([]);
    expect((await root.get("/admin/reports?show=closed")).text).toContain("talked to them");
    hub.setClock("2026-08-27T12:00:00Z");
    await trimReports(hub);
    expect((await listReports(hub, "closed", { count: 9 })).reports).toHaveLength(1);
    hub.setClock("2026-08-29T12:00:00Z");
    await trimReports(hub);
    expect((await listReports(hub, "closed", { count: 9 })).reports).toEqual([]);
  });
});

describe("reports from elsewhere", () => {
  test("are kept once for each person here, without the words of posts that they may never have seen", async () => {
    const { hub, alice: own, bob } = people;
    const post = await postItem(hub, bob, { body: "a secret" });
    const flag = {
      id: "https://far.example/flags/1",
      host: "far.example",
      nicks: [own.channel_address, "nobody"],
      uuids: [post.uuid, "unknown"],
      comment: "please look",
    };
    await receiveReport(hub, flag);
    await receiveReport(hub, flag);
    const reports = await openReports();
    expect(reports.map(({ host, comment, posts }) => ({ host, comment, posts }))).toEqual([
      { host: "far.example", comment: "please look", posts: [] },
      { host: "far.example", comment: "please look", posts: [{ uuid: post.uuid, words: "" }] },
    ]);
    const desk = (await root.get("/admin/reports")).text;
    expect([desk.includes("those who run far.example"), desk.includes("a secret")]).toEqual([true, false]);
  });

  test("are limited for each host", async () => {
    const { hub, bob } = people;
    for (let n = 0; n < 25; n++)
      await receiveReport(hub, {
        id: `https://far.example/flags/many-${n}`,
        host: "far.example",
        nicks: [bob.channel_address],
        uuids: [],
        comment: "",
      });
    await receiveReport(hub, {
      id: "https://other.example/flags/1",
      host: "other.example",
      nicks: [bob.channel_address],
      uuids: [],
      comment: "",
    });
    expect(await countOpenReports(hub)).toBe(21);
  });
});

describe("the desk", () => {
  const act = (fields: Record<string, string>, id: number) => root.post(`/admin/reports/${id}/measures`, fields);

  test("posts are deleted, people locked out and let in again, and who did what stays written down", async () => {
    const { hub, alice: own, bob, round } = people;
    const item = await postItem(hub, bob, { body: "Buy this" });
    await deliver(hub);
    const shown = (await copyOf(hub, own, item))!.id;
    await alice.get("/network");
    await alice.post(`/report?item=${shown}`, { body: "Spam" });
    const { id } = (await openReports())[0]!;
    const desk = await root.get("/admin/reports");
    expect(desk.text).toContain("Delete the posts");
    expect(desk.text).toContain("Warn them, in these words");
    expect(desk.text).toMatch(/<select[^>]*name="measure"[^>]*>\s*<option value="" selected>Choose what to do/);
    const early = await act({ measure: "", note: "Advertising, <loud>" }, id);
    expect([early.status, early.text.includes("Choose what to do.")]).toEqual([422, true]);
    expect(early.text).toMatch(/name="note"[^>]*value="Advertising, &lt;loud&gt;"/);
    expect(early.text).not.toMatch(/name="tells"[^>]*checked/);
    expect((await act({ measure: "delete", note: "Advertising" }, id)).location).toBe(
      `/admin/reports?before=${id - 1}&done=measured`,
    );
    expect((await alice.get("/network")).text).not.toContain("Buy this");
    const emptied = (await root.get("/admin/reports")).text;
    expect([emptied.includes("deleted the posts"), emptied.includes("Delete the posts")]).toEqual([true, false]);
    expect(emptied).not.toContain(`/item/${item.uuid}`);
    const there = await loggedIn(`bob${round}`);
    expect((await act({ measure: "block" }, id)).status).toBe(303);
    expect((await there.get("/network")).status).toBe(303);
    expect((await root.get("/admin/reports")).text).toMatch(
      /deleted the posts[^]*: Advertising[^]*suspended the account/,
    );
    expect((await root.get("/admin/reports")).text).toContain("End the suspension");
    expect((await act({ measure: "unblock", note: "Has promised" }, id)).status).toBe(303);
    await loggedIn(`bob${round}`);
    expect((await act({ measure: "note", note: "Look again in a week" }, id)).status).toBe(303);
    const log = (await root.get("/admin/moderation")).text;
    expect(log).toMatch(/Look again in a week[^]*Has promised[^]*suspended the account[^]*Advertising/);
    expect(log).toContain(`root${round}@example.org`);
  });

  test("a warning goes by mail in the words of whoever sends it", async () => {
    const { hub, alice: own, bob } = people;
    await report(hub, own, { person: bob.channel_hash, items: [], comment: "rude", forward: false });
    const { id } = (await openReports())[0]!;
    const mail = { url: "smtp://127.0.0.1:9", from: "hub@hub.example" };
    const mailing = { ...hub, config: { ...hub.config, mail } } as unknown as typeof hub;
    await moderate(mailing, id, 1, { measure: "warn", note: "Please be kind.", tells: true }, measureMail(hub));
    const letters = await hub.db.selectFrom("letter").select(["recipient", "parts"]).execute();
    expect(letters.map(({ recipient }) => recipient)).toEqual(["household@example.org"]);
    expect(letters[0]!.parts).toContain("Please be kind.");
    await expect(
      moderate(mailing, id, 1, { measure: "warn", note: " ", tells: true }, measureMail(hub)),
    ).rejects.toMatchObject({
      code: "note_needed",
    });
  });

  test("administrators, people of elsewhere, unknown reports and other measures are out of its reach", async () => {
    const { hub, alice: own, round } = people;
    const far = await meetActor(hub, actorOf("mallory"));
    const administrator = await findChannelByNick(hub, `root${round}`);
    for (const person of [far.xchan_hash, administrator!.channel_hash])
      await report(hub, own, { person, items: [], comment: "x", forward: false });
    const reports = await openReports();
    await root.get("/admin/reports");
    for (const { id } of reports)
      for (const measure of ["block", "warn", "dance", ""])
        expect((await act({ measure, note: "x" }, id)).status).toBe(
          measure === "block" || measure === "warn" ? 403 : 422,
        );
    expect((await act({ measure: "note", note: "" }, reports[0]!.id)).status).toBe(422);
    expect((await act({ measure: "note", note: "x" }, 999_999)).status).toBe(404);
    for (const path of ["/admin/moderation", "/admin/reports"]) expect((await alice.get(path)).status).toBe(404);
    expect((await alice.post(`/admin/reports/${reports[0]!.id}/measures`, { measure: "note", note: "x" })).status).toBe(
      404,
    );
    expect(await hub.db.selectFrom("moderation").select("id").where("note", "=", "x").execute()).toEqual([]);
  });
});
