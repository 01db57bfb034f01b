import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { hash } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { jsonAnswer, openElsewhere, sendTo } from "../../../../test/support/elsewhere.ts";
import { cavageRequest, keys, messageRequest, now, pemOf } from "../../../../test/support/signed-requests.ts";
import type { Plan } from "../../../../test/support/signed-requests.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { size } from "../../../../test/support/size.ts";
import { statementsOf } from "../../../../test/support/statements.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import { setAccountFlag } from "../../../domain/identity/accounts/accounts.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { removeSiteBlock, setSiteBlock } from "../../../domain/peers/site-blocks.ts";
import { DatabaseAway } from "../../../errors.ts";
import type { Received } from "../signatures/received.ts";

/** What is delivered here (federation contract 12.3): each check, in its order, with its answer. */

let world: TestApp;
let alma: Person;
const elsewhere = openElsewhere();

const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const keyOf = (nick: string): string => `${idOf(nick)}#main-key`;

beforeAll(async () => {
  const env = { HUBBUB_BASE_URL: "https://hub.example" };
  world = await openTestApp({ env, clock: now, fetch: elsewhere.fetch });
  alma = await world.person("alma");
  await meet("ann");
});
afterAll(() => world.close());
beforeEach(() => {
  elsewhere.asked.length = 0;
  world.hub.setClock(now);
});

async function meet(nick: string): Promise<void> {
  await meetActor(
    world.hub,
    actorOf(nick, { keys: [{ id: keyOf(nick), kind: "rsa", key: pemOf(keys.ann.publicKey) }] }),
  );
}

let count = 0;
/** A Create by ann, or whatever else is said. */
function activity(more: object = {}): Record<string, unknown> {
  const id = `${idOf("ann")}/activity/${++count}`;
  return { id, type: "Delete", actor: idOf("ann"), object: `https://far.example/note/${count}`, ...more };
}

type Sent = {
  value?: unknown;
  body?: string | Buffer;
  to?: string;
  by?: string;
  scheme?: Scheme;
  plan?: Plan;
  isSigned?: boolean;
};
type Scheme = "draft-cavage" | "RFC 9421";

function requestOf({
  value = activity(),
  body,
  to = "/inbox",
  by = keyOf("ann"),
  scheme,
  plan = {},
  isSigned = true,
}: Sent): Received {
  const bytes = Buffer.from((body ?? JSON.stringify(value)) as string);
  const [make, name] =
    scheme === "RFC 9421" ? ([messageRequest, "keyid"] as const) : ([cavageRequest, "keyId"] as const);
  const request = make({ target: to, body: bytes, ...plan, parameters: { [name]: `"${by}"`, ...plan.parameters } });
  const kept = request.rawHeaders.filter((_, at, all) => all[at - (at % 2)] !== "Signature");
  return isSigned ? request : { ...request, rawHeaders: kept };
}

async function send(sent: Sent = {}): Promise<{ status: number; error?: string; headers: Headers }> {
  return answered(await sendTo(world.app, requestOf(sent)));
}

async function answered(response: Response) {
  const text = await response.text();
  const error = text === "" ? {} : (JSON.parse(text) as { error: string });
  return { status: response.status, headers: response.headers, ...error };
}

const statusOf = async (sent: Sent): Promise<number> => (await send(sent)).status;
const rows = (id: unknown) =>
  world.hub.db.selectFrom("inbox_activity").selectAll().where("activity_id", "=", String(id)).execute();
const arrivals = async (): Promise<number> =>
  (await world.hub.db.selectFrom("inbox_activity").select("id").execute()).length;
const asked = (): string[] => elsewhere.asked.map(({ url }) => url);

