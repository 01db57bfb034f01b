import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonClient, mastodonPeople, postStatus, uploadPicture } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { changeSite, changeSiteTexts, siteTexts } from "../../../domain/identity/site/site-settings.ts";
import { listReports } from "../../../domain/reports/list.ts";

/** Narrower time lines, hashtags, people to find, reports and what the site says of itself (mastodon contract 12, 13.2, 13.4, 13.8). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let nobody: Client;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  nobody = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  await world.work();
});
afterAll(() => world.close());

const idOf = ({ channel }: MastodonPerson): string => String(channel.xchan_id);
const uris = (statuses: { uri: string }[]): string[] => statuses.map(({ uri }) => uri);

const post = (client: Client, form: object) => postStatus(world, client, form);

test("time lines are narrowed by conditions, so that pages stay full", async () => {
  const file = await uploadPicture(ann);
  const shown = await post(ann, { status: "look", media_ids: [file.id], visibility: "public" });
  const plain = await post(ann, { status: "words :) #Plum #jam", visibility: "public" });
  const other = await post(bob, { status: "more #plum", visibility: "public" });
  const quiet = await post(ann, { status: "psst #plum", visibility: "unlisted" });
  const share = (await ann.post(`/api/v1/statuses/${other.id}/reblog`)).json;
  await world.work();
  const ofAnn = async (client: Client, query: Record<string, string | number>) =>
    uris((await client.get(`/api/v1/accounts/${idOf(ann)}/statuses`, query)).json);
  for (const client of [ann, bob, nobody]) {
    expect(await ofAnn(client, { only_media: "true", limit: 1 })).toEqual([shown.uri]);
    expect(await ofAnn(client, { exclude_reblogs: "true" })).not.toContain(share.uri);
    expect(await ofAnn(client, {})).toContain(share.uri);
    expect(await ofAnn(client, { tagged: "PLUM", exclude_reblogs: "true" })).toEqual([quiet.uri, plain.uri]);
    expect(await ofAnn(client, { pinned: "true" })).toEqual([]);
  }
  await ann.post(`/api/v1/statuses/${plain.id}/pin`);
  for (const client of [ann, bob, nobody]) expect(await ofAnn(client, { pinned: "true" })).toEqual([plain.uri]);
  const open = async (client: Client, query: Record<string, string | number>) =>
    uris((await client.get("/api/v1/timelines/public", query)).json);
  for (const client of [bob, cara, nobody]) {
    expect(await open(client, { only_media: "true" })).toEqual([shown.uri]);
    expect(await open(client, {})).toEqual([other.uri, plain.uri, shown.uri]);
    expect(await open(client, { remote: "true" })).toEqual([]);
  }
  const tagged = async (client: Client, tag: string, query: object = {}) =>
    uris((await client.get(`/api/v1/timelines/tag/${tag}`, query as Record<string, string>)).json);
  for (const client of [ann, cara, nobody]) {
    expect(await tagged(client, "plum")).toEqual([other.uri, plain.uri]);
    expect(await tagged(client, "PLUM", { "all[]": "jam" })).toEqual([plain.uri]);
    expect(await tagged(client, "%23plum", { "none[]": "jam" })).toEqual([other.uri]);
    expect(await tagged(client, "nothing?any[]=jam&any[]=rum")).toEqual([plain.uri]);
    expect(await tagged(client, "plum", { only_media: "true" })).toEqual([]);
  }
  const first = await ann.get("/api/v1/timelines/tag/plum", { limit: 1 });
  const up = await ann.get("/api/v1/timelines/tag/plum", { limit: 1, min_id: "1" });
  expect([uris(first.json), uris(up.json)]).toEqual([[other.uri], [plain.uri]]);
  expect(await tagged(ann, "plum", { max_id: first.json[0].id })).toEqual([plain.uri]);
});

test("answers are left out but in threads of one's own", async () => {
  const mine = await post(bob, { status: "a thread", visibility: "public" });
  const more = await post(bob, { status: "of two", in_reply_to_id: mine.id });
  const others = await post(ann, { status: "of ann", visibility: "public" });
  const answer = await post(bob, { status: "to ann", in_reply_to_id: others.id });
  const query = { since_id: String(Number(mine.id) - 1) };
  for (const client of [bob, nobody]) {
    const of = async (more: object = {}) =>
      uris((await client.get(`/api/v1/accounts/${idOf(bob)}/statuses`, { ...query, ...more })).json);
    expect(await of()).toEqual([answer.uri, more.uri, mine.uri]);
    expect(await of({ exclude_replies: "true" })).toEqual([more.uri, mine.uri]);
  }
});

test("hashtags are followed, and shown on a profile", async () => {
  const deed = async (what: string) => (await cara.post(`/api/v1/tags/Quince/${what}`)).json;
  for (const again of [1, 2]) expect([again, (await deed("follow")).following]).toEqual([again, true]);
  await cara.post("/api/v1/tags/medlar/follow");
  const page = await cara.get("/api/v1/followed_tags", { limit: 1 });
  expect([page.json[0].name, page.headers.get("link")]).toEqual(["medlar", expect.stringContaining('rel="next"')]);
  const { id } = page.json[0];
  expect((await cara.get("/api/v1/followed_tags", { max_id: id })).json).toMatchObject([{ name: "quince" }]);
  expect((await bob.get("/api/v1/followed_tags")).json).toEqual([]);
  expect(await deed("unfollow")).toMatchObject({ name: "quince", following: false });
  expect((await cara.post(`/api/v1/tags/${encodeURIComponent("a b")}/follow`)).status).toBe(422);
  await post(cara, { status: "a pie #quince", visibility: "public" });
  expect(await deed("feature")).toMatchObject({ featuring: true });
  const [featured] = (await nobody.get(`/api/v1/accounts/${idOf(cara)}/featured_tags`)).json;
  expect(featured).toMatchObject({ name: "Quince", statuses_count: "1" });
  for (const same of ["#quince", " #Quince\t"])
    expect((await cara.post("/api/v1/featured_tags", { name: same })).json.id).toBe(featured.id);
  expect((await cara.post("/api/v1/featured_tags", { name: "#" })).status).toBe(422);
  expect((await bob.send("DELETE", `/api/v1/featured_tags/${featured.id}`)).status).toBe(404);
  expect((await cara.send("DELETE", `/api/v1/featured_tags/${featured.id}`)).status).toBe(200);
  expect((await cara.get("/api/v1/featured_tags")).json).toEqual([]);
});

test("people are found in the directory and among suggestions, and dismissed there", async () => {
  const names = (accounts: { acct: string }[]): string[] => accounts.map(({ acct }) => acct);
  expect(names((await nobody.get("/api/v1/directory", { order: "new" })).json)).toEqual(["cara", "bob", "ann"]);
  expect(names((await nobody.get("/api/v1/directory", { order: "new", offset: 1, limit: 1 })).json)).toEqual(["bob"]);
  const suggested = async () =>
    (await ann.get("/api/v2/suggestions")).json.map(({ account }: { account: { acct: string } }) => account.acct);
  await post(cara, { status: "here I am", visibility: "public" });
  expect(await suggested()).toEqual(["cara"]);
  expect(names((await ann.get("/api/v1/suggestions")).json)).toEqual(["cara"]);
  expect((await ann.send("DELETE", `/api/v1/suggestions/${idOf(cara)}`)).json).toEqual({});
  expect(await suggested()).toEqual([]);
});

test("a report is made once, of posts that are seen, and only administrators learn of it", async () => {
  const bad = await post(bob, { status: "spam spam", visibility: "public" });
  const closed = await post(bob, { status: "closed", visibility: "direct" });
  // From now on there is a copy of her own, too.
  await cara.post(`/api/v1/statuses/${bad.id}/favourite`);
  const form = { account_id: idOf(bob), status_ids: [bad.id, closed.id, "999999"], comment: "spam", category: "spam" };
  const made = await cara.post("/api/v1/reports", form);
  expect(made.json).toMatchObject({
    category: "spam",
    comment: "spam",
    action_taken: false,
    target_account: { acct: "bob" },
  });
  expect(made.json.status_ids).toEqual([bad.id]);
  const first = { id: made.json.id, comment: "spam" };
  expect((await cara.post("/api/v1/reports", { ...form, comment: "again" })).json).toMatchObject({
    ...first,
    status_ids: [bad.id],
  });
  const other = await post(bob, { status: "not reported", visibility: "public" });
  expect((await cara.post("/api/v1/reports", { ...form, status_ids: [other.id] })).json).toMatchObject({
    ...first,
    status_ids: [],
  });
  const { reports } = await listReports(world.hub, "open", { count: 10 });
  expect(reports).toMatchObject([{ reporter_id: cara.channel.xchan_id, category: "spam" }]);
  for (const [more, status] of [
    [{ account_id: idOf(cara) }, 422],
    [{ account_id: "999999" }, 404],
    [{ account_id: undefined }, 400],
    [{ account_id: idOf(ann), category: "violation" }, 422],
    [{ account_id: idOf(ann), category: "violation", rule_ids: ["3"] }, 422],
    [{ account_id: idOf(ann), category: "rudeness" }, 422],
    [{ account_id: idOf(ann), comment: "x".repeat(1001) }, 422],
  ] as const)
    expect([more, (await cara.post("/api/v1/reports", { ...form, status_ids: [], ...more })).status]).toEqual([
      more,
      status,
    ]);
});

test("the site says of itself what its administrators wrote", async () => {
  expect((await nobody.get("/api/v1/instance/privacy_policy")).json).toEqual({ updated_at: null, content: "" });
  const asksWhy = async () => (await nobody.get("/api/v2/instance")).json.registrations.reason_required;
  expect(await asksWhy()).toBe(false);
  await changeSite(world.hub, { registration: "approval" });
  // What everybody asks for is kept for a minute.
  expect(await asksWhy()).toBe(false);
  world.hub.advance(60);
  expect(await asksWhy()).toBe(true);
  await changeSite(world.hub, { registration: "open" });
  await changeSiteTexts(world.hub, {
    description: "For singers",
    about: "We <sing>.\n\nOften.",
    privacyPolicy: "Nothing is sold.",
    rules: ["Be kind.", "No drums."],
    publicEmail: "hub@hub.example",
  });
  world.hub.advance(60);
  const rules = [expect.objectContaining({ id: "1", text: "Be kind." }), expect.objectContaining({ id: "2" })];
  expect((await nobody.get("/api/v2/instance")).json).toMatchObject({
    description: "For singers",
    contact: { email: "hub@hub.example" },
    rules,
  });
  expect((await nobody.get("/api/v1/instance")).json).toMatchObject({ short_description: "For singers", rules });
  expect((await nobody.get("/api/v1/instance/rules")).json).toEqual(rules);
  expect((await nobody.get("/api/v1/instance/extended_description")).json.content).toBe(
    "<p>We &lt;sing&gt;.</p><p>Often.</p>",
  );
  const policy = async () => (await nobody.get("/api/v1/instance/privacy_policy")).json;
  const { updated_at, content } = await policy();
  expect([typeof updated_at, content]).toEqual(["string", "<p>Nothing is sold.</p>"]);
  world.hub.advance(60);
  await changeSiteTexts(world.hub, { ...(await siteTexts(world.hub)), about: "We hum." });
  world.hub.advance(60);
  expect((await policy()).updated_at).toBe(updated_at);
  const about = (await nobody.get("/api/v1/instance/extended_description")).json;
  expect([about.content, about.updated_at > updated_at]).toEqual(["<p>We hum.</p>", true]);
  const against = { account_id: idOf(bob), category: "violation", rule_ids: ["2"] };
  expect((await ann.post("/api/v1/reports", against)).json).toMatchObject({ category: "violation", rule_ids: ["2"] });
});
