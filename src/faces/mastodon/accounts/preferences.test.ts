import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import {
  mastodonClient,
  mastodonPeople,
  mastodonPerson,
  postStatus,
  uploadPicture,
} from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { makeChannel, password } from "../../../../test/support/hub.ts";
import { befriend, newcomer } from "../../../../test/support/people.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { setAdministrator } from "../../../domain/identity/accounts/accounts.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { addMembers, createGroup, deleteGroup } from "../../../domain/groups/groups.ts";
import { recordPeer } from "../../../domain/peers/peers.ts";

/** What the caller has chosen takes effect, and what the site says of itself (Mastodon contract 6.3, 7.1, 11.1, 11.2, 11.25, 11.27, 12). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let nobody: Client;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  for (const other of [bob, cara]) await befriend(world.hub, ann.channel, other.channel);
  nobody = mastodonClient(world);
});
afterAll(() => world.close());

const post = (client: Client, form: object) => postStatus(world, client, form);

test("posts begin with the language that was chosen, and files are hidden as was chosen", async () => {
  const own = (source: object) => ann.patch("/api/v1/accounts/update_credentials", { source });
  expect((await own({ language: "pt", sensitive: true })).status).toBe(200);
  const { id } = await uploadPicture(ann);
  expect(await post(ann, { status: "um", media_ids: [id] })).toMatchObject({ language: "pt", sensitive: true });
  expect(await post(ann, { status: "dois", media_ids: [id], sensitive: false })).toMatchObject({
    sensitive: false,
  });
  expect(await post(ann, { status: "words" })).toMatchObject({ language: "pt", sensitive: false });
  expect(await post(ann, { status: "three", language: "en" })).toMatchObject({ language: "en" });
  await own({ language: "", sensitive: false });
});

test("`private` stands for a group where that was chosen, as long as there is one", async () => {
  const uid = ann.channel.channel_id;
  const group = await createGroup(world.hub, uid, "Choir");
  await addMembers(world.hub, uid, group.id, [bob.channel.channel_hash]);
  const means = (private_means: string, client = ann) =>
    client.send("PATCH", "/api/v1/accounts/update_credentials", new URLSearchParams({ private_means }));
  expect((await means(String(group.id))).status).toBe(200);
  expect((await means(String(group.id), bob)).status).toBe(404);
  expect((await means("Choir")).status).toBe(422);
  const page = visitorOf(world.app);
  await page.logIn("ann", password);
  const selected = /name="private_means"[^]*?<option value="([^"]*)" selected/;
  expect(selected.exec((await page.get("/settings/channel")).text)?.[1]).toBe(group.hash);
  const narrow = await post(ann, { status: "for the choir", visibility: "private" });
  expect(narrow.visibility).toBe("private");
  const reads = async (client: Client, { id }: { id: string }) => (await client.get(`/api/v1/statuses/${id}`)).status;
  expect([await reads(bob, narrow), await reads(cara, narrow)]).toEqual([200, 404]);
  await deleteGroup(world.hub, uid, group.id);
  expect((await means(String(group.id))).status).toBe(404);
  const wide = await post(ann, { status: "for connections", visibility: "private" });
  expect([await reads(bob, wide), await reads(cara, wide), await reads(nobody, wide)]).toEqual([200, 200, 404]);
});

test("connections of others are walked both ways", async () => {
  for (const nick of ["dora", "eve", "finn"]) await befriend(world.hub, bob.channel, await newcomer(world.hub, nick));
  const names = (json: any): string[] => json.map((one: any) => one.username);
  const path = `/api/v1/accounts/${bob.channel.xchan_id}/followers`;
  const all = names((await ann.get(path)).json);
  expect(all).toEqual(["finn", "eve", "dora", "ann"]);
  const first = await ann.get(`${path}?limit=3`);
  const next = /<([^>]*)>; rel="next"/.exec(first.headers.get("link")!)![1]!.replace(/^https?:\/\/[^/]*/, "");
  const last = await ann.get(next);
  expect([names(first.json), names(last.json)]).toEqual([all.slice(0, 3), all.slice(3)]);
  const back = /<([^>]*)>; rel="prev"/.exec(last.headers.get("link")!)![1]!.replace(/^https?:\/\/[^/]*/, "");
  expect(names((await ann.get(back)).json)).toEqual(all.slice(0, 3));
  expect(names((await ann.get(back.replace("limit=3", "limit=1"))).json)).toEqual(["dora"]);
  const since = back.replace("min_id", "since_id").replace("limit=3", "limit=1");
  expect(names((await ann.get(since)).json)).toEqual(["finn"]);
});