describe.each<Scheme>(["draft-cavage", "RFC 9421"])("a delivery signed by %s", (scheme) => {
  test("is kept as it came, before it is answered", async () => {
    const value = activity({ object: { id: "https://far.example/note/7", context: "https://far.example/thread/7" } });
    const body = `${JSON.stringify(value, null, 2)}  `;
    expect(await send({ body, scheme })).toMatchObject({ status: 202 });
    expect(await rows(value["id"])).toMatchObject([
      {
        signer: idOf("ann"),
        scheme: scheme === "RFC 9421" ? "rfc9421" : "cavage",
        bytes: body,
        object_id: "https://far.example/note/7",
        thread_id: "https://far.example/thread/7",
        state: "waiting",
      },
    ]);
    expect(asked()).toEqual([]);
  });

  test("to several is kept once, with each of them", async () => {
    const bert = await world.person(scheme === "RFC 9421" ? "bert" : "berta");
    const value = activity();
    for (const to of ["/inbox", "/inbox/alma", `/inbox/${bert.nick}`, "/inbox/alma"])
      expect(await statusOf({ value, to, scheme })).toBe(202);
    const [row, ...others] = await rows(value["id"]);
    const recipients = world.hub.db.selectFrom("inbox_recipient").select("channel_id");
    const found = await recipients.where("inbox_activity", "=", row!.id).orderBy("channel_id").execute();
    expect(found.map(({ channel_id }) => channel_id)).toEqual([alma.channel.channel_id, bert.channel.channel_id]);
    expect(others).toEqual([]);
  });

  test.each<[string, Plan]>([
    ["the key of somebody else", { key: keys.eve.privateKey }],
    ["another path", { seen: { target: "/inbox/alma" } }],
    ["another body", { seen: { body: Buffer.from(JSON.stringify(activity())) } }],
    ["an old date", { headers: { Date: "Thu, 01 Jan 2026 00:00:00 GMT" }, parameters: { created: "1767225600" } }],
    [
      "a date of tomorrow",
      {
        headers: { Date: new Date(now.getTime() + 9e7).toUTCString() },
        parameters: { created: String(now.getTime() / 1000 + 90_000) },
      },
    ],
    ["a date that is none", { headers: { Date: "yesterday" }, parameters: { created: '"yesterday"' } }],
    ["no digest", { headers: { Digest: undefined, "Content-Digest": undefined } }],
    ["too little covered", { covered: ["date"] }],
  ])("with %s is nobody's, and says why", async (_, plan) => {
    const before = await arrivals();
    const { status, error, headers } = await send({ scheme, plan });
    expect([status, error]).toEqual([401, expect.any(String)]);
    expect(headers.get("accept-signature")).toContain("@target-uri");
    expect(await arrivals()).toBe(before);
  });
});

