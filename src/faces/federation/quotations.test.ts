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
import { block, connect, receiveAccept, receiveFollow, unblock } from "../../domain/connections/connections.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { everybody } from "./everybody.ts";
import { metActor } from "./retrieve/actor.ts";

/** People of other hubs ask whether they may quote what was written here (federation contract 7, FEP-044f). */

let world: TestApp;
let elsewhere: Elsewhere;
let arrives: Arrives;
let alma: Person;
let member: Visitor;
let eva: Xchan;
let dora: Xchan;

const base = "http://hub.example";
const far = "https://far.example";
const almaId = `${base}/channel/alma`;
let count = 0;

beforeAll(async () => {
  elsewhere = openElsewhere();
  for (const inbox of ["inbox", "users/eva/inbox", "users/dora/inbox"]) elsewhere.put(`${far}/${inbox}`, 202);
  world = await openTestApp({ fetch: elsewhere.fetch });
  arrives = arrivesIn(world.hub);
  alma = await world.person("alma", { role: "feed" });
  member = visitorOf(world.app);
  await member.logIn("alma", password);
  eva = (await metActor(world.hub, elsewhere.actor("eva").id))!;
  dora = (await metActor(world.hub, elsewhere.actor("dora").id))!;
  await receiveFollow(world.hub, alma.channel, eva, `${far}/follows/1`);
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

async function post(form: Record<string, unknown> = {}): Promise<{ id: number; mid: string; uuid: string }> {
  const { id, mid } = (await alma.post("/api/z/1.0/item/update", { body: "quote me", ...form })).json.item;
  await heard();
  return { id: Number(id), mid, uuid: mid.split("/").at(-1) };
}

/** A post of theirs that quotes this one. */
const quoteOf = (mid: string, { xchan_hash }: Xchan, more: object = {}) => ({
  id: `${far}/notes/${++count}`,
  type: "Note",
  attributedTo: xchan_hash,
  content: "<p>Look</p>",
  quote: mid,
  ...more,
});

const asking = (object: string, instrument: unknown, actor = eva.xchan_hash) => ({
  id: `${far}/requests/${++count}`,
  type: "QuoteRequest",
  actor,
  object,
  instrument,
});

/** Lets them ask, and answers what they hear. */
async function ask(mid: string, who = eva, quote = quoteOf(mid, who)) {
  const request = asking(mid, quote, who.xchan_hash);
  await arrives(request);
  const [answer, ...others] = await heard();
  expect(others).toEqual([]);
  return { answer, request, quote };
}

const accept = "application/activity+json";
const at = (address: string) => world.anonymous.get(address.slice(base.length), {}, { headers: { accept } });

describe("whoever asks to quote a post", () => {
  test("may, where everybody may, and gets a stamp that stands at its address", async () => {
    const { mid } = await post();
    const { answer, request, quote } = await ask(mid);
    expect(answer).toMatchObject({
      inbox: `${far}/users/eva/inbox`,
      type: "Accept",
      actor: almaId,
      to: [eva.xchan_hash],
      object: { id: request.id, type: "QuoteRequest", actor: eva.xchan_hash, object: mid, instrument: quote.id },
      result: expect.stringMatching(/^http:\/\/hub\.example\/approval\/[0-9a-f-]{36}$/),
    });
    const stamp = await at(answer.result);
    expect([stamp.status, stamp.headers.get("content-type")]).toEqual([200, accept]);
    const { "@context": _, ...said } = stamp.json;
    expect(said).toEqual({
      id: answer.result,
      type: "QuoteAuthorization",
      attributedTo: almaId,
      interactingObject: quote.id,
      interactionTarget: mid,
    });
  });

  test("gets the same stamp again, and for another post another one", async () => {
    const { mid } = await post();
    const first = await ask(mid);
    const again = await ask(mid, eva, first.quote);
    expect([again.answer.type, again.answer.result]).toEqual(["Accept", first.answer.result]);
    expect(again.answer.id).not.toBe(first.answer.id);
    expect((await ask(mid)).answer.result).not.toBe(first.answer.result);
    await arrives(first.request);
    expect(await heard()).toEqual([]);
  });

  test("may as a follower where only connections may, and nobody where nobody may", async () => {
    const { mid } = await post({ quoters: "connections" });
    expect((await ask(mid)).answer.type).toBe("Accept");
    const refused = await ask(mid, dora);
    expect(refused.answer).toMatchObject({
      inbox: `${far}/users/dora/inbox`,
      type: "Reject",
      object: { id: refused.request.id, type: "QuoteRequest" },
    });
    expect(refused.answer).not.toHaveProperty("result");
    expect((await ask((await post({ quoters: "nobody" })).mid)).answer.type).toBe("Reject");
  });

  test("may not, where the post is only for some", async () => {
    const { mid } = await post({ public_policy: "contacts" });
    expect((await ask(mid)).answer.type).toBe("Reject");
    await arrives(asking(mid, quoteOf(mid, dora), dora.xchan_hash));
    expect(await heard()).toEqual([]);
  });

  test("hears nothing when blocked", async () => {
    const { mid } = await post();
    await block(world.hub, alma.channel, dora);
    await heard();
    await arrives(asking(mid, quoteOf(mid, dora), dora.xchan_hash));
    expect(await heard()).toEqual([]);
    await unblock(world.hub, alma.channel, dora.xchan_hash);
    await heard();
    expect((await ask(mid, dora)).answer.type).toBe("Accept");
  });

  test("hears nothing of what is not there, or was said by nobody", async () => {
    const { mid } = await post();
    const { id } = (await alma.post("/api/z/1.0/item/update", { body: "", verb: "like", parent_mid: mid })).json.item;
    const like = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("message.uuid")
      .where("item.id", "=", Number(id))
      .executeTakeFirstOrThrow();
    await heard();
    for (const target of [`${base}/item/none`, almaId, `${base}/item/${like.uuid}`, `${base}/activity/${like.uuid}`])
      await arrives(asking(target, quoteOf(target, eva)));
    expect(await heard()).toEqual([]);
  });

  test("may name the post alone, which is looked at where it stands", async () => {
    const { mid } = await post();
    const quote = quoteOf(mid, eva);
    elsewhere.put(quote.id, quote);
    await arrives(asking(mid, quote.id));
    expect(await heard()).toMatchObject([{ type: "Accept", object: { instrument: quote.id } }]);
    const wrong = {
      "of somebody else": quoteOf(mid, dora),
      "that quotes something else": quoteOf(`${base}/item/none`, eva),
      "that quotes nothing": quoteOf(mid, eva, { quote: undefined }),
    };
    for (const [what, one] of Object.entries(wrong)) {
      elsewhere.put(one.id, one);
      await arrives(asking(mid, one.id));
      expect([what, await heard()]).toEqual([what, []]);
    }
    elsewhere.put(`${far}/notes/away`, 503);
    await expect(arrives(asking(mid, `${far}/notes/away`))).rejects.toThrow(/fetched/);
  });
});

describe("nobody gets a stamp", () => {
  test.each<[string, (mid: string) => { request: object; signer?: string }]>([
    ["for a post of somebody else", (mid) => ({ request: asking(mid, quoteOf(mid, dora)) })],
    ["in the name of somebody else", (mid) => ({ request: asking(mid, quoteOf(mid, eva)), signer: dora.xchan_hash })],
    [
      "for a post of another hub",
      (mid) => ({ request: asking(mid, quoteOf(mid, eva, { id: "https://near.example/notes/1" })) }),
    ],
    ["for a post without an id", (mid) => ({ request: asking(mid, quoteOf(mid, eva, { id: undefined })) })],
    [
      "for a post without an author",
      (mid) => ({ request: asking(mid, quoteOf(mid, eva, { attributedTo: undefined })) }),
    ],
    ["for nothing", (mid) => ({ request: asking(mid, undefined) })],
    ["for a post that quotes another one", (mid) => ({ request: asking(mid, quoteOf(`${mid}0`, eva)) })],
  ])("%s", async (_what, forge) => {
    const { mid } = await post();
    const { request, signer } = forge(mid);
    await arrives(request, [], signer);
    expect(await heard()).toEqual([]);
  });

  test("for a post that is known to be somebody else's", async () => {
    const { mid } = await post();
    await connect(world.hub, alma.channel, dora);
    await receiveAccept(world.hub, alma.channel, dora);
    const quote = quoteOf(mid, dora, { to: [everybody] });
    const create = { id: `${quote.id}/create`, type: "Create", actor: dora.xchan_hash, object: quote };
    await arrives(create);
    await heard();
    await arrives(asking(mid, { ...quote, attributedTo: eva.xchan_hash }));
    expect(await heard()).toEqual([]);
  });
});

describe("a stamp", () => {
  test("is gone with the post", async () => {
    const { id, mid } = await post();
    const { answer } = await ask(mid);
    await deleteItem(world.hub, alma.channel, { id });
    expect((await at(answer.result)).status).toBe(404);
    expect(
      await world.hub.db
        .selectFrom("approval")
        .select("id")
        .where("uuid", "=", answer.result.split("/").at(-1))
        .execute(),
    ).toEqual([]);
  });

  test("is taken back by the author, whom the page shows what may quote the post, and not given again", async () => {
    const { mid, uuid } = await post();
    const { answer, quote } = await ask(mid);
    const page = await member.get(`/item/${uuid}/quotations`);
    expect(page.text).toContain(`<a href="${quote.id}"`);
    expect(page.text).toContain("Eva");
    const approval = answer.result.split("/").at(-1);
    await member.post(`/item/${uuid}/quotations`, { approval });
    expect(await heard()).toMatchObject([
      { type: "Delete", inbox: `${far}/users/eva/inbox`, actor: almaId, to: [eva.xchan_hash], object: answer.result },
    ]);
    expect((await at(answer.result)).status).toBe(404);
    expect((await member.get(`/item/${uuid}/quotations`)).text).not.toContain(quote.id);
    expect((await member.post(`/item/${uuid}/quotations`, { approval })).status).toBe(404);
    expect((await ask(mid, eva, quote)).answer.type).toBe("Reject");
  });

  test("is taken back by nobody else, and at no other post", async () => {
    const { mid, uuid } = await post();
    const other = await post();
    const { answer } = await ask(mid);
    const approval = answer.result.split("/").at(-1);
    await world.person("bruno");
    const bruno = visitorOf(world.app);
    await bruno.logIn("bruno", password);
    await bruno.get("/network");
    expect((await bruno.get(`/item/${uuid}/quotations`)).status).toBe(404);
    expect((await bruno.post(`/item/${uuid}/quotations`, { approval })).status).toBe(404);
    expect((await member.post(`/item/${other.uuid}/quotations`, { approval })).status).toBe(404);
    expect((await at(answer.result)).status).toBe(200);
  });
});