test("whoever wants to hear of somebody's posts is told of them, and not of shares and answers", async () => {
  const follow = (notify: boolean) => ann.post(`/api/v1/accounts/${bob.channel.xchan_id}/follow`, { notify });
  expect((await follow(true)).json).toMatchObject({ notifying: true, following: true });
  const news = await post(bob, { status: "news of bob", visibility: "public" });
  await post(bob, { status: "and an answer", in_reply_to_id: news.id });
  const other = await post(cara, { status: "of cara", visibility: "public" });
  await bob.post(`/api/v1/statuses/${other.id}/reblog`);
  await world.work();
  const told = async () =>
    (await ann.get("/api/v1/notifications?types[]=status")).json.map((one: any) => [
      one.account.acct,
      one.status.content,
    ]);
  expect(await told()).toEqual([["bob", "<p>news of bob</p>"]]);
  expect((await cara.get("/api/v1/notifications?types[]=status")).json).toEqual([]);
  await follow(false);
  await post(bob, { status: "more news", visibility: "public" });
  expect((await told()).length).toBe(1);
});

test("a channel that shows its stream to some is neither indexed nor public by default", async () => {
  const own = async () => (await cara.get("/api/v1/accounts/verify_credentials")).json;
  expect(await own()).toMatchObject({
    indexable: true,
    noindex: false,
    source: { privacy: "public", indexable: true },
  });
  await setPermissionLimits(world.hub, cara.channel.channel_id, { view_stream: limits.contacts });
  const narrow = { indexable: false, noindex: true, discoverable: true };
  expect(await own()).toMatchObject({ ...narrow, source: { privacy: "private", indexable: false } });
  expect((await ann.get(`/api/v1/accounts/${cara.channel.xchan_id}`)).json).toMatchObject(narrow);
  expect((await cara.get("/api/v1/preferences")).json["posting:default:visibility"]).toBe("private");
  await setPermissionLimits(world.hub, cara.channel.channel_id, { view_stream: limits.public });
});

test("who runs the hub is shown where the site wants that, and of their channels the first one", async () => {
  const { channel_account_id: account, channel_id } = bob.channel;
  await setAdministrator(world.hub, account, true);
  const second = await makeChannel(world.hub, "bobby");
  await world.hub.db
    .updateTable("channel")
    .set({ channel_account_id: account })
    .where("channel_id", "=", second.channel_id)
    .execute();
  const rolesOf = async ({ xchan_id }: { xchan_id: number }) =>
    (await nobody.get(`/api/v1/accounts/${xchan_id}`)).json.roles;
  expect(await rolesOf(bob.channel)).toEqual([]);
  expect((await bob.get("/api/v1/accounts/verify_credentials")).json.role.name).toBe("Administrator");
  await changeSite(world.hub, { showsAdministrators: true });
  expect(await rolesOf(bob.channel)).toEqual([{ id: "1", name: "Administrator", color: "" }]);
  for (const other of [second, ann.channel]) expect(await rolesOf(other)).toEqual([]);
  await changeSite(world.hub, { showsAdministrators: false });
  expect([channel_id !== second.channel_id, await rolesOf(bob.channel)]).toEqual([true, []]);
});

