import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import type { Arrives } from "../../../../test/support/incoming.ts";
import { outOf } from "../../../../test/support/sent.ts";
import type { Sent } from "../../../../test/support/sent.ts";
import { approve, connect, receiveAccept, receiveFollow } from "../../../domain/connections/connections.ts";
import { changeChannelSettings, moderation } from "../../../domain/identity/channels/channel-settings.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { approveHeld, blockItem, keptBack } from "../../../domain/items/posting/moderation.ts";
import { vote } from "../../../domain/items/posting/vote.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** Threads that people of several hubs write in: what is handed on, and what goes to the owner of a thread elsewhere. */

let world: TestApp;
let sent: () => Promise<Sent[]>;
let arrives: Arrives;
let alma: Person;
/** Followers of Alma, of two hubs; Carla, whom Alma follows, is of a third. */
let bob: Xchan;
let dora: Xchan;
let carla: Xchan;

const base = "http://hub.example";
const everybody = "https://www.w3.org/ns/activitystreams#Public";
const inboxOf = (host: string) => `https://${host}/inbox`;
let last = 0;

beforeAll(async () => {
  world = await openTestApp();
  [sent, arrives] = [outOf(world), arrivesIn(world.hub)];
  alma = await world.person("alma", { role: "social" });
  [bob, dora, carla] = [
    await meet("bob", "far.example"),
    await meet("dora", "near.example"),
    await meet("carla", "third.example"),
  ];
  for (const follower of [bob, dora])
    await receiveFollow(world.hub, alma.channel, follower, `${follower.xchan_hash}/follow`);
  for (const { abook_id } of (await alma.get("/api/z/1.0/abook")).json)
    await approve(world.hub, alma.channel, abook_id);
  await connect(world.hub, alma.channel, carla);
  await receiveAccept(world.hub, alma.channel, carla);
});
afterAll(() => world.close());
beforeEach(async () => void (await sent()));

function meet(nick: string, host: string): Promise<Xchan> {
  return meetActor(world.hub, JSON.parse(JSON.stringify(actorOf(nick)).replaceAll("far.example", host)));
}

async function post(form: Record<string, unknown>): Promise<{ id: number; mid: string; uuid: string }> {
  const { id, mid } = (await alma.post("/api/z/1.0/item/update", form)).json.item;
  return { id, mid, uuid: mid.split("/").at(-1) };
}

/** What somebody of elsewhere writes, for everybody unless it is said. */
function written(by: Xchan, more: object = {}): any {
  last += 1;
  const id = `${new URL(by.xchan_hash).origin}/notes/${last}`;
  const addressed = { to: [everybody], cc: [`${by.xchan_hash}/followers`], ...more };
  const object = {
    id,
    type: "Note",
    attributedTo: by.xchan_hash,
    content: `<p>Number ${last}</p>`,
    published: "2026-03-01T12:00:00Z",
    ...addressed,
  };
  return { id: `${id}/activity`, type: "Create", actor: by.xchan_hash, to: object.to, cc: object.cc, object };
}

async function itemOf(mid: string): Promise<{ id: number }> {
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("mid", "=", mid)
    .where("uid", "=", alma.channel.channel_id)
    .executeTakeFirstOrThrow();
}

const inboxes = (all: Sent[]): string[] => all.map(({ inbox }) => inbox).toSorted();

