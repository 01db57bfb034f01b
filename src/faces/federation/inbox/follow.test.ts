import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { connect, findConnectionTo } from "../../../domain/connections/connections.ts";
import { observeAs } from "../../../domain/identity/channels/observe-as.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { may } from "../../../domain/permissions/may.ts";
import { rule } from "../authority.ts";
import { readActivity } from "../translate/activity.ts";
import type { Activity } from "../translate/activity.ts";
import { readJson } from "../translate/json.ts";
import type { Json } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { effects } from "./effects.ts";
import type { Incoming } from "./incoming.ts";

/** What arrives about follows, as peers write it, in the forms that federation contract 1.5 and 15 name. */

let world: TestApp;
let alma: Person;
let open: Person;
let carla: Xchan;
let round = 0;

beforeAll(async () => {
  world = await openTestApp();
  open = await world.person("open", { role: "feed" });
});
afterAll(() => world.close());
beforeEach(async () => {
  round += 1;
  alma = await world.person(`alma${round}`);
  carla = await meetActor(world.hub, actorOf(`carla${round}`));
});

const here = (who: Person) => `http://hub.example/channel/${who.nick}`;
const theirs = (name: string) => `https://far.example/activities/${round}/${name}`;
const row = (who = alma) => findConnectionTo(world.hub, who.channel.channel_id, carla.xchan_hash);
const asked = async () => (await connect(world.hub, alma.channel, carla)).follow_out_id;

/** As it comes from the row of what came in, signed by its actor. */
async function arrives(json: Record<string, unknown>): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ actor: carla.xchan_hash, ...json }));
  const node = Node.of((readJson(bytes) as { value: Json }).value)!;
  const activity = readActivity(node) as Activity;
  const ruling = rule(activity, { signer: carla.xchan_hash }, { origin: "http://hub.example" });
  if (ruling.do === "drop" || ruling.do === "fetch") throw new Error(JSON.stringify(ruling));
  const incoming: Incoming = {
    hub: world.hub,
    activity,
    node,
    bytes,
    ruling,
    actor: carla,
    signer: carla.xchan_hash,
    isForwarded: false,
    recipients: [],
    takeEnclosed: () => Promise.resolve(),
  };
  await effects[activity.type]!(incoming);
}
const followOf = (who: Person, name = "follow") => ({ id: theirs(name), type: "Follow", object: here(who) });

describe("a follow of a post", () => {
  test("brings what is said below it, where it is for everybody and its owner wants them", async () => {
    const sent = async () => {
      const rows = await world.hub.db.selectFrom("outbox_activity").select(["bytes", "deed"]).orderBy("id").execute();
      return rows.map(({ bytes }) => JSON.parse(bytes));
    };
    const only = { contact_allow: "x", allow_cid: `<${open.channel.channel_hash}>` };
    const post = async (form: Record<string, string>) =>
      (await open.post("/api/z/1.0/item/update", form)).json.item.mid as string;
    const [mid, hidden] = [await post({ body: "Hello" }), await post({ body: "Psst", ...only })];
    for (const [name, object] of [
      ["one", mid],
      ["two", hidden],
      ["three", theirs("nothing")],
    ] as const)
      await arrives({ id: theirs(name), type: "Follow", object });
    await world.work();
    const answered = (await sent()).filter(({ type }) => type === "Accept");
    expect(answered).toMatchObject([
      { actor: here(open), to: [carla.xchan_hash], object: { id: theirs("one"), type: "Follow", object: mid } },
    ]);
    expect(await row(open)).toBeUndefined();
    const before = (await sent()).length;
    for (const parent_mid of [mid, hidden]) await open.post("/api/z/1.0/item/update", { body: "More", parent_mid });
    await world.work();
    expect((await sent()).slice(before)).toMatchObject([{ type: "Create", object: { inReplyTo: mid } }]);
  });
});

describe("a follow that arrives", () => {
  test("is accepted or waits, and its undoing ends it, named by id or by who follows whom", async () => {
    await arrives(followOf(open));
    await arrives({ ...followOf(alma, "second"), object: [{ id: here(alma), type: "Person" }] });
    expect(await row(open)).toMatchObject({ follow_in: "accepted", follow_in_id: theirs("follow") });
    expect(await row()).toMatchObject({ follow_in: "pending", abook_pending: 1 });
    await arrives({ id: theirs("undo"), type: "Undo", object: theirs("second") });
    expect(await row()).toBeUndefined();
    await arrives({
      id: theirs("undo2"),
      type: "Undo",
      object: { id: theirs("other"), type: "follow", actor: carla.xchan_hash, object: here(open) },
    });
    expect(await row(open)).toBeUndefined();
  });

  test.each([
    ["another hub", () => "https://other.example/channel/alma"],
    ["nobody here", () => "http://hub.example/channel/nobody"],
    [
      "another spelling",
      () => here(alma).toUpperCase().replace("HTTP://HUB.EXAMPLE/CHANNEL", "http://hub.example/channel"),
    ],
    ["a page", () => `${here(alma)}/about`],
  ])("for %s does nothing", async (_, object) => {
    await arrives({ id: theirs("follow"), type: "Follow", object: object() });
    expect(await row()).toBeUndefined();
  });
});

