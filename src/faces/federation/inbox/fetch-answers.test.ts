import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../test/support/elsewhere.ts";
import { password } from "../../../../test/support/hub.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import { findOwnItem } from "../../../domain/items/find.ts";
import { linkId } from "../../../domain/items/links.ts";
import { metActor } from "../retrieve/actor.ts";
import { beginWalk, walkOn } from "./answers-walk.ts";

/** What is missing of a thread of another hub is fetched (federation contract 6.6, 17). */

let world: TestApp;
let elsewhere: Elsewhere;
let alma: Person;
let member: Visitor;
let carla: string;
let dora: string;

const everybody = "https://www.w3.org/ns/activitystreams#Public";

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({ fetch: elsewhere.fetch });
  alma = await world.person("alma");
  carla = elsewhere.actor("carla").id;
  dora = elsewhere.actor("dora").id;
  const met = (await metActor(world.hub, carla))!;
  await connect(world.hub, alma.channel, met);
  await receiveAccept(world.hub, alma.channel, met);
  member = visitorOf(world.app);
  await member.logIn("alma", password);
});
afterAll(() => world.close());
beforeEach(() => void (elsewhere.asked.length = 0));

const at = (name: string): string => `https://far.example/notes/${name}`;

/** Puts an answer, or what else it is to be, at its address. */
function put(name: string, more: object = {}, id = at(name)): object {
  const note = {
    id,
    type: "Note",
    attributedTo: dora,
    content: name,
    to: [everybody],
    published: "2026-02-01T00:00:00Z",
    ...more,
  };
  elsewhere.put(id, note);
  return note;
}

/** A thread of Carla's that Alma has; and where it is shown. */
async function begin(name: string, more: object = {}): Promise<string> {
  const note = put(name, { attributedTo: carla, ...more });
  const activity = { id: `${at(name)}/made`, type: "Create", actor: carla, to: [everybody], object: note };
  await arrivesIn(world.hub)(activity, [alma.channel]);
  return `/display/${encodeURIComponent(linkId(world.hub.config.baseUrl, at(name)))}`;
}

async function wordsAt(path: string, visitor = member): Promise<string> {
  const { status, text } = await visitor.get(path);
  expect(status).toBe(200);
  return text.replace(/^[^]*<main/, "").replaceAll(/\s+/g, " ");
}

async function fetchBy(path: string): Promise<void> {
  const form = /id="thread-tools" method="post" action="(\/item\/\d+\/act)"/.exec(await wordsAt(path))![1]!;
  expect((await member.post(form, { act: "fetch" })).status).toBe(303);
}

/** Works on, and answers when each address was asked for. */
async function work(seconds = 300): Promise<Map<string, number>> {
  const moments = new Map<string, number>();
  for (let n = 0; n < seconds / 5; n++) {
    const before = elsewhere.asked.length;
    await world.work();
    for (const { url } of elsewhere.asked.slice(before)) moments.set(url, n * 5);
    world.hub.advance(5);
  }
  return moments;
}

const has = async (id: string): Promise<boolean> =>
  (await findOwnItem(world.hub, alma.channel.channel_id, { mid: id })) !== undefined;

