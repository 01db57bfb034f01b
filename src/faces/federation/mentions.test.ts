import { afterAll, beforeAll, expect, test } from "vitest";
import { almaAndEva } from "../../../test/support/alma-and-eva.ts";
import type { AlmaAndEva } from "../../../test/support/alma-and-eva.ts";
import { actorDocument, fingerAt, fingerOf, jsonAnswer } from "../../../test/support/elsewhere.ts";
import { termTypes } from "../../domain/items/vocabulary.ts";
import { setSiteBlock } from "../../domain/peers/site-blocks.ts";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { everybody } from "./everybody.ts";

/** People whom posts mention and nobody here knows are looked up by their names (federation contract 4.2). */

let { world, elsewhere, arrives, alma, eva } = {} as AlmaAndEva;
let count = 0;

beforeAll(async () => {
  ({ world, elsewhere, arrives, alma, eva } = await almaAndEva());
  await world.work();
});
afterAll(() => world.close());

const finger = (address: string, id: string, subject = address): void =>
  elsewhere.put(fingerAt(address), () => jsonAnswer(fingerOf(subject, id), "application/jrd+json"));

/** Somebody of another hub, whom that knows by this address. */
function stranger(nick: string, host = "peer.example", more: object = {}): { id: string; page: string } {
  const [id, page] = [`https://${host}/users/${nick}`, `https://${host}/@${nick}`];
  const { publicKey, ...document } = actorDocument(nick);
  const key = { ...(publicKey as object), id: `${id}#main-key`, owner: id };
  elsewhere.put(id, { ...document, id, url: page, inbox: `${id}/inbox`, publicKey: key, ...more });
  finger(`${nick}@${host}`, id);
  return { id, page };
}

type Said = { href: string; name: string };

/** Eva names these people in a post; answers its id. */
async function names(people: Said[], more: object = {}, id = `https://far.example/notes/m${++count}`): Promise<string> {
  elsewhere.asked.length = 0;
  const tag = people.map((one) => ({ type: "Mention", ...one }));
  const object = {
    id,
    type: "Note",
    attributedTo: eva.xchan_hash,
    to: [everybody],
    content: "<p>You</p>",
    tag,
    ...more,
  };
  await arrives({
    id: `${id}/made/${++count}`,
    type: "Create",
    actor: eva.xchan_hash,
    to: [everybody],
    ...more,
    object,
  });
  return id;
}

const mentioned = (mid: string) =>
  world.hub.db
    .selectFrom("term")
    .innerJoin("message", "message.id", "term.message_id")
    .select(["term", "url"])
    .where("mid", "=", mid)
    .where("ttype", "=", termTypes.mention)
    .orderBy("url")
    .execute();
const asked = (): string[] => elsewhere.asked.map(({ url }) => url).filter((url) => !url.endsWith("/inbox"));
const fingers = (): string[] => asked().filter((url) => url.includes("/.well-known/webfinger"));

test("somebody is found by the name after the post is there, and known by it from then on", async () => {
  const { id, page } = stranger("bob");
  finger("Bob@peer.example", id, "bob@peer.example");
  const said = { href: "https://peer.example/bobs/own/page", name: "@Bob@Peer.example" };
  const post = await names([said]);
  expect([asked(), await mentioned(post)]).toEqual([[], [{ term: said.name, url: said.href }]]);
  await world.work();
  expect(asked()).toEqual([fingerAt("Bob@peer.example"), id, fingerAt("bob@peer.example")]);
  expect(await mentioned(post)).toEqual([{ term: "Bob", url: page }]);
  const again = await names([{ href: "https://peer.example/another/page", name: "@bob@peer.example" }]);
  expect(await mentioned(again)).toEqual([{ term: "Bob", url: page }]);
  const known = await names([{ href: eva.xchan_hash, name: "@nobody@peer.example" }]);
  expect(await mentioned(known)).toEqual([{ term: "Eva", url: eva.xchan_url }]);
  await world.work();
  expect(asked()).toEqual([]);
});

test("a name without a host is of the hub of its author, where it leads there", async () => {
  const { page } = stranger("ulf", "far.example");
  const [local, other] = [
    { href: "https://far.example/profiles/ulf", name: "@ulf" },
    { href: "https://peer.example/profiles/ulf", name: "@ulf" },
  ];
  const post = await names([local, other]);
  await world.work();
  expect(fingers()).toEqual([fingerAt("ulf@far.example"), fingerAt("ulf@far.example")]);
  expect(await mentioned(post)).toEqual([
    { term: "Ulf", url: page },
    { term: "@ulf", url: other.href },
  ]);
});

test("what an address says of somebody counts when they say the same, and names nobody of this hub", async () => {
  const ann = stranger("ann", "good.example");
  // A host has several names for its own people, and others have none for them.
  finger("annie@good.example", ann.id, "ann@good.example");
  finger("ann@evil.example", ann.id);
  finger("anna@evil.example", ann.id, "ann@good.example");
  finger("alma@evil.example", "http://hub.example/channel/alma");
  const href = (name: string) => `https://evil.example/pages/${name}`;
  const people = ["annie@good.example", "ann@evil.example", "anna@evil.example", "alma@evil.example"];
  const post = await names(
    people.map((name) => ({ href: href(name), name: `@${name}` })),
    { cc: ["http://hub.example/channel/alma"] },
  );
  await world.work();
  expect(fingers()).toEqual(expect.arrayContaining(people.map(fingerAt)));
  expect(await mentioned(post)).toEqual([
    ...people
      .slice(1)
      .map((name) => ({ term: `@${name}`, url: href(name) }))
      .toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    { term: "Ann", url: ann.page },
  ]);
  const { json } = await alma.get("/api/svc/notifications");
  expect(JSON.stringify(json)).not.toContain("mention");
});

