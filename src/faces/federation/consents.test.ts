import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import type { Arrives } from "../../../test/support/incoming.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import {
  connect,
  findConnectionTo,
  receiveAccept,
  receiveFollow,
  updateConnection,
} from "../../domain/connections/connections.ts";
import { changeChannelSettings, moderation } from "../../domain/identity/channels/channel-settings.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { closeComments } from "../../domain/items/posting/close-comments.ts";
import { approveHeld, dropHeld, keptBack } from "../../domain/items/posting/moderation.ts";
import { everybody } from "./everybody.ts";
import { metActor } from "./retrieve/actor.ts";

/** Whether answers, likes and shares may stand: asked of people here, and by them (federation contract 6.2, 7). */

let world: TestApp;
let elsewhere: Elsewhere;
let arrives: Arrives;
let alma: Person;
let member: Visitor;
let eva: Xchan;

const base = "http://hub.example";
const far = "https://far.example";
const almaId = `${base}/channel/alma`;
let count = 0;

beforeAll(async () => {
  elsewhere = openElsewhere();
  for (const inbox of ["inbox", "users/eva/inbox"]) elsewhere.put(`${far}/${inbox}`, 202);
  world = await openTestApp({ fetch: elsewhere.fetch });
  arrives = arrivesIn(world.hub);
  alma = await world.person("alma", { role: "feed" });
  member = visitorOf(world.app);
  await member.logIn("alma", password);
  eva = (await metActor(world.hub, elsewhere.actor("eva").id))!;
  await receiveFollow(world.hub, alma.channel, eva, `${far}/follows/1`);
  await connect(world.hub, alma.channel, eva);
  await receiveAccept(world.hub, alma.channel, eva);
});
afterAll(() => world.close());
beforeEach(() => heard());

/** What others hear since the last time. */
async function heard(): Promise<any[]> {
  elsewhere.asked.length = 0;
  await world.work();
  return elsewhere.asked
    .filter(({ options }) => options.method === "POST")
    .map(({ url, options }) => ({ inbox: url, ...JSON.parse(String(options.body)) }));
}

/** Answers by the note that each is about; several are delivered at a time, so their order says nothing. */
function byNote(answers: any[]): Record<string, any> {
  return Object.fromEntries(answers.map((answer) => [answer.object.instrument ?? answer.object, answer]));
}

async function post(form: Record<string, unknown> = {}): Promise<{ id: number; mid: string; uuid: string }> {
  const { id, mid } = (await alma.post("/api/z/1.0/item/update", { body: "Say something", ...form })).json.item;
  await heard();
  return { id: Number(id), mid, uuid: mid.split("/").at(-1) };
}

/** A note of Eva's. */
const noteOf = (more: object) => ({
  id: `${far}/notes/${++count}`,
  type: "Note",
  attributedTo: eva.xchan_hash,
  content: `<p>said ${count}</p>`,
  to: [everybody],
  published: "2026-02-01T00:00:00Z",
  ...more,
});
const creating = (note: { id: string }) => ({
  id: `${note.id}/create`,
  type: "Create",
  actor: eva.xchan_hash,
  object: note,
});
const asking = (type: string, object: string, instrument: unknown) => ({
  id: `${far}/requests/${++count}`,
  type,
  actor: eva.xchan_hash,
  object,
  instrument,
});
const accept = "application/activity+json";
const at = async (address: string) => world.anonymous.get(address.slice(base.length), {}, { headers: { accept } });
const isHere = async (mid: string): Promise<boolean> =>
  (await world.hub.db.selectFrom("message").select("id").where("mid", "=", mid).execute()).length > 0;
const isShown = async (mid: string): Promise<boolean> =>
  (await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("mid", "=", mid)
    .where("item_deleted", "=", 0)
    .executeTakeFirst()) !== undefined;
const moderate = (how: keyof typeof moderation) =>
  changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation[how] });

