import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonPeople, postStatus } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { actorOf } from "../../../../test/support/actors.ts";
import { befriend } from "../../../../test/support/people.ts";
import { blockHost, unblockHost } from "../../../domain/connections/connections.ts";
import { recallMessage, sendMessage } from "../../../domain/messages/messages.ts";
import { choose, usualChoices } from "../../../domain/notifications/choices.ts";
import { notify } from "../../../domain/notifications/notify.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** What somebody is told, as applications ask for it (mastodon contract 11.14 to 11.16, 11.24, 13.6). */

let world: TestApp;
let statements = 0;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let dora: MastodonPerson;

beforeAll(async () => {
  world = await openTestApp({ onQuery: () => void statements++ });
  [ann, bob, cara, dora] = await mastodonPeople(world, "ann", "bob", "cara", "dora");
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  await world.work();
});
afterAll(() => world.close());

type Told = {
  id: string;
  type: string;
  group_key: string;
  account: { acct: string };
  status?: { uri: string; id: string };
};

const post = (client: Client, form: object) => postStatus(world, client, form);

async function deed(client: Client, path: string): Promise<void> {
  expect((await client.post(`/api/v1/${path}`)).status).toBe(200);
  await world.work();
}

const told = async (client: Client, query: object = {}): Promise<Told[]> =>
  (await client.get("/api/v1/notifications", query as Record<string, string>)).json;
const typesTo = async (client: Client, query: object = {}): Promise<string[]> =>
  (await told(client, query)).map(({ type, account }) => `${type} ${account.acct}`);
const idOf = ({ channel }: MastodonPerson): string => String(channel.xchan_id);

test("each kind comes under its name, with the post that it is about", async () => {
  await deed(ann, "notifications/clear");
  const top = await post(ann, { status: "tea time", visibility: "public" });
  const answer = await post(bob, { status: "with milk", in_reply_to_id: top.id });
  await post(cara, { status: "hello @ann", visibility: "public" });
  await deed(bob, `statuses/${top.id}/favourite`);
  await deed(bob, `statuses/${top.id}/reblog`);
  await deed(dora, `accounts/${idOf(ann)}/follow`);
  const all = await told(ann);
  expect(all.map(({ type, account }) => `${type} ${account.acct}`)).toEqual([
    "follow_request dora",
    "reblog bob",
    "favourite bob",
    "mention cara",
    "mention bob",
  ]);
  expect(all.map(({ status }) => status?.uri)).toEqual([undefined, top.uri, top.uri, expect.any(String), answer.uri]);
  expect(all[1]!.status!.id).toBe(top.id);
  await post(cara, { status: "no, lemon", in_reply_to_id: top.id });
  expect(await typesTo(bob, { types: ["status"] })).toEqual(["status cara"]);
  const [first] = all;
  expect((await ann.get(`/api/v1/notifications/${first!.id}`)).json.id).toBe(first!.id);
  expect((await bob.get(`/api/v1/notifications/${first!.id}`)).status).toBe(404);
});

test("types, people and bounds choose; unknown types choose nothing", async () => {
  expect(await typesTo(ann, { types: ["favourite", "nonsense"] })).toEqual(["favourite bob"]);
  expect(await typesTo(ann, { types: ["nonsense"] })).toEqual([]);
  expect((await typesTo(ann, { exclude_types: ["mention", "follow_request"] })).toSorted()).toEqual([
    "favourite bob",
    "reblog bob",
  ]);
  expect(await typesTo(ann, { account_id: idOf(dora) })).toEqual(["follow_request dora"]);
  const all = await told(ann);
  const page = await ann.get("/api/v1/notifications", { limit: 2, max_id: all[0]!.id });
  expect(page.json.map(({ id }: Told) => id)).toEqual([all[1]!.id, all[2]!.id]);
  expect(page.headers.get("link")).toContain(`max_id=${all[2]!.id}>; rel="next"`);
  expect((await told(ann, { limit: 2, min_id: all.at(-1)!.id })).map(({ id }) => id)).toEqual(
    all.slice(-3, -1).map(({ id }) => id),
  );
  expect((await told(ann, { limit: 2, since_id: all.at(-1)!.id })).map(({ id }) => id)).toEqual(
    all.slice(0, 2).map(({ id }) => id),
  );
  expect(await told(ann, { min_id: all[0]!.id, max_id: "1" })).toEqual([]);
});