const leadsTo = (id: string) => () => jsonAnswer(fingerOf("x@odd.example", id), "application/jrd+json");

test.each<[string, Parameters<AlmaAndEva["elsewhere"]["put"]>[1]]>([
  ["nobody", 404],
  ["no answer", new Error("away")],
  ["a private address", new RefusedAddress("no")],
  ["a page", () => new Response("<p>", { headers: { "content-type": "text/html" } })],
  ["what is no actor", leadsTo("https://far.example/notes/m1")],
  ["what is not there", leadsTo("https://odd.example/users/x")],
])("a name where there is %s stays a name, and the post is there", async (_, answer) => {
  const [name, href] = ["x@odd.example", "https://odd.example/x"];
  elsewhere.put(fingerAt(name), answer);
  const post = await names([{ href, name: `@${name}` }]);
  await world.work();
  expect(fingers()).toEqual([fingerAt(name)]);
  expect(await mentioned(post)).toEqual([{ term: `@${name}`, url: href }]);
  const { count: dead } = await world.hub.db
    .selectFrom("job")
    .select((x) => x.fn.countAll<number>().as("count"))
    .where("last_error", "<>", "")
    .executeTakeFirstOrThrow();
  expect(Number(dead)).toBe(0);
});

test.each([
  ["of this hub", "@nobody@hub.example"],
  ["of this hub, in another spelling", "@nobody@HUB.example:80"],
  ["of a suspended hub", "@ann@bad.example"],
  ["with a path", "@ann@peer.example/../../x"],
  ["with a query", "@ann@peer.example?x=y"],
  ["with two hosts", "@ann@peer.example@odd.example"],
  ["with a line in it", "@ann\n@peer.example"],
  ["with signs that nobody sees", "@a\u202ennn@peer.example"],
  ["with a colon", "@acct:x:ann@peer.example"],
  ["that are addresses of pages", "https://user@peer.example/"],
  ["that are words", "Ann of the Peers"],
  ["that are too long", `@${"a".repeat(300)}@peer.example`],
  ["that are empty", ""],
])("names %s are not asked for", async (_, name) => {
  await setSiteBlock(world.hub, { domain: "bad.example", level: "suspend", noMedia: false });
  await names([{ href: "https://peer.example/odd/page", name }]);
  await world.work();
  expect(asked()).toEqual([]);
});

test("of a post that is for some only those are asked for who have got it", async () => {
  const [inside, outside] = [stranger("ida", "in.example"), stranger("olga", "out.example")];
  const hint = (nick: string, host: string) => ({ href: `https://${host}/about/${nick}`, name: `@${nick}@${host}` });
  const to = [`${eva.xchan_hash}/followers`, hint("ida", "in.example").href];
  const post = await names([hint("ida", "in.example"), hint("olga", "out.example")], { to });
  await world.work();
  expect(fingers().some((url) => url.startsWith("https://out.example/"))).toBe(false);
  expect(await mentioned(post)).toEqual([
    { term: "Ida", url: inside.page },
    { term: "@olga@out.example", url: hint("olga", "out.example").href },
  ]);
  expect(outside.id).not.toBe(inside.id);
});

test("an author who takes a mention back meanwhile mentions nobody", async () => {
  const { page } = stranger("otto");
  const said = { href: "https://peer.example/ottos/page", name: "@otto@peer.example" };
  const published = "2026-03-01T11:00:00Z";
  const post = await names([said], { published });
  const made = { id: post, type: "Note", attributedTo: eva.xchan_hash, to: [everybody], published };
  const object = { ...made, content: "<p>Me</p>" };
  const update = { id: `${post}/update`, type: "Update", actor: eva.xchan_hash, to: [everybody] };
  await arrives({ ...update, object: { ...object, updated: "2026-03-01T11:30:00Z" } });
  await world.work();
  expect(await mentioned(post)).toEqual([]);
  const tag = [{ type: "Mention", ...said }];
  await arrives({ ...update, object: { ...object, tag, updated: "2026-03-01T11:40:00Z" } });
  await world.work();
  expect(await mentioned(post)).toEqual([{ term: "Otto", url: page }]);
});

test("five are asked for of a post, and fifty of all posts of one hub until some time has passed", async () => {
  world.hub.advance(3600);
  const crowd = (size: number): Said[] =>
    Array.from({ length: size }, () => `n${++count}@h${count}.example`).map((name) => ({
      href: `https://crowd.example/${name}`,
      name: `@${name}`,
    }));
  await names(crowd(50));
  await world.work();
  expect(asked()).toHaveLength(5);
  let all = 5;
  for (let n = 0; n < 10; n++) {
    await names(crowd(5));
    await world.work();
    all += asked().length;
  }
  expect(all).toBe(50);
  world.hub.advance(60);
  await names(crowd(5));
  await world.work();
  expect(asked()).toHaveLength(5);
});
