import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonPeople, postStatus } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { postItem } from "../../../domain/items/posting/post.ts";

/** What stands at home and in lists, by what the caller has chosen (Mastodon contract 5.5, 11.17, 11.18, 13.4). */

let world: TestApp;
let statements = 0;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let zoe: MastodonPerson;

beforeAll(async () => {
  world = await openTestApp({ onQuery: () => void statements++ });
  [ann, bob, cara, zoe] = await mastodonPeople(world, "ann", "bob", "cara", "zoe");
  for (const other of [bob, cara]) await befriend(world.hub, ann.channel, other.channel);
  for (const other of [bob, cara]) await befriend(world.hub, zoe.channel, other.channel);
  await befriend(world.hub, bob.channel, cara.channel);
});
afterAll(() => world.close());

const idOf = ({ channel }: MastodonPerson): string => String(channel.xchan_id);
const post = (client: Client, form: object) => postStatus(world, client, { visibility: "public", ...form });
const say = (client: Client, status: string, more: object = {}) => post(client, { status, ...more });

/** The texts of a time line, newest first; shares in parentheses. */
async function texts(path = "/api/v1/timelines/home", client = ann): Promise<string[]> {
  const { status, json } = await client.get(path);
  expect(status).toBe(200);
  return json.map((one: any) => {
    const words = (one.reblog ?? one).content.replace(/<[^>]*>/g, "");
    return one.reblog ? `(${one.account.acct}: ${words})` : words;
  });
}

async function share(client: Client, { id }: { id: string }): Promise<any> {
  const { status, json } = await client.post(`/api/v1/statuses/${id}/reblog`);
  await world.work();
  expect(status).toBe(200);
  return json;
}

test("comments are those of people whom one follows, and answers to oneself; all of them on demand", async () => {
  const top = await say(bob, "top of bob");
  await say(zoe, "by a stranger", { in_reply_to_id: top.id });
  const own = await say(ann, "by me", { in_reply_to_id: top.id });
  await say(zoe, "to me", { in_reply_to_id: own.id });
  await say(cara, "by cara", { in_reply_to_id: top.id });
  const known = ["by cara", "to me", "by me", "top of bob"];
  expect((await texts()).map((text) => text.replace(/^(@\S+ )+/, ""))).toEqual(known);
  expect((await texts("/api/v1/timelines/home?hubbub_comments=all")).join()).toContain("by a stranger");
  const page = await ann.get("/api/v1/timelines/home?limit=2");
  expect(page.json.length).toBe(2);
});

test("direct threads stand among conversations", async () => {
  await say(bob, "@ann just us", { visibility: "direct" });
  expect((await texts()).join()).not.toContain("just us");
  expect((await ann.get("/api/v1/conversations")).text).toContain("just us");
});

test("several shares of a post are its newest one, and none where the post itself stands close by", async () => {
  const far = await say(zoe, "far away");
  await share(bob, far);
  await share(cara, far);
  const shares = (await texts()).filter((text) => text.includes("far away"));
  expect(shares).toEqual(["(cara: far away)"]);
  const near = await say(bob, "near");
  await share(cara, near);
  expect((await texts()).filter((text) => text.includes("near"))).toEqual(["near"]);
});

test("a share that is the oldest entry is left out as well where the post itself comes after it", async () => {
  const [dan] = await mastodonPeople(world, "dan");
  await befriend(world.hub, dan.channel, cara.channel);
  const one = await say(zoe, "before all else");
  await share(cara, one);
  const home = () => texts("/api/v1/timelines/home", dan);
  expect((await home()).at(-1)).toBe("(cara: before all else)");
  await befriend(world.hub, dan.channel, zoe.channel);
  // Whoever answers has the thread from then on.
  await say(dan, "what was?", { in_reply_to_id: one.id });
  expect((await home()).filter((text) => text.includes("before all else"))).toEqual(["before all else"]);
});

test("who follows in a language that is none follows nobody", async () => {
  const between = async (): Promise<unknown> =>
    (await ann.get(`/api/v1/accounts/relationships?id[]=${idOf(zoe)}`)).json;
  const before = await between();
  expect(before).toMatchObject([{ following: false }]);
  const answer = await ann.post(`/api/v1/accounts/${idOf(zoe)}/follow`, { languages: ["xx-none"] });
  expect(answer.status).toBe(422);
  expect(await between()).toEqual(before);
});

