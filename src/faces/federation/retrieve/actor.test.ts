import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { actorDocument, fingerAt, fingerOf, jsonAnswer, openElsewhere } from "../../../../test/support/elsewhere.ts";
import { keys, pemOf } from "../../../../test/support/signed-requests.ts";
import { findActorKey } from "../../../domain/identity/xchans/actor-keys.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { setSiteBlock } from "../../../domain/peers/site-blocks.ts";
import { heardFrom } from "../../../domain/delivery/heard.ts";
import { RefusedAddress, UnusableAnswer } from "../../../fetch/fetch.ts";
import { toBase58 } from "../signatures/base58.ts";
import { meetAgain, metActor } from "./actor.ts";
import { retrieve } from "./retrieve.ts";

/** Documents and people of elsewhere (federation contract 1.4, 2, 8, 10). */

let world: TestApp;
const elsewhere = openElsewhere();
const hub = () => world.hub;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: "https://hub.example" }, fetch: elsewhere.fetch });
});
afterAll(() => world.close());
beforeEach(() => void (elsewhere.asked.length = 0));

const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const asked = (): string[] => elsewhere.asked.map(({ url }) => url);
const row = (id: string) =>
  hub().db.selectFrom("actor").selectAll().where("actor_id", "=", id).executeTakeFirstOrThrow();

describe("a document", () => {
  const id = "https://far.example/note/1";
  const note = { id, type: "Note", content: "hello" };
  const faultOf = async (url = id) => {
    const found = await retrieve(hub(), url);
    return "fault" in found ? found.fault : "found";
  };

  test("is asked for in the name of the channel, else of the site, without what its id has after #", async () => {
    elsewhere.put(id, note);
    const alma = await world.person("alma");
    const found = await retrieve(hub(), `${id}#part`, alma.channel);
    expect(found).toMatchObject({
      fetched: { asked: `${id}#part`, at: `${id}#part`, type: "application/activity+json" },
    });
    await retrieve(hub(), id);
    const named = elsewhere.asked.map(({ options }) => options.inNameOf);
    expect(named).toEqual(["https://hub.example/channel/alma cavage", "https://hub.example/actor cavage"]);
    const signature = await elsewhere.asked[1]!.options.sign!({ method: "GET", url: id, headers: {} });
    expect(signature["signature"]).toContain('keyId="https://hub.example/actor#main-key"');
  });

  test("is asked for once more with the other signature where the first one is not taken", async () => {
    elsewhere.put(id, () => (elsewhere.asked.length === 1 ? new Response("", { status: 401 }) : jsonAnswer(note)));
    expect(await faultOf()).toBe("found");
    const signature = await elsewhere.asked[1]!.options.sign!({ method: "GET", url: id, headers: {} });
    expect(signature["signature-input"]).toContain('keyid="https://hub.example/actor#main-key"');
    elsewhere.put(id, 401);
    expect([await faultOf(), elsewhere.asked.length]).toEqual(["refused", 4]);
  });

  test("is asked for first as its host is known to sign, and again where nobody knows and it is forbidden", async () => {
    const ways = (): (string | undefined)[] => elsewhere.asked.map(({ options }) => options.inNameOf?.split(" ")[1]);
    const strange = "https://strange.example/note/1";
    elsewhere.put(strange, () => (ways().length === 1 ? new Response("", { status: 403 }) : jsonAnswer(note)));
    await retrieve(hub(), strange);
    expect(ways()).toEqual(["cavage", "rfc9421"]);
    await heardFrom(hub(), "strange.example", "rfc9421");
    elsewhere.asked.length = 0;
    elsewhere.put(strange, 403);
    await retrieve(hub(), strange);
    expect(ways()).toEqual(["rfc9421"]);
    elsewhere.put(strange, 401);
    await retrieve(hub(), strange);
    expect(ways()).toEqual(["rfc9421", "rfc9421", "cavage"]);
  });

  test.each<[string, Parameters<typeof elsewhere.put>[1], string]>([
    ["404", 404, "gone"],
    ["410", 410, "gone"],
    ["403", 403, "refused"],
    ["400", 400, "unusable"],
    ["429", 429, "unavailable"],
    ["503", 503, "unavailable"],
    ["nobody who answers", new Error("far.example does not answer"), "unavailable"],
    ["a refused address", new RefusedAddress("no"), "refused"],
    ["too much", new UnusableAnswer("too large"), "unusable"],
    ["a page", () => jsonAnswer(note, "text/html"), "unusable"],
    ["JSON of another type", () => jsonAnswer(note, "application/json"), "unusable"],
    ["JSON for linked data", () => jsonAnswer(note, 'application/ld+json; profile="https://other.example"'), "found"],
    ["no JSON", () => new Response("<p>", { headers: { "content-type": "application/activity+json" } }), "unusable"],
    ["a list", () => jsonAnswer([1, 2]), "unusable"],
    [
      "great depth",
      () => new Response("[".repeat(99) + "]".repeat(99), { headers: { "content-type": "application/ld+json" } }),
      "unusable",
    ],
  ])("that is %s", async (_, answer, fault) => {
    elsewhere.put(id, answer);
    expect(await faultOf()).toBe(fault);
  });

  test("of this hub, of a suspended one, and of nowhere is not asked for", async () => {
    await setSiteBlock(hub(), { domain: "blocked.example", level: "suspend", noMedia: false });
    for (const url of ["https://hub.example/item/1", "https://www.blocked.example/1", "urn:uuid:1"])
      expect(await faultOf(url)).toBe("refused");
    expect(asked()).toEqual([]);
  });
});