test("what the reader may see no more, and who is muted or blocked, tell nothing", async () => {
  const before = await typesTo(ann);
  const secret = await post(bob, { status: "psst @ann", visibility: "direct" });
  expect((await typesTo(ann))[0]).toBe("mention bob");
  await bob.send("DELETE", `/api/v1/statuses/${secret.id}`);
  await world.work();
  expect(await typesTo(ann)).toEqual(before);
  await deed(ann, `accounts/${idOf(dora)}/block`);
  expect(await typesTo(ann)).toEqual(before.filter((one) => one !== "follow_request dora"));
  await deed(ann, `accounts/${idOf(dora)}/unblock`);
});

test("a request that is answered with yes comes as a follow, for those who ask what is new", async () => {
  const [edda] = await mastodonPeople(world, "edda");
  await deed(edda, `accounts/${idOf(ann)}/follow`);
  const [asked, ...before] = await told(ann);
  expect([asked!.type, asked!.account.acct]).toEqual(["follow_request", "edda"]);
  await deed(ann, `follow_requests/${idOf(edda)}/authorize`);
  const since = await told(ann, { min_id: asked!.id });
  expect(since.map(({ type, account }) => [type, account.acct])).toEqual([["follow", "edda"]]);
  expect((await told(ann)).map(({ id }) => id)).toEqual([since[0]!.id, ...before.map(({ id }) => id)]);
  expect((await ann.get(`/api/v1/notifications/${asked!.id}`)).status).toBe(404);
  await deed(ann, `notifications/${since[0]!.id}/dismiss`);
});

test("people of a muted server tell nothing, nor does what is wanted by other ways only", async () => {
  const before = await typesTo(ann);
  const id = "https://loud.example/users/zoe";
  const { xchan_id: actor } = await meetActor(world.hub, actorOf("zoe", { id, address: "zoe@loud.example", keys: [] }));
  const to = ann.channel;
  const tell = () => notify(world.hub, [{ kind: "follower", to, actor, connection: 0 }]);
  await tell();
  const [newest] = await told(ann);
  expect(await typesTo(ann)).toEqual(["follow zoe@loud.example", ...before]);
  await blockHost(world.hub, to, "loud.example", "mute");
  expect(await typesTo(ann)).toEqual(before);
  await unblockHost(world.hub, to, "loud.example");
  await choose(world.hub, to.channel_id, { connection: { page: false, push: true, mail: "never" } });
  await deed(ann, `notifications/${newest!.id}/dismiss`);
  await tell();
  expect(await typesTo(ann)).toEqual(before);
  await choose(world.hub, to.channel_id, { connection: usualChoices.connection });
});

test("alike notices come as one group, whose people and posts are in the answer", async () => {
  const top = await post(ann, { status: "cake", visibility: "public" });
  await deed(bob, `statuses/${top.id}/favourite`);
  await deed(cara, `statuses/${top.id}/favourite`);
  const { json } = await ann.get("/api/v2/notifications", { limit: 1 });
  const [group] = json.notification_groups;
  expect(group).toMatchObject({
    type: "favourite",
    notifications_count: 2,
    status_id: top.id,
    sample_account_ids: [idOf(cara), idOf(bob)],
  });
  expect([json.accounts.map(({ acct }: { acct: string }) => acct), json.statuses[0].uri]).toEqual([
    ["cara", "bob"],
    top.uri,
  ]);
  const partial = (await ann.get("/api/v2/notifications", { limit: 1, expand_accounts: "partial_avatars" })).json;
  expect([partial.accounts[0].acct, partial.partial_accounts[0].acct]).toEqual(["cara", "bob"]);
  const apart = (await ann.get("/api/v2/notifications", { grouped_types: ["follow"] })).json.notification_groups;
  expect(apart.slice(0, 2).map((one: { group_key: string }) => one.group_key.split("-")[0])).toEqual([
    "ungrouped",
    "ungrouped",
  ]);
  const named = await ann.get(`/api/v2/notifications/${group.group_key}`);
  expect(named.json.notification_groups).toEqual([group]);
  const people = (await ann.get(`/api/v2/notifications/${group.group_key}/accounts`)).json;
  expect(people.map(({ acct }: { acct: string }) => acct)).toEqual(["cara", "bob"]);
  expect((await bob.get(`/api/v2/notifications/${group.group_key}`)).status).toBe(404);
  expect((await bob.post(`/api/v2/notifications/${group.group_key}/dismiss`)).json).toEqual({});
  expect((await ann.get(`/api/v2/notifications/${group.group_key}`)).status).toBe(200);
  for (const key of ["nonsense", "favourite-1", "follow-1-2", "ungrouped-x", "mention-1-2"])
    expect((await ann.get(`/api/v2/notifications/${key}`)).status).toBe(404);
  expect((await ann.post(`/api/v2/notifications/${group.group_key}/dismiss`)).json).toEqual({});
  expect((await ann.get(`/api/v2/notifications/${group.group_key}`)).status).toBe(404);
  const walked: string[] = [];
  for (let max_id = ""; ;) {
    const { json: page, headers } = await ann.get("/api/v2/notifications", { limit: 2, ...(max_id && { max_id }) });
    walked.push(...page.notification_groups.map((one: { group_key: string }) => one.group_key));
    max_id = /max_id=(\d+)/.exec(headers.get("link") ?? "")?.[1] ?? "";
    if (!max_id) break;
  }
  expect(walked).toEqual((await told(ann)).map(({ group_key }) => group_key));
});