describe("whoever answers a post here", () => {
  test("gets a stamp when they ask, and their answer is there", async () => {
    const { mid } = await post();
    const note = noteOf({ inReplyTo: mid });
    const request = asking("ReplyRequest", mid, note);
    await arrives(request);
    const answer = (await heard()).find(({ type }) => type === "Accept");
    expect(answer).toMatchObject({
      inbox: `${far}/users/eva/inbox`,
      actor: almaId,
      to: [eva.xchan_hash],
      object: { id: request.id, type: "ReplyRequest", actor: eva.xchan_hash, object: mid, instrument: note.id },
      result: expect.stringMatching(/^http:\/\/hub\.example\/approval\/[0-9a-f-]{36}$/),
    });
    expect(await isHere(note.id)).toBe(true);
    const { "@context": _, ...stamp } = (await at(answer.result)).json;
    expect(stamp).toEqual({
      id: answer.result,
      type: "ReplyAuthorization",
      attributedTo: almaId,
      interactingObject: note.id,
      interactionTarget: mid,
    });
  });

  test("may name the answer alone, which is looked at where it stands", async () => {
    const { mid } = await post();
    const note = noteOf({ inReplyTo: mid });
    elsewhere.put(note.id, note);
    await arrives(asking("ReplyRequest", mid, note.id));
    expect(await heard()).toContainEqual(expect.objectContaining({ type: "Accept" }));
    expect(await isHere(note.id)).toBe(true);
    for (const wrong of [
      noteOf({ inReplyTo: `${mid}0` }),
      noteOf({}),
      noteOf({ attributedTo: `${far}/users/dora`, inReplyTo: mid }),
    ]) {
      elsewhere.put(wrong.id, wrong);
      await arrives(asking("ReplyRequest", mid, wrong.id));
      expect([await heard(), await isHere(wrong.id)]).toEqual([[], false]);
    }
  });

  test("hears when it is let in or refused, what has waited for the owner", async () => {
    await moderate("everybody");
    const { mid } = await post();
    expect((await at(mid)).json.interactionPolicy.canReply.manualApproval).toEqual([`${base}/followers/alma`]);
    const [asked, bare, refused] = [1, 2, 3].map(() => noteOf({ inReplyTo: mid }));
    const request = asking("ReplyRequest", mid, asked);
    await arrives(creating(asked!));
    await arrives(request);
    await arrives(creating(bare!));
    await arrives(creating(refused!));
    expect(await heard()).toEqual([]);
    const { items } = await keptBack(world.hub, alma.channel, "held", { count: 9 });
    const held = (note: { id: string }) => items.find((item) => item.mid === note.id)!.id;
    await approveHeld(world.hub, alma.channel, held(asked!));
    await approveHeld(world.hub, alma.channel, held(bare!));
    await dropHeld(world.hub, alma.channel, held(refused!));
    await moderate("nobody");
    const answers = (await heard()).filter(({ type }) => type !== "Create");
    const stamped = expect.stringContaining("/approval/");
    expect(answers).toHaveLength(3);
    expect(byNote(answers)).toMatchObject({
      [asked!.id]: { type: "Accept", object: { id: request.id }, result: stamped },
      [bare!.id]: { type: "Accept", result: stamped },
      [refused!.id]: { type: "Reject" },
    });
    expect(answers.every(({ inbox, actor }) => inbox === `${far}/users/eva/inbox` && actor === almaId)).toBe(true);
    // Whoever asks once more, after a decision, hears the same.
    await moderate("everybody");
    await arrives({ ...request, id: `${request.id}/again` });
    await moderate("nobody");
    expect(await heard()).toMatchObject([{ type: "Accept", object: { instrument: asked!.id }, result: stamped }]);
  });

  test("hears that they may not, once, and nothing when they are ignored", async () => {
    const { id, mid } = await post();
    const before = noteOf({ inReplyTo: mid });
    await arrives(creating(before));
    await closeComments(world.hub, alma.channel, { id }, true);
    await heard();
    const [note, asked] = [noteOf({ inReplyTo: mid }), noteOf({ inReplyTo: mid })];
    for (let turn = 0; turn < 2; turn++) await arrives(creating(note)).catch(() => undefined);
    const request = asking("ReplyRequest", mid, asked);
    await arrives(request).catch(() => undefined);
    await arrives(creating({ ...before, updated: "2026-02-02T00:00:00Z" } as typeof before)).catch(() => undefined);
    const answers = await heard();
    expect(answers).toHaveLength(2);
    expect(byNote(answers)).toMatchObject({
      [note.id]: { type: "Reject" },
      [asked.id]: { type: "Reject", object: { id: request.id, type: "ReplyRequest" } },
    });
    const { abook_id } = (await findConnectionTo(world.hub, alma.channel.channel_id, eva.xchan_hash))!;
    await updateConnection(world.hub, alma.channel, abook_id, { ignored: true });
    await arrives(creating(noteOf({ inReplyTo: mid }))).catch(() => undefined);
    await arrives(
      asking("LikeRequest", mid, { id: `${far}/likes/${++count}`, type: "Like", actor: eva.xchan_hash, object: mid }),
    );
    await updateConnection(world.hub, alma.channel, abook_id, { ignored: false });
    expect(await heard()).toEqual([]);
  });
});