test("somebody who was removed is shown without text, pictures and counts", async () => {
  const gone = await mastodonPerson(world, await makeChannel(world.hub, "gone"));
  const { id } = await post(gone, { status: "before", visibility: "public" });
  await world.hub.db
    .updateTable("xchan")
    .set({ xchan_deleted: 1, xchan_about: "about" })
    .where("xchan_id", "=", gone.channel.xchan_id)
    .execute();
  const { account } = (await nobody.get(`/api/v1/statuses/${id}`)).json;
  expect(account).toMatchObject({ suspended: true, note: "", display_name: "", fields: [], followers_count: 0 });
  expect(account.avatar).toContain("/assets/");
});

test("blocked servers are paged, the last first", async () => {
  for (const domain of ["a.example", "b.example", "c.example"]) await cara.post("/api/v1/domain_blocks", { domain });
  const first = await cara.get("/api/v1/domain_blocks", { limit: 2 });
  expect([first.json, first.headers.get("link")]).toEqual([
    ["c.example", "b.example"],
    expect.stringMatching(/max_id=\d+>; rel="next".*min_id=\d+>; rel="prev"/),
  ]);
  const next = /<http:\/\/hub\.example([^>]*)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  expect((await cara.get(next)).json).toEqual(["a.example"]);
});

test("the site counts the servers that it knows", async () => {
  await recordPeer(world.hub, "other.example");
  world.hub.advance(3600);
  const { stats, configuration, thumbnail } = (await nobody.get("/api/v1/instance")).json;
  expect(stats.domain_count).toBe(1);
  expect(configuration.accounts.max_note_length).toBeGreaterThan(0);
  expect((await world.app.request(thumbnail)).headers.get("content-type")).toBe("image/png");
});

test("nobody administers by programs", async () => {
  for (const path of ["/api/v1/admin/accounts", "/api/v2/admin/accounts/5/action", "/api/v1/admin/trends/tags"])
    for (const client of [ann, nobody])
      expect(await client.get(path)).toMatchObject({ status: 403, json: { error: "This action is not allowed" } });
  expect((await ann.get("/api/v1/administration")).status).toBe(404);
});

test("other sites show public posts by their address, and no others", async () => {
  const open = await post(bob, { status: "see <b>this</b>", visibility: "public" });
  const shown = await nobody.get("/api/oembed", { url: open.url, maxwidth: 300 });
  expect(shown).toMatchObject({ status: 200, json: { type: "rich", author_name: "Bob", width: 300, height: null } });
  expect(shown.json.html).toContain("see");
  expect(shown.json.html).not.toMatch(/<script|<iframe|<b>/);
  const closed = await post(bob, { status: "for me", visibility: "direct" });
  for (const url of [closed.url, closed.uri, "https://nowhere.example/1", "x"])
    expect((await bob.get("/api/oembed", { url })).status).toBe(404);
  expect((await nobody.get("/api/oembed")).status).toBe(400);
});

test("a share is for everybody, or not at all", async () => {
  const { id } = await post(bob, { status: "shared or not", visibility: "public" });
  const share = (visibility: string) => ann.post(`/api/v1/statuses/${id}/reblog`, { visibility });
  for (const narrow of ["private", "direct", "unlisted", "3", "x"]) expect((await share(narrow)).status).toBe(422);
  expect((await share("public")).json.reblog.id).toBe(id);
});

test("there are no collections, and no words are no question", async () => {
  const of = (path: string) => ann.get(`/api/v1/accounts/${bob.channel.xchan_id}/${path}`);
  for (const path of ["collections", "in_collections"]) expect((await of(path)).json).toEqual({ collections: [] });
  expect((await ann.get("/api/v1/accounts/search", { q: "  " })).json).toEqual([]);
  expect(await ann.get("/api/v1/accounts/search", { q: "" })).toMatchObject({
    status: 400,
    json: { error: "param is missing or the value is empty: q" },
  });
});
