import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { outOf } from "../../../../test/support/sent.ts";
import type { Sent } from "../../../../test/support/sent.ts";
import { assignProfile, receiveFollow, receiveUndo } from "../../../domain/connections/connections.ts";
import { createProfile } from "../../../domain/identity/channels/profiles.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { closeComments } from "../../../domain/items/posting/close-comments.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { recordPeer } from "../../../domain/peers/peers.ts";
import { recordSoftware } from "../../../domain/peers/software.ts";
import { removeSiteBlock, setSiteBlock } from "../../../domain/peers/site-blocks.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { TookTooLong } from "../../../errors.ts";

/** What people say and do here, as other hubs get it (federation contract 12.1): by the APIs, up to the rows of deliveries. */

let world: TestApp;
let sent: () => Promise<Sent[]>;
let alma: Person;
let bruno: Person;
/** Two of one hub, which has an inbox for all, and one of another, which has none. */
let bob: Xchan;
let carol: Xchan;
let dora: Xchan;

const base = "http://hub.example";
const everybody = "https://www.w3.org/ns/activitystreams#Public";
const shared = "https://far.example/inbox";
const dorasInbox = "https://small.example/users/dora/inbox";

beforeAll(async () => {
  world = await openTestApp();
  sent = outOf(world);
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
  await befriend(world.hub, alma.channel, bruno.channel);
  [bob, carol] = [await meetActor(world.hub, actorOf("bob")), await meetActor(world.hub, actorOf("carol"))];
  dora = await meetActor(world.hub, {
    ...actorOf("dora"),
    id: "https://small.example/users/dora",
    address: "dora@small.example",
    url: "https://small.example/@dora",
    inbox: dorasInbox,
    sharedInbox: "",
    keys: [],
  });
  for (const follower of [bob, carol, dora])
    await receiveFollow(world.hub, alma.channel, follower, `${follower.xchan_hash}/follows/1`);
  for (const { abook_id } of (await alma.get("/api/z/1.0/abook")).json)
    await alma.post("/api/z/1.0/abook", { abook_id, pending: false });
});
afterAll(() => world.close());
beforeEach(async () => void (await sent()));

type Posted = { id: number; mid: string; uuid: string };

async function post(who: Person, form: Record<string, unknown>): Promise<Posted> {
  const { id, mid } = (await who.post("/api/z/1.0/item/update", form)).json.item;
  return { id, mid, uuid: mid.split("/").at(-1) };
}

const inboxes = (all: Sent[]): string[] => all.map(({ inbox }) => inbox).toSorted();