test("whoever asks to like or to share a post gets a stamp, and has done it; what is private nobody shares", async () => {
  const { mid } = await post();
  const deed = (type: string, object: string) => ({
    id: `${far}/deeds/${++count}`,
    type,
    actor: eva.xchan_hash,
    object,
  });
  for (const [type, stamp] of [
    ["Like", "LikeAuthorization"],
    ["Announce", "AnnounceAuthorization"],
  ] as const) {
    const done = deed(type, mid);
    await arrives(asking(`${type}Request`, mid, { ...done, to: [everybody] }));
    const answer = (await heard()).find(({ object }) => object?.type === `${type}Request`);
    expect(answer).toMatchObject({ type: "Accept", object: { instrument: done.id, object: mid } });
    expect((await at(answer.result)).json).toMatchObject({ type: stamp, interactingObject: done.id });
  }
  const secret = await post({ public_policy: "contacts" });
  await arrives(asking("AnnounceRequest", secret.mid, deed("Announce", secret.mid)));
  expect(await heard()).toMatchObject([{ type: "Reject", object: { type: "AnnounceRequest" } }]);
  // Who does not see the post does not see who may do what with it.
  await arrives(asking("LikeRequest", secret.mid, deed("Like", secret.mid)));
  const { result } = (await heard()).find(({ type }) => type === "Accept");
  expect((await at(result)).status).toBe(404);
  for (const wrong of [deed("Dislike", mid), deed("Like", `${mid}0`)]) await arrives(asking("LikeRequest", mid, wrong));
  expect(await heard()).toEqual([]);
});

test("a stamp goes with the answer that it was for", async () => {
  const { mid } = await post();
  const note = noteOf({ inReplyTo: mid });
  await arrives(asking("ReplyRequest", mid, note));
  const { result } = (await heard()).find(({ type }) => type === "Accept");
  const { id } = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("mid", "=", note.id)
    .where("uid", "=", alma.channel.channel_id)
    .executeTakeFirstOrThrow();
  await deleteItem(world.hub, alma.channel, { id });
  expect(await heard()).toContainEqual(
    expect.objectContaining({ inbox: `${far}/users/eva/inbox`, type: "Delete", actor: almaId, object: result }),
  );
  expect((await at(result)).status).toBe(404);
});

