import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, connectionId } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { setGrant } from "../../domain/connections/connections.ts";
import { accountRoles } from "../../domain/identity/accounts/accounts.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { listMessages, recallMessage, sendMessage } from "../../domain/messages/messages.ts";

let world: TestApp;
let alice: Visitor;
let bob: Visitor;
let carol: Visitor;
const channels: Record<string, Channel> = {};

beforeAll(async () => {
  world = await openTestApp();
  for (const nick of ["alice", "bob", "carol"]) channels[nick] = (await world.person(nick)).channel;
  await befriend(world.hub, channels["alice"]!, channels["bob"]!);
  await befriend(world.hub, channels["alice"]!, channels["carol"]!);
  const all = ["alice", "bob", "carol"].map(async (nick) => {
    const visitor = visitorOf(world.app);
    await visitor.logIn(nick, password);
    return visitor;
  });
  [alice, bob, carol] = (await Promise.all(all)) as [Visitor, Visitor, Visitor];
});
afterAll(() => world.close());

function hash(nick: string): string {
  return channels[nick]!.channel_hash;
}

async function idFor(nick: string, body: string): Promise<number> {
  const row = await world.hub.db
    .selectFrom("mail")
    .select("id")
    .where("channel_id", "=", channels[nick]!.channel_id)
    .where("body", "=", body)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** What the navigation counts beside "Messages"; a count of nothing stands there unseen. */
function badge(shown: VisitedPage): string {
  const [, beside] = /href="\/mail"[^>]*>[^]*?<span>Messages<\/span>([^]*?)<\/a>/.exec(shown.text)!;
  return /<span class="badge"[^>]*\shidden/.test(beside!) ? "" : beside!.replace(/<[^>]*>|\s/g, "");
}

describe("messages in a browser", () => {
  test("a message is written, announced, read and answered", async () => {
    const form = await alice.get("/mail/new");
    expect(form.text).toMatch(/name="to" value="[^"]*"[^]*?>Bob<[^]*bob@hub\.example/);
    const sent = await alice.post("/mail/new", { to: hash("bob"), title: "Lunch", body: "At [b]noon[/b]?" });
    expect(sent.status).toBe(303);
    const list = await bob.get("/mail");
    expect(badge(list)).toBe("1new");
    expect(list.text).toContain("Lunch");
    expect(list.text).toContain("At noon?");
    const path = `/mail/${await idFor("bob", "At [b]noon[/b]?")}`;
    expect((await bob.get("/notifications")).text).toContain("Alice sent you a message");
    const page = await bob.get(path);
    expect(page.text).toContain("At <strong>noon</strong>?");
    expect(badge(await bob.get("/mail"))).toBe("");
    const answered = await bob.post(path, { body: "Gladly" });
    expect(answered.status).toBe(303);
    expect((await alice.get(sent.location)).text).toContain("Gladly");
    expect((await alice.get("/mail")).text).toContain("Gladly");
  });

  test("a notice leads to its message", async () => {
    const { text } = await bob.get("/notifications");
    const [, link] = /href="(\/notify\/view\/\d+)"(?:(?!href)[^])*sent you a message/.exec(text)!;
    expect((await bob.get(link!)).location).toMatch(/^\/mail\/\d+$/);
  });

  test("forms say what is wrong and keep what was typed", async () => {
    await alice.get("/mail/new");
    const nobody = await alice.post("/mail/new", { to: "", body: "Typed" });
    expect(nobody.status).toBe(422);
    expect(nobody.text).toContain("Choose to whom you write.");
    expect(nobody.text).toContain("Typed");
    expect((await alice.post("/mail/new", { to: hash("bob"), body: " " })).text).toContain("Write something first.");
    expect((await alice.post("/mail/new", { to: "nobody", body: "x" })).status).toBe(404);
    await setGrant(
      world.hub,
      channels["carol"]!,
      await connectionId(world.hub, channels["carol"]!, channels["alice"]!),
      "post_mail",
      false,
    );
    const refused = await alice.post("/mail/new", { to: hash("carol"), body: "Typed again" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("takes messages from connections only.");
    expect(refused.text).toContain("Typed again");
    expect((await alice.get("/mail/new")).text).not.toContain(hash("carol"));
    expect((await alice.get(`/mail/new?to=${hash("carol")}`)).text).toContain(`value="${hash("carol")}" checked`);
  });

  test("an answer to several begins with their names, and goes to those whose names it keeps", async () => {
    const { hub } = world;
    await befriend(hub, channels["bob"]!, channels["carol"]!);
    const [to, also] = [hash("bob"), hash("alice")];
    const { conv_guid: conversation } = await sendMessage(hub, channels["carol"]!, {
      to,
      also: [also],
      body: "All of you",
    });
    const said = async (nick: string) =>
      (await listMessages(hub, channels[nick]!, { box: "all", conversation, count: 9 })).messages.map(
        ({ body }) => body,
      );
    const path = `/mail/${await idFor("bob", "All of you")}`;
    const page = await bob.get(path);
    const [, begun = ""] = /name="body"[^>]*>\s?([^<]*)</.exec(page.text) ?? [];
    expect(begun).toBe("@carol@hub.example @alice@hub.example ");
    expect(page.text).toMatch(/with\s+Carol, Alice/);
    await bob.post(path, { body: `${begun}Here` });
    await bob.post(path, { body: "@carol@hub.example For you" });
    expect(await said("alice")).toEqual([`${begun}Here`, "All of you"]);
    expect(await said("carol")).toEqual(["For you", `${begun}Here`, "All of you"]);
    expect((await alice.get("/mail")).text).toMatch(/Bob, Carol|Carol, Bob/);
  });

  test("long conversations come in pages", async () => {
    const { hub } = world;
    const first = await sendMessage(hub, channels["alice"]!, { to: hash("bob"), title: "Long", body: "m1" });
    for (let n = 2; n <= 60; n++)
      await sendMessage(hub, channels["alice"]!, { to: hash("bob"), body: `m${n}`, replyTo: first.id });
    const page = await alice.get(`/mail/${first.id}`);
    expect(page.text).toContain(">m60<");
    expect(page.text).not.toContain(">m10<");
    const [, older] = /href="([^"]*before=\d+)"/.exec(page.text)!;
    expect((await alice.get(older!)).text).toContain(">m10<");
  });

  test("words are found, and lead to their place in the conversation", async () => {
    const { hub } = world;
    const needle = await sendMessage(hub, channels["alice"]!, {
      to: hash("bob"),
      title: "Hay",
      body: "One NEEDLE <here>",
    });
    for (let n = 0; n < 55; n++)
      await sendMessage(hub, channels["alice"]!, { to: hash("bob"), body: `hay ${n}`, replyTo: needle.id });
    expect((await alice.get("/mail")).text).toContain('action="/mail/search"');
    const page = await alice.get("/mail/search?search=needle");
    expect(page.text).toContain("<mark>NEEDLE</mark> &lt;here&gt;");
    const [, link] = /href="(\/mail\/\d+\?before=\d+)#m\d+"/.exec(page.text)!;
    const there = await alice.get(link!);
    expect(there.text).toContain("One NEEDLE &lt;here&gt;");
    expect(there.text).not.toContain(">hay 1<");
    const [, newest] = /href="(\/mail\/\d+)">Newest messages/.exec(there.text)!;
    expect((await alice.get(newest!)).text).toContain(">hay 54<");
    const many = await alice.get("/mail/search?search=hay");
    expect(many.text).toContain("hay</mark> 54");
    const [, older] = /href="([^"]*search=hay[^"]*before=\d+)" *>Older|rel="next" href="([^"]*)"/
      .exec(many.text)!
      .filter(Boolean);
    expect((await alice.get(older!.replaceAll("&amp;", "&"))).text).toContain("hay</mark> 20");
    for (const [query, words] of [
      ["?search=nowhere", "No message of yours contains these words."],
      ["?search=%25", "No message of yours contains these words."],
      ["", "Type words that a message of yours contains."],
    ] as const)
      expect((await alice.get(`/mail/search${query}`)).text).toContain(words);
    expect((await carol.get("/mail/search?search=needle")).text).not.toContain("NEEDLE");
    expect((await visitorOf(world.app).get("/mail/search?search=needle")).location).toContain("/login");
  });

  test("a message is marked as unread", async () => {
    await alice.get("/mail/new");
    await alice.post("/mail/new", { to: hash("bob"), title: "Mark", body: "Later" });
    const path = `/mail/${await idFor("bob", "Later")}`;
    await bob.get("/mail");
    const before = badge(await bob.get("/mail"));
    expect((await bob.get(path)).text).toContain("Mark as unread");
    const marked = await bob.post(`${path}/act`, { act: "unread" });
    expect([marked.status, marked.location]).toEqual([303, "/mail?done=unread"]);
    const list = await bob.get(marked.location);
    expect(list.text).toContain("The message is marked as unread.");
    expect(badge(list)).toBe(before);
    expect((await carol.post(`${path}/act`, { act: "unread" })).status).toBe(404);
    await bob.get(path);
  });

  test("a message is removed, and one is taken back", async () => {
    const { hub } = world;
    const sent = await sendMessage(hub, channels["alice"]!, { to: hash("bob"), body: "Regret this" });
    const theirs = await idFor("bob", "Regret this");
    await alice.get(`/mail/${sent.id}`);
    expect((await alice.post(`/mail/${sent.id}/act`, { act: "recall" })).status).toBe(303);
    expect((await alice.get(`/mail/${sent.id}`)).text).toContain("You took this message back.");
    const page = await bob.get(`/mail/${theirs}`);
    expect(page.text).toContain("This message was taken back.");
    expect(page.text).not.toContain("Regret this");
    expect((await bob.post(`/mail/${theirs}/act`, { act: "recall" })).status).toBe(403);
    expect((await bob.post(`/mail/${theirs}/act`, { act: "delete" })).location).toContain("/mail");
    expect((await bob.get(`/mail/${theirs}`)).status).toBe(404);
    expect((await alice.get(`/mail/${sent.id}`)).status).toBe(200);
  });

  test("a file comes along, for the two alone", async () => {
    await alice.get("/mail/new");
    const file = new File(["the plan"], "plan.txt", { type: "text/plain" });
    const sent = await alice.post("/mail/new", { to: hash("bob"), body: "Look at this", media: file });
    expect(sent.status).toBe(303);
    const page = await bob.get(`/mail/${await idFor("bob", "Look at this")}`);
    const [, path] = /href="http:\/\/hub\.example(\/attach\/[0-9a-f]+)"/.exec(page.text)!;
    expect(page.text).toContain("plan.txt");
    expect((await bob.get(path!)).text).toBe("the plan");
    for (const visitor of [carol, visitorOf(world.app)]) expect((await visitor.get(path!)).status).toBe(404);
    await bob.get(`/mail/${await idFor("bob", "Look at this")}`);
    const only = await bob.post(`/mail/${await idFor("bob", "Look at this")}`, {
      body: "",
      media: new File(["mine"], "mine.txt", { type: "text/plain" }),
    });
    expect(only.status).toBe(303);
    expect((await alice.get(sent.location)).text).toContain("mine.txt");
  });

  test("a file waits in the form of a message that is refused, as in every form", async () => {
    await alice.get("/mail/new");
    const file = new File(["x"], "x.txt", { type: "text/plain" });
    const refused = await alice.post("/mail/new", { to: hash("carol"), body: "Hello", media: file });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringMatching(/name="media_id" value="\d+"[^]*x\.txt/),
    ]);
  });

  test("what it would look like, and a draft of it, that is found again in its place", async () => {
    const { location } = await alice.post("/mail/new", { to: hash("bob"), body: "Sketchy" });
    const path = location.split("?")[0]!;
    await alice.get(path);
    const looked = await alice.post(path, { body: "[i]Perhaps[/i]", do: "look" });
    expect(looked.text).toMatch(/class="preview"[^]*<em>Perhaps<\/em>/);
    await alice.post(path, { body: "Not yet", sketch: "a-sketch-of-mail", do: "keep" });
    expect((await alice.get(`${path}?draft=a-sketch-of-mail`)).text).toMatch(/>\s*Not yet<\/textarea>/);
    await alice.post(path, { body: "Now", sketch: "a-sketch-of-mail", do: "post" });
    expect((await alice.get("/drafts")).text).toContain("There are no drafts.");
  });

  test("a conversation is deleted for one side", async () => {
    const sent = await sendMessage(world.hub, channels["alice"]!, { to: hash("bob"), body: "Keep it" });
    await alice.get(`/mail/${sent.id}/delete`);
    expect((await alice.post(`/mail/${sent.id}/delete`, {})).status).toBe(303);
    expect((await alice.get(`/mail/${sent.id}`)).status).toBe(404);
    expect((await bob.get(`/mail/${await idFor("bob", "Keep it")}`)).text).toContain("Keep it");
  });

  test("without a subject one goes on where one stopped; what is sent in place is answered with its bubble alone", async () => {
    await alice.get("/mail/new");
    const [one, other] = [
      await alice.post("/mail/new", { to: hash("bob"), body: "Going on" }),
      await alice.post("/mail/new", { to: hash("bob"), body: "and on" }),
    ];
    expect([one.status, other.status]).toEqual([303, 303]);
    const page = (await alice.get(other.location)).text;
    expect(page).toMatch(/Going on[^]*and on/);
    const path = other.location.split("?")[0]!;
    const sent = await alice.post(path, { body: "In [b]place[/b]" }, { "hx-request": "true" });
    expect([sent.status, sent.text.match(/<li class="message mine/g)?.length]).toEqual([200, 1]);
    expect(sent.text).toContain("In <strong>place</strong>");
    expect(sent.text).not.toContain("Going on");
    const fault = await alice.post(path, { body: " " }, { "hx-request": "true" });
    expect([fault.status, fault.text.includes("Write something first.")]).toEqual([422, true]);
  });

  test("several people talk, and what comes by the API lands in the same conversation", async () => {
    const { hub } = world;
    const people = await Promise.all(["dora", "emil", "fay", "gus"].map((nick) => world.person(nick)));
    const [dora, emil, fay, gus] = people as [Person, Person, Person, Person];
    for (const { channel } of [emil, fay]) await befriend(hub, dora.channel, channel);
    const visitors = people.map(() => visitorOf(world.app));
    for (const [at, { nick }] of people.entries()) await visitors[at]!.logIn(nick, password);
    const [doras, emils, fays, guss] = visitors as [Visitor, Visitor, Visitor, Visitor];
    await doras.get("/mail/new");
    const to = [emil, fay].map(({ channel }) => channel.channel_hash);
    const refused = await doras.post("/mail/new", { to: [to[0]!, gus.channel.channel_hash], body: "Three?" });
    expect([refused.status, refused.text.includes("Not all of them take messages from you.")]).toEqual([422, true]);
    const begun = await doras.post("/mail/new", { to, body: "A [b]walk[/b]?" });
    expect(begun.location).toMatch(/^\/mail\/talk\/\d+\?done=sent$/);
    await world.work();
    const path = begun.location.split("?")[0]!;
    expect((await doras.get(path)).text).toMatch(/<h1>(Emil, Fay|Fay, Emil)<\/h1>[^]*A <strong>walk<\/strong>\?/);
    const nothing = await doras.post("/mail/new", { to, body: " " });
    expect([nothing.status, nothing.text.includes("Write something first.")]).toEqual([422, true]);
    const listed = await emils.get("/mail");
    const list = listed.text;
    expect([badge(listed), badge(await doras.get("/mail"))]).toEqual(["1new", ""]);
    expect(list).toMatch(/class="unseen-notice"[^]*Dora, Fay[^]* A walk\?/);
    const [, own] = /href="(\/mail\/talk\/\d+)"/.exec(list)!;
    expect((await emils.get(own!)).text).toMatch(/<h1>Dora, Fay<\/h1>[^]*A <strong>walk<\/strong>\?/);
    const read = await emils.get("/mail");
    expect([badge(read), read.text.includes('class="unseen-notice"')]).toEqual(["", false]);
    const answered = await emils.post(own!, { body: "Gladly" }, { "hx-request": "true" });
    expect([answered.status, answered.text.match(/<li class="message mine/g)?.length]).toEqual([200, 1]);
    await world.work();
    // By the API, as a comment of the same thread.
    const [, theirs] = /href="(\/mail\/talk\/\d+)"/.exec((await fays.get("/mail")).text)!;
    const top = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["message.mid"])
      .where("item.id", "=", Number(theirs!.split("/").at(-1)))
      .executeTakeFirstOrThrow();
    await fay.post("/api/z/1.0/item/update", { body: "By a program", parent_mid: top.mid });
    await world.work();
    expect((await doras.get(path)).text).toMatch(/walk[^]*Gladly[^]*By a program/);
    expect((await doras.get("/mail")).text).toContain("By a program");

    // Nobody else has it, by whichever number.
    const never = "/mail/talk/987654321";
    for (const one of [path, own!, theirs!])
      for (const [door, unknown] of [
        [await guss.get(one), await guss.get(never)],
        [await guss.get(`${one}/delete`), await guss.get(`${never}/delete`)],
        [await guss.post(one, { body: "x" }), await guss.post(never, { body: "x" })],
        [await guss.post(`${one}/delete`, {}), await guss.post(`${never}/delete`, {})],
      ] as const) {
        expect(door.status).toBe(unknown.status);
        expect(withoutTokens(door.text).replaceAll(one, never)).toBe(withoutTokens(unknown.text));
      }
    expect((await emils.get(path)).status).toBe(404);
    expect((await guss.get("/mail")).text).not.toMatch(/walk|Gladly/);
    expect((await visitorOf(world.app).get(path)).location).toContain("/login");

    await emils.get(`${own!}/delete`);
    expect((await emils.post(`${own!}/delete`, {})).location).toBe("/mail?done=deleted");
    expect((await emils.get("/mail")).text).not.toContain("Gladly");
    expect((await doras.get(path)).text).toContain("Gladly");
  });

  test("is for members", async () => {
    for (const page of ["/mail", "/mail/new", "/mail/1"])
      expect((await visitorOf(world.app).get(page)).location).toContain("/login");
  });
});

describe("privacy", () => {
  const never = 987_654_321;

  test("nobody but the two gets anything of a message, the administrator neither", async () => {
    const { hub } = world;
    const admin = await world.person("boss");
    await hub.db
      .updateTable("account")
      .set({ account_roles: accountRoles.administrator })
      .where("account_id", "=", admin.channel.channel_account_id)
      .execute();
    const administrator = visitorOf(world.app);
    await administrator.logIn("boss", password);
    const sent = await sendMessage(hub, channels["alice"]!, {
      to: hash("bob"),
      title: "Between us",
      body: "Top secret",
    });
    const theirs = await idFor("bob", "Top secret");
    const doors: ((visitor: Visitor, id: number) => Promise<VisitedPage>)[] = [
      (visitor, id) => visitor.get(`/mail/${id}`),
      (visitor, id) => visitor.get(`/mail/${id}?before=${id + 1}`),
      (visitor, id) => visitor.get(`/mail/${id}/delete`),
      (visitor, id) => visitor.post(`/mail/${id}`, { body: "x" }),
      (visitor, id) => visitor.post(`/mail/${id}/act`, { act: "delete" }),
      (visitor, id) => visitor.post(`/mail/${id}/act`, { act: "recall" }),
      (visitor, id) => visitor.post(`/mail/${id}/act`, { act: "unread" }),
      (visitor, id) => visitor.post(`/mail/${id}/delete`, {}),
    ];
    const plain = (shown: VisitedPage, id: number): string =>
      withoutTokens(shown.text).replaceAll(new RegExp(`(?<=/mail/)${id}\\b`, "g"), "ID");
    for (const visitor of [carol, administrator, bob, visitorOf(world.app)]) {
      await visitor.get("/help");
      await visitor.get("/search");
      // Bob has a copy of his own; the number of Alice's is nothing to him.
      for (const id of visitor === bob ? [sent.id] : [sent.id, theirs]) {
        for (const door of doors) {
          const [seen, unknown] = [await door(visitor, id), await door(visitor, never)];
          expect(seen.status).toBe(unknown.status);
          expect(plain(seen, id)).toBe(plain(unknown, never));
        }
      }
      if (visitor !== bob)
        for (const page of ["/mail", "/network", "/search?search=secret", "/notifications", "/events"])
          expect((await visitor.get(page)).text).not.toMatch(/Top secret|Between us/);
    }
    const uuid = sent.mid.split("/").at(-1)!;
    for (const visitor of [alice, bob, carol, administrator])
      for (const path of [`/item/${uuid}`, `/display/${uuid}`]) expect((await visitor.get(path)).status).toBe(404);
    for (const person of [admin, world.anonymous])
      for (const path of ["/api/z/1.0/item/full", "/api/z/1.0/network/stream"])
        expect((await person.get(path, { mid: sent.mid })).text).not.toContain("Top secret");
  });

  test("nothing of what was taken back is left on any page", async () => {
    const { hub } = world;
    const sent = await sendMessage(hub, channels["alice"]!, { to: hash("bob"), title: "Oops", body: "Wrong window" });
    const theirs = await idFor("bob", "Wrong window");
    await recallMessage(hub, channels["alice"]!, sent.id);
    for (const visitor of [alice, bob])
      for (const path of ["/mail", `/mail/${sent.id}`, `/mail/${theirs}`, "/notifications", "/search?search=Wrong"])
        expect((await visitor.get(path)).text).not.toMatch(/Wrong window|Oops/);
  });
});