describe("what somebody elsewhere writes in a thread of this hub", () => {
  test("goes as it came to all who have the thread, but not to where it came from, and once", async () => {
    const top = await post({ body: "what do you think?" });
    await sent();
    const answer = written(bob, {
      inReplyTo: top.mid,
      cc: [`${base}/channel/alma`],
      signature: { type: "RsaSignature2017" },
    });
    await arrives(answer);
    const out = await sent();
    expect(inboxes(out)).toEqual([inboxOf("near.example")]);
    expect(out[0]!.bytes).toBe(JSON.stringify(answer));
    await arrives(answer);
    expect(await sent()).toEqual([]);
    const object = { ...answer.object, content: "<p>Better</p>", updated: "2026-03-01T12:30:00Z" };
    const edit = { ...answer, id: `${answer.id}/2`, type: "Update", object };
    world.hub.setClock("2026-03-01T12:31:00Z");
    await arrives(edit);
    expect((await sent()).map(({ inbox, bytes }) => [inbox, bytes])).toEqual([
      [inboxOf("near.example"), JSON.stringify(edit)],
    ]);
    const other = written(carla, { inReplyTo: answer.object.id, cc: [`${base}/channel/alma`, bob.xchan_hash] });
    await arrives(other);
    const more = await sent();
    expect(inboxes(more)).toEqual([inboxOf("far.example"), inboxOf("near.example")]);
    // Whoever takes part hears the rest, too.
    await post({ body: "thanks to all", parent_mid: top.mid });
    expect(inboxes(await sent())).toEqual([inboxOf("far.example"), inboxOf("near.example"), inboxOf("third.example")]);
  });

  test("goes as its author has sent it, also where they asked before whether it may stand", async () => {
    for (const order of ["request first", "request last"]) {
      const top = await post({ body: "for those who follow", public_policy: "contacts" });
      await sent();
      const id = `${new URL(bob.xchan_hash).origin}/likes/${++last}`;
      const like = { id, type: "Like", actor: bob.xchan_hash, to: [`${base}/channel/alma`], object: top.mid };
      const { actor, to, object } = like;
      const request = { id: `${id}#asks`, type: "LikeRequest", actor, to, object, instrument: like };
      const proven = { ...like, proof: { type: "DataIntegrityProof" } };
      const came = order === "request first" ? [request, proven] : [proven, request];
      const all: Sent[] = [];
      for (const one of came) {
        await arrives(one);
        all.push(...(await sent()));
      }
      const out = all.filter(({ inbox }) => inbox === `${dora.xchan_hash}/inbox`);
      const likes = out.filter(({ activity }) => activity.type === "Like").map(({ bytes }) => bytes);
      expect([order, likes]).toEqual([order, [JSON.stringify(proven)]]);
      const adding = out.find(({ activity }) => activity.type === "Add");
      expect(adding!.activity.object).toEqual(proven);
    }
  });

  test("goes without those whom its author has told in secret", async () => {
    const top = await post({ body: "who else knows?" });
    await sent();
    const answer = written(bob, { inReplyTo: top.mid, cc: [`${base}/channel/alma`] });
    const secret = [`https://secret.example/users/${last}`];
    const object = { ...answer.object, bto: secret, "as:bcc": secret };
    await arrives({ ...answer, bcc: secret, "https://www.w3.org/ns/activitystreams#bto": secret, object });
    const [handedOn, ...others] = await sent();
    expect([handedOn!.bytes, others]).toEqual([JSON.stringify(answer), []]);
    const kept = world.hub.db
      .selectFrom("foreign_document")
      .select("document")
      .where("document", "like", "%secret.exa%");
    expect(await kept.execute()).toEqual([]);
  });

  test("goes in a private thread to those for whom that is", async () => {
    const top = await post({ body: "among us", contact_allow: [bob.xchan_hash, dora.xchan_hash] });
    await sent();
    const answer = written(bob, {
      inReplyTo: top.mid,
      to: [`${base}/channel/alma`],
      cc: [],
      context: `${base}/conversation/${top.uuid}`,
    });
    await arrives(answer);
    const out = await sent();
    const [handedOn, added, ...others] = out;
    const doras = { inbox: "https://near.example/users/dora/inbox", people: [dora.xchan_id] };
    expect(handedOn).toMatchObject({ ...doras, bytes: JSON.stringify(answer) });
    const history = `${base}/conversation/${top.uuid}/history`;
    const alma = `${base}/channel/alma`;
    expect(added).toMatchObject({
      ...doras,
      activity: { type: "Add", actor: alma, to: [dora.xchan_hash], object: answer },
    });
    expect(added!.activity["target"]).toEqual({ id: history, type: "OrderedCollection", attributedTo: alma });
    expect(others).toEqual([]);
  });

  test("is no wider in a private thread, whatever it claims", async () => {
    const top = await post({ body: "among us", contact_allow: [bob.xchan_hash, dora.xchan_hash] });
    await sent();
    const answer = written(bob, { inReplyTo: top.mid, cc: [`${base}/channel/alma`] });
    await arrives(answer);
    const out = await sent();
    expect(new Set(inboxes(out))).toEqual(new Set(["https://near.example/users/dora/inbox"]));
    const copies = world.hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id");
    const { item_private, uuid } = await copies
      .select(["item_private", "uuid"])
      .where("mid", "=", answer.object.id)
      .executeTakeFirstOrThrow();
    expect(item_private).toBe(1);
    for (const path of [`/display/${uuid}`, `/conversation/${top.uuid}`, `/item/${top.uuid}/replies`])
      expect([path, (await world.anonymous.get(path)).status]).toEqual([path, 404]);
  });

  test("is handed on late when the owner lets it in late", async () => {
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.everybody });
    const top = await post({ body: "moderated" });
    await sent();
    const answer = written(bob, { inReplyTo: top.mid, cc: [`${base}/channel/alma`] });
    await arrives(answer);
    expect(await sent()).toEqual([]);
    const { items } = await keptBack(world.hub, alma.channel, "held", { count: 5 });
    await approveHeld(world.hub, alma.channel, items[0]!.id);
    const [accept, handedOn, ...others] = (await sent()).toSorted((one, other) => one.inbox.localeCompare(other.inbox));
    expect([accept?.inbox, accept?.activity.type]).toEqual([`${bob.xchan_hash}/inbox`, "Accept"]);
    expect([handedOn?.inbox, handedOn?.bytes]).toEqual([inboxOf("near.example"), JSON.stringify(answer)]);
    expect(others).toEqual([]);
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.nobody });
  });

  test("goes nowhere while the owner has it off the wall, and nobody is told that it is", async () => {
    const top = await post({ body: "what, then?" });
    await sent();
    const answer = written(bob, { inReplyTo: top.mid, cc: [`${base}/channel/alma`] });
    await arrives(answer);
    await sent();
    const { id } = await itemOf(answer.object.id);
    await blockItem(world.hub, alma.channel, { id });
    const object = { ...answer.object, content: "<p>Worse</p>", updated: "2026-03-01T12:30:00Z" };
    await arrives({ ...answer, id: `${answer.id}/2`, type: "Update", object });
    await arrives(written(dora, { inReplyTo: answer.object.id })).catch(() => undefined);
    expect(await sent()).toEqual([]);
  });

  test("is removed in the words of the owner, and in its author's, when its author takes it back", async () => {
    const top = await post({ body: "what else?" });
    await sent();
    const answer = written(bob, { inReplyTo: top.mid, cc: [`${base}/channel/alma`] });
    const like = { id: `${answer.id}/like`, type: "Like", actor: bob.xchan_hash, object: `${base}/item/${top.uuid}` };
    for (const said of [answer, like]) {
      await arrives(said);
      expect((await sent()).map(({ inbox, bytes }) => [inbox, bytes])).toEqual([
        [inboxOf("near.example"), JSON.stringify(said)],
      ]);
    }
    for (const [object, takenBack] of [
      [answer.object.id, { type: "Delete", object: answer.object.id }],
      [like.id, { type: "Undo", object: like }],
    ]) {
      const own = { id: `${object}/undone`, actor: bob.xchan_hash, ...takenBack };
      for (let turn = 0; turn < 2; turn++) await arrives(own);
      const removal = { type: "Remove", actor: `${base}/channel/alma`, object };
      expect((await sent()).map(({ inbox, activity }) => [inbox, activity])).toEqual([
        [inboxOf("near.example"), expect.objectContaining(removal)],
        [inboxOf("near.example"), own],
      ]);
    }
  });

  test("is removed by the owner, who deletes nothing in the name of others", async () => {
    const top = await post({ body: "no shouting" });
    const answer = written(bob, { inReplyTo: top.mid, cc: [`${base}/channel/alma`] });
    await arrives(answer);
    await sent();
    await deleteItem(world.hub, alma.channel, await itemOf(answer.object.id));
    const out = await sent();
    expect(inboxes(out)).toEqual([inboxOf("near.example")]);
    expect(out[0]!.activity).toMatchObject({
      type: "Remove",
      actor: `${base}/channel/alma`,
      object: answer.object.id,
      target: `${base}/conversation/${top.uuid}`,
    });
  });
});

