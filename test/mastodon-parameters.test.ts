import { afterAll, beforeAll, expect, test } from "vitest";
import { createGroup, addMembers } from "../src/domain/groups/groups.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { mastodonPeople, postStatus } from "./support/mastodon.ts";
import type { MastodonPerson } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";

/** Parameters that are asked for seldom, or that change nothing, do what the contract says of them (Mastodon contract 11.16, 12, 13). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  for (const other of [bob, cara]) await befriend(world.hub, ann.channel, other.channel);
  await world.work();
});
afterAll(() => world.close());

const idOf = ({ channel }: MastodonPerson): string => String(channel.xchan_id);

test("who may not see a post of those who may", async () => {
  const group = async (title: string, ...members: MastodonPerson[]): Promise<string> => {
    const uid = ann.channel.channel_id;
    const { id } = await createGroup(world.hub, uid, title);
    const hashes = members.map(({ channel }) => channel.channel_hash);
    await addMembers(world.hub, uid, id, hashes);
    return String(id);
  };
  const [choir, tenors] = [await group("Choir", bob, cara), await group("Tenors", cara)];
  const form = { status: "for the others", group_allow: [choir], group_deny: [tenors] };
  const made = await postStatus(world, ann, form);
  expect(made.hubbub.audience).toMatchObject({ groups: [{ id: choir }], groups_denied: [{ id: tenors }] });
  const sees = async (who: MastodonPerson) => (await who.get(`/api/v1/statuses/${made.id}`)).status;
  expect([await sees(bob), await sees(cara)]).toEqual([200, 404]);
  expect((await bob.post("/api/v1/statuses", { ...form, group_allow: undefined })).status).toBe(422);
});

test("a text that is edited may come in another format", async () => {
  const { id } = await postStatus(world, ann, { status: "**as it is**" });
  const edited = await ann.put(`/api/v1/statuses/${id}`, { status: "**loud**", content_type: "text/markdown" });
  expect([edited.status, edited.json.content]).toEqual([200, "<p><strong>loud</strong></p>"]);
  expect((await ann.put(`/api/v1/statuses/${id}`, { status: "x", content_type: "text/x" })).status).toBe(422);
});

test("unread notices are counted by type and by person", async () => {
  const { id } = await postStatus(world, ann, { status: "hello", visibility: "public" });
  for (const one of [bob, cara]) await one.post(`/api/v1/statuses/${id}/favourite`);
  await postStatus(world, cara, { status: "@ann hello", visibility: "public" });
  for (const version of ["v1", "v2"]) {
    const count = async (query: object) =>
      (await ann.get(`/api/${version}/notifications/unread_count`, query as Record<string, unknown>)).json.count;
    const all = await count({});
    expect([await count({ types: ["favourite"] }), await count({ types: ["mention"] })]).toEqual([2, 1]);
    expect(await count({ exclude_types: ["favourite"] })).toBe(all - 2);
    expect(await count({ account_id: idOf(cara), types: ["favourite", "mention"] })).toBe(2);
    expect(await count({ limit: 1 })).toBe(1);
  }
});

test("every rule of the policy is set by its word, in both versions", async () => {
  const rules = ["not_following", "not_followers", "new_accounts", "private_mentions", "limited_accounts", "bots"];
  for (const rule of rules)
    for (const word of ["drop", "filter", "accept"]) {
      const { json } = await bob.patch("/api/v2/notifications/policy", { [`for_${rule}`]: word });
      const others = rules.filter((other) => other !== rule).map((other) => json[`for_${other}`]);
      expect([rule, json[`for_${rule}`], new Set(others)]).toEqual([rule, word, new Set(["accept"])]);
    }
  for (const rule of rules.slice(0, 4))
    for (const apart of [true, false]) {
      const { json } = await bob.patch("/api/v1/notifications/policy", { [`filter_${rule}`]: apart });
      const others = rules.slice(0, 4).filter((other) => other !== rule && json[`filter_${other}`]);
      expect([rule, json[`filter_${rule}`], others]).toEqual([rule, apart, []]);
    }
});

test("a report goes to the server of whom it is about where that is asked for", async () => {
  const report = async (nick: string, forward: boolean) => {
    const { xchan_id } = await meetActor(world.hub, actorOf(nick));
    return (await ann.post("/api/v1/reports", { account_id: String(xchan_id), forward })).json.forwarded;
  };
  expect([await report("yan", true), await report("zoe", false)]).toEqual([true, false]);
  const deeds = await world.hub.db.selectFrom("job").select("payload").where("name", "=", "federate").execute();
  expect(deeds.filter(({ payload }) => payload.includes('"report"'))).toHaveLength(1);
});

test("what changes nothing is taken, and changes nothing", async () => {
  for (const [path, query, more] of [
    ["accounts/relationships", { id: [idOf(bob)] }, { with_suspended: "true" }],
    ["search", { q: "hello" }, { exclude_unreviewed: "true" }],
    ["timelines/home", {}, { nothing_known: "true" }],
  ] as const) {
    const plain = await ann.get(`/api/v1/${path}`, query);
    const asked = await ann.get(`/api/v1/${path}`, { ...query, ...more });
    expect([path, asked.status, asked.json]).toEqual([path, 200, plain.json]);
  }
  const familiar = await ann.get("/api/v1/accounts/familiar_followers", { id: [idOf(bob), idOf(cara)] });
  expect(familiar.json).toEqual([bob, cara].map((one) => ({ id: idOf(one), accounts: [] })));
});
