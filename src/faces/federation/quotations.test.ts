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
import { listNotices } from "../../domain/notifications/notices.ts";
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
async function ask(mid: string, who = eva, quote: { id: string } = quoteOf(mid, who)) {
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

describe("whoever is quoted here", () => {
  /** Alma quotes a post of Eva's, who hears of that; answers what Eva is asked, and the stamp that she could give. */
  async function quotes() {
    const note = quoteOf("", eva, { quote: undefined, content: "<p>Eva said so</p>", to: [everybody] });
    await arrives({ id: `${note.id}/create`, type: "Create", actor: eva.xchan_hash, object: note });
    const body = `Look\n[share author='Eva' message_id='${note.id}']Eva said so[/share]`;
    const { mid } = (await alma.post("/api/z/1.0/item/update", { body })).json.item;
    const request = (await heard()).find(({ type }) => type === "QuoteRequest");
    const stamp = {
      id: `${far}/stamps/${++count}`,
      type: "QuoteAuthorization",
      attributedTo: eva.xchan_hash,
      interactingObject: mid as string,
      interactionTarget: note.id,
    };
    return { note, mid: mid as string, request, stamp };
  }

  const answer = (type: string, request: unknown, more: object = {}) => ({
    id: `${far}/answers/${++count}`,
    type,
    actor: eva.xchan_hash,
    object: request,
    ...more,
  });
  const quoteIn = async (mid: string) => {
    const { quote, quoteAuthorization } = (await at(mid)).json;
    return [quote, quoteAuthorization];
  };

  beforeAll(async () => {
    await connect(world.hub, alma.channel, eva);
    await receiveAccept(world.hub, alma.channel, eva);
  });

  test("is asked, and the post goes out once more with the stamp that they give", async () => {
    const { note, mid, request, stamp } = await quotes();
    expect(request).toMatchObject({
      inbox: `${far}/users/eva/inbox`,
      actor: almaId,
      object: note.id,
      instrument: { id: mid, type: "Note", attributedTo: almaId, quote: note.id },
    });
    elsewhere.put(stamp.id, stamp);
    const accepted = answer("Accept", request.id, { result: stamp.id });
    await arrives(accepted);
    const marked = { quote: note.id, quoteAuthorization: stamp.id };
    expect(await heard()).toMatchObject([{ type: "Update", object: { id: mid, ...marked } }]);
    expect(await quoteIn(mid)).toEqual([note.id, stamp.id]);
    await arrives(accepted);
    expect(await heard()).toEqual([]);
  });

  test.each<[string, (stamp: object) => object]>([
    ["of somebody else", (stamp) => ({ ...stamp, attributedTo: dora.xchan_hash })],
    ["on another post", (stamp) => ({ ...stamp, interactingObject: `${base}/item/none` })],
    ["on another quotation", (stamp) => ({ ...stamp, interactionTarget: `${far}/notes/none` })],
    ["that is none", (stamp) => ({ ...stamp, type: "LikeAuthorization" })],
    ["under another id", (stamp) => ({ ...stamp, id: `${far}/stamps/none` })],
    ["that is not there", () => 404 as unknown as object],
  ])("has not consented by a stamp %s", async (_what, forge) => {
    const { note, mid, request, stamp } = await quotes();
    elsewhere.put(stamp.id, forge(stamp));
    await arrives(answer("Accept", request.id, { result: stamp.id }));
    expect(await heard()).toEqual([]);
    expect(await quoteIn(mid)).toEqual([note.id, undefined]);
  });

  test("has not consented by a stamp of another hub, or where somebody else says so", async () => {
    const { note, mid, request, stamp } = await quotes();
    const near = { ...stamp, id: "https://near.example/stamps/1" };
    for (const one of [near, stamp]) elsewhere.put(one.id, one);
    await arrives(answer("Accept", request.id, { result: near.id }));
    await arrives({ ...answer("Accept", request.id, { result: stamp.id }), actor: dora.xchan_hash });
    await arrives({ ...answer("Reject", request.id), actor: dora.xchan_hash });
    await arrives(answer("Accept", request.id));
    expect(await heard()).toEqual([]);
    expect(await quoteIn(mid)).toEqual([note.id, undefined]);
  });

  test("is linked where they refuse, and where they take the stamp back, as nobody else can", async () => {
    const refused = await quotes();
    await arrives(answer("Reject", { ...refused.request, instrument: refused.mid }));
    expect(await heard()).toMatchObject([{ type: "Update", object: { id: refused.mid } }]);
    expect(await quoteIn(refused.mid)).toEqual([undefined, undefined]);
    expect((await at(refused.mid)).json.content).toContain(`href="${refused.note.id}"`);

    const { note, mid, request, stamp } = await quotes();
    elsewhere.put(stamp.id, stamp);
    await arrives(answer("Accept", request.id, { result: stamp.id }));
    await heard();
    await arrives({ ...answer("Delete", stamp.id), actor: dora.xchan_hash });
    expect(await quoteIn(mid)).toEqual([note.id, stamp.id]);
    await arrives(answer("Delete", stamp.id));
    expect(await quoteIn(mid)).toEqual([undefined, undefined]);
  });

  test("is asked by a stamp that cannot be had now once more later", async () => {
    const { request, stamp } = await quotes();
    elsewhere.put(stamp.id, 503);
    await expect(arrives(answer("Accept", request.id, { result: stamp.id }))).rejects.toThrow(/fetched/);
  });
});

describe("a quotation that arrives", () => {
  const noteOf = <More extends object>(author: Xchan, more: More) => ({
    id: `${far}/notes/${++count}`,
    type: "Note",
    attributedTo: author.xchan_hash,
    content: `<p>said ${count}</p>`,
    to: [everybody],
    published: "2026-02-01T00:00:00Z",
    ...more,
  });
  const canQuote = { interactionPolicy: { canQuote: { automaticApproval: [everybody] } } };

  /** Lets it arrive, and answers whether it shows the words that it quotes, else leads there. */
  async function arrival(
    quoting: { id: string; [name: string]: unknown },
    type = "Create",
  ): Promise<"shown" | "linked"> {
    await arrives({ id: `${quoting.id}/${type}/${++count}`, type, actor: eva.xchan_hash, object: quoting });
    const { html, shared_id } = await world.hub.db
      .selectFrom("message")
      .select(["html", "shared_id"])
      .where("mid", "=", quoting.id)
      .executeTakeFirstOrThrow();
    expect(html.includes("said")).toBe(true);
    expect([html.includes('class="shared"'), html.includes("RE:")]).toEqual([shared_id > 0, shared_id === 0]);
    return shared_id > 0 ? "shown" : "linked";
  }

  /** A post of Dora's, and one of Eva's that quotes it with a stamp of Dora's. */
  function stamped(more: object = {}) {
    const quoted = noteOf(dora, canQuote);
    const quoting = noteOf(eva, { quote: quoted.id, quoteAuthorization: `${far}/stamps/${++count}` });
    const stamp = {
      id: quoting.quoteAuthorization,
      type: "QuoteAuthorization",
      attributedTo: dora.xchan_hash,
      interactingObject: quoting.id,
      interactionTarget: quoted.id,
      ...more,
    };
    for (const one of [quoted, { ...stamp, id: quoting.quoteAuthorization }]) elsewhere.put(one.id, one);
    return { quoted, quoting };
  }

  test("is shown with the stamp of whoever is quoted", async () => {
    expect(await arrival(stamped().quoting)).toBe("shown");
  });

  test.each<[string, object]>([
    ["of somebody else", { attributedTo: "https://far.example/users/eva" }],
    ["on another post", { interactingObject: `${far}/notes/none` }],
    ["on another quotation", { interactionTarget: `${far}/notes/none` }],
  ])("is a link with a stamp %s", async (_what, more) => {
    expect(await arrival(stamped(more).quoting)).toBe("linked");
  });

  test("is a link without a stamp, until it comes, and after it has gone", async () => {
    const { quoting } = stamped();
    const { quoteAuthorization, ...bare } = quoting;
    expect(await arrival(bare)).toBe("linked");
    expect(await arrival(quoting, "Update")).toBe("shown");
    const revokes = { id: `${far}/deletes/${++count}`, type: "Delete", object: quoteAuthorization };
    await arrives({ ...revokes, actor: eva.xchan_hash });
    expect(await arrival(quoting)).toBe("shown");
    await arrives({ ...revokes, actor: dora.xchan_hash });
    expect(await arrival(quoting)).toBe("linked");
  });

  test("of somebody who says who may quote them needs one, of somebody who does not it needs none", async () => {
    await connect(world.hub, alma.channel, dora);
    await receiveAccept(world.hub, alma.channel, dora);
    for (const [policy, outcome] of [
      [{}, "shown"],
      [canQuote, "linked"],
    ] as const) {
      const quoted = noteOf(dora, policy);
      await arrives({ id: `${quoted.id}/create`, type: "Create", actor: dora.xchan_hash, object: quoted });
      for (const name of ["quote", "quoteUrl", "_misskey_quote"])
        expect([name, await arrival(noteOf(eva, { [name]: quoted.id }))]).toEqual([name, outcome]);
    }
  });

  test("of oneself is shown", async () => {
    const own = noteOf(eva, canQuote);
    elsewhere.put(own.id, own);
    expect(await arrival(noteOf(eva, { quote: own.id }))).toBe("shown");
  });

  test("of what is not for everybody is a link", async () => {
    const own = noteOf(eva, { to: [`${eva.xchan_hash}/followers`] });
    elsewhere.put(own.id, own);
    expect(await arrival(noteOf(eva, { quote: own.id }))).toBe("linked");
  });

  test("of a post of this hub needs the stamp that was given here", async () => {
    const { mid } = await post({ body: "said here" });
    const quoting = noteOf(eva, { quote: mid });
    expect(await arrival(quoting)).toBe("linked");
    const { answer } = await ask(mid, eva, quoting);
    expect(await arrival({ ...quoting, quoteAuthorization: `${answer.result}0` }, "Update")).toBe("linked");
    expect(await arrival({ ...quoting, quoteAuthorization: answer.result }, "Update")).toBe("shown");
  });

  test("of a post of this hub is told to whoever wrote that, once", async () => {
    const { mid } = await post({ body: "said here" });
    const quoting = noteOf(eva, { quote: mid });
    const { answer } = await ask(mid, eva, quoting);
    const told = async () =>
      (await listNotices(world.hub, alma.channel.channel_id)).filter(({ kind }) => kind === "share").length;
    const before = await told();
    const stamped = { ...quoting, quoteAuthorization: answer.result };
    for (let turn = 0; turn < 2; turn++) expect(await arrival(stamped)).toBe("shown");
    expect(await told()).toBe(before + 1);
  });
});