describe("the order of checks", () => {
  beforeAll(async () => {
    const [gone, held, waiting] = [
      await world.person("gone"),
      await world.person("held"),
      await world.person("waiting"),
    ];
    await removeChannel(world.hub, gone.channel.channel_id);
    await setAccountFlag(world.hub, held.channel.channel_account_id, "blocked", true);
    await setAccountFlag(world.hub, waiting.channel.channel_account_id, "pending", true);
  });

  test.each([
    ["/inbox/nobody", 404],
    ["/inbox/Alma", 404],
    ["/inbox/a%00b", 404],
    ["/inbox/waiting", 404],
    ["/inbox/gone", 410],
    ["/inbox/held", 410],
    ["/inbox/", 404],
    ["/inbox/alma/", 404],
    ["/inbox?page=1", 202],
  ])("POST %s: %s, before anything else", async (to, status) => {
    expect(await statusOf({ to })).toBe(status);
    if (status !== 202)
      expect((await world.app.request(`https://hub.example${to}`, { method: "POST" })).status).toBe(status);
  });

  test.each([
    ["GET", "/inbox", 405],
    ["HEAD", "/inbox/alma", 405],
    ["PUT", "/inbox/alma", 405],
    ["DELETE", "/inbox", 405],
    ["OPTIONS", "/inbox", 204],
    ["GET", "/inbox/nobody", 404],
    ["GET", "/inbox/", 308],
    ["GET", "/inbox/alma/", 308],
  ])("%s %s: %s", async (method, path, status) => {
    const answer = await world.app.request(`https://hub.example${path}`, { method });
    expect(answer.status).toBe(status);
    if (status === 405 || status === 204) expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    if (status === 308) expect(answer.headers.get("location")).toBe(path.slice(0, -1));
  });

  test.each([
    ["application/activity+json", 202],
    ["application/activity+json; charset=utf-8", 202],
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 202],
    ["application/ld+json", 202],
    ["application/json", 202],
    ["APPLICATION/JSON", 202],
    ["application/jsonp", 415],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["", 415],
  ])("of type %j: %s", async (type, status) => {
    expect(await statusOf({ plan: { headers: { "Content-Type": type } } })).toBe(status);
  });

  test("what is packed is not read", async () => {
    expect(await statusOf({ plan: { headers: { "Content-Encoding": "gzip" } } })).toBe(415);
    expect(await statusOf({ plan: { headers: { "Content-Encoding": "identity" } } })).toBe(202);
  });

  test("a mebibyte is taken, and no more, whatever was announced", async () => {
    const filled = (length: number): string => {
      const text = JSON.stringify(activity({ content: "" }));
      return text.replace('"content":""', `"content":"${"a".repeat(length - text.length)}"`);
    };
    const mebibyte = 1024 * 1024;
    expect(await statusOf({ body: filled(mebibyte) })).toBe(202);
    expect(await statusOf({ body: filled(mebibyte + 1) })).toBe(413);
    expect(await statusOf({ plan: { headers: { "Content-Length": String(mebibyte + 1) } } })).toBe(413);
  });

  test.each<[string, string | Buffer]>([
    ["nothing", ""],
    ["no JSON", "<p>hello"],
    ["half of it", '{"type":"Delete"'],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ["great depth", "[".repeat(100_000) + "]".repeat(100_000)],
    ["great width", JSON.stringify(activity({ to: Array(20_001).fill("a") }))],
    ["a list of two", JSON.stringify([activity(), activity()])],
    ["a text", '"hello"'],
    ["a number", "7"],
    ["null", "null"],
    ["no actor", JSON.stringify(activity({ actor: undefined }))],
    ["an actor that is a number", JSON.stringify(activity({ actor: 7 }))],
    ["an actor that is no id", JSON.stringify(activity({ actor: "ann" }))],
    ["two actors", JSON.stringify(activity({ actor: [idOf("ann"), idOf("bob")] }))],
    ["an actor with NUL", JSON.stringify(activity({ actor: `${idOf("ann")}\0` }))],
    ["an actor with half a character", JSON.stringify(activity()).replace("users/ann", "users/\\ud800")],
    ["an id that is a number", JSON.stringify(activity({ id: 7 }))],
    ["two ids", JSON.stringify(activity({ id: [idOf("a"), idOf("b")] }))],
    ["an id of more than 2,048 bytes", JSON.stringify(activity({ id: `${idOf("ann")}/${"a".repeat(2048)}` }))],
  ])("%s is no activity: 400, before any signature", async (_, body) => {
    const before = await arrivals();
    expect(await statusOf({ body, isSigned: false })).toBe(400);
    expect([await arrivals(), asked()]).toEqual([before, []]);
  });

  test.each<[string, unknown]>([
    ["an actor that is an object", { id: idOf("ann"), type: "Person" }],
    ["a list of one actor", [idOf("ann")]],
    ["an actor in another spelling", "https://FAR.example:443/users/ann"],
  ])("%s is one", async (_, actor) => {
    expect(await statusOf({ value: activity({ actor }) })).toBe(202);
  });

  test.each<[string, object]>([
    ["a type that nobody knows", { type: "Levitate" }],
    ["no type", { type: undefined }],
    ["a type of which nothing comes", { type: "Travel" }],
    ["an id of another origin", { id: "https://other.example/1" }],
    ["an id of ours", { id: "https://hub.example/activity/1" }],
  ])("%s is taken and nothing comes of it, whoever signed", async (_, more) => {
    const before = await arrivals();
    expect(await statusOf({ value: activity(more), plan: { key: keys.eve.privateKey } })).toBe(202);
    expect([await arrivals(), asked()]).toEqual([before, []]);
  });

  test.each<[string, string]>([
    ["doubled keys", `{"type":"Follow",${JSON.stringify(activity()).slice(1)}`],
    ["__proto__", JSON.stringify(activity()).replace("{", '{"__proto__":{"actor":"x"},"constructor":7,')],
  ])("%s change nothing", async (_, body) => {
    expect(await statusOf({ body })).toBe(202);
  });

  test("without an id it goes by its bytes", async () => {
    const body = JSON.stringify(activity({ id: undefined }));
    expect([await statusOf({ body }), await statusOf({ body })]).toEqual([202, 202]);
    expect(await rows(`sha256:${hash("sha256", body, "hex")}`)).toHaveLength(1);
  });

  test("ten thousand mentions are too many, and so many addresses cost what two do", async () => {
    const others = Array.from({ length: 10_000 }, (_, n) => `https://far.example/users/p${n}`);
    const own = `https://hub.example/channel/${alma.nick}`;
    const made = (to: string[], tagged: string[]) => {
      const id = `https://far.example/notes/${++count}`;
      const tag = tagged.map((href) => ({ type: "Mention", href, name: "@p@far.example" }));
      const object = { id, type: "Note", attributedTo: idOf("ann"), content: "To you", to, tag };
      return { id: `${id}/made`, type: "Create", actor: idOf("ann"), object };
    };
    expect(await send({ value: made([own], [own, ...others]) })).toMatchObject({ status: 400 });
    const [few, many] = [made([own, others[0]!], [own]), made([...others.slice(0, 4999), own, ...others], [own])];
    const costs: number[] = [];
    for (const value of [few, many]) {
      expect(await statusOf({ value })).toBe(202);
      costs.push(await statementsOf(world.hub, () => arrivesIn(world.hub)(value)));
    }
    expect(costs[1]).toBeLessThanOrEqual(costs[0]!);
    await world.work();
    expect(asked().filter((url) => url.includes("/users/p"))).toEqual([]);
    const mids = [few, many].map(({ object }) => object.id);
    const held = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("uid")
      .where("mid", "in", mids)
      .execute();
    const told = await world.hub.db.selectFrom("mail").select("channel_id").where("mid", "in", mids).execute();
    expect([...held.map(({ uid }) => uid), ...told.map(({ channel_id: uid }) => uid)]).toEqual([
      alma.channel.channel_id,
      alma.channel.channel_id,
    ]);
  });

  test("a suspended hub is refused before its signature is looked at, and so is one that signs for others", async () => {
    await setSiteBlock(world.hub, { domain: "far.example", level: "suspend", noMedia: false });
    onTestFinished(() => removeSiteBlock(world.hub, "far.example"));
    const unsigned = { isSigned: false };
    expect(await send(unsigned)).toMatchObject({ status: 403, error: "This hub is blocked here" });
    const value = activity({ id: "https://other.example/1", actor: "https://other.example/users/eve" });
    expect(await statusOf({ value })).toBe(403);
  });

  test("whoever signed is kept with what is somebody else's", async () => {
    const value = activity({ id: "https://other.example/2", actor: "https://other.example/users/eve" });
    expect(await statusOf({ value })).toBe(202);
    expect(await rows("https://other.example/2")).toMatchObject([{ signer: idOf("ann") }]);
    // Nobody has to ask whether something is gone that is not here.
    await world.work();
    expect(asked().filter((url) => url === value["object"])).toEqual([]);
    expect(await rows("https://other.example/2")).toMatchObject([{ state: "done" }]);
  });

  test("without a signature, or with two of one kind, it is nobody's", async () => {
    expect(await send({ isSigned: false })).toMatchObject({ status: 401 });
    expect(await statusOf({ plan: { more: [["Authorization", "Signature keyId=x"]] } })).toBe(401);
    const doubled = requestOf({});
    const signature = doubled.rawHeaders.at(-1)!;
    expect(
      (
        await sendTo(world.app, {
          ...doubled,
          rawHeaders: [...doubled.rawHeaders, "Signature-Input", "sig1=()", "Signature", signature],
        })
      ).status,
    ).toBe(401);
  });

  test("a hub that cannot store says when to come again", async () => {
    const { db } = world.hub;
    const run = db.executeQuery.bind(db);
    const insert = vi
      .spyOn(db, "executeQuery")
      .mockImplementation((query) =>
        "sql" in query && query.sql.startsWith("insert")
          ? Promise.reject(new DatabaseAway(new Error("gone")))
          : run(query),
      );
    const { status, headers } = await send();
    insert.mockRestore();
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

describe("a key that the hub does not have", () => {
  const sentBy = (nick: string, more: Sent = {}) =>
    send({ by: keyOf(nick), value: activity({ actor: idOf(nick), id: `${idOf(nick)}/${++count}` }), ...more });

  test("is looked up once, by the document of its owner", async () => {
    elsewhere.actor("carla");
    const all = await Promise.all(Array.from({ length: 20 }, () => sentBy("carla")));
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect((await sentBy("carla", { scheme: "RFC 9421" })).status).toBe(202);
    expect(asked()).toEqual([idOf("carla")]);
    // What is made of the activity meets the actor; the door makes no rows of people.
    const known = world.hub.db.selectFrom("actor").select("id").where("actor_id", "=", idOf("carla"));
    expect(await known.execute()).toEqual([]);
  });

  test("may be the actor's own id, or a document of its own", async () => {
    const publicKeyPem = pemOf(keys.ann.publicKey);
    elsewhere.actor("dora", { publicKey: { id: idOf("dora"), owner: idOf("dora"), publicKeyPem } });
    expect((await sentBy("dora", { by: idOf("dora") })).status).toBe(202);
    const key = `${idOf("emil")}/main-key`;
    elsewhere.actor("emil", { publicKey: key });
    elsewhere.put(key, { id: key, owner: idOf("emil"), publicKeyPem });
    expect((await sentBy("emil", { by: key })).status).toBe(202);
    // Some answer the address of the key with as much of the actor as everybody may see.
    const reduced = { id: key, owner: idOf("fred"), publicKeyPem };
    elsewhere.actor("fred", { publicKey: { ...reduced, id: `${idOf("fred")}/main-key` } });
    elsewhere.put(`${idOf("fred")}/main-key`, {
      id: idOf("fred"),
      type: "Person",
      publicKey: { ...reduced, id: `${idOf("fred")}/main-key` },
    });
    expect((await sentBy("fred", { by: `${idOf("fred")}/main-key` })).status).toBe(202);
  });

  test("need name no owner in the actor's own document, nor spell its id as a header has to", async () => {
    const publicKeyPem = pemOf(keys.ann.publicKey);
    elsewhere.actor("lars", { publicKey: { id: keyOf("lars"), publicKeyPem } });
    expect((await sentBy("lars")).status).toBe(202);
    const [raw, written] = ["jürgen", encodeURIComponent("jürgen")];
    elsewhere.put(
      idOf(written),
      elsewhere.actor(raw, { publicKey: { id: keyOf(raw), owner: idOf(raw), publicKeyPem } }),
    );
    expect((await sentBy(raw, { by: keyOf(written) })).status).toBe(202);
  });

  test.each<[string, Parameters<typeof elsewhere.put>[1], number]>([
    ["is gone", 410, 401],
    ["never was", 404, 401],
    ["is refused", 403, 401],
    ["is no document", () => jsonAnswer({}, "text/html"), 401],
    ["names nobody", { id: "https://far.example/k", publicKeyPem: pemOf(keys.ann.publicKey) }, 401],
    ["cannot be had for now", 503, 503],
    ["belongs to nobody who answers", new Error("far.example does not answer"), 503],
  ])("and that %s: %s", async (name, answer, status) => {
    const nick = `k${name.replaceAll(/\W/g, "")}`;
    elsewhere.put(idOf(nick), answer);
    const found = await sentBy(nick);
    expect([found.status, found.headers.get("retry-after")]).toEqual([status, status === 503 ? "60" : null]);
  });

  test.each<[string, object]>([
    ["that names another owner", { owner: idOf("ann") }],
    ["of somebody else without an owner", { id: keyOf("ann"), owner: undefined }],
    ["of another id", { id: `${idOf("gina")}#other` }],
    ["that is none", { publicKeyPem: "nonsense" }],
  ])("%s is nobody's, and is not looked up again", async (name, more) => {
    const nick = `gina${name.length}`;
    const key = { id: keyOf(nick), owner: idOf(nick), publicKeyPem: pemOf(keys.ann.publicKey), ...more };
    elsewhere.actor(nick, { publicKey: key });
    expect([(await sentBy(nick)).status, (await sentBy(nick)).status]).toEqual([401, 401]);
    expect(asked().filter((url) => url === idOf(nick))).toHaveLength(1);
  });

  test("of this hub is nobody's", async () => {
    expect(await statusOf({ by: "https://hub.example/channel/alma#main-key" })).toBe(401);
    expect(asked()).toEqual([]);
  });

  test("that does not fit is looked up again, once in five minutes", async () => {
    elsewhere.actor("hans");
    await meet("hans");
    const changed: Sent = { plan: { key: keys.eve.privateKey } };
    expect([(await sentBy("hans", changed)).status, (await sentBy("hans", changed)).status]).toEqual([401, 401]);
    expect(asked()).toEqual([idOf("hans")]);
    const publicKey = { id: keyOf("hans"), owner: idOf("hans"), publicKeyPem: pemOf(keys.eve.publicKey) };
    elsewhere.actor("hans", { publicKey });
    world.hub.advance(301);
    expect((await sentBy("hans", changed)).status).toBe(202);
    // The tables follow.
    await world.work();
    const row = await world.hub.db
      .selectFrom("actor_key")
      .select("key")
      .where("key_id", "=", keyOf("hans"))
      .executeTakeFirst();
    expect(row?.key).toBe(pemOf(keys.eve.publicKey));
  });

  test("is not looked up for somebody who says that they are gone", async () => {
    const deletion = { type: "Delete", actor: idOf("ina"), id: `${idOf("ina")}#delete`, object: idOf("ina") };
    elsewhere.actor("ina");
    const before = await arrivals();
    for (const object of [idOf("ina"), { id: idOf("ina"), type: "Tombstone" }])
      expect(await statusOf({ by: keyOf("ina"), value: { ...deletion, object } })).toBe(202);
    expect([await arrivals(), asked()]).toEqual([before, []]);
    await meet("ina");
    expect(await statusOf({ by: keyOf("ina"), value: deletion })).toBe(202);
    expect(await arrivals()).toBe(before + 1);
  });

  test("has gone with its owner, whose own address says so", async () => {
    const id = "https://away.example/users/jana";
    const met = await meetActor(world.hub, actorOf("jana", { id, keys: [] }));
    const value = { type: "Delete", actor: id, id: `${id}#delete`, object: id };
    const isGone = async () => (await findXchan(world.hub, { id: met.xchan_id }))?.xchan_deleted;
    // Somebody else's key says nothing of them.
    elsewhere.put("https://other.example/key", 410);
    expect(await statusOf({ by: "https://other.example/key", value })).toBe(401);
    elsewhere.put(id, 410);
    expect([await statusOf({ by: `${id}#key`, value }), await isGone()]).toEqual([202, 0]);
    await world.work();
    expect(await isGone()).toBe(1);
    elsewhere.asked.length = 0;
    expect([await statusOf({ by: `${id}#key`, value }), asked()]).toEqual([202, []]);
  });

  test("is looked up 30 times a minute for one host, 10 at a time for all", async () => {
    const waiting: ((answer: Response) => void)[] = [];
    const at = (host: string, nick: number): string => `https://${host}/${nick}`;
    for (const host of ["slow.example", "busy.example"])
      for (let nick = 0; nick < 40; nick++)
        elsewhere.put(
          at(host, nick),
          host.startsWith("slow") ? () => new Promise((resolve) => waiting.push(resolve)) : 404,
        );
    const from = (host: string, nick: number) =>
      statusOf({ by: `${at(host, nick)}#k`, value: activity({ actor: at(host, nick), id: `${at(host, nick)}/1` }) });
    const slow = Array.from({ length: 12 }, (_, nick) => from("slow.example", nick));
    await expect.poll(() => waiting.length).toBe(10);
    expect(await from("busy.example", 0)).toBe(503);
    for (const answer of waiting) answer(new Response("", { status: 404 }));
    expect((await Promise.all(slow)).toSorted()).toEqual([...Array(10).fill(401), 503, 503]);
    world.hub.advance(60);
    const busy: number[] = [];
    for (let nick = 0; nick < 40; nick++) busy.push(await from("busy.example", nick));
    expect(busy).toEqual([...Array(30).fill(401), ...Array(10).fill(503)]);
    world.hub.advance(60);
    expect(await from("busy.example", 39)).toBe(401);
  });
});

test("headers that are changed on the way make no delivery somebody's, and no fault of ours", async () => {
  const changes = fc.record({
    scheme: fc.constantFrom<Scheme>("draft-cavage", "RFC 9421"),
    at: fc.nat(),
    how: fc.oneof(
      fc.constant(undefined),
      fc.record({ at: fc.nat(), text: fc.string({ unit: "grapheme-ascii", maxLength: 8 }) }),
    ),
  });
  const covered = { "draft-cavage": ["Host", "Date", "Digest"], "RFC 9421": ["Content-Digest"] };
  const signed = new Map<Scheme, Received>();
  for (const scheme of ["draft-cavage", "RFC 9421"] as const) signed.set(scheme, requestOf({ scheme }));
  await fc.assert(
    fc.asyncProperty(changes, async ({ scheme, at, how }) => {
      const request = signed.get(scheme)!;
      const place = (at % (request.rawHeaders.length / 2)) * 2;
      const [name, value] = request.rawHeaders.slice(place, place + 2) as [string, string];
      const cut = (how?.at ?? 0) % value.length;
      const changed = how && value.slice(0, cut) + how.text + value.slice(cut + 1);
      const rawHeaders = request.rawHeaders.toSpliced(place, 2, ...(changed === undefined ? [] : [name, changed]));
      const { status } = await sendTo(world.app, { ...request, rawHeaders });
      const isTaken = changed?.trim() === value || !covered[scheme].includes(name);
      expect(isTaken ? [202, 400, 401, 415, 503] : [401]).toContain(status);
    }),
    { numRuns: size(80, 3000) },
  );
  expect(asked().every((url) => !url.startsWith("https://hub.example"))).toBe(true);
});

test("whoever has signed nothing has the hub ask for nothing", async () => {
  // What those have said who have signed it.
  await world.work();
  elsewhere.asked.length = 0;
  for (const path of ["/inbox", "/inbox/alma"])
    for (const type of ["Create", "Update", "Delete", "Follow", "Announce", "Like"])
      await statusOf({
        to: path,
        value: activity({ type, object: "https://other.example/1" }),
        isSigned: false,
      });
  const reads = ["/actor", "/channel/alma", "/outbox/alma", "/item/unknown", "/activity/unknown", "/nodeinfo/2.1"];
  const finger = "/.well-known/webfinger?resource=acct:somebody@other.example";
  for (const path of [...reads, finger])
    await world.app.request(`https://hub.example${path}`, { headers: { accept: "application/activity+json" } });
  // Nor do those documents that are the same for everybody, whoever says to have signed the request: nobody knows this one's key.
  const parameters = { keyId: `"${keyOf("never-met")}"` };
  const more: Plan["more"] = [["Accept", "application/activity+json"]];
  for (const target of [...reads.slice(0, 3), finger])
    await sendTo(world.app, cavageRequest({ method: "GET", target, parameters, more }));
  // Pages and calls by which members have people and posts looked up.
  const [address, post] = ["somebody@other.example", "https://other.example/notes/1"];
  const lookUps: [path: string, query: Record<string, string>][] = [
    ["/search", { q: `@${address}` }],
    ["/search", { q: post }],
    ["/follow", { url: address }],
    ["/connections", { q: address }],
    [`/display/${encodeURIComponent(post)}`, {}],
    ["/api/users/show.json", { screen_name: address }],
    ["/api/users/search.json", { q: address }],
    ["/api/search.json", { q: post }],
    ["/api/externalprofile/show.json", { profileurl: "https://other.example/users/somebody" }],
    ["/api/z/1.0/xchan", { address }],
    ["/api/v1/accounts/lookup", { acct: address }],
    ["/api/v1/accounts/search", { q: address, resolve: "true" }],
    ["/api/v2/search", { q: post, resolve: "true" }],
    [`/proxy/AAAA/${Buffer.from(post).toString("base64url")}`, {}],
    ["/proxy/emoji/other.example/tree", {}],
  ];
  for (const [path, query] of lookUps)
    await world.app.request(`https://hub.example${path}?${new URLSearchParams(query).toString()}`);
  await world.work();
  expect(asked()).toEqual([]);
});

describe("limits", () => {
  let limited: TestApp;
  beforeAll(async () => {
    const env = { HUBBUB_BASE_URL: "https://hub.example", HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" };
    limited = await openTestApp({ env, clock: now, fetch: elsewhere.fetch });
    for (const nick of ["ann", "bob"]) {
      const id = `https://${nick}.example/users/${nick}`;
      const key = { id: `${id}#main-key`, kind: "rsa" as const, key: pemOf(keys.ann.publicKey) };
      await meetActor(
        limited.hub,
        actorOf(nick, { id, address: `${nick}@${nick}.example`, inbox: `${id}/inbox`, keys: [key] }),
      );
    }
  });
  afterAll(() => limited.close());

  const post = async (address: string, by: string, plan: Plan = {}) => {
    const id = `https://${by}.example/users/${by}`;
    const value = { type: "Delete", actor: id, id: `${id}/1`, object: `${id}/note` };
    const more: Plan["more"] = [["X-Forwarded-For", address]];
    const { status, headers } = await sendTo(
      limited.app,
      requestOf({ value, by: `${id}#main-key`, plan: { more, ...plan } }),
    );
    return `${status} ${headers.get("retry-after") ?? ""}`.trim();
  };
  const many = async (times: number, work: () => Promise<string>): Promise<Record<string, number>> => {
    const counted: Record<string, number> = {};
    for (let time = 0; time < times; time++) {
      const outcome = await work();
      counted[outcome] = (counted[outcome] ?? 0) + 1;
    }
    return counted;
  };

  test("a host may deliver 300 a minute, 600 at once, from whatever address", async () => {
    let address = 0;
    const ann = () => post(`203.0.113.${++address % 250}`, "ann");
    expect(await many(601, ann)).toEqual({ 202: 600, "429 1": 1 });
    expect(await post("203.0.113.1", "bob")).toBe("202");
    limited.hub.advance(60);
    expect(await many(301, ann)).toEqual({ 202: 300, "429 1": 1 });
  });

  test("an address whose signatures fail 60 times a minute is refused for ten", async () => {
    const forged: Plan = { headers: { Digest: "SHA-256=x" } };
    expect(
      await many(61, () => post("198.51.100.1", "bob", { more: [["X-Forwarded-For", "198.51.100.1"]], ...forged })),
    ).toEqual({
      401: 60,
      "429 600": 1,
    });
    expect(await post("198.51.100.1", "bob")).toBe("429 600");
    expect(await post("198.51.100.2", "bob")).toBe("202");
    limited.hub.advance(600);
    expect(await post("198.51.100.1", "bob")).toBe("202");
  });

  test("an address may deliver 600 a minute, 1,200 at once, before anybody looks at what", async () => {
    const nothing = async (): Promise<string> => {
      const headers = { "content-type": "application/json", "x-forwarded-for": "2001:db8::1" };
      const answer = await limited.app.request("https://hub.example/inbox", { method: "POST", headers, body: "{" });
      return `${answer.status} ${answer.headers.get("retry-after") ?? ""}`.trim();
    };
    expect(await many(1201, nothing)).toEqual({ 400: 1200, "429 1": 1 });
    expect(await post("2001:db8::2", "bob")).toBe("429 1");
    limited.hub.advance(60);
    expect(await many(601, nothing)).toEqual({ 400: 600, "429 1": 1 });
  });

  test("a host may read 600 documents a minute in its own name", async () => {
    const read = async (more: object = {}) => {
      const signed = cavageRequest({
        method: "GET",
        target: "/actor",
        parameters: { keyId: '"https://bob.example/users/bob#main-key"' },
        ...more,
      });
      return String((await sendTo(limited.app, signed)).status);
    };
    expect(await many(601, read)).toEqual({ 200: 600, 429: 1 });
  });
});

describe("on a socket", () => {
  const server = () =>
    createAdaptorServer({ fetch: (...request) => world.app.fetch(...request), hostname: "hub.example" });
  let running: ReturnType<typeof server>;
  beforeAll(async () => {
    running = server();
    await new Promise<void>((resolve) => running.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => running.close());
  afterEach(() => vi.useRealTimers());

  /** What comes back for these bytes. */
  function exchange(bytes: string, andThen: (socket: ReturnType<typeof connect>) => void = () => undefined) {
    const socket = connect((running.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => undefined);
    socket.write(bytes);
    andThen(socket);
    return { closed, status: () => Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0), end: () => socket.destroy() };
  }
  const written = ({ method, target, rawHeaders, body }: Received, more: string[] = []): string => {
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
    const all = [
      `${method} ${target} HTTP/1.1`,
      ...lines,
      `Content-Length: ${body.length}`,
      "Connection: close",
      ...more,
    ];
    return `${all.join("\r\n")}\r\n\r\n${Buffer.from(body).toString()}`;
  };

  test("a delivery is taken letter by letter, and twice the same header is seen", async () => {
    const value = activity();
    const taken = exchange(written(requestOf({ value })));
    await taken.closed;
    expect([taken.status(), (await rows(value["id"])).length]).toEqual([202, 1]);
    const doubled = exchange(written(requestOf({}), [`Date: ${now.toUTCString()}`]));
    await doubled.closed;
    expect(doubled.status()).toBe(401);
  });

  test("a body that is cut off leaves nothing", async () => {
    const before = await arrivals();
    const bytes = written(requestOf({}));
    const cut = exchange(bytes.slice(0, -20), (socket) => setImmediate(() => socket.destroy()));
    await cut.closed;
    expect(await arrivals()).toBe(before);
  });

  test("a body that takes longer than 30 s is given up, and one without end at a mebibyte", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const bytes = written(requestOf({}));
    const slow = exchange(bytes.slice(0, -20));
    while (slow.status() === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(1000);
    }
    expect(slow.status()).toBe(400);
    slow.end();
    vi.useRealTimers();
    const head = bytes.slice(0, bytes.indexOf("\r\n\r\n")).replace(/Content-Length: \d+/, "Transfer-Encoding: chunked");
    const endless = exchange(`${head}\r\n\r\n`, (socket) => {
      const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
      const more = (): void => void (socket.destroyed || socket.write(chunk, () => setImmediate(more)));
      more();
    });
    await expect.poll(endless.status).toBe(413);
    endless.end();
  });
});
