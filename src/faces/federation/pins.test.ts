import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../test/support/elsewhere.ts";
import { makeAccount, password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import { jsonFile } from "../../../test/support/hubzilla.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { connect, receiveAccept, receiveFollow } from "../../domain/connections/connections.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { importNow } from "../../domain/import/start.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { pinsOf } from "../../domain/items/pins.ts";
import { metActor } from "./retrieve/actor.ts";

/** What people keep on top of their pages, here and elsewhere (federation contract 3, 4.3). */

let world: TestApp;
let elsewhere: Elsewhere;
let alma: Person;
let bruno: Person;
let member: Visitor;

const base = "http://hub.example";
const everybody = "https://www.w3.org/ns/activitystreams#Public";

beforeAll(async () => {
  elsewhere = openElsewhere();
  elsewhere.put("https://far.example/inbox", 202);
  world = await openTestApp({ fetch: elsewhere.fetch });
  [alma, bruno] = [await world.person("alma", { role: "feed" }), await world.person("bruno")];
  await befriend(world.hub, alma.channel, bruno.channel);
  member = visitorOf(world.app);
  await member.logIn("alma", password);
});
afterAll(() => world.close());

type Posted = { id: number; uuid: string };

async function post(form: Record<string, unknown>, who = alma): Promise<Posted> {
  const { id, mid } = (await who.post("/api/z/1.0/item/update", form)).json.item;
  return { id: Number(id), uuid: mid.split("/").at(-1) };
}

/** Which of these words a page shows, from the top. */
function orderOn(text: string, words: readonly string[]): string[] {
  const found = words.filter((word) => text.includes(word));
  return found.toSorted((one, other) => text.indexOf(one) - text.indexOf(other));
}

const press = async (act: string, { id }: Posted) => {
  await member.get("/network");
  return member.post(`/item/${id}/act`, { act, back: "/channel/alma" });
};

/** What was sent to the followers elsewhere since the last time. */
const sent = async (): Promise<any[]> => {
  elsewhere.asked.length = 0;
  await world.work();
  return elsewhere.asked
    .filter(({ options }) => options.method === "POST")
    .map(({ options }) => JSON.parse(String(options.body)));
};

describe("a channel", () => {
  let ann: Xchan;
  let first: Posted;
  let second: Posted;
  let hidden: Posted;

  beforeAll(async () => {
    ann = (await metActor(world.hub, elsewhere.actor("ann").id))!;
    await receiveFollow(world.hub, alma.channel, ann, "https://far.example/follows/1");
    first = await post({ body: "the oldest" });
    second = await post({ body: "the middle" });
    hidden = await post({ body: "for bruno", contact_allow: [bruno.channel.channel_hash] });
    await post({ body: "the newest" });
    await sent();
  });

  test("pins its own posts to the top of its page, the newest pin first", async () => {
    for (const item of [first, second, hidden]) expect((await press("pin", item)).location).toContain("done=pinned");
    const words = ["the oldest", "the middle", "for bruno", "the newest"];
    const own = await member.get("/channel/alma");
    expect(orderOn(own.text, words)).toEqual(["for bruno", "the middle", "the oldest", "the newest"]);
    expect(own.text.match(/value="unpin"/g)).toHaveLength(3);
    expect(own.text.match(/the oldest/g)).toHaveLength(1);
    const visitor = await world.anonymous.get("/channel/alma");
    expect(orderOn(visitor.text, words)).toEqual(["the middle", "the oldest", "the newest"]);
    expect(visitor.text).toContain("Pinned");
    expect((await member.get("/channel/alma?before=9999999")).text).not.toContain("Pinned</h2>");
  });

  test("tells its followers elsewhere of those that everybody may see", async () => {
    const told = await sent();
    // They are about two posts, and go their own ways.
    const pinned = [first, second].map(({ uuid }) => ["Add", `${base}/item/${uuid}`]);
    expect(told.map(({ type, object }) => [type, object]).toSorted()).toEqual(pinned.toSorted());
    expect(told[0]).toMatchObject({
      actor: `${base}/channel/alma`,
      to: [everybody],
      cc: [`${base}/followers/alma`],
      target: `${base}/featured/alma`,
      proof: { cryptosuite: "eddsa-jcs-2022" },
    });
  });

  test("names the public ones in its collection, which its document leads to", async () => {
    const headers = { accept: "application/activity+json" };
    const actor = await world.anonymous.get("/channel/alma", {}, { headers });
    expect(actor.json.featured).toBe(`${base}/featured/alma`);
    const items = [second, first].map(({ uuid }) => `${base}/item/${uuid}`);
    const { json } = await world.anonymous.get("/featured/alma");
    expect(json).toMatchObject({ type: "OrderedCollection", totalItems: 2, orderedItems: items });
    const page = await world.anonymous.get(json.first.slice(base.length));
    expect(page.json).toMatchObject({ type: "OrderedCollectionPage", orderedItems: items });
  });

  test("takes them off again, and what is deleted is off by itself", async () => {
    expect((await press("unpin", second)).location).toContain("done=unpinned");
    const told = await sent();
    expect(told).toMatchObject([
      { type: "Remove", object: `${base}/item/${second.uuid}`, target: `${base}/featured/alma` },
    ]);
    await press("pin", second);
    const again = await sent();
    expect(again).toMatchObject([{ type: "Add", object: `${base}/item/${second.uuid}` }]);
    expect(new Set([...told, ...again].map(({ id }) => id)).size).toBe(2);
    await deleteItem(world.hub, alma.channel, { id: second.id });
    expect((await world.anonymous.get("/featured/alma")).json.totalItems).toBe(1);
  });

  test("pins five at most, and nothing of others", async () => {
    const more = await Promise.all([1, 2, 3].map((n) => post({ body: `another ${n}` })));
    for (const item of more) expect((await press("pin", item)).status).toBe(303);
    const sixth = await post({ body: "one too many" });
    const refused = await press("pin", sixth);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("You can pin 5 posts.")]);
    const theirs = await post({ body: "from bruno" }, bruno);
    await world.work();
    const { id } = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.id")
      .where("uuid", "=", theirs.uuid)
      .where("uid", "=", alma.channel.channel_id)
      .executeTakeFirstOrThrow();
    expect((await press("pin", { id, uuid: "" })).status).toBe(403);
    expect((await member.get(`/display/${theirs.uuid}`)).text).not.toContain('value="pin"');
  });

  test("takes its pins along when it moves, and those of nobody else", async () => {
    const exported = (await alma.get("/api/z/1.0/channel/export/basic", { posts: 1 })).json;
    const forged = exported.item.find((item: any) => item.body === "the newest");
    forged.iconfig = [{ cat: "federation", k: "pinned", v: ann.xchan_hash, sharing: "1" }];
    const there = await openTestApp({ env: { HUBBUB_BASE_URL: "http://b.example" } });
    try {
      const account = await makeAccount(there.hub, "alma@example.org");
      const options = { mode: "moving", nick: "", posts: true } as const;
      await importNow(there.hub, account.account_id, { file: jsonFile(exported) }, options, () => undefined);
      expect(await pinsOf(there.hub, alma.channel.channel_hash)).toHaveLength(5);
      expect(await pinsOf(there.hub, ann.xchan_hash)).toEqual([]);
    } finally {
      await there.close();
    }
  });
});