test("a member has answers fetched down to the third level, each as its own origin has it", async () => {
  const top = at("top");
  const page = { type: "CollectionPage", partOf: `${top}/replies` };
  const second = `${top}/replies?page=2`;
  const embedded = { ...put("first", { inReplyTo: top, content: "as Dora wrote it" }), content: "as nobody wrote it" };
  const erin = elsewhere.actor("erin").id;
  put("forged", { inReplyTo: top, attributedTo: "https://other.example/users/mallory" });
  put("other", { inReplyTo: undefined });
  put("secret", { inReplyTo: top, to: [erin] });
  put("deep", { inReplyTo: at("first"), attributedTo: erin, replies: `${at("deep")}/replies` });
  put("deeper", { inReplyTo: at("deep"), replies: `${at("deeper")}/replies` });
  put("deepest", { inReplyTo: at("deeper") });
  const list = (id: string, items: (object | string)[], more = {}): void =>
    elsewhere.put(id, { id, type: "Collection", items, ...more });
  put("first", { inReplyTo: top, content: "as Dora wrote it", replies: `${at("first")}/replies` });
  list(`${at("first")}/replies`, [at("deep")]);
  list(`${at("deep")}/replies`, [at("deeper")]);
  list(`${at("deeper")}/replies`, [at("deepest")]);
  list(second, [at("forged"), at("other"), at("secret"), at("gone"), at("first")], {
    type: "CollectionPage",
    next: "https://other.example/replies",
  });
  const replies = {
    id: `${top}/replies`,
    type: "Collection",
    totalItems: 4,
    first: { ...page, items: [embedded], next: second },
  };
  const path = await begin("top", { replies });
  const words = await wordsAt(path);
  expect(words).toContain("0 of 4 answers are here");
  expect(words).toContain("What is missing is being fetched, little by little; 0 answers came so far.");
  expect(words).not.toContain("Fetch missing answers");
  const moments = await work(10);
  expect([await has(at("first")), await has(at("deep"))]).toEqual([true, false]);
  expect(await wordsAt(path)).toContain("1 answer came so far");
  for (const [url, moment] of await work()) moments.set(url, 10 + moment);
  const shown = await wordsAt(path);
  expect(shown).toContain("3 answers came when it was fetched");
  expect(shown).toContain("as Dora wrote it");
  const ids = ["deep", "deeper", "deepest", "forged", "other", "secret"].map(at);
  expect(await Promise.all(ids.map(has))).toEqual([true, true, false, false, false, false]);
  expect([...moments.keys()].filter((url) => url.includes("other.example"))).toEqual([]);
  const documents = [...moments].filter(([url]) => url.includes("/notes/")).map(([, moment]) => moment);
  expect(new Set(documents).size).toBe(documents.length);
});

test("what the thread's own hub counts to it comes first, in whatever order", async () => {
  const context = "https://far.example/contexts/7";
  const path = await begin("whole", { context, replies: `${at("whole")}/replies` });
  put("child", { inReplyTo: at("parent") });
  put("parent", { inReplyTo: at("whole"), attributedTo: carla });
  elsewhere.put(context, {
    id: context,
    type: "OrderedCollection",
    attributedTo: carla,
    first: `${context}?page=1`,
  });
  elsewhere.put(`${context}?page=1`, {
    id: `${context}?page=1`,
    type: "OrderedCollectionPage",
    orderedItems: [
      at("whole"),
      {
        id: `${at("child")}/add`,
        type: "Add",
        object: { id: `${at("child")}/made`, type: "Create", object: at("child") },
      },
      at("parent"),
    ],
  });
  await fetchBy(path);
  const moments = await work();
  expect(await wordsAt(path)).toContain("2 answers came when it was fetched");
  expect(moments.has(`${at("whole")}/replies`)).toBe(false);
});

test("a list of somebody else's does not say what belongs to a thread", async () => {
  const context = "https://other.example/contexts/8";
  const path = await begin("odd", { context, replies: `${at("odd")}/replies` });
  put("really", { inReplyTo: at("odd") });
  put("allegedly", { inReplyTo: at("odd") });
  elsewhere.put(context, { id: context, type: "Collection", attributedTo: carla, items: [at("allegedly")] });
  elsewhere.put(`${at("odd")}/replies`, { id: `${at("odd")}/replies`, type: "Collection", items: [at("really")] });
  await fetchBy(path);
  await work();
  expect([await has(at("really")), await has(at("allegedly"))]).toEqual([true, false]);
});

test("a list without end ends, and a hub that has too much to do is left alone", async () => {
  const page = (n: number): string => `${at("endless")}/replies?page=${n}`;
  const path = await begin("endless", { replies: page(1) });
  for (let n = 1; n < 20; n++)
    elsewhere.put(page(n), {
      id: page(n),
      type: "CollectionPage",
      items: [`https://busy.example/notes/${n}`],
      next: page(n + 1),
    });
  for (let n = 1; n < 20; n++) elsewhere.put(`https://busy.example/notes/${n}`, 429);
  await fetchBy(path);
  const asked = [...(await work()).keys()];
  expect(asked.filter((url) => url.startsWith(at("endless/replies")))).toHaveLength(10);
  expect(asked.filter((url) => url.startsWith("https://busy.example"))).toHaveLength(10);
  expect(await wordsAt(path)).toContain("Nothing that was missing was found when it was fetched");
});

