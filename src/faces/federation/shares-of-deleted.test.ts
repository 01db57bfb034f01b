import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere, sendTo } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { mastodonPerson } from "../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../test/support/mastodon.ts";
import { befriend } from "../../../test/support/people.ts";
import { cavageRequest, now } from "../../../test/support/signed-requests.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { makeShare } from "../../domain/bodies/share.ts";
import { verifySignature } from "../../domain/identity/xchans/signing.ts";
import { addMembers, createGroup, removeMembers } from "../../domain/groups/groups.ts";
import { contentAhead, prepareContent } from "../../domain/items/content.ts";
import { messageOf } from "../../domain/items/message.ts";
import { saveMessage } from "../../domain/items/save.ts";
import { keepSketch } from "../../domain/items/posting/sketches.ts";
import { connect, receiveAccept } from "../../domain/connections/connections.ts";
import { inTransaction } from "../../hub.ts";
import { up } from "../../storage/migrations/0117-ends-of-before.ts";
import { everybody } from "./everybody.ts";
import { metActor } from "./retrieve/actor.ts";

/** What only repeats a post goes with it, by every door; whoever added words keeps them. */

const base = "https://hub.example";
const elsewhere = openElsewhere();
let world: TestApp;
let alma: Person;
let bruno: Person;
let clara: Person;
let app: MastodonPerson;
let browser: Visitor;
let eva: string;
let count = 0;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: base }, clock: now, fetch: elsewhere.fetch });
  [alma, bruno, clara] = [await world.person("alma"), await world.person("bruno"), await world.person("clara")];
  for (const one of [alma, bruno]) await befriend(world.hub, one.channel, clara.channel);
  app = await mastodonPerson(world, clara.channel);
  browser = visitorOf(world.app);
  await browser.logIn("clara", password);
  eva = elsewhere.actor("eva").id;
  const known = (await metActor(world.hub, eva))!;
  await connect(world.hub, clara.channel, known);
  await receiveAccept(world.hub, clara.channel, known);
  await world.work();
});
afterAll(() => world?.close());

async function say(type: string, object: unknown, more: object = {}): Promise<void> {
  const id = `${eva}/deeds/${(count += 1)}`;
  const body = Buffer.from(JSON.stringify({ id, type, actor: eva, object, to: [everybody], ...more }));
  const request = cavageRequest({ target: "/inbox", body, parameters: { keyId: `"${eva}#main-key"` } });
  expect((await sendTo(world.app, request)).status).toBe(202);
  await world.work();
}

/** What Clara, or nobody, reads by each door. */
async function readings(): Promise<[door: string, text: string][]> {
  const doors: [string, () => Promise<{ text: string }>][] = [
    ["home_timeline", () => clara.get("/api/statuses/home_timeline")],
    ["user_timeline", () => clara.get("/api/statuses/user_timeline", { screen_name: "bruno" })],
    ["network/stream", () => clara.get("/api/z/1.0/network/stream")],
    ["the sharer's export", () => bruno.get("/api/z/1.0/channel/export/basic", { sections: "items" })],
    ["the home of applications", () => app.get("/api/v1/timelines/home")],
    ["the posts of the sharer", () => app.get(`/api/v1/accounts/${bruno.channel.xchan_id}/statuses`)],
    ["the stream's page", () => browser.get("/network")],
    ["the sharer's page", () => world.anonymous.get("/channel/bruno")],
    ["the sharer's feed", () => world.anonymous.get("/feed/bruno")],
    ["the sharer's outbox", () => world.anonymous.get("/outbox/bruno", { page: "first" })],
  ];
  return Promise.all(doors.map(async ([door, open]): Promise<[string, string]> => [door, (await open()).text]));
}

async function doorsWith(word: string): Promise<string[]> {
  return (await readings()).filter(([, text]) => text.includes(word)).map(([door]) => door);
}

async function post(status: string): Promise<{ id: string; uri: string }> {
  const { json } = await alma.post("/api/statuses/update", { status });
  await world.work();
  return { id: String(json.id), uri: `${base}/item/${(await findUuid(json.id)).uuid}` };
}