describe("a public post", () => {
  test("goes once to each hub of its followers", async () => {
    const { uuid } = await post(alma, { body: "Hello [b]world[/b]" });
    const out = await sent();
    expect(inboxes(out)).toEqual([shared, dorasInbox]);
    expect(out.map(({ people }) => people.toSorted())).toEqual(
      expect.arrayContaining([[bob.xchan_id, carol.xchan_id].toSorted(), [dora.xchan_id]]),
    );
    expect(new Set(out.map(({ bytes }) => bytes)).size).toBe(1);
    expect(out[0]!.activity).toMatchObject({
      id: `${base}/activity/${uuid}`,
      type: "Create",
      actor: `${base}/channel/alma`,
      to: [everybody],
      cc: [`${base}/followers/alma`],
      object: { id: `${base}/item/${uuid}`, type: "Note", content: "Hello <strong>world</strong>" },
      proof: { cryptosuite: "eddsa-jcs-2022" },
      signature: { type: "RsaSignature2017" },
    });
  });

  test("does not wait for a signature that nobody needs who gets it from its author", async () => {
    const late = { run: () => Promise.reject(new TookTooLong("late")) };
    const threads = vi.spyOn(world.hub.threads, "of").mockReturnValue(late as never);
    await post(alma, { body: "Without" });
    const [{ activity }] = (await sent()) as [Sent];
    threads.mockRestore();
    expect(activity).toMatchObject({ type: "Create", proof: { cryptosuite: "eddsa-jcs-2022" } });
    expect(activity).not.toHaveProperty("signature");
  });

  test("goes to whom it mentions as well", async () => {
    await receiveUndo(world.hub, alma.channel, dora);
    await post(alma, { body: "Hello @dora@small.example" });
    const out = await sent();
    expect(inboxes(out)).toEqual([shared, dorasInbox]);
    expect(out[0]!.activity.object).toMatchObject({
      cc: [`${base}/followers/alma`, dora.xchan_hash],
      tag: [{ type: "Mention", href: dora.xchan_hash, name: "@dora@small.example" }],
    });
    await receiveFollow(world.hub, alma.channel, dora, "https://small.example/follows/2");
    await alma.post("/api/z/1.0/abook", { abook_id: await connectionWith(dora), pending: false });
  });

  test("that is told again is sent once", async () => {
    await post(alma, { body: "once" });
    const jobs = await world.hub.db.selectFrom("job").selectAll().where("name", "=", "federate").execute();
    expect(jobs).toHaveLength(1);
    expect(await sent()).toHaveLength(2);
    await world.hub.db.insertInto("job").values(jobs).execute();
    expect(await sent()).toEqual([]);
  });

  test("reaches those who got it when it changes, and when it goes", async () => {
    const { id, uuid } = await post(alma, { body: "first" });
    await sent();
    await alma.post("/api/z/1.0/item/update", { post_id: id, body: "second" });
    const edited = await sent();
    expect(inboxes(edited)).toEqual([shared, dorasInbox]);
    expect(edited[0]!.activity).toMatchObject({
      type: "Update",
      id: `${base}/activity/${uuid}#update-1`,
      object: { id: `${base}/item/${uuid}`, content: "second" },
    });
    await alma.post("/api/statuses/destroy", { id });
    const deleted = await sent();
    expect(inboxes(deleted)).toEqual([shared, dorasInbox]);
    expect(deleted[0]!.activity).toMatchObject({
      id: `${base}/activity/${uuid}#delete`,
      type: "Delete",
      actor: `${base}/channel/alma`,
      object: { id: `${base}/item/${uuid}`, type: "Tombstone", deleted: "2026-03-01T12:00:00Z" },
    });
    expect(deleted[0]!.bytes).not.toContain("second");
  });

  test("that is deleted before anybody could be told never leaves", async () => {
    const { id } = await post(alma, { body: "never mind" });
    await alma.post("/api/statuses/destroy", { id });
    expect(await sent()).toEqual([]);
  });
});

test("a post that is for no list is addressed to those who follow, and to everybody besides", async () => {
  await post(alma, { body: "quietly, @dora@small.example", unlisted: true });
  const out = await sent();
  expect(inboxes(out)).toEqual([shared, dorasInbox]);
  const addressed = { to: [`${base}/followers/alma`], cc: [everybody, dora.xchan_hash] };
  expect(out[0]!.activity).toMatchObject({ ...addressed, object: addressed });
});