test("what was read is remembered, counted and seen", async () => {
  const all = await told(ann);
  const unread = async (): Promise<number> => (await ann.get("/api/v1/notifications/unread_count")).json.count;
  expect((await ann.get("/api/v1/markers", { timeline: ["home", "notifications"] })).json).toEqual({});
  expect(await unread()).toBe(all.length);
  const set = (form: object) => ann.post("/api/v1/markers", form as Record<string, unknown>);
  const { json } = await set({
    notifications: { last_read_id: all[1]!.id },
    home: { last_read_id: "1" },
    other: { last_read_id: "2" },
  });
  expect([json.notifications.last_read_id, json.home.version, Object.keys(json).length]).toEqual([all[1]!.id, 1, 2]);
  expect([await unread(), (await ann.get("/api/v2/notifications/unread_count")).json.count]).toEqual([1, 1]);
  const seen = await world.hub.db
    .selectFrom("notify")
    .select("id")
    .where("uid", "=", ann.channel.channel_id)
    .where("seen", "=", 0)
    .execute();
  expect(seen.map(({ id }) => String(id))).toEqual([all[0]!.id]);
  expect((await set({ home: { last_read_id: "x" } })).status).toBe(422);
  const form = await ann.send("POST", "/api/v1/markers", new URLSearchParams([["home[last_read_id]", "7"]]));
  expect(form.json.home).toMatchObject({ last_read_id: "7", version: 2 });
  const both = await Promise.all([set({ home: { last_read_id: "8" } }), set({ home: { last_read_id: "9" } })]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect((await ann.get("/api/v1/markers", { timeline: "home" })).json.home.version).toBe(4);
  expect((await bob.get("/api/v1/markers", { timeline: "home" })).json).toEqual({});
});

test("notices are removed one by one, and all; nobody removes those of others", async () => {
  const [first, ...rest] = await told(ann);
  await deed(bob, `notifications/${first!.id}/dismiss`);
  expect((await told(ann)).length).toBe(rest.length + 1);
  await deed(ann, `notifications/${first!.id}/dismiss`);
  expect((await ann.post("/api/v1/notifications/dismiss", { id: rest[0]!.id })).status).toBe(200);
  expect((await told(ann)).map(({ id }) => id)).toEqual(rest.slice(1).map(({ id }) => id));
  await deed(ann, "notifications/clear");
  expect(await told(ann)).toEqual([]);
});

test("a direct message is a mention, with the message as its status", async () => {
  const mail = await sendMessage(world.hub, bob.channel, { to: ann.channel.channel_hash, body: "by mail" });
  const [newest] = await told(ann);
  expect(newest).toMatchObject({ type: "mention", account: { acct: "bob" }, status: { visibility: "direct" } });
  expect(Number(newest!.status!.id)).toBeGreaterThan(2 ** 51);
  const groups = (await ann.get("/api/v2/notifications")).json;
  expect([groups.notification_groups[0].status_id, groups.statuses[0].id]).toEqual(Array(2).fill(newest!.status!.id));
  await recallMessage(world.hub, bob.channel, mail.id);
  expect((await told(ann)).map(({ id }) => id)).not.toContain(newest!.id);
});

test("a page takes four statements, however many notices, posts and people are on it", async () => {
  await deed(ann, "notifications/clear");
  const pageOf = async (limit: number) => expect(await told(ann, { limit: String(limit) })).toHaveLength(limit);
  for (const one of ["first", "second", "third"]) await post(cara, { status: `${one} @ann`, visibility: "public" });
  await post(bob, { status: "fourth @ann", visibility: "public" });
  await world.work();
  const costOf = async (limit: number): Promise<number> => {
    const before = statements;
    await pageOf(limit);
    return statements - before;
  };
  await pageOf(4);
  // Who asks, the notices with their posts, what stands around these, and the people.
  expect(await costOf(1)).toBe(4);
  expect(await costOf(4)).toBe(4);
});