function findUuid(id: number): Promise<{ uuid: string }> {
  const messages = world.hub.db.selectFrom("message").innerJoin("item", "item.message_id", "message.id");
  return messages.select("message.uuid").where("item.id", "=", id).executeTakeFirstOrThrow();
}

test("shares by people of this hub and of elsewhere go with the post that is deleted", async () => {
  const { id, uri } = await post("Damsons");
  expect((await bruno.post(`/api/statuses/retweet/${id}`)).status).toBe(200);
  await world.work();
  await say("Announce", uri);
  const shown = await doorsWith("Damsons");
  expect(shown).toContain("the home of applications");
  expect(shown).toContain("the sharer's page");
  expect((await alma.post("/api/statuses/destroy", { id })).status).toBe(200);
  await world.work();
  expect(await doorsWith("Damsons")).toEqual([]);
  const texts = world.hub.db.selectFrom("message").select("id").where("body", "like", "%Damsons%");
  expect(await texts.execute()).toEqual([]);
});

/** Everything that the hub still stores with this word in it, by table. */
async function storedWith(word: string): Promise<string[]> {
  const columns = {
    message: ["body", "html", "plain", "words"],
    message_version: ["html"],
    sketch: ["fields"],
    foreign_document: ["document"],
  } as const;
  const found = Object.entries(columns).map(async ([table, names]) => {
    const holds = names.map((name) => `lower(${name}) like '%${word.toLowerCase()}%'`).join(" or ");
    const { rows } = await sql.raw(`select 1 from ${table} where ${holds}`).execute(world.hub.db);
    return rows.length > 0 ? [table] : [];
  });
  return (await Promise.all(found)).flat();
}

const ownPost = async (who: Person, item_id: string) =>
  (await who.get("/api/z/1.0/item/full", { item_id })).json.item[0];

test("what an earlier version left of a deleted post goes after the upgrade", async () => {
  const { id } = await post("Cloudberries");
  const sharer = await mastodonPerson(world, bruno.channel);
  await sharer.post("/api/v1/statuses", { status: "Rare ones", quoted_status_id: id });
  await world.work();
  await alma.post("/api/statuses/destroy", { id });
  await world.hub.db.deleteFrom("job").where("name", "=", "end-shares").execute();
  await world.work();
  expect(await storedWith("cloudberries")).toEqual(["message"]);
  await up(world.hub.db as unknown as Kysely<unknown>);
  await world.work();
  expect([await storedWith("cloudberries"), await doorsWith("Rare ones")]).toEqual([
    [],
    expect.arrayContaining(["the sharer's page"]),
  ]);
});

/** As somebody types two quotations. */
async function quoting(id: string, word: string): Promise<string> {
  const { mid } = await world.hub.db
    .selectFrom("message")
    .innerJoin("item", "item.message_id", "message.id")
    .select("mid")
    .where("item.id", "=", Number(id))
    .executeTakeFirstOrThrow();
  return makeShare({ author: "Alma", profile: "", avatar: "", link: "", posted: "", messageId: mid, body: word });
}

test("words between two quotations stay when the first of them is deleted", async () => {
  const [first, second] = [await post("Gooseberries"), await post("Blackcurrants")];
  const body = `${await quoting(first.id, "Gooseberries")} rather than ${await quoting(second.id, "Blackcurrants")}`;
  const { json } = await bruno.post("/api/z/1.0/item/update", { body });
  await world.work();
  await alma.post("/api/statuses/destroy", { id: first.id });
  await world.work();
  expect(await storedWith("gooseberries")).toEqual([]);
  const left = (await ownPost(bruno, String(json.item_id))).body;
  expect([left.includes("rather than"), left.includes("Blackcurrants")]).toEqual([true, true]);
});

test("a quotation that was laid out before the post was deleted has the mark", async () => {
  const { id } = await post("Greengages");
  const draft = { body: `The best ones\n\n${await quoting(id, "Greengages")}` };
  const prepare = await contentAhead(world.hub, bruno.channel, draft);
  expect((await prepare(world.hub, bruno.channel, draft)).html).toContain("Greengages");
  await alma.post("/api/statuses/destroy", { id });
  await world.work();
  const { html, plain, body } = await prepare(world.hub, bruno.channel, draft);
  expect(`${html} ${plain} ${body}`).not.toContain("Greengages");
  expect([html.includes("This post was removed"), body.includes("The best ones")]).toEqual([true, true]);
});