describe("an answer", () => {
  test.each<[string, (id: string) => unknown]>([
    ["the id alone", (id) => id],
    ["the follow with its id", (id) => ({ id, type: "Follow", actor: here(alma), object: carla.xchan_hash })],
    ["small letters", (id) => ({ id, type: "follow" })],
    ["who follows whom, without an id", () => ({ type: "Follow", actor: here(alma), object: carla.xchan_hash })],
    [
      "who follows whom, with an id of theirs",
      () => ({ id: theirs("copy"), type: "Follow", actor: here(alma), object: carla.xchan_hash }),
    ],
  ])("is taken by %s, and taken back later", async (_, object) => {
    const id = await asked();
    await arrives({ type: "Accept", object: object(id) });
    expect(await row()).toMatchObject({ follow_out: "accepted", follow_out_id: id });
    await arrives({ type: "Reject", object: object(id) });
    expect(await row()).toBeUndefined();
  });

  test.each([
    ["Undo", "Reject"],
    ["Reject", "Undo"],
  ])("%s and %s end both directions, and nothing is left", async (...order) => {
    const id = await asked();
    await arrives({ type: "Accept", object: id });
    const follow = followOf(alma);
    await arrives(follow);
    await setPermissionLimits(world.hub, alma.channel.channel_id, { view_stream: limits.contacts });
    const isLetIn = async () =>
      may(world.hub, await observeAs(world.hub, carla), "view_stream", alma.channel.channel_id);
    expect(await isLetIn()).toBe(true);
    const ends = {
      Reject: { type: "Reject", object: id },
      Undo: { type: "Undo", object: { ...follow, actor: carla.xchan_hash } },
    };
    for (const one of order) await arrives(ends[one as keyof typeof ends]);
    expect([await row(), await isLetIn()]).toEqual([undefined, false]);
  });

  test("to a follow of others, or one that was never sent, does nothing", async () => {
    const id = await asked();
    const dora = await meetActor(world.hub, actorOf(`dora${round}`));
    await connect(world.hub, alma.channel, dora);
    await arrives({ type: "Accept", object: "http://hub.example/follow/00000000-0000-4000-8000-000000000000" });
    await arrives({
      type: "Accept",
      object: { id: `${id}x`, type: "Follow", actor: here(alma), object: carla.xchan_hash },
    });
    await arrives({ type: "Accept", object: { type: "Follow", actor: here(alma), object: dora.xchan_hash } });
    await arrives({ type: "Accept", object: { type: "Follow", actor: here(open), object: carla.xchan_hash } });
    expect(await row()).toMatchObject({ follow_out: "requested" });
    expect(await row(open)).toBeUndefined();
    expect(await findConnectionTo(world.hub, alma.channel.channel_id, dora.xchan_hash)).toMatchObject({
      follow_out: "requested",
    });
  });
});

describe("a block that arrives", () => {
  test("ends both directions, hides what they write, and is lifted without bringing anything back", async () => {
    const id = await asked();
    await arrives({ type: "Accept", object: id });
    await arrives(followOf(alma));
    const block = { id: theirs("block"), type: "Block", object: here(alma) };
    await arrives(block);
    await arrives(block);
    expect(await row()).toMatchObject({
      follow_out: "none",
      follow_in: "none",
      abook_shut_out: 1,
      abook_unconnected: 1,
    });
    await arrives({ id: theirs("undo"), type: "Undo", object: { ...block, actor: carla.xchan_hash } });
    expect(await row()).toBeUndefined();
  });

  test("is lifted by its id alone, the newest one", async () => {
    await asked();
    const [first, second] = [theirs("first"), theirs("second")];
    for (const id of [first, second]) await arrives({ id, type: "Block", object: here(alma) });
    await arrives({ id: theirs("undo-1"), type: "Undo", object: first });
    expect(await row()).toMatchObject({ abook_shut_out: 1, shut_out_id: second });
    await arrives({ id: theirs("undo-2"), type: "Undo", object: second });
    expect(await row()).toBeUndefined();
  });

  test.each([
    ["follows", async () => arrives(followOf(alma))],
    ["accepts a follow", async () => arrives({ type: "Accept", object: await asked() })],
  ])("is over when its author %s, whichever block they say that they undo", async (_, goOn) => {
    await arrives({ type: "Accept", object: await asked() });
    await arrives({ id: theirs("block"), type: "Block", object: here(alma) });
    await arrives({ id: theirs("undo"), type: "Undo", object: theirs("another-block") });
    expect(await row()).toMatchObject({ abook_shut_out: 1 });
    await goOn();
    expect(await row()).toMatchObject({ abook_shut_out: 0 });
  });

  test("by a stranger leaves no trace", async () => {
    await arrives({ id: theirs("block"), type: "Block", object: here(alma) });
    expect(await row()).toBeUndefined();
  });
});

test("who describes themselves anew is looked at again, once, however often they say it", async () => {
  const update = {
    type: "Update",
    object: { id: carla.xchan_hash, type: "Person", inbox: `${carla.xchan_hash}/inbox` },
  };
  const byId = { ...update, object: carla.xchan_hash };
  for (const [name, said] of Object.entries({ one: update, two: update, three: byId }))
    await arrives({ id: theirs(name), ...said });
  const jobs = await world.hub.db.selectFrom("job").select("payload").where("name", "=", "meet-actor").execute();
  expect(jobs).toEqual([{ payload: JSON.stringify({ actor: carla.xchan_hash }) }]);
  await world.hub.db.deleteFrom("job").execute();
});

test("who deletes themselves is gone, and archived where they were connected", async () => {
  await asked();
  await arrives({ id: `${carla.xchan_hash}#delete`, type: "Delete", object: carla.xchan_hash });
  expect(await findXchan(world.hub, { hash: carla.xchan_hash })).toMatchObject({ xchan_deleted: 1 });
  expect(await row()).toMatchObject({ abook_archived: 1 });
  await world.work();
});
