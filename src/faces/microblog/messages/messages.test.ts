import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { childOf, childrenOf, expectSame, readXml } from "../../../../test/support/microblog.ts";
import { errorObject } from "../../../../test/support/microblog-shapes.ts";
import {
  messageObject,
  messageWithEntities,
  messageWithoutUsers,
  plainMessageObject,
} from "../../../../test/support/microblog-shapes.ts";
import { befriend, connectionId, mark } from "../../../../test/support/people.ts";
import { setGrant } from "../../../domain/connections/connections.ts";
import { statementsOf } from "../../../../test/support/statements.ts";

/** Direct messages: microblog contract 7.6, 8.12, 9.6. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of ["mail", "conv", "notify"] as const) await world.hub.db.deleteFrom(table).execute();
});

async function write(from: Person, to: Person, text: string, more: Record<string, unknown> = {}): Promise<any> {
  world.hub.advance(1);
  const { status, json } = await from.post("/api/direct_messages/new", { text, screen_name: to.nick, ...more });
  expect([text, status, json.error]).toEqual([text, 200, undefined]);
  return json;
}

const list = async (person: Person, path = "direct_messages", query: Record<string, unknown> = {}): Promise<any[]> =>
  (await person.get(`/api/${path}`, query)).json;
const texts = (messages: any[]): string[] => messages.map((message) => message.text.split("\n").at(-1));
const ids = (messages: any[]): number[] => messages.map((message) => message.id);

function expectError({ status, json }: Answer, code: number, error: string): void {
  errorObject.parse(json);
  expect([status, json.code, json.error]).toEqual([code, code, error]);
}

describe("new", () => {
  test("answers the sender's copy with every field of the contract", async () => {
    const sent = messageObject.parse(await write(ann, bob, "Hello [b]you[/b] <there>", { title: "Lunch" }));
    expect(sent).toMatchObject({
      id_str: String(sent.id),
      sender_id: ann.channel.xchan_id,
      recipient_id: bob.channel.xchan_id,
      sender_screen_name: "ann",
      recipient_screen_name: "bob",
      sender: { id: ann.channel.xchan_id, screen_name: "ann", profile_link_color: "6fdbe8", following: false },
      recipient: { id: bob.channel.xchan_id, screen_name: "bob", following: true },
      text: "Lunch\nHello you <there>",
      title: "",
      created_at: "Sun Mar 01 12:00:01 +0000 2026",
      svc_seen: 1,
      friendica_seen: 1,
    });
    expect(sent.friendica_parent_uri).toBe(sent.svc_parent_uri);
    const [got] = await list(bob);
    messageObject.parse(got);
    expect(got).toMatchObject({ text: sent.text, svc_seen: 0, svc_parent_uri: sent.svc_parent_uri });
    expect(got.id).not.toBe(sent.id);
  });

  test.each([
    ["POST", "direct_messages/new"],
    ["PUT", "direct_messages/new.json"],
    ["POST", "1.1/direct_messages/new"],
  ])("%s %s, parameters in the query", async (method, path) => {
    const query = { text: path, screen_name: "bob" };
    const { status, json } = await ann.send(method, `/api/${path}`, undefined, { query });
    expect([status, texts([json])]).toEqual([200, [path]]);
  });

  test("the recipient by each of its names; trap 39: a profile URL as user_id", async () => {
    const names = [
      { user_id: bob.channel.xchan_id },
      { user_id: "http://hub.example/channel/bob" },
      { user_id: "bob@hub.example" },
      { screen_name: "bob" },
      { screen_name: "bob@hub.example" },
      { profileurl: "https://hub.example/channel/bob/" },
      { user_id: bob.channel.xchan_id, screen_name: "cara" },
    ];
    for (const name of names) {
      const { json } = await ann.post("/api/direct_messages/new", { text: "x", ...name });
      expect([name, json.recipient_screen_name]).toEqual([name, "bob"]);
    }
  });

  test("a title of its own, or the first ten characters", async () => {
    const titleOf = async (text: string, title?: string): Promise<string> => {
      const { id } = await write(ann, bob, text, { title });
      return (await ann.get(`/api/direct_messages/show/${id}`, { getText: "plain" })).json.title;
    };
    expect(await titleOf("0123456789")).toBe("0123456789");
    expect(await titleOf("0123456789a")).toBe("0123456789...");
    expect(await titleOf("öäü😀56789ab")).toBe("öäü😀56789a...");
    expect(await titleOf("anything at all", " Mine ")).toBe("Mine");
    expect(await titleOf("anything at all", "")).toBe("anything a...");
  });

  test("an answer takes conversation and title of what it answers", async () => {
    const first = await write(ann, bob, "One", { title: "Lunch" });
    const [got] = await list(bob);
    const answer = await write(bob, ann, "Two", { replyto: got.id, title: "ignored", getText: "plain" });
    expect(answer).toMatchObject({ title: "Lunch", text: "Two", svc_parent_uri: first.svc_parent_uri });
    for (const none of ["", "0", "-1"])
      expect((await write(ann, bob, "Apart", { replyto: none, title: "Tea" })).title).not.toBe("Lunch");
  });

  test("what answers nothing goes on with the newest conversation of the two, unless it has a title", async () => {
    const first = await write(ann, bob, "One");
    const apart = await write(bob, ann, "Two", { title: "Tea" });
    expect(apart.svc_parent_uri).not.toBe(first.svc_parent_uri);
    expect((await write(ann, bob, "Three")).svc_parent_uri).toBe(apart.svc_parent_uri);
    expect((await write(ann, cara, "Four")).svc_parent_uri).not.toBe(apart.svc_parent_uri);
  });

  test("getText of the answer", async () => {
    expect(await write(ann, bob, "[b]x[/b]", { title: "T", getText: "html" })).toMatchObject({
      text: "<strong>x</strong>",
      title: "T",
    });
  });

  test.each([
    [{ screen_name: "bob" }, 400, "text or recipient not specified"],
    [{ text: " \n", screen_name: "bob" }, 400, "text or recipient not specified"],
    [{ text: "x" }, 400, "text or recipient not specified"],
    [{ text: "x", screen_name: "", user_id: "" }, 400, "text or recipient not specified"],
    [{ text: "x", screen_name: "nobody" }, 404, "Recipient not found"],
    [{ text: "x", user_id: 987_654 }, 404, "Recipient not found"],
    [{ text: "x", user_id: "https://elsewhere.example/nobody" }, 404, "Recipient not found"],
    [{ text: "x", screen_name: "bob", replyto: 987_654 }, 400, "message id not in database"],
    [{ text: "x", screen_name: "bob", replyto: "abc" }, 400, "message id not in database"],
    [{ text: "x", screen_name: "ann" }, 400, "You cannot write to yourself."],
  ])("refuses %j", async (form, status, error) => {
    expectError(await ann.post("/api/direct_messages/new", form), status, error);
    expect(await list(ann, "direct_messages/all")).toEqual([]);
  });

  test("refuses more than a message holds", async () => {
    const text = "x".repeat(200_001);
    expectError(await ann.post("/api/direct_messages/new", { text, screen_name: "bob" }), 400, "Text is too long.");
  });

  test("refuses to answer a message from another conversation partner", async () => {
    await write(cara, ann, "From Cara");
    const [got] = await list(ann);
    expectError(
      await ann.post("/api/direct_messages/new", { text: "x", screen_name: "bob", replyto: got.id }),
      400,
      "message id not in database",
    );
  });

  test("those who do not take messages, whoever has blocked whom", async () => {
    await befriend(world.hub, bob.channel, cara.channel);
    const refused = async (from: Person, to: Person) =>
      expectError(
        await from.post("/api/direct_messages/new", { text: "x", screen_name: to.nick }),
        403,
        "Permission denied.",
      );
    await refused(await world.person("stranger"), bob);
    const ofCara = await connectionId(world.hub, bob.channel, cara.channel);
    await setGrant(world.hub, bob.channel, ofCara, "post_mail", false);
    await refused(cara, bob);
    await setGrant(world.hub, bob.channel, ofCara, "post_mail", true);
    await mark(world.hub, bob.channel, cara.channel, { blocked: true });
    await refused(cara, bob);
    await refused(bob, cara);
    await mark(world.hub, bob.channel, cara.channel, { blocked: false });
    await write(cara, bob, "again");
  });

  test("in XML; trap 55: screen_name is not the first child of sender", async () => {
    const answer = await ann.post("/api/direct_messages/new.xml", { text: "Hello", screen_name: "bob" });
    const root = readXml(answer);
    expect(root.name).toBe("direct_message");
    expect(root.attributes["xmlns:svc"]).toBe("urn:hubbub:schema:svc:1");
    expect(childOf(root, "sender").children[0]!.name).toBe("id");
    const [shown] = await list(ann, "direct_messages/sent");
    expectSame(root, shown);
    expect(childOf(root, "svc:seen").text).toBe("1");
    expect(answer.text).not.toContain("friendica");
  });
});

describe("lists", () => {
  test("received, sent, both, newest first", async () => {
    await write(ann, bob, "a");
    await write(bob, ann, "b");
    await write(cara, ann, "c");
    expect(texts(await list(ann))).toEqual(["c", "b"]);
    expect(texts(await list(ann, "direct_messages/sent"))).toEqual(["a"]);
    expect(texts(await list(ann, "direct_messages/all"))).toEqual(["c", "b", "a"]);
    expect(texts(await list(cara, "direct_messages/all"))).toEqual(["c"]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(texts((await ann.send(method, "/api/direct_messages.json")).json)).toEqual(["c", "b"]);
    expect((await list(ann)).every((message) => message.svc_seen === 0)).toBe(true);
  });

  test("nothing is an empty list, or words", async () => {
    for (const path of [
      "direct_messages",
      "direct_messages/sent",
      "direct_messages/all",
      "direct_messages/conversation",
    ]) {
      expect(await list(ann, path)).toEqual([]);
      for (const name of ["svc_verbose", "friendica_verbose"]) {
        const { status, json } = await ann.get(`/api/${path}`, { [name]: "true" });
        expect([status, json]).toEqual([200, { result: "error", message: "no mails available" }]);
      }
      expect(await list(ann, path, { svc_verbose: "false" })).toEqual([]);
      const empty = readXml(await ann.get(`/api/${path}.xml`));
      expect([empty.name, empty.children]).toEqual(["direct-messages", []]);
      const soft = readXml(await ann.get(`/api/${path}.xml`, { svc_verbose: "1" }));
      expect([soft.name, soft.children.map(({ name, text }) => [name, text])]).toEqual([
        "direct-messages",
        [
          ["result", "error"],
          ["message", "no mails available"],
        ],
      ]);
    }
    await write(ann, bob, "x");
    expect(await list(ann, "direct_messages/sent", { svc_verbose: "true" })).toHaveLength(1);
  });

  test("count, page, since_id and max_id (inclusive: trap 35)", async () => {
    const sent = [];
    for (let n = 0; n < 25; n++) sent.push((await write(ann, bob, `m${n}`)).id);
    const read = (query: Record<string, unknown>) => list(ann, "direct_messages/sent", query);
    const newest = sent.toReversed();
    expect(ids(await read({}))).toEqual(newest.slice(0, 20));
    expect(ids(await read({ page: 2 }))).toEqual(newest.slice(20));
    expect(ids(await read({ count: 4, page: 3 }))).toEqual(newest.slice(8, 12));
    expect(await read({ page: 3 })).toEqual([]);
    for (const count of ["0", "-5", "abc", ""]) expect(await read({ count })).toHaveLength(20);
    expect(await read({ count: 999 })).toHaveLength(25);
    expect(ids(await read({ max_id: newest[5], count: 3 }))).toEqual(newest.slice(5, 8));
    expect(ids(await read({ since_id: newest[3] }))).toEqual(newest.slice(0, 3));
    expect(ids(await read({ since_id: newest[6], max_id: newest[2] }))).toEqual(newest.slice(2, 6));
    expect(await read({ since_id: newest[0] })).toEqual([]);
    expect(await read({ since_id: "abc", max_id: "abc" })).toHaveLength(20);
  });

  test("count is capped at 200, for a conversation at 1000", async () => {
    const first = await write(ann, bob, "first");
    const row = await world.hub.db.selectFrom("mail").selectAll().where("id", "=", first.id).executeTakeFirstOrThrow();
    const { id: _, ...copy } = row;
    for (let n = 0; n < 1001; n += 100) {
      const rows = Array.from({ length: 100 }, (_, at) => ({ ...copy, mid: `copy-${n + at}` }));
      await world.hub.db.insertInto("mail").values(rows).execute();
    }
    expect(await list(ann, "direct_messages/all", { count: 999 })).toHaveLength(200);
    const uri = first.svc_parent_uri;
    expect(await list(ann, "direct_messages/conversation", { count: 999, uri })).toHaveLength(999);
    expect(await list(ann, "direct_messages/conversation", { count: 5000, uri })).toHaveLength(1000);
    expect(await list(ann, "direct_messages/conversation", { uri })).toHaveLength(20);
  });

  test("of one partner, by any name; an unknown one has none", async () => {
    await write(ann, bob, "to bob");
    await write(bob, ann, "from bob");
    await write(cara, ann, "from cara");
    const all = async (query: Record<string, unknown>) => texts(await list(ann, "direct_messages/all", query));
    for (const query of [
      { user_id: bob.channel.xchan_id },
      { user_id: "http://hub.example/channel/bob" },
      { screen_name: "bob" },
      { screen_name: "bob@hub.example" },
    ])
      expect(await all(query)).toEqual(["from bob", "to bob"]);
    expect(texts(await list(ann, "direct_messages", { screen_name: "bob" }))).toEqual(["from bob"]);
    expect(texts(await list(ann, "direct_messages/sent", { screen_name: "bob" }))).toEqual(["to bob"]);
    for (const query of [
      { user_id: 987_654 },
      { user_id: "https://elsewhere.example/x" },
      { screen_name: "nobody" },
      { screen_name: "ann" },
      { user_id: ann.channel.xchan_id },
    ])
      expect(await all(query)).toEqual([]);
    expect((await ann.get("/api/direct_messages", { screen_name: "nobody", svc_verbose: 1 })).json.message).toBe(
      "no mails available",
    );
  });

  test("one conversation, its uri URL-encoded or not (trap 43)", async () => {
    const first = await write(ann, bob, "One", { title: "First" });
    await write(bob, ann, "Two", { replyto: (await list(bob))[0].id });
    await write(ann, bob, "Apart", { title: "Apart" });
    const uri: string = first.svc_parent_uri;
    for (const person of [ann, bob])
      expect(texts(await list(person, "direct_messages/conversation", { uri }))).toEqual(["Two", "One"]);
    expect(texts(await list(ann, "direct_messages/conversation", { uri, max_id: first.id }))).toEqual(["One"]);
    expect(texts(await list(ann, "direct_messages/conversation", { uri, since_id: first.id }))).toEqual(["Two"]);
    for (const other of ["", "unknown", uri.slice(1)])
      expect(await list(ann, "direct_messages/conversation", { uri: other })).toEqual([]);
    // A conversation that came with an import may be named by an address.
    const odd = "http://elsewhere.example/item/1?a=b&c";
    await world.hub.db.updateTable("mail").set({ conv_guid: odd }).where("id", "=", first.id).execute();
    const encoded = await ann.send("GET", `/api/direct_messages/conversation.json?uri=${encodeURIComponent(odd)}`);
    expect(texts(encoded.json)).toEqual(["One"]);
    expect(encoded.json[0].svc_parent_uri).toBe(odd);
  });

  test("the text in its forms, and without users", async () => {
    await write(ann, bob, "See [url=http://x.example/]this[/url]\n[b]now[/b]", { title: "T" });
    const [whole] = await list(bob);
    expect([whole.text, whole.title]).toEqual(["T\nSee this\nnow", ""]);
    for (const getText of ["plain", "true", "odd", "PLAIN"]) {
      const [plain] = await list(bob, "direct_messages", { getText });
      expect([plain.text, plain.title]).toEqual(["See this\nnow", "T"]);
    }
    const [html] = await list(bob, "direct_messages", { getText: "html" });
    expect(html.title).toBe("T");
    expect(html.text).toMatch(/^See <a href="http:\/\/x\.example\/"[^>]*>this<\/a><br ?\/?><strong>now<\/strong>$/);
    const [bare] = await list(bob, "direct_messages", { getUserObjects: "false" });
    messageWithoutUsers.parse(bare);
    for (const getUserObjects of ["true", "1"])
      messageObject.parse((await list(bob, "direct_messages", { getUserObjects }))[0]);
  });

  test("entities where the contract has them", async () => {
    await write(ann, bob, "See [url=http://x.example/page]this[/url] #tag @bob", { title: "T" });
    for (const [person, path] of [
      [bob, "direct_messages"],
      [ann, "direct_messages/sent"],
    ] as const) {
      const [message] = await list(person, path, { include_entities: "true" });
      const { text, entities } = messageWithEntities.parse(message);
      expect(text).toContain("T\nSee http://x.example/page #tag");
      const [start, end] = entities.urls[0]!.indices;
      expect([...text].slice(start, end).join("")).toBe("http://x.example/page");
      messageObject.parse((await list(person, path))[0]);
      messageWithEntities.parse((await list(person, `1.1/${path}`))[0]);
      messageObject.parse((await list(person, `1.1/${path}`, { include_entities: "false" }))[0]);
    }
    for (const path of ["direct_messages/all", "1.1/direct_messages/all"])
      messageObject.parse((await list(ann, path, { include_entities: "true" }))[0]);
  });

  test("files stand below the words", async () => {
    const sent = await write(ann, bob, "Look", { title: "T" });
    const attach = JSON.stringify([{ href: "http://hub.example/attach/1?a=b&c", type: "text/plain", length: "3" }]);
    await world.hub.db.updateTable("mail").set({ attach }).where("id", "=", sent.id).execute();
    const [message] = await list(ann, "direct_messages/sent");
    expect(message.text).toBe("T\nLook\nhttp://hub.example/attach/1?a=b&c");
    const [html] = await list(ann, "direct_messages/sent", { getText: "html" });
    expect(html.text).toBe(
      'Look<br><a href="http://hub.example/attach/1?a=b&amp;c">http://hub.example/attach/1?a=b&amp;c</a>',
    );
  });

  test("somebody whom the hub does not know any more is left out (trap 52)", async () => {
    const sent = await write(ann, bob, "x");
    await world.hub.db.updateTable("mail").set({ to_xchan: "gone" }).where("id", "=", sent.id).execute();
    const [message] = await list(ann, "direct_messages/sent");
    expect(message).toMatchObject({ recipient_id: 0, recipient_screen_name: "" });
    expect(message).not.toHaveProperty("recipient");
    expect(message.sender.screen_name).toBe("ann");
  });

  test("without alias fields where the operator has switched them off", async () => {
    const other = await openTestApp({ env: { HUBBUB_ALIAS_FIELDS: "off" } });
    try {
      const [one, two] = [await other.person("one"), await other.person("two")];
      await befriend(other.hub, one.channel, two.channel);
      plainMessageObject.parse((await one.post("/api/direct_messages/new", { text: "x", screen_name: "two" })).json);
    } finally {
      await other.close();
    }
  });

  test("in XML", async () => {
    await write(ann, bob, "a");
    await write(bob, ann, "b < c & d");
    for (const path of ["direct_messages", "direct_messages/sent", "direct_messages/all"]) {
      const root = readXml(await ann.get(`/api/${path}.xml`, { include_entities: "true" }));
      const json = await list(ann, path, { include_entities: "true" });
      expect([root.name, Object.keys(root.attributes)]).toEqual([
        "direct-messages",
        ["xmlns:statusnet", "xmlns:svc", "xmlns:georss"],
      ]);
      expect(root.children.map(({ name }) => name)).toEqual(json.map(() => "direct_message"));
      json.forEach((message, at) => expectSame(root.children[at]!, message));
      for (const sender of childrenOf(root.children[0]!, "sender")) expect(sender.children[0]!.name).toBe("id");
    }
  });

  test("any page takes the same number of queries", async () => {
    const queries = (count: number) =>
      statementsOf(world.hub, async () =>
        expect(await list(ann, "direct_messages/all", { count })).toHaveLength(count),
      );
    for (const other of [bob, cara]) for (let n = 0; n < 5; n++) await write(ann, other, `m${n}`);
    await list(ann);
    expect(await queries(10)).toBe(await queries(2));
  });
});

describe("show", () => {
  test("one message by any form of its id", async () => {
    const sent = await write(ann, bob, "One");
    for (const path of [`show/${sent.id}`, `show/${sent.id}.json`, `show?id=${sent.id}`, `show/${sent.id}?id=1`]) {
      const { json } = await ann.send("GET", `/api/direct_messages/${path}`);
      expect(messageObject.parse(json)).toEqual(sent);
    }
    messageWithEntities.parse((await ann.get(`/api/1.1/direct_messages/show/${sent.id}`)).json);
    expectSame(readXml(await ann.get(`/api/direct_messages/show/${sent.id}.xml`)), sent);
    expectError(await ann.get("/api/direct_messages/show/987654"), 404, "Not Found");
    expectError(await ann.get("/api/direct_messages/show"), 400, "An id is missing.");
    expect((await ann.post(`/api/direct_messages/show/${sent.id}`)).status).toBe(405);
  });
});

describe("destroy", () => {
  test.each([
    ["POST", (id: number) => `direct_messages/destroy/${id}`],
    ["DELETE", (id: number) => `direct_messages/destroy/${id}.json`],
    ["POST", (id: number) => `direct_messages/destroy?id=${id}&include_entities=true`],
    ["DELETE", (id: number) => `1.1/direct_messages/destroy.json?id=${id}`],
  ])("%s deletes the own copy alone and answers it", async (method, path) => {
    const sent = await write(ann, bob, "One");
    const { status, json } = await ann.send(method, `/api/${path(sent.id)}`);
    expect([status, messageObject.parse(json)]).toEqual([200, sent]);
    expect(await list(ann, "direct_messages/all")).toEqual([]);
    expect(texts(await list(bob))).toEqual(["One"]);
  });

  test("verbose", async () => {
    for (const name of ["svc_verbose", "friendica_verbose"]) {
      const { id } = await write(ann, bob, "One");
      const { status, json } = await ann.post(`/api/direct_messages/destroy/${id}`, { [name]: "true" });
      expect([status, json]).toEqual([200, { result: "ok", message: "message deleted" }]);
    }
    const { id } = await write(ann, bob, "One");
    const root = readXml(await ann.post(`/api/direct_messages/destroy/${id}.xml`, { svc_verbose: "true" }));
    expect([root.name, root.children.map(({ name, text }) => [name, text])]).toEqual([
      "direct_messages_delete",
      [
        ["result", "ok"],
        ["message", "message deleted"],
      ],
    ]);
    const whole = await write(ann, bob, "One");
    expectSame(readXml(await ann.post(`/api/direct_messages/destroy/${whole.id}.xml`)), whole);
  });

  test("only of the conversation that is named", async () => {
    const sent = await write(ann, bob, "One");
    const destroy = (more: Record<string, unknown>) => ann.post(`/api/direct_messages/destroy/${sent.id}`, more);
    for (const name of ["svc_parenturi", "friendica_parenturi"])
      expectError(await destroy({ [name]: "another" }), 400, "message id not in database");
    expect((await destroy({ svc_parenturi: sent.svc_parent_uri })).json.id).toBe(sent.id);
  });

  test("errors, in each of the three forms", async () => {
    const { id } = await write(ann, bob, "One");
    const cases: [query: Record<string, unknown>, text: string, verbose: string][] = [
      [{}, "Message id not specified", "message id or parenturi not specified"],
      [{ id: 0 }, "Message id not specified", "message id or parenturi not specified"],
      [{ id: 987_654 }, "message id not in database", "message id not in database"],
      [{ id: "abc" }, "message id not in database", "message id not in database"],
      [{ id, svc_parenturi: "another" }, "message id not in database", "message id not in database"],
    ];
    for (const [form, text, verbose] of cases) {
      const path = "/api/direct_messages/destroy";
      expectError(await ann.post(path, form), 400, text);
      const primary = await ann.post(path, { ...form, svc_verbose: "true" });
      expect([primary.status, primary.json]).toEqual([
        400,
        { error: text, code: 400, request: path.slice(1), result: "error", message: verbose },
      ]);
      const alias = await ann.post(path, { ...form, friendica_verbose: "true" });
      expect([alias.status, alias.json]).toEqual([200, { result: "error", message: verbose }]);
    }
    const soft = readXml(await ann.post("/api/direct_messages/destroy.xml", { friendica_verbose: "true" }));
    expect([soft.name, childOf(soft, "result").text]).toEqual(["direct_messages_delete", "error"]);
    const hard = readXml(await ann.post("/api/direct_messages/destroy.xml", { svc_verbose: "true" }));
    expect([hard.name, childOf(hard, "result").text]).toEqual(["status", "error"]);
    expect(await list(ann, "direct_messages/sent")).toHaveLength(1);
    expect((await ann.send("PUT", `/api/direct_messages/destroy/${id}`)).status).toBe(405);
  });

  test("a fault of the storage", async () => {
    const { id } = await write(ann, bob, "One");
    const { db } = world.hub;
    await db.schema.alterTable("conv").renameTo("conv_away").execute();
    try {
      expectError(await ann.post(`/api/direct_messages/destroy/${id}`), 400, "unknown error");
      const soft = await ann.post(`/api/direct_messages/destroy/${id}`, { friendica_verbose: "true" });
      expect([soft.status, soft.json]).toEqual([200, { result: "error", message: "unknown error" }]);
    } finally {
      await db.schema.alterTable("conv_away").renameTo("conv").execute();
    }
    expect(await list(ann, "direct_messages/sent")).toHaveLength(1);
  });
});

describe("setseen", () => {
  test.each([
    ["GET", "svc"],
    ["GET", "friendica"],
    ["POST", "friendica"],
    ["GET", "1.1/svc"],
  ])("%s %s", async (method, family) => {
    await write(ann, bob, "One");
    const [{ id }] = await list(bob);
    const call = (query: Record<string, unknown>) =>
      bob.send(method, `/api/${family}/direct_messages_setseen.json`, undefined, { query });
    for (const _ of ["first", "again"]) {
      const { status, json } = await call({ id });
      expect([status, json]).toEqual([200, { result: "ok", message: "message set to seen" }]);
    }
    expect((await list(bob))[0].svc_seen).toBe(1);
    // Trap 2: a client probes with 0 and wants status 200.
    for (const query of [{ id: 0 }, {}, { id: "" }])
      expect(await call(query)).toMatchObject({
        status: 200,
        json: { result: "error", message: "message id not specified" },
      });
    for (const query of [{ id: 987_654 }, { id: "abc" }])
      expect(await call(query)).toMatchObject({
        status: 200,
        json: { result: "error", message: "message id not in database" },
      });
  });

  test("the primary path takes GET alone, and a challenge comes first", async () => {
    expect((await bob.post("/api/svc/direct_messages_setseen", { id: 1 })).status).toBe(405);
    const { status, headers } = await world.anonymous.get("/api/friendica/direct_messages_setseen.json", { id: 0 });
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Hubbub"']);
  });

  test("what was told of the message is seen too", async () => {
    await write(ann, bob, "One");
    await bob.get("/api/svc/direct_messages_setseen", { id: (await list(bob))[0].id });
    expect((await bob.get("/api/svc/notifications")).json).toMatchObject([{ type: 16, otype: "mail", seen: 1 }]);
  });

  test("in XML", async () => {
    const root = readXml(await bob.get("/api/svc/direct_messages_setseen.xml", { id: 0 }));
    expect([root.name, root.children.map(({ name, text }) => [name, text])]).toEqual([
      "direct_messages_setseen",
      [
        ["result", "error"],
        ["message", "message id not specified"],
      ],
    ]);
  });
});

describe("search", () => {
  const search = (query: Record<string, unknown>, path = "svc/direct_messages_search.json") =>
    bob.get(`/api/${path}`, query);

  test("finds the text of the body, in any case, without special characters", async () => {
    await write(ann, bob, "100% of Ökonomie", { title: "first" });
    await write(bob, ann, "a_b", { title: "needle" });
    await write(cara, ann, "100% of Ökonomie");
    for (const path of [
      "svc/direct_messages_search",
      "friendica/direct_messages_search",
      "1.1/svc/direct_messages_search",
    ]) {
      const { status, json } = await search({ searchstring: "ökonomie" }, path);
      expect([status, json.success, texts(json.search_results)]).toEqual([200, true, ["100% of Ökonomie"]]);
      messageObject.parse(json.search_results[0]);
    }
    for (const [searchstring, found] of [
      ["0%", 1],
      ["_", 1],
      ["%", 1],
      ["a%b", 0],
      ["NEEDLE", 0],
    ] as const) {
      const { json } = await search({ searchstring });
      expect([searchstring, json.success]).toEqual([searchstring, found > 0]);
      expect(found > 0 ? json.search_results.length : json.search_results).toBe(found > 0 ? found : "nothing found");
    }
    await write(ann, bob, "again 0%");
    const { json } = await search({ searchstring: "0%", getText: "html", getUserObjects: "false" });
    expect(texts(json.search_results)).toEqual(["again 0%", "100% of Ökonomie"]);
    messageWithoutUsers.parse(json.search_results[0]);
  });

  test("says what is missing", async () => {
    for (const query of [{}, { searchstring: "" }, { searchstring: " " }]) {
      const { status, json } = await search(query);
      expect([status, json]).toEqual([200, { result: "error", message: "searchstring not specified" }]);
    }
    const { status, json } = await search({ searchstring: "x" });
    expect([status, json]).toEqual([200, { success: false, search_results: "nothing found" }]);
    expect((await bob.post("/api/svc/direct_messages_search", { searchstring: "x" })).status).toBe(405);
  });

  test("in XML", async () => {
    await write(ann, bob, "needle");
    const root = readXml(await search({ searchstring: "needle" }, "svc/direct_messages_search.xml"));
    const { json } = await search({ searchstring: "needle" });
    expect([root.name, childOf(root, "success").text]).toEqual(["direct_message_search", "true"]);
    const found = childOf(root, "search_results").children;
    expect(found.map(({ name }) => name)).toEqual(["direct_message"]);
    expectSame(found[0]!, json.search_results[0]);
    const none = readXml(await search({ searchstring: "none" }, "svc/direct_messages_search.xml"));
    expect([childOf(none, "success").text, childOf(none, "search_results").text]).toEqual(["false", "nothing found"]);
  });
});