test.each(["before", "in"])(
  "a post waits with its deletion for a quotation laid out %s its transaction",
  async (when) => {
    const { id } = await post("Mirabelles");
    const draft = { body: `Ripe: ${await quoting(id, "Mirabelles")}` };
    const prepare = when === "before" ? await contentAhead(world.hub, bruno.channel, draft) : prepareContent;
    let deletion: Promise<unknown> | undefined;
    await inTransaction(world.hub, async (hub) => {
      const content = await prepare(hub, bruno.channel, draft);
      deletion ??= alma.post("/api/statuses/destroy", { id });
      await setTimeout(300);
      await saveMessage(hub, await messageOf(hub, bruno.channel, draft, content, "note"), content.terms);
    });
    await deletion;
    await world.work();
    expect(await storedWith("mirabelles")).toEqual([]);
  },
);

test("whoever added words keeps them, and a mark takes the place of the post that is deleted", async () => {
  const { id } = await post("Elderberries");
  const sharer = await mastodonPerson(world, bruno.channel);
  const quoting = { status: "My favourites", quoted_status_id: id };
  const quoted = (await sharer.post("/api/v1/statuses", quoting)).json;
  await world.work();
  await sharer.put(`/api/v1/statuses/${quoted.id}`, { status: "My own favourites", quoted_status_id: id });
  await world.work();
  const { body: before } = await ownPost(bruno, quoted.id);
  const seen = (await app.get("/api/v1/timelines/home")).json[0];
  const again = (await app.post("/api/v1/statuses", { status: "His, too", quoted_status_id: seen.id })).json;
  const draft = { name: "a-draft-of-his", place: `/item/${quoted.id}/edit`, fields: [["body", before] as const] };
  await keepSketch(world.hub, bruno.channel, draft);
  await world.work();
  expect(await doorsWith("Elderberries")).toContain("the home of applications");
  expect(await storedWith("elderberries")).toEqual(["message", "message_version", "sketch"]);

  await alma.post("/api/statuses/destroy", { id });
  await world.work();
  expect(await storedWith("elderberries")).toEqual([]);
  expect(await doorsWith("Elderberries")).toEqual([]);
  for (const words of ["My own favourites", "His, too"])
    expect(await doorsWith(words)).toContain("the home of applications");
  const { quote, content } = (await app.get(`/api/v1/statuses/${seen.id}`)).json;
  expect(quote).toMatchObject({ state: "deleted", quoted_status: null });
  expect(content).toContain("This post was removed.");
  expect((await app.get(`/api/v1/statuses/${again.id}`)).json.quote.state).toBe("accepted");
  expect((await app.get(`/api/v1/statuses/${seen.id}/history`)).text).not.toContain("Elderberries");
  expect((await clara.get("/api/search", { q: "elderberries" })).json).toEqual([]);
  const page = (language: string) => visitorOf(world.app).get("/channel/bruno", { "accept-language": language });
  expect((await page("en")).text).toContain("<p>This post was removed.</p>");
  expect((await page("de")).text).toContain("<p>Dieser Beitrag wurde entfernt.</p>");
  const { body, signature } = await ownPost(bruno, quoted.id);
  expect(verifySignature(bruno.channel.channel_pubkey, body, signature)).toBe(true);

  await bruno.post("/api/z/1.0/item/update", { post_id: quoted.id, body: before.replace("own", "very own") });
  expect((await ownPost(bruno, quoted.id)).body).toContain("My very own favourites");
  expect(await storedWith("elderberries")).toEqual([]);
});