describe("answers of others to others", () => {
  const answer = (inReplyTo: string, more: object = {}) =>
    noteOf({ attributedTo: dora.xchan_hash, inReplyTo, ...more });
  const said = (note: { id: string }, more: object = {}) => ({ ...creating(note), actor: dora.xchan_hash, ...more });
  const stampFor = (note: { id: string }, interactionTarget: string, more: object = {}) => {
    const stamp = {
      id: `${far}/stamps/${++count}`,
      type: "ReplyAuthorization",
      attributedTo: eva.xchan_hash,
      interactingObject: note.id,
      interactionTarget,
      ...more,
    };
    elsewhere.put(stamp.id, stamp);
    return stamp.id;
  };
  const asks = (canReply: object, tag: object[] = []) => noteOf({ interactionPolicy: { canReply }, tag });
  let dora: Xchan;

  beforeAll(async () => {
    dora = (await metActor(world.hub, elsewhere.actor("dora").id))!;
  });

  test("need a stamp where their author lets in one by one, unless whoever owns the thread hands them on", async () => {
    const top = asks({ manualApproval: [everybody] });
    await arrives(creating(top));
    const [bare, forged, good, handedOn, late] = [1, 2, 3, 4, 5].map(() => answer(top.id)) as [any, any, any, any, any];
    await arrives(said(bare));
    const wrong = [
      stampFor(forged, top.id, { attributedTo: dora.xchan_hash }),
      stampFor(good, top.id),
      stampFor(forged, `${far}/notes/0`),
      stampFor(forged, top.id, { type: "LikeAuthorization" }),
    ];
    for (const replyAuthorization of wrong) await arrives(said({ ...forged, replyAuthorization }));
    await arrives(said({ ...good, replyAuthorization: stampFor(good, top.id) }));
    elsewhere.put(handedOn.id, handedOn);
    await arrives(said(handedOn), [], eva.xchan_hash);
    expect(await Promise.all([bare, forged, good, handedOn].map(({ id }) => isHere(id)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    await arrives(said(late));
    const approvedBy = `${far}/accepts/${++count}`;
    elsewhere.put(approvedBy, { id: approvedBy, type: "Accept", actor: eva.xchan_hash, object: late.id });
    const object = { ...late, approvedBy };
    await arrives({ ...said(late), id: `${late.id}/update`, type: "Update", object });
    expect(await isHere(late.id)).toBe(true);
  });

  test("need none where all may answer, or they are named; followers may be, and a false stamp never helps", async () => {
    const followers = `${far}/users/eva/followers`;
    for (const [top, more, stands] of [
      [asks({ automaticApproval: [everybody] }), {}, true],
      [asks({ automaticApproval: [dora.xchan_hash], manualApproval: [everybody] }), {}, true],
      [asks({ automaticApproval: [followers] }), {}, true],
      [asks({ automaticApproval: [followers] }), { replyAuthorization: `${far}/stamps/none` }, false],
      [asks({ manualApproval: [everybody] }, [{ type: "Mention", href: dora.xchan_hash }]), {}, true],
    ] as const) {
      await arrives(creating(top));
      const note = answer(top.id, more);
      await arrives(said(note));
      expect([top, await isHere(note.id)]).toEqual([top, stands]);
    }
  });

  test("go when the stamp is taken back by who gave it", async () => {
    const top = asks({ manualApproval: [everybody] });
    await arrives(creating(top));
    const note = answer(top.id);
    const stamp = stampFor(note, top.id);
    await arrives(said({ ...note, replyAuthorization: stamp } as never));
    const gone = { id: `${stamp}#delete`, type: "Delete", object: stamp };
    await arrives({ ...gone, actor: dora.xchan_hash });
    expect(await isShown(note.id)).toBe(true);
    await arrives({ ...gone, actor: eva.xchan_hash });
    expect(await isShown(note.id)).toBe(false);
  });
});

describe("whoever wants to be asked", () => {
  const wants = (more: object = {}) => ({
    interactionPolicy: {
      canReply: { manualApproval: [everybody] },
      canLike: { manualApproval: [everybody] },
      canAnnounce: { automaticApproval: [`${far}/users/eva/followers`], manualApproval: [everybody] },
      ...more,
    },
  });

  /** A post of Eva's that is here, by the id that Alma has it under. */
  async function theirs(policy: object = wants()): Promise<{ note: { id: string }; id: number }> {
    const note = noteOf(policy);
    await arrives(creating(note));
    const { id } = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.id")
      .where("mid", "=", note.id)
      .executeTakeFirstOrThrow();
    return { note, id };
  }
  const answerTo = async (id: number) =>
    (await alma.post("/api/z/1.0/item/update", { parent: id, body: "May I?" })).json.item as {
      id: string;
      mid: string;
    };
  const consentIn = async (id: string) => (await alma.get("/api/z/1.0/item/deliveries", { item_id: id })).json.consent;
  const verdict = (type: string, object: unknown, more: object = {}) => ({
    id: `${far}/verdicts/${++count}`,
    type,
    actor: eva.xchan_hash,
    object,
    ...more,
  });
  const stampOn = (type: string, act: string, about: string) => {
    const stamp = {
      id: `${far}/stamps/${++count}`,
      type,
      attributedTo: eva.xchan_hash,
      interactingObject: act,
      interactionTarget: about,
    };
    elsewhere.put(stamp.id, stamp);
    return stamp.id;
  };

  test("is asked for an answer, which waits until they have said so, and goes out with their stamp", async () => {
    const { note, id } = await theirs();
    const answer = await answerTo(id);
    const sent = await heard();
    expect(sent.map(({ type }) => type).toSorted()).toEqual(["Create", "ReplyRequest"]);
    const request = sent.find(({ type }) => type === "ReplyRequest");
    expect(request).toMatchObject({
      inbox: `${far}/users/eva/inbox`,
      actor: almaId,
      object: note.id,
      instrument: { id: answer.mid, type: "Note", inReplyTo: note.id },
    });
    expect(await consentIn(answer.id)).toBe("asked");
    const page = `/item/${answer.mid.split("/").at(-1)}/deliveries`;
    expect((await member.get(page)).text).toContain("It waits for the author of the post");
    await arrives(verdict("Accept", request.id, { result: `${far}/stamps/none` }));
    expect(await consentIn(answer.id)).toBe("asked");
    const stamp = stampOn("ReplyAuthorization", answer.mid, note.id);
    await arrives({ ...verdict("Accept", request.id, { result: stamp }), actor: elsewhere.actor("dora").id });
    expect(await consentIn(answer.id)).toBe("asked");
    await arrives(verdict("Accept", request.id, { result: stamp }));
    expect(await heard()).toMatchObject([
      { type: "Update", object: { id: answer.mid, replyAuthorization: stamp, approvedBy: stamp } },
    ]);
    expect(await consentIn(answer.id)).toBe("given");
    await arrives(verdict("Delete", stamp));
    expect(await consentIn(answer.id)).toBe("refused");
    const [update] = await heard();
    expect(update.object).not.toHaveProperty("replyAuthorization");
  });

  test("may refuse, and may say so of the answer itself", async () => {
    const { id } = await theirs();
    const [one, other] = [await answerTo(id), await answerTo(id)];
    await heard();
    await arrives(verdict("Reject", one.mid));
    await arrives(verdict("Accept", other.mid));
    expect([await consentIn(one.id), await consentIn(other.id)]).toEqual(["refused", "given"]);
    expect((await member.get(`/item/${one.mid.split("/").at(-1)}/deliveries`)).text).toContain("has refused it");
    expect(await heard()).toEqual([]);
  });

  test("is asked for a like and a share as well", async () => {
    const { note, id } = await theirs();
    for (const [deed, type, stampType] of [
      ["like", "Like", "Like"],
      ["share", "Announce", "Announce"],
    ] as const) {
      if (deed === "like") await alma.post("/api/svc/activity/like.json", { id });
      else await alma.post(`/api/statuses/retweet/${id}.json`, {});
      const sent = await heard();
      const request = sent.find((one) => one.type === `${type}Request`);
      expect([deed, request]).toEqual([
        deed,
        expect.objectContaining({ object: note.id, instrument: expect.objectContaining({ type, object: note.id }) }),
      ]);
      const stamp = stampOn(`${stampType}Authorization`, request.instrument.id, note.id);
      await arrives(verdict("Accept", request.id, { result: stamp }));
      expect(await heard()).toContainEqual(
        expect.objectContaining({
          id: request.instrument.id,
          type,
          [`${deed === "like" ? "like" : "announce"}Authorization`]: stamp,
        }),
      );
    }
  });

  test("is not asked by those who may at once", async () => {
    const own = { interactionPolicy: { canReply: { automaticApproval: [almaId] } } };
    const named = { ...wants(), tag: [{ type: "Mention", href: almaId, name: "@alma" }], cc: [almaId] };
    for (const policy of [{}, { interactionPolicy: { canReply: { always: [everybody] } } }, own, named]) {
      const { id } = await theirs(policy);
      const answer = await answerTo(id);
      expect((await heard()).map(({ type }) => type)).toEqual(["Create"]);
      expect(await consentIn(answer.id)).toBe("");
    }
  });

  test("is not asked about what is for the owner of a private thread alone", async () => {
    const dora = (await metActor(world.hub, elsewhere.actor("dora").id))!;
    const to = [`${far}/users/eva/followers`];
    const { note } = await theirs({ to });
    const said = noteOf({ attributedTo: dora.xchan_hash, inReplyTo: note.id, to: [eva.xchan_hash, ...to], ...wants() });
    elsewhere.put(said.id, said);
    await arrives({ ...creating(said), actor: dora.xchan_hash }, [alma.channel]);
    await heard();
    const answer = { parent_mid: said.id, body: "Between us" };
    expect((await alma.post("/api/z/1.0/item/update", answer)).status).toBe(200);
    expect((await heard()).map(({ type, inbox }) => [type, inbox])).toEqual([["Create", `${far}/users/eva/inbox`]]);
  });

  test("is not asked about what is to stay on its hub", async () => {
    const { id } = await theirs();
    await alma.post("/api/z/1.0/item/update", { parent: id, body: "To myself", nopush: true });
    expect(await heard()).toEqual([]);
  });
});
