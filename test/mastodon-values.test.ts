import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { mastodonPeople, postStatus } from "./support/mastodon.ts";
import type { MastodonPerson } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";

/** Fields that are empty in most answers, with what they say when they are not (Mastodon contract 11.1 to 11.3, 11.6). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  await befriend(world.hub, ann.channel, bob.channel);
  await world.work();
});
afterAll(() => world.close());

test("when a post was edited", async () => {
  const { id } = await postStatus(world, ann, { status: "once", visibility: "public" });
  world.hub.advance(90);
  const { json } = await ann.put(`/api/v1/statuses/${id}`, { status: "twice" });
  await world.work();
  expect(Date.parse(json.edited_at) - Date.parse(json.created_at)).toBe(90_000);
  const [seen] = (await bob.get("/api/v1/timelines/home")).json;
  expect([seen.content, seen.edited_at]).toEqual(["<p>twice</p>", json.edited_at]);
});

test("that a poll is over", async () => {
  const poll = { options: ["Tea", "Coffee"], expires_in: 600 };
  const { id } = await postStatus(world, ann, { status: "Which?", poll });
  const expired = async () => (await ann.get(`/api/v1/polls/${id}`)).json.expired;
  expect(await expired()).toBe(false);
  world.hub.advance(601);
  expect(await expired()).toBe(true);
});

test("that somebody is a forum, and how many ask to follow", async () => {
  const { channel } = await world.person("club", { role: "forum" });
  expect((await ann.get(`/api/v1/accounts/${channel.xchan_id}`)).json).toMatchObject({ acct: "club", group: true });
  await cara.post(`/api/v1/accounts/${ann.channel.xchan_id}/follow`);
  const { source } = (await ann.get("/api/v1/accounts/verify_credentials")).json;
  expect(source.follow_requests_count).toBe(1);
});

test("for whom a post is not", async () => {
  const contact_deny = [String(bob.channel.xchan_id)];
  const { hubbub } = await postStatus(world, ann, { status: "a surprise", contact_deny });
  expect(hubbub.audience).toMatchObject({ people_denied: [{ id: contact_deny[0], acct: "bob" }] });
});