describe("somebody", () => {
  test("is met by their document, with the address that WebFinger confirms", async () => {
    const web = '<a href="https://carla.example/" onclick="x()">carla.example</a><script>y()</script>';
    elsewhere.actor("carla", {
      image: { type: "Image", url: "https://far.example/wide.png" },
      attachment: [{ type: "PropertyValue", name: "Web", value: web }],
    });
    const xchan = await metActor(hub(), idOf("carla"));
    expect(xchan).toMatchObject({
      xchan_hash: idOf("carla"),
      xchan_addr: "carla@far.example",
      xchan_name: "Carla",
      xchan_about: "I am carla",
      xchan_url: "https://far.example/@carla",
      xchan_follow: "https://far.example/authorize_interaction?uri=%s",
      xchan_hidden: 0,
    });
    expect(await row(idOf("carla"))).toMatchObject({
      inbox: `${idOf("carla")}/inbox`,
      cover: "https://far.example/wide.png",
      fields: JSON.stringify([
        { name: "Web", value: '<a href="https://carla.example/" rel="nofollow noopener">carla.example</a>' },
      ]),
      shared_inbox: "https://far.example/inbox",
      updated: "2026-01-02 03:04:05",
      manually_approves: 0,
    });
    expect(await findActorKey(hub(), `${idOf("carla")}#main-key`)).toMatchObject({ kind: "rsa", owner: idOf("carla") });
    expect(asked()).toEqual([idOf("carla"), fingerAt("carla@far.example")]);
  });

  const own = idOf("renata");
  test.each<[string, object | undefined, 0 | 1]>([
    ["nothing", undefined, 1],
    ["of quotations alone", { canQuote: { automaticApproval: own } }, 1],
    ["everybody", { canReply: { always: "as:Public" } }, 1],
    ["followers", { canReply: { automaticApproval: [`${own}/followers`] } }, 1],
    ["followers, after asking", { canReply: { always: [own], approvalRequired: [`${own}/followers`] } }, 1],
    ["nobody else", { canReply: { automaticApproval: own } }, 0],
    ["whomever they follow, in the older words", { canReply: { always: [own, `${own}/following`] } }, 0],
  ])("whose document lets answer %s: may followers?", async (_, interactionPolicy, may) => {
    elsewhere.actor("renata", { interactionPolicy });
    await meetAgain(hub(), own);
    expect(await row(own)).toMatchObject({ followers_answer: may });
  });

  test("who is known is not asked for again; after a day they are, in the background", async () => {
    elsewhere.actor("dora");
    await metActor(hub(), idOf("dora"));
    elsewhere.actor("dora", { name: "Dora the second" });
    elsewhere.asked.length = 0;
    expect((await metActor(hub(), "https://FAR.example:443/users/dora"))?.xchan_name).toBe("Dora");
    hub().advance(24 * 3600 + 1);
    expect((await metActor(hub(), idOf("dora")))?.xchan_name).toBe("Dora");
    await metActor(hub(), idOf("dora"));
    expect(asked()).toEqual([]);
    await world.work();
    expect(asked().filter((url) => url === idOf("dora"))).toHaveLength(1);
    expect((await metActor(hub(), idOf("dora")))?.xchan_name).toBe("Dora the second");
  });

  test("is asked for once by all who want to know them at the same moment, and all learn who it is", async () => {
    elsewhere.actor("gerd");
    const all = await Promise.all(Array.from({ length: 3 }, () => metActor(hub(), idOf("gerd"))));
    expect(all.map((xchan) => xchan?.xchan_name)).toEqual(["Gerd", "Gerd", "Gerd"]);
    expect(asked().filter((url) => url === idOf("gerd"))).toHaveLength(1);
  });

  test("who cannot be had is not asked for again within five minutes", async () => {
    expect(await metActor(hub(), idOf("nobody"))).toBeUndefined();
    elsewhere.actor("nobody");
    expect([await metActor(hub(), idOf("nobody")), asked().length]).toEqual([undefined, 1]);
    hub().advance(301);
    expect(await metActor(hub(), idOf("nobody"))).toMatchObject({ xchan_name: "Nobody" });
  });

  test("of a host that has many is asked for a little later, when sixty of it were", async () => {
    const crowd = Array.from({ length: 61 }, (_, number) => `https://crowd.example/users/${number}`);
    const last = crowd.pop()!;
    for (const id of crowd) expect(await metActor(hub(), id)).toBeUndefined();
    await expect(metActor(hub(), last)).rejects.toMatchObject({ code: "not_fetched" });
    expect(asked().filter((url) => url.startsWith("https://crowd"))).toEqual(crowd);
    expect(await metActor(hub(), "https://quiet.example/users/1")).toBeUndefined();
    hub().advance(1);
    expect(await metActor(hub(), last)).toBeUndefined();
    expect(asked().at(-1)).toBe(last);
  });

  test.each([404, 410])("whose document is gone (%s) is lost, until it is there again", async (status) => {
    const nick = `gone${status}`;
    elsewhere.actor(nick);
    await metActor(hub(), idOf(nick));
    elsewhere.put(idOf(nick), 503);
    expect(await meetAgain(hub(), idOf(nick))).toBeUndefined();
    expect(await metActor(hub(), idOf(nick))).toMatchObject({ xchan_deleted: 0 });
    elsewhere.put(idOf(nick), status);
    expect(await meetAgain(hub(), idOf(nick))).toBeUndefined();
    expect((await row(idOf(nick))).gone).not.toBe("0001-01-01 00:00:00");
    expect(await meetAgain(hub(), idOf(nick))).toBeUndefined();
    elsewhere.actor(nick);
    hub().advance(301);
    expect(await metActor(hub(), idOf(nick))).toMatchObject({ xchan_deleted: 0 });
  });

  test("who cannot be had for 30 days is an orphan until they can", async () => {
    const orphan = async (answer?: number) => {
      if (answer === undefined) elsewhere.actor("olaf", { sensitive: true });
      else elsewhere.put(idOf("olaf"), answer);
      await meetAgain(hub(), idOf("olaf"));
      const { xchan_orphan, xchan_selfcensored } = (await findXchan(hub(), { hash: idOf("olaf") }))!;
      return [xchan_orphan, xchan_selfcensored];
    };
    expect(await orphan()).toEqual([0, 1]);
    hub().advance(29 * 24 * 3600);
    expect(await orphan(503)).toEqual([0, 1]);
    hub().advance(24 * 3600);
    expect(await orphan(503)).toEqual([1, 1]);
    expect(await orphan()).toEqual([0, 1]);
  });

  test.each<[string, object]>([
    ["another id", { id: idOf("other") }],
    ["an id elsewhere", { id: "https://other.example/users/eve" }],
    ["no id", { id: undefined }],
    ["two ids", { id: [idOf("eve"), idOf("other")] }],
    ["no inbox", { inbox: undefined }],
    ["an inbox here", { inbox: "https://hub.example/inbox" }],
    ["the type of something else", { type: "Note", publicKey: undefined }],
  ])("whose document has %s is not", async (_, more) => {
    elsewhere.put(idOf("eve"), { ...actorDocument("eve"), ...more });
    expect(await meetAgain(hub(), idOf("eve"))).toBeUndefined();
  });

  test("whose id leads to another server is not", async () => {
    elsewhere.put(idOf("fred"), () =>
      Object.defineProperty(jsonAnswer(actorDocument("fred")), "url", { value: "https://other.example/fred" }),
    );
    expect(await meetAgain(hub(), idOf("fred"))).toBeUndefined();
  });
});