test("shares of somebody come, or not, as one follows them", async () => {
  const follow = (form: object) => ann.post(`/api/v1/accounts/${idOf(cara)}/follow`, form as Record<string, unknown>);
  expect((await follow({})).json).toMatchObject({ following: true, showing_reblogs: true, notifying: false });
  const post = await say(zoe, "shared by cara alone");
  await share(cara, post);
  expect(await texts()).toContain("(cara: shared by cara alone)");
  expect((await follow({ reblogs: false })).json).toMatchObject({ showing_reblogs: false });
  expect(await texts()).not.toContain("(cara: shared by cara alone)");
  // What was left out does not keep the others out.
  await share(bob, post);
  await share(cara, await say(zoe, "once more"));
  expect(await texts()).toContain("(bob: shared by cara alone)");
  expect((await follow({ languages: ["de", "xx-none"] })).status).toBe(422);
  expect((await follow({ languages: ["de"] })).json).toMatchObject({ showing_reblogs: false, languages: ["de"] });
  await say(cara, "Guten Tag", { language: "de" });
  await say(cara, "Good day", { language: "en" });
  expect((await texts()).filter((text) => /ag|day/.test(text))).toEqual(["Guten Tag"]);
  expect((await follow({ reblogs: true, languages: [] })).json).toMatchObject({
    showing_reblogs: true,
    languages: null,
  });
  expect(await texts()).toContain("Good day");
  const { json } = await ann.get(`/api/v1/accounts/relationships?id[]=${idOf(cara)}`);
  expect(json).toMatchObject([{ showing_reblogs: true, languages: null }]);
});

test("of the caller, whom the group Friends holds, a list shows nothing, and takes nothing away from home", async () => {
  const friends = (await ann.get("/api/v1/lists")).json.find(({ title }: { title: string }) => title === "Friends");
  await say(ann, "Mine in the list");
  await ann.put(`/api/v1/lists/${friends.id}`, { exclusive: true });
  expect(await texts(`/api/v1/timelines/list/${friends.id}`)).not.toContain("Mine in the list");
  expect(await texts()).toContain("Mine in the list");
  await ann.put(`/api/v1/lists/${friends.id}`, { exclusive: false });
});

test("a list may have its members alone, shows the answers that were chosen, and what filters hide nowhere", async () => {
  const list = (await ann.post("/api/v1/lists", { title: "Band", exclusive: true, replies_policy: "none" })).json;
  expect(list).toMatchObject({ title: "Band", exclusive: true, replies_policy: "none" });
  expect((await ann.post("/api/v1/lists", { title: "Other", replies_policy: "some" })).status).toBe(422);
  const path = `/api/v1/lists/${list.id}`;
  expect((await ann.post(`${path}/accounts`, { account_ids: [idOf(bob)] })).status).toBe(200);
  const top = await say(bob, "for the list");
  await say(bob, "to myself", { in_reply_to_id: top.id });
  await postItem(world.hub, bob.channel, { body: "to zoe", parent: { id: Number((await say(zoe, "z")).id) } });
  await postItem(world.hub, bob.channel, { body: "to cara", parent: { id: Number((await say(cara, "c")).id) } });
  await world.work();
  expect((await texts()).join()).not.toContain("for the list");
  const shown = async () =>
    (await texts(`/api/v1/timelines/list/${list.id}`)).filter((text) => /for the list|^to |secret/.test(text));
  expect(await shown()).toEqual(["to myself", "for the list"]);
  expect((await ann.put(path, { replies_policy: "followed" })).json).toMatchObject({ exclusive: true, title: "Band" });
  expect(await shown()).toEqual(["to cara", "to myself", "for the list"]);
  expect((await ann.put(path, { replies_policy: "list", exclusive: false })).json.replies_policy).toBe("list");
  expect(await shown()).toEqual(["to myself", "for the list"]);
  expect(await texts()).toContain("for the list");
  expect((await ann.get("/api/v1/lists")).json).toContainEqual({
    id: list.id,
    title: "Band",
    exclusive: false,
    replies_policy: "list",
    hubbub: { visible: false, members: 1, default: false },
  });
  const filter = { title: "x", context: ["home"], filter_action: "hide", keywords_attributes: [{ keyword: "list" }] };
  const made = (await ann.post("/api/v2/filters", filter)).json;
  expect(await shown()).toEqual(["to myself"]);
  await ann.send("DELETE", `/api/v2/filters/${made.id}`);
});

test("a page takes four statements, however many posts and people are on it", async () => {
  for (const client of [bob, cara, bob, cara]) await say(client, "one of many");
  await world.work();
  const pageOf = async (limit: number) =>
    expect(await texts(`/api/v1/timelines/home?limit=${limit}`)).toEqual(Array(limit).fill("one of many"));
  const costOf = async (limit: number): Promise<number> => {
    const before = statements;
    await pageOf(limit);
    return statements - before;
  };
  await pageOf(4);
  // Who asks, the posts with their details, what stands around them, and the people.
  expect(await costOf(1)).toBe(4);
  expect(await costOf(4)).toBe(4);
});