describe("in a thread of another hub", () => {
  test("an answer goes to its owner, to whom it answers, and to the followers of its author", async () => {
    const top = written(carla);
    const comment = written(dora, { inReplyTo: top.object.id, cc: [carla.xchan_hash] });
    await arrives(top);
    await arrives(comment);
    await sent();
    const { uuid } = await post({ body: "well said", parent_mid: comment.object.id });
    const out = await sent();
    expect(inboxes(out)).toEqual([inboxOf("far.example"), inboxOf("near.example"), inboxOf("third.example")]);
    expect(out[0]!.activity).toMatchObject({
      type: "Create",
      to: [everybody],
      object: {
        inReplyTo: comment.object.id,
        tag: expect.arrayContaining([{ type: "Mention", href: dora.xchan_hash, name: "@dora@near.example" }]),
      },
    });
    expect(out[0]!.activity.cc).toEqual([`${base}/followers/alma`, carla.xchan_hash, dora.xchan_hash]);
    // Others find it at its id, as it was handed on to them.
    const found = await world.anonymous.get(`/item/${uuid}`, {}, { headers: { accept: "application/activity+json" } });
    expect([found.status, found.json.id]).toEqual([200, `${base}/item/${uuid}`]);
  });

  test("one in a private thread goes to its owner alone", async () => {
    const context = "https://third.example/contexts/7";
    const top = written(carla, {
      to: [`${carla.xchan_hash}/followers`],
      cc: [],
      context,
      conversation: "tag:third.example,7",
    });
    await arrives(top);
    await sent();
    const { uuid } = await post({ body: "between us", parent_mid: top.object.id });
    const out = await sent();
    expect(out.map(({ inbox, people }) => [inbox, people])).toEqual([
      ["https://third.example/users/carla/inbox", [carla.xchan_id]],
    ]);
    expect([out[0]!.activity.to, out[0]!.activity.cc]).toEqual([[carla.xchan_hash], [`${carla.xchan_hash}/followers`]]);
    // Who gets it from the owner believes it by its proof.
    expect(out[0]!.activity).toMatchObject({ proof: { cryptosuite: "eddsa-jcs-2022" } });
    expect(out[0]!.activity).not.toHaveProperty("signature");
    // It takes over the conversation, and mentions nobody: the owner knows it by that for no mere message.
    expect(out[0]!.activity.object).toMatchObject({ context, conversation: "tag:third.example,7", tag: [] });
    const found = await world.anonymous.get(`/item/${uuid}`, {}, { headers: { accept: "application/activity+json" } });
    expect(found.status).toBe(404);
  });

  test("a reaction goes there, and that it was taken back", async () => {
    const top = written(carla);
    await arrives(top);
    await sent();
    const like = () =>
      alma.post("/api/z/1.0/item/update", {
        parent_mid: top.object.id,
        verb: "http://activitystrea.ms/schema/1.0/like",
      });
    await like();
    const liked = await sent();
    expect(inboxes(liked)).toContain(inboxOf("third.example"));
    expect(liked[0]!.activity).toMatchObject({ type: "Like", object: top.object.id });
    await like();
    expect((await sent())[0]!.activity).toMatchObject({
      type: "Undo",
      object: { type: "Like", object: top.object.id },
    });
  });

  test("a vote goes to the author of the poll alone, one for each choice, and says nothing but its name", async () => {
    const poll = written(carla, {
      type: "Question",
      anyOf: ["Tea", "Coffee", "Water"].map((name) => ({
        type: "Note",
        name,
        replies: { type: "Collection", totalItems: 0 },
      })),
    });
    await arrives(poll);
    await sent();
    const { id } = await itemOf(poll.object.id);
    await vote(world.hub, alma.channel, { id }, [0, 2]);
    const out = await sent();
    expect(out.map(({ inbox, activity }) => [inbox, activity.type, activity.to, activity.object.name])).toEqual([
      ["https://third.example/users/carla/inbox", "Create", [carla.xchan_hash], "Tea"],
      ["https://third.example/users/carla/inbox", "Create", [carla.xchan_hash], "Water"],
    ]);
    expect(out[0]!.activity.object).toMatchObject({
      type: "Note",
      inReplyTo: poll.object.id,
      attributedTo: `${base}/channel/alma`,
    });
    expect(out[0]!.activity.object).not.toHaveProperty("content");
  });

  test("a share of it is announced", async () => {
    const top = written(carla);
    await arrives(top);
    await sent();
    await alma.post("/api/statuses/retweet", { id: (await itemOf(top.object.id)).id });
    expect((await sent())[0]!.activity).toMatchObject({ type: "Announce", object: top.object.id });
  });
});