describe("an address", () => {
  const addressOf = async (nick: string) => (await meetAgain(hub(), idOf(nick)))?.xchan_addr;
  const finger = (at: string, says: string, id: string) =>
    elsewhere.put(fingerAt(at), () => jsonAnswer(fingerOf(says, id), "application/jrd+json"));

  test("may be at another host, if both say so", async () => {
    elsewhere.actor("gina");
    finger("gina@far.example", "gina@better.example", idOf("gina"));
    expect(await addressOf("gina")).toBe("gina@far.example");
    finger("gina@better.example", "gina@better.example", idOf("other"));
    expect(await addressOf("gina")).toBe("gina@far.example");
    finger("gina@better.example", "Gina@Better.example", idOf("gina"));
    expect(await addressOf("gina")).toBe("Gina@better.example");
  });

  test("that the document names counts when it holds", async () => {
    elsewhere.actor("hilda", { webfinger: "acct:hilda@better.example" });
    expect(await addressOf("hilda")).toBe("hilda@far.example");
    finger("hilda@better.example", "hilda@better.example", idOf("hilda"));
    expect(await addressOf("hilda")).toBe("hilda@better.example");
  });

  test.each<[string, Parameters<typeof elsewhere.put>[1]]>([
    ["nobody confirms", 404],
    ["nobody answers for", new Error("far.example does not answer")],
    ["is somebody else's", () => jsonAnswer(fingerOf("ina@far.example", idOf("other")), "application/jrd+json")],
    ["is confirmed by a page", () => jsonAnswer(fingerOf("ina@far.example", idOf("ina")), "text/html")],
    ["is confirmed by nothing readable", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ])("that %s is that of the id's host, and leads nowhere", async (_, answer) => {
    elsewhere.actor("ina");
    elsewhere.put(fingerAt("ina@far.example"), answer);
    expect(await meetAgain(hub(), idOf("ina"))).toMatchObject({ xchan_addr: "ina@far.example", xchan_follow: "" });
  });

  test("cannot pass as another one by signs that nobody sees", async () => {
    elsewhere.actor("eve", { name: "\u202eecila\u2066 \u200f\u0007\ufeffand  co" });
    expect(await meetAgain(hub(), idOf("eve"))).toMatchObject({ xchan_name: "ecila and co" });
    elsewhere.actor("eve", { name: "\u202e\u200f" });
    expect(await meetAgain(hub(), idOf("eve"))).toMatchObject({ xchan_name: "eve" });
    elsewhere.actor("eve", { preferredUsername: "e\u202ev" });
    elsewhere.put(fingerAt("eve@far.example"), 404);
    expect(await addressOf("eve")).not.toContain("\u202e");
  });

  test("is made of the id where the document has no name for it", async () => {
    elsewhere.actor("jo", { preferredUsername: undefined, name: undefined });
    elsewhere.put(fingerAt("jo@far.example"), 404);
    expect(await meetAgain(hub(), idOf("jo"))).toMatchObject({ xchan_addr: "jo@far.example", xchan_name: "jo" });
    elsewhere.actor("kim", { preferredUsername: "kim @ home" });
    expect(await addressOf("kim")).toBe("kim@far.example");
  });
});

describe("keys", () => {
  const pem = pemOf(keys.ann.publicKey);
  const knownKeys = async (nick: string, publicKey: unknown, more: object = {}) => {
    elsewhere.actor(nick, { publicKey, ...more });
    await meetAgain(hub(), idOf(nick));
    const found = hub().db.selectFrom("actor_key").select(["key_id", "kind"]).where("owner", "=", idOf(nick));
    return (await found.orderBy("key_id").execute()).map(({ key_id, kind }) => `${key_id} ${kind}`);
  };

  test("stand in the document, under its own id, or in documents of their own", async () => {
    const own = { id: idOf("lea"), owner: idOf("lea"), publicKeyPem: pem };
    expect(await knownKeys("lea", own)).toEqual([`${idOf("lea")} rsa`]);
    const id = `${idOf("max")}/main-key`;
    elsewhere.put(id, { id, type: "CryptographicKey", owner: idOf("max"), publicKeyPem: pem });
    expect(await knownKeys("max", id)).toEqual([`${id} rsa`]);
  });

  test("need name no owner where they are a part of that one's document", async () => {
    const id = `${idOf("lars")}#main-key`;
    expect(await knownKeys("lars", { id, publicKeyPem: pem })).toEqual([`${id} rsa`]);
    // What stands elsewhere may be anybody's.
    const other = `${idOf("lotte")}/main-key`;
    expect(await knownKeys("lotte", { id: other, publicKeyPem: pem })).toEqual([]);
    elsewhere.put(other, { id: other, publicKeyPem: pem });
    expect(await knownKeys("lotte", other)).toEqual([]);
  });

  test("of proofs are known as well, and keys in an older form", async () => {
    const { x } = keys.ed25519.publicKey.export({ format: "jwk" });
    const multikey = `z${toBase58(Buffer.concat([Buffer.from([0xed, 1]), Buffer.from(x!, "base64url")]))}`;
    const id = idOf("nele");
    const old = keys.ann.publicKey.export({ type: "pkcs1", format: "pem" }).toString();
    const assertionMethod = [{ id: `${id}#ed`, type: "Multikey", controller: id, publicKeyMultibase: multikey }];
    expect(
      await knownKeys("nele", { id: `${id}#main-key`, owner: id, publicKeyPem: old }, { assertionMethod }),
    ).toEqual([`${id}#ed ed25519`, `${id}#main-key rsa`]);
    expect((await findActorKey(hub(), `${id}#main-key`))?.key).toBe(pem);
  });

  test.each<[string, (id: string) => unknown]>([
    ["that another owns", (id) => ({ id: `${id}#k`, owner: idOf("other"), publicKeyPem: pem })],
    ["of somebody else, without an owner,", () => ({ id: `${idOf("other")}#k`, publicKeyPem: pem })],
    ["of another server", (id) => ({ id: "https://other.example/k", owner: id, publicKeyPem: pem })],
    ["that are none", (id) => ({ id: `${id}#k`, owner: id, publicKeyPem: "nonsense" })],
    ["whose document is not there", (id) => `${id}/missing-key`],
  ])("%s are not taken", async (_, publicKey) => {
    expect(await knownKeys("olga", publicKey(idOf("olga")))).toEqual([]);
  });

  test("of which two have one id count as one: the last", async () => {
    const id = `${idOf("rosa")}#main-key`;
    const key = (publicKeyPem: string) => ({ id, owner: idOf("rosa"), publicKeyPem });
    const other = pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey);
    expect(await knownKeys("rosa", [key(other), key(pem)])).toEqual([`${id} rsa`]);
    expect((await findActorKey(hub(), id))?.key).toBe(pem);
  });

  test("whose own document names another owner are not taken", async () => {
    const id = `${idOf("paul")}/key`;
    elsewhere.put(id, { id, owner: idOf("other"), publicKeyPem: pem });
    expect(await knownKeys("paul", id)).toEqual([]);
  });
});