describe("what is not for everybody", () => {
  const about = (activity: any): string[] => [...activity.to, ...(activity.cc ?? [])];

  test.each(["contacts", "any connections", "authenticated"])(
    "for %s goes to the followers as such",
    async (policy) => {
      await post(alma, { body: "for you", public_policy: policy });
      const out = await sent();
      expect(inboxes(out)).toEqual([shared, dorasInbox]);
      expect(about(out[0]!.activity)).toEqual([`${base}/followers/alma`]);
      expect(out[0]!.activity).not.toHaveProperty("proof");
      expect(out[0]!.activity).not.toHaveProperty("signature");
    },
  );

  test.each(["self", "network: red", "site: hub.example"])("for %s goes nowhere", async (policy) => {
    await post(alma, { body: "not for you", public_policy: policy });
    expect(await sent()).toEqual([]);
  });

  test("with nopush goes nowhere", async () => {
    const { uuid } = await post(alma, { body: "come and get it", nopush: true });
    expect(await sent()).toEqual([]);
    const headers = { accept: "application/activity+json" };
    expect((await world.anonymous.get(`/item/${uuid}`, {}, { headers })).status).toBe(200);
  });

  test("with nopush is told by no forum that has it either", async () => {
    const board = await world.person("board", { role: "forum" });
    await befriend(world.hub, alma.channel, board.channel);
    await receiveFollow(world.hub, board.channel, dora, "https://small.example/follows/board");
    for (const { abook_id, abook_pending } of (await board.get("/api/z/1.0/abook")).json)
      if (abook_pending === "1") await board.post("/api/z/1.0/abook", { abook_id, pending: false });
    await sent();
    const { mid } = await post(alma, { body: "see it at @board", nopush: true });
    await post(alma, { body: "and this", parent_mid: mid, nopush: true });
    expect(await sent()).toEqual([]);
    await post(alma, { body: "hear it from @board" });
    expect((await sent()).map(({ activity }) => activity.type)).toContain("Announce");
    await receiveUndo(world.hub, board.channel, dora);
  });

  test("with nopush goes nowhere when it has changed, whomever it mentions", async () => {
    const { id } = await post(alma, { body: "come and get it", nopush: true });
    await alma.post("/api/z/1.0/item/update", { post_id: id, body: "come and get it, @dora@small.example" });
    expect(await sent()).toEqual([]);
  });

  test("for some people names to each hub its own, and no other", async () => {
    const { id, uuid } = await post(alma, {
      body: "among us",
      contact_allow: [bob, carol, dora, bruno.channel].map((who) =>
        "xchan_hash" in who ? who.xchan_hash : who.channel_hash,
      ),
    });
    const out = await sent();
    expect(inboxes(out)).toEqual([shared, dorasInbox]);
    const [far, small] = [out.find(({ inbox }) => inbox === shared)!, out.find(({ inbox }) => inbox === dorasInbox)!];
    expect([about(far.activity), about(far.activity.object)]).toEqual([
      [bob.xchan_hash, carol.xchan_hash],
      [bob.xchan_hash, carol.xchan_hash],
    ]);
    expect(about(small.activity)).toEqual([dora.xchan_hash]);
    for (const name of ["proof", "signature"]) expect(small.activity).not.toHaveProperty(name);
    expect(small.bytes).not.toContain("far.example");
    expect(far.bytes).not.toContain("small.example");
    await alma.post("/api/z/1.0/item/update", { post_id: id, body: "still among us" });
    expect(inboxes(await sent())).toEqual([shared, dorasInbox]);
    await alma.post("/api/statuses/destroy", { id });
    const gone = await sent();
    expect(inboxes(gone)).toEqual([shared, dorasInbox]);
    expect(gone[0]!.activity).toMatchObject({ type: "Delete", object: { id: `${base}/item/${uuid}` } });
    expect(gone[0]!.bytes).not.toMatch(/users/);
  });

  test("for a group says nothing of the group, and goes to whoever is alone at a hub in person", async () => {
    const { json: groups } = await alma.post("/api/friendica/group_create", {
      name: "Secret society",
      json: JSON.stringify({
        name: "Secret society",
        gid: 0,
        user: [{ cid: await connectionWith(bob) }, { cid: await connectionWith(dora) }],
      }),
    });
    expect(groups.success).toBe(true);
    const group = String(groups.gid);
    await post(alma, { body: "psst", group_allow: [group], contact_deny: [dora.xchan_hash] });
    const out = await sent();
    expect(inboxes(out)).toEqual(["https://far.example/users/bob/inbox"]);
    expect(about(out[0]!.activity)).toEqual([bob.xchan_hash]);
    expect(out[0]!.bytes).not.toMatch(/Secret|group/i);
  });

  test("for those who see a profile goes to them, and says nothing of the profile", async () => {
    const { id, profile_guid } = await createProfile(world.hub, alma.channel, "For friends");
    await assignProfile(world.hub, alma.channel.channel_id, id, [Number(await connectionWith(dora))]);
    await post(alma, { body: "psst", group_allow: [`vp.${profile_guid}`] });
    const out = await sent();
    expect(inboxes(out)).toEqual([dorasInbox]);
    expect(about(out[0]!.activity)).toEqual([dora.xchan_hash]);
    expect(out[0]!.bytes).not.toContain(profile_guid);
  });

  test("for a group that its text names does not say which", async () => {
    const { id } = await createGroup(world.hub, alma.channel.channel_id, "Fellowship", { visible: true });
    await addMembers(world.hub, alma.channel.channel_id, id, [dora.xchan_hash]);
    await post(alma, { body: "@!Fellowship meets [b]tonight[/b]" });
    const out = await sent();
    expect(inboxes(out)).toEqual([dorasInbox]);
    expect(out[0]!.activity.object.content).toContain("meets <strong>tonight</strong>");
    expect(out[0]!.bytes).not.toMatch(/Fellowship|\/group\//);
  });

  test("goes to no hub that is suspended", async () => {
    await setSiteBlock(world.hub, { domain: "small.example", level: "suspend", noMedia: false });
    await post(alma, { body: "for those who behave", contact_allow: [bob.xchan_hash, dora.xchan_hash] });
    expect(inboxes(await sent())).toEqual(["https://far.example/users/bob/inbox"]);
    await removeSiteBlock(world.hub, "small.example");
  });

  test("mentions those whose hub shows them nothing else, there alone", async () => {
    const mentions = ({ activity }: Sent): string[] =>
      activity.object.tag.filter(({ type }: any) => type === "Mention").map(({ href }: any) => href);
    await recordPeer(world.hub, "small.example");
    await recordSoftware(world.hub, "small.example", { name: "GoToSocial", version: "0.20" });
    const { id } = await post(alma, { body: "for two", contact_allow: [bob.xchan_hash, dora.xchan_hash] });
    const byInbox = async () => Object.fromEntries((await sent()).map((one) => [one.inbox, mentions(one)]));
    const wanted = { "https://far.example/users/bob/inbox": [], [dorasInbox]: [dora.xchan_hash] };
    expect(await byInbox()).toEqual(wanted);
    await alma.post("/api/z/1.0/item/update", { post_id: id, body: "still for two" });
    expect(await byInbox()).toEqual(wanted);
    await recordSoftware(world.hub, "small.example", { name: "other", version: "" });
  });

  test("that leaves somebody out goes to the others by name: their hub would show it to all who follow", async () => {
    await post(alma, { body: "not for carol", contact_deny: [carol.xchan_hash] });
    const out = await sent();
    expect(inboxes(out)).toEqual(["https://far.example/users/bob/inbox", dorasInbox]);
    expect(out.flatMap(({ activity }) => about(activity)).toSorted()).toEqual(
      [bob.xchan_hash, dora.xchan_hash].toSorted(),
    );
  });

  test("for those who follow goes to them by name where somebody who follows is not meant, later and in answers too", async () => {
    const abook_id = await connectionWith(carol);
    await alma.post("/api/z/1.0/abook", { abook_id, archived: true });
    await sent();
    const { id, mid } = await post(alma, { body: "for the others", public_policy: "contacts" });
    const out = await sent();
    await alma.post("/api/z/1.0/item/update", { post_id: id, body: "still for the others" });
    await post(alma, { body: "and so is this", parent_mid: mid });
    out.push(...(await sent()));
    expect(inboxes(out)).toEqual([
      ...Array.from({ length: 3 }, () => "https://far.example/users/bob/inbox"),
      ...Array.from({ length: 3 }, () => dorasInbox),
    ]);
    for (const { inbox, activity } of out) {
      const reader = inbox === dorasInbox ? dora : bob;
      expect([about(activity), about(activity.object)]).toEqual([[reader.xchan_hash], [reader.xchan_hash]]);
    }
    await alma.post("/api/z/1.0/abook", { abook_id, archived: false });
  });

  test("goes to nobody who is blocked", async () => {
    const abook_id = await connectionWith(carol);
    await alma.post("/api/z/1.0/abook", { abook_id, blocked: true });
    await sent();
    await post(alma, { body: "among few", contact_allow: [carol.xchan_hash, bob.xchan_hash] });
    expect(inboxes(await sent())).toEqual(["https://far.example/users/bob/inbox"]);
    await alma.post("/api/z/1.0/abook", { abook_id, blocked: false });
    await receiveFollow(world.hub, alma.channel, carol, "https://far.example/follows/again");
    await alma.post("/api/z/1.0/abook", { abook_id: await connectionWith(carol), pending: false });
  });
});

describe("in a thread", () => {
  test("an answer goes to whoever has got the thread, by its author's name", async () => {
    const top = await post(alma, { body: "what do you think?" });
    await sent();
    const { uuid } = await post(bruno, { body: "a lot", parent_mid: top.mid });
    const out = await sent();
    expect(inboxes(out)).toEqual([shared, dorasInbox]);
    expect(out[0]!.activity).toMatchObject({
      type: "Create",
      actor: `${base}/channel/bruno`,
      cc: [`${base}/followers/bruno`, `${base}/followers/alma`],
      object: {
        id: `${base}/item/${uuid}`,
        inReplyTo: `${base}/item/${top.uuid}`,
        context: `${base}/conversation/${top.uuid}`,
      },
    });
    await bruno.post("/api/statuses/destroy", { id: await copyOf(bruno, uuid) });
    const [gone] = await sent();
    expect(gone!.activity).toMatchObject({ type: "Delete", actor: `${base}/channel/bruno` });
  });

  test("one in a private thread goes to those for whom that is, and to no other", async () => {
    const top = await post(alma, { body: "for bob", contact_allow: [bob.xchan_hash, bruno.channel.channel_hash] });
    await sent();
    await post(bruno, { body: "for bob too", parent_mid: top.mid });
    const out = await sent();
    expect(inboxes(out)).toEqual(["https://far.example/users/bob/inbox"]);
    expect(about(out[0]!.activity)).toEqual([bob.xchan_hash]);
  });

  test("a reaction is told, and that it was taken back", async () => {
    const top = await post(alma, { body: "like me" });
    await sent();
    const like = () =>
      bruno.post("/api/z/1.0/item/update", { parent_mid: top.mid, verb: "http://activitystrea.ms/schema/1.0/like" });
    await like();
    const [liked] = await sent();
    const about = { actor: `${base}/channel/bruno`, object: `${base}/item/${top.uuid}` };
    expect(liked!.activity).toMatchObject({ type: "Like", ...about });
    await like();
    const [undone] = await sent();
    expect(undone!.activity).toMatchObject({
      id: `${liked!.activity.id}#undo`,
      type: "Undo",
      object: { id: liked!.activity.id, type: "Like", ...about },
    });
  });

  test("a share is announced, and that is taken back", async () => {
    const top = await post(bruno, { body: "share me" });
    await sent();
    const { json } = await alma.post("/api/statuses/retweet", { id: await copyOf(alma, top.uuid) });
    const [announced] = await sent();
    expect(announced!.activity).toMatchObject({
      type: "Announce",
      actor: `${base}/channel/alma`,
      object: `${base}/item/${top.uuid}`,
    });
    await alma.post("/api/statuses/destroy", { id: json.id });
    expect((await sent())[0]!.activity).toMatchObject({
      type: "Undo",
      object: { type: "Announce", object: `${base}/item/${top.uuid}` },
    });
  });

  test("votes for a decision are counted anew a minute later, once for all", async () => {
    const top = await post(alma, { body: "shall we?", consensus: true });
    await sent();
    for (const [who, verb] of [
      [bruno, "agree"],
      [alma, "abstain"],
    ] as const)
      await who.post("/api/z/1.0/item/update", { parent_mid: top.mid, verb: `http://purl.org/zot/activity/${verb}` });
    await sent();
    world.hub.advance(61);
    const [counted, ...more] = await sent();
    expect(counted!.activity).toMatchObject({ type: "Update", object: { type: "Question", votersCount: 2 } });
    expect(inboxes([counted!, ...more])).toEqual([shared, dorasInbox]);
  });

  test("that it takes no more comments is an update", async () => {
    const top = await post(alma, { body: "closing soon" });
    await sent();
    await closeComments(world.hub, alma.channel, { id: top.id }, true);
    expect((await sent())[0]!.activity).toMatchObject({
      type: "Update",
      object: { interactionPolicy: { canReply: { automaticApproval: [`${base}/channel/alma`] } } },
    });
  });

  const about = (activity: any): string[] => [...activity.to, ...(activity.cc ?? [])];
});

async function copyOf(who: Person, uuid: string): Promise<number> {
  await world.work();
  const row = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("uuid", "=", uuid)
    .where("uid", "=", who.channel.channel_id)
    .executeTakeFirstOrThrow();
  return row.id;
}

async function connectionWith(person: Xchan): Promise<number> {
  const rows = (await alma.get("/api/z/1.0/abook")).json as { abook_id: number; abook_xchan: string }[];
  return rows.find((row) => row.abook_xchan === person.xchan_hash)!.abook_id;
}