describe("somebody of elsewhere", () => {
  let eva: Xchan;
  let dora: Xchan;
  const featured = "https://far.example/users/eva/featured";
  const target = featured;

  /** Puts a post of theirs at its address. */
  function stands(name: string, by = eva.xchan_hash): string {
    const id = `https://far.example/notes/${name}`;
    const published = "2026-02-01T00:00:00Z";
    elsewhere.put(id, { id, type: "Note", attributedTo: by, content: name, to: [everybody], published });
    return id;
  }
  const page = async () => (await member.get(`/person/${eva.xchan_id}`)).text;
  const deed = (type: string, object: string, more: object = {}) => ({
    id: `https://far.example/deeds/${type}/${encodeURIComponent(object)}`,
    type,
    actor: eva.xchan_hash,
    object,
    target,
    ...more,
  });

  beforeAll(async () => {
    eva = (await metActor(world.hub, elsewhere.actor("eva", { featured }).id))!;
    dora = (await metActor(world.hub, elsewhere.actor("dora").id))!;
    const orderedItems = [
      stands("pinned-one"),
      stands("pinned-two"),
      "https://other.example/notes/1",
      stands("by-dora", dora.xchan_hash),
    ];
    elsewhere.put(featured, { id: featured, type: "OrderedCollection", orderedItems });
    await connect(world.hub, alma.channel, eva);
    await receiveAccept(world.hub, alma.channel, eva);
    for (let n = 0; n < 5; n++) {
      await world.work();
      world.hub.advance(5);
    }
  });

  test("is shown with what they have pinned, as their own server has it, to those who follow them", async () => {
    const text = await page();
    expect(orderOn(text, ["Pinned", "pinned-one", "pinned-two", "by-dora"])).toEqual([
      "Pinned",
      "pinned-one",
      "pinned-two",
    ]);
    expect(elsewhere.asked.some(({ url }) => url.startsWith("https://other.example"))).toBe(false);
    const brunos = visitorOf(world.app);
    await brunos.logIn("bruno", password);
    const asAnybody = (await brunos.get(`/person/${eva.xchan_id}`)).text;
    expect(orderOn(asAnybody, ["Pinned", "pinned-one"])).toEqual(["pinned-one"]);
  });

  test("pins and unpins later, which deletes nothing", async () => {
    const arrives = arrivesIn(world.hub);
    const third = stands("pinned-three");
    await arrives(deed("Add", third));
    expect(orderOn(await page(), ["pinned-three", "pinned-one"])).toEqual(["pinned-three", "pinned-one"]);
    await arrives(deed("Remove", third));
    expect(orderOn(await page(), ["pinned-three", "pinned-one"])).toEqual(["pinned-one", "pinned-three"]);
    // At other addresses, or by others, it may be about a thread: what begins one is not taken out of it.
    const elsewhereInTheirs = `${featured}/of-old`;
    const owned = { id: elsewhereInTheirs, type: "OrderedCollection", attributedTo: eva.xchan_hash };
    for (const by of [{ actor: dora.xchan_hash }, { target: elsewhereInTheirs }, { target: owned }])
      await arrives(deed("Remove", third, { id: `https://far.example/deeds/${randomUUID()}`, ...by }));
    expect(await page()).toContain("pinned-three");
  });

  test("pins nothing on the pages of others, and no more than twenty", async () => {
    const arrives = arrivesIn(world.hub);
    await arrives(deed("Add", stands("four"), { actor: dora.xchan_hash }));
    expect(await pinsOf(world.hub, eva.xchan_hash)).toHaveLength(2);
    for (let n = 0; n < 20; n++) await arrives(deed("Add", stands(`many-${n}`)));
    expect(await pinsOf(world.hub, eva.xchan_hash)).toHaveLength(20);
    expect(orderOn(await page(), ["many-19", "many-0", "pinned-two"])[0]).toBe("many-19");
  });
});