test("a hundred answers are asked for, and no more", () => {
  const found = Array.from({ length: 150 }, (_, n) => ({ url: at(`many/${n}`), level: 1 }));
  const walk = beginWalk(at("many"));
  expect(walkOn(walk, walk.waiting[0]!, { found }, new Map(), 0).waiting).toHaveLength(100);
});

test("it is fetched once in ten minutes, for members alone, and only what is for everybody", async () => {
  const path = await begin("again");
  // Not what was fetched before, and is to be fetched again later.
  const jobs = async (): Promise<number> => {
    const waiting = world.hub.db.selectFrom("job").select("id").where("name", "=", "fetch-answers");
    return (await waiting.where("payload", "like", '%"watched":0%').execute()).length;
  };
  await fetchBy(path);
  await work(10);
  world.hub.advance(5 * 60);
  expect(await wordsAt(path)).not.toContain("Fetch missing answers");
  await fetchBy(path);
  expect(await jobs()).toBe(0);
  world.hub.advance(5 * 60);
  expect(await wordsAt(path)).toContain("Fetch missing answers");
  expect(await wordsAt(path, visitorOf(world.app))).not.toMatch(/Fetch missing|fetched/);
  await fetchBy(path);
  expect(await jobs()).toBe(1);
  await work(10);
  const hidden = await begin("hidden", { to: [`${carla}/followers`] });
  expect(await wordsAt(hidden)).not.toContain("Fetch missing answers");
  const item = (await findOwnItem(world.hub, alma.channel.channel_id, { mid: at("hidden") }))!;
  expect((await member.post(`/item/${item.id}/act`, { act: "fetch" })).status).toBe(404);
  expect(await jobs()).toBe(0);
});

test("where a member has looked it is fetched again for a day, more and more rarely", async () => {
  await fetchBy(await begin("watched"));
  const asked = async (minutes: number): Promise<number> => {
    world.hub.advance(minutes * 60);
    elsewhere.asked.length = 0;
    await work(10);
    return elsewhere.asked.filter(({ url }) => url === at("watched")).length;
  };
  const times: number[] = [];
  for (const minutes of [0, 9, 1, 29, 1, 239, 1, 1439, 1, 2880]) times.push(await asked(minutes));
  expect(times).toEqual([1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
});

test("answers that need a stamp are taken with one, and without it nothing is fetched into the thread", async () => {
  const names = ["stamped", "unstamped"];
  const interactionPolicy = { canReply: { automaticApproval: [carla], manualApproval: [everybody] } };
  const path = await begin("strict", { interactionPolicy, replies: { type: "Collection", items: names.map(at) } });
  const [stamp, inReplyTo] = [at("strict/stamp"), at("strict")];
  put("stamped", { inReplyTo, replyAuthorization: stamp });
  put("unstamped", { inReplyTo });
  elsewhere.put(stamp, {
    id: stamp,
    type: "ReplyAuthorization",
    attributedTo: carla,
    interactingObject: at("stamped"),
    interactionTarget: inReplyTo,
  });
  await fetchBy(path);
  await work(60);
  expect(await Promise.all(names.map((name) => has(at(name))))).toEqual([true, false]);
});

test("it is fetched as well when somebody elsewhere shares it", async () => {
  const asked = (): number => elsewhere.asked.filter(({ url }) => url === at("shared")).length;
  await begin("shared");
  const share = { type: "Announce", actor: carla, to: [everybody], object: at("shared") };
  for (const n of [1, 2]) await arrivesIn(world.hub)({ ...share, id: `${at("shared")}/${n}` }, [alma.channel]);
  await work(10);
  expect(asked()).toBe(1);
});