test("what somebody elsewhere quotes is emptied as well, and what shares that", async () => {
  const note = (n: number, content: string, more: object = {}) => ({
    id: `${eva}/notes/${n}`,
    type: "Note",
    attributedTo: eva,
    content,
    to: [everybody],
    ...more,
  });
  await say("Create", note(11, "Quinces"));
  await say("Create", note(12, "Yes indeed", { quote: `${eva}/notes/11` }));
  const seen = (await app.get("/api/v1/timelines/home")).json[0];
  expect(seen.quote?.state).toBe("accepted");
  await app.post(`/api/v1/statuses/${seen.id}/reblog`);
  await world.work();
  expect(await storedWith("quinces")).not.toEqual([]);
  await say("Delete", { id: `${eva}/notes/11`, type: "Tombstone" });
  expect(await storedWith("quinces")).toEqual([]);
  expect(await doorsWith("Yes indeed")).toContain("the home of applications");
  expect((await app.get(`/api/v1/statuses/${seen.id}`)).json.quote.state).toBe("deleted");
});

test("what shares a post goes, or is emptied, when somebody elsewhere makes the post private", async () => {
  const note = { id: `${eva}/notes/21`, type: "Note", attributedTo: eva, content: "Medlars", to: [everybody] };
  await say("Create", note);
  const seen = (await app.get("/api/v1/timelines/home")).json[0];
  const shared = (await app.post(`/api/v1/statuses/${seen.id}/reblog`)).json;
  await app.post("/api/v1/statuses", { status: "Well said", quoted_status_id: seen.id });
  await world.work();
  expect((await world.anonymous.get("/channel/clara")).text).toContain("Medlars");
  await say("Update", { ...note, to: [`${eva}/followers`], updated: new Date(now.getTime() + 1000).toISOString() });
  expect((await app.get(`/api/v1/statuses/${shared.id}`)).status).toBe(404);
  const page = (await world.anonymous.get("/channel/clara")).text;
  expect([page.includes("Well said"), page.includes("Medlars")]).toEqual([true, false]);
});

test("a share of what somebody elsewhere deletes, and of what expires, goes as well", async () => {
  const note = { id: `${eva}/notes/1`, type: "Note", attributedTo: eva, content: "Figs", to: [everybody] };
  await say("Create", note);
  const seen = (await app.get("/api/v1/timelines/home")).json.find(({ uri }: { uri: string }) => uri === note.id);
  const shared = await app.post(`/api/v1/statuses/${seen.id}/reblog`);
  expect(shared.status).toBe(200);
  await world.work();
  await say("Delete", { id: note.id, type: "Tombstone" });
  expect((await app.get(`/api/v1/statuses/${shared.json.id}`)).status).toBe(404);

  const soon = new Date(world.hub.clock().getTime() + 3_600_000).toISOString();
  const { json } = await alma.post("/api/z/1.0/item/update", { body: "Grapes", expire: soon });
  await world.work();
  expect((await bruno.post(`/api/statuses/retweet/${json.item_id}`)).status).toBe(200);
  await world.work();
  expect(await doorsWith("Grapes")).toContain("the sharer's page");
  world.hub.advance(7200);
  await world.work();
  expect(await doorsWith("Grapes")).toEqual([]);
});

test("whoever keeps a private quotation as it was keeps nothing of what it quoted", async () => {
  const { id, uri } = await post("Sloes");
  const { channel_id: uid } = bruno.channel;
  const hedge = await createGroup(world.hub, uid, "Hedge");
  await addMembers(world.hub, uid, hedge.id, [clara.channel.channel_hash]);
  const block = `[share author='Alma' message_id='${uri}']Sloes[/share]`;
  const quoting = { body: `Only for us\n${block}`, group_allow: [hedge.hash] };
  const { item_id } = (await bruno.post("/api/z/1.0/item/update", quoting)).json;
  await world.work();
  await removeMembers(world.hub, uid, hedge.id, [clara.channel.channel_hash]);
  await bruno.post("/api/z/1.0/item/update", { post_id: item_id, body: `Only for me\n${block}` });
  await world.work();
  const kept = world.hub.db.selectFrom("message").select("body").where("version", "<", 0);
  expect((await kept.execute()).map(({ body }) => body)).toEqual([expect.stringContaining("Sloes")]);
  await alma.post("/api/statuses/destroy", { id });
  await world.work();
  expect((await kept.execute()).map(({ body }) => body)).toEqual([`Only for us\n[share message_id='${uri}'][/share]`]);
  expect(await storedWith("sloes")).toEqual([]);
});
