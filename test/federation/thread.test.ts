import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeChannelSettings, moderation } from "../../src/domain/identity/channels/channel-settings.ts";
import { approveHeld, dropHeld, keptBack } from "../../src/domain/items/posting/moderation.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { proxied } from "../../src/domain/proxy/addresses.ts";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { retrieve } from "../../src/faces/federation/retrieve/retrieve.ts";
import { password } from "../support/hub.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../support/hubs.ts";
import { befriend } from "../support/people.ts";
import { picture } from "../support/pictures.ts";
import { visitorOf } from "../support/visitor.ts";

/** What is said on one of three hubs, and what the others make of it. */

let world: TestHubs;
/** On the first hub, the second and the third; eve is on the third as well, and nobody knows her. */
let ann: Inhabitant;
let ben: Inhabitant;
let cleo: Inhabitant;
let eve: Inhabitant;

beforeAll(async () => {
  world = await openHubs(3);
  const [one, two, three] = world.hubs;
  ann = await inhabitant(one!, "ann");
  ben = await inhabitant(two!, "ben");
  [cleo, eve] = [await inhabitant(three!, "cleo"), await inhabitant(three!, "eve")];
  for (const other of [ben, cleo]) {
    await follows(world, other, ann);
    await follows(world, ann, other);
  }
});
afterAll(() => world.close());

type Posted = { id: number; mid: string };

async function post(who: Inhabitant, form: Record<string, unknown>): Promise<Posted> {
  const answer = await who.post("/api/z/1.0/item/update", form);
  if (answer.status !== 200) throw new Error(answer.text);
  await world.settle();
  return answer.json.item as Posted;
}

async function comment(who: Inhabitant, mid: string, body: string): Promise<Posted> {
  return post(who, { body, parent_mid: mid });
}

const bodies = async (mid: string, ...people: Inhabitant[]) =>
  Promise.all(people.map(async (person) => (await copyOf(person, mid))?.body));

/** Whom the object is answered to: by signed requests of each, and to nobody in particular. */
async function readers(mid: string, ...people: Inhabitant[]): Promise<(string | undefined)[]> {
  const asked = people.map(async ({ at, channel, nick }) => {
    const found = await retrieve(at.hub, mid, channel);
    return "fault" in found ? undefined : nick;
  });
  return Promise.all(asked);
}
const unsigned = async (mid: string): Promise<number> =>
  (await fetch(mid, { headers: { accept: "application/activity+json" } })).status;

describe("a post reaches those for whom it is, and nobody else reads it", () => {
  test("for everybody", async () => {
    const { mid } = await post(ann, { body: "Hello [b]world[/b] #greetings" });
    expect(await bodies(mid, ben, cleo, eve)).toEqual([expect.any(String), expect.any(String), undefined]);
    expect(await copyOf(ben, mid)).toMatchObject({
      author: ann.id,
      owner: ann.id,
      item_private: 0,
      html: expect.stringContaining("<strong>world</strong>"),
    });
    expect([await readers(mid, ben, eve), await unsigned(mid)]).toEqual([["ben", "eve"], 200]);
  });

  test("for followers", async () => {
    const { mid } = await post(ann, { body: "Among us", public_policy: "contacts" });
    expect(await copyOf(ben, mid)).toMatchObject({ item_private: 1 });
    expect(await bodies(mid, ben, cleo, eve)).toEqual(["Among us", "Among us", undefined]);
    expect([await readers(mid, ben, cleo, eve), await unsigned(mid)]).toEqual([["ben", "cleo", undefined], 404]);
  });

  test("for one of them by name", async () => {
    const { mid } = await post(ann, { body: "For Ben", contact_allow: [ben.id] });
    expect(await bodies(mid, ben, cleo, eve)).toEqual(["For Ben", undefined, undefined]);
    expect([await readers(mid, ben, cleo, eve), await unsigned(mid)]).toEqual([["ben", undefined, undefined], 404]);
  });

  test("for a group that spans hubs", async () => {
    const connections = (await ann.get("/api/z/1.0/abook")).json as { abook_id: string; abook_xchan: string }[];
    const user = connections
      .filter(({ abook_xchan }) => [ben.id, cleo.id].includes(abook_xchan))
      .map(({ abook_id }) => ({ cid: abook_id }));
    const { gid } = (
      await ann.post("/api/friendica/group_create", {
        name: "Few",
        json: JSON.stringify({ name: "Few", gid: 0, user }),
      })
    ).json;
    const { mid } = await post(ann, { body: "For few", group_allow: [gid] });
    expect(await bodies(mid, ben, cleo, eve)).toEqual(["For few", "For few", undefined]);
    expect([await readers(mid, ben, cleo, eve), await unsigned(mid)]).toEqual([["ben", "cleo", undefined], 404]);
    const sent = await ann.at.hub.db
      .selectFrom("outbox_activity")
      .select(["variant", "bytes"])
      .where("bytes", "like", "%For few%")
      .execute();
    expect(sent.map(({ variant }) => variant).toSorted()).toEqual([ben.at.host, cleo.at.host].toSorted());
    for (const { variant, bytes } of sent) expect(bytes).not.toContain(variant === ben.at.host ? cleo.id : ben.id);
  });
});

test("whoever is mentioned by an address with a port hears of it", async () => {
  const { mid } = await post(ann, { body: `Good morning, @ben@${ben.at.host}, and hello` });
  expect((await copyOf(ann, mid))?.html).toContain(`href="${ben.id}"`);
  const notices = await listNotices(ben.at.hub, ben.channel.channel_id);
  expect(notices.filter(({ kind }) => kind === "mention").length).toBe(1);
});

test("whoever is mentioned on top of a thread may like and answer what others say in it", async () => {
  const next = await inhabitant(ann.at, "near");
  await befriend(ann.at.hub, ann.channel, next.channel);
  const top = await post(ann, { body: `What about @eve@${eve.at.host}?` });
  const said = await comment(next, top.mid, "Ask her");
  const { id } = (await copyOf(eve, said.mid))!;
  expect((await eve.post("/api/svc/activity/like.json", { id })).status).toBe(200);
  const answer = await comment(eve, said.mid, "Here I am");
  expect(await bodies(answer.mid, ann, next)).toEqual(["Here I am", "Here I am"]);
  const told = await listNotices(next.at.hub, next.channel.channel_id);
  expect(told.map(({ kind, actor }) => `${kind} by ${actor.name}`)).toContain("reaction by Eve");
});

test("whoever is mentioned in a comment gets what is said there afterwards", async () => {
  const top = await post(ann, { body: "What does she say?" });
  const asked = await comment(ben, top.mid, `Ask @eve@${eve.at.host}`);
  const later = await comment(ann, top.mid, "I did");
  const answer = await comment(cleo, asked.mid, "So did I");
  expect(await bodies(later.mid, ben, cleo, eve)).toEqual(Array(3).fill("I did"));
  expect(await bodies(answer.mid, ann, ben, eve)).toEqual(Array(3).fill("So did I"));
  await ann.post("/api/svc/activity/dislike.json", { id: (await copyOf(ann, asked.mid))!.id });
  await world.settle();
  const rows = await eve.at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["verb"])
    .where("uid", "=", eve.channel.channel_id)
    .where("thr_parent", "=", asked.mid)
    .where("verb", "like", "%dislike")
    .execute();
  expect(rows.length).toBe(1);
});

describe("whoever is mentioned by an address that nobody here knows", () => {
  const lookUps = ({ received }: Neighbour) => received.filter(({ path }) => path.includes("webfinger")).length;

  test("is looked up, hears of it, and may answer", async () => {
    const fay = await inhabitant(cleo.at, "fay");
    const top = await post(ann, { body: `Who is @fay@${fay.at.host}? And @nobody@${fay.at.host}?` });
    const copy = (await copyOf(fay, top.mid))!;
    expect(copy.body).toBe(`Who is @[zrl=${fay.id}]Fay[/zrl]? And @nobody@${fay.at.host}?`);
    expect((await listNotices(fay.at.hub, fay.channel.channel_id)).map(({ kind }) => kind)).toEqual(["mention"]);
    // It has not been changed by anybody.
    expect(await copyOf(ann, top.mid)).toMatchObject({ body: copy.body, revision: 0 });
    const said = await comment(fay, top.mid, "It is me");
    expect(await bodies(said.mid, ann, ben)).toEqual(["It is me", "It is me"]);
  });

  test("in a comment gets it with its thread, and in an edit what was there before", async () => {
    const [gus, hal] = [await inhabitant(cleo.at, "gus"), await inhabitant(cleo.at, "hal")];
    const top = await post(ann, { body: "One" });
    const said = await comment(ann, top.mid, `Two, @gus@${gus.at.host}`);
    expect(await bodies(top.mid, gus, hal)).toEqual(["One", undefined]);
    expect(await bodies(said.mid, gus)).toEqual([expect.stringContaining("Two, @[zrl=")]);
    world.advance(5);
    await post(ann, { post_id: top.id, body: `One, @hal@${hal.at.host}` });
    expect(await bodies(top.mid, gus, hal)).toEqual(Array(2).fill(`One, @[zrl=${hal.id}]Hal[/zrl]`));
  });

  test("is asked for by nobody for what is for some, and keeps nothing from others while their hub is away", async () => {
    const ian = await inhabitant(cleo.at, "ian");
    const before = lookUps(ian.at);
    const quiet = await post(ann, { body: `Not a word to @ian@${ian.at.host}`, contact_allow: [ben.id] });
    expect([await bodies(quiet.mid, ben, ian), lookUps(ian.at)]).toEqual([
      [`Not a word to @ian@${ian.at.host}`, undefined],
      before,
    ]);
    await ian.at.leave();
    const top = await post(ann, { body: `Where is @ian@${ian.at.host}?` });
    expect(await bodies(top.mid, ben, ian)).toEqual([`Where is @ian@${ian.at.host}?`, undefined]);
    await ian.at.comeBack();
    world.advance(3600);
    await world.settle();
  });
});

test("warning, tag and picture arrive as they were meant", async () => {
  const image = new Blob([new Uint8Array(await picture(64, 48).png().toBuffer())], { type: "image/png" });
  const form = new FormData();
  form.append("body", "Look #trees");
  form.append("summary", "Only trees");
  form.append("media", image, "tree.png");
  const answer = await ann.send("POST", "/api/z/1.0/item/update", form);
  expect(answer.status).toBe(200);
  await world.settle();
  const { mid } = answer.json.item as Posted;
  const copy = (await copyOf(ben, mid))!;
  expect(copy).toMatchObject({ summary: "Only trees", html: expect.stringContaining("Look") });
  const { json } = await ben.get(`/api/statuses/show/${copy.id}.json`, { include_entities: true });
  expect(json.entities.hashtags.map(({ text }: { text: string }) => text)).toContain("trees");
  // The picture is shown from the reader's own hub.
  expect(copy.html + JSON.stringify(json)).toContain(`${ben.at.url}/proxy/`);
  expect(copy.html).not.toContain(`src="${ann.at.url}`);
});

test("the picture of a post for one is shown to them by their own hub, and to nobody else there", async () => {
  const image = new Blob([new Uint8Array(await picture(64, 48).png().toBuffer())], { type: "image/png" });
  const form = new FormData();
  form.append("body", "For Cleo alone");
  form.append("contact_allow[]", cleo.id);
  form.append("media", image, "secret.png");
  const { json } = await ann.send("POST", "/api/z/1.0/item/update", form);
  await world.settle();
  const { html } = (await copyOf(cleo, json.item.mid))!;
  const [, path = "", encoded = ""] = /src="[^"]*?(\/proxy\/item\/[^/"]+\/[^/"]+\/([^"]+))"/.exec(html) ?? [];
  const source = Buffer.from(encoded, "base64url").toString();
  expect(source).toMatch(`${ann.at.url}/photo/`);
  expect((await fetch(source)).status).toBe(404);
  const browser = async ({ at, nick }: Inhabitant) => {
    const visitor = visitorOf(at.app, at.host);
    await visitor.logIn(nick, password);
    return visitor;
  };
  // Who puts the address into a text of their own gets no copy of it, before and after it was shown.
  const own = proxied(eve.at.hub, source).slice(eve.at.url.length);
  const [hers, theirs] = [await browser(cleo), await browser(eve)];
  expect((await theirs.get(own)).status).toBe(502);
  expect((await theirs.get(path)).status).toBe(404);
  const shown = await hers.get(path);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(shown.headers.get("cache-control")).toMatch(/^private/);
  world.advance(3600);
  expect((await theirs.get(path)).status).toBe(404);
  expect((await theirs.get(own)).status).toBe(502);
  expect((await hers.get(own)).status).toBe(502);
});

describe("a conversation", () => {
  test("a comment from the second hub on a thread of the first reaches the third, and so does an answer to it", async () => {
    const top = await post(ann, { body: "What do you think?" });
    const said = await comment(ben, top.mid, "A lot");
    expect(await bodies(said.mid, ann, ben, cleo, eve)).toEqual(["A lot", "A lot", "A lot", undefined]);
    expect(await copyOf(cleo, said.mid)).toMatchObject({ author: ben.id, owner: ann.id });
    const answer = await comment(cleo, said.mid, "Me too");
    expect(await bodies(answer.mid, ann, ben, cleo)).toEqual(["Me too", "Me too", "Me too"]);
    expect((await listNotices(ann.at.hub, ann.channel.channel_id)).map(({ kind }) => kind)).toContain("comment");
  });

  test("a comment among followers reaches the others, and is read by nobody else", async () => {
    const top = await post(ann, { body: "Between us", public_policy: "contacts" });
    const said = await comment(ben, top.mid, "Sure");
    expect(await bodies(said.mid, ann, ben, cleo, eve)).toEqual(["Sure", "Sure", "Sure", undefined]);
    expect(await unsigned(said.mid)).toBe(404);
    expect(await copyOf(cleo, said.mid)).toMatchObject({ item_private: 1 });
  });

  test("whoever has blocked its owner gets nothing of what is said below what they did not get", async () => {
    const gil = await inhabitant(cleo.at, "gil");
    for (const other of [ann, ben]) {
      await follows(world, gil, other);
      await follows(world, other, gil);
    }
    const top = await post(ann, { body: "For you both", contact_allow: [ben.id, gil.id] });
    const { xchan_id } = (await findXchan(gil.at.hub, { hash: ann.id }))!;
    await gil.post("/api/blocks/create", { user_id: xchan_id });
    const more = await comment(ann, top.mid, "And more");
    const said = await comment(ben, more.mid, "Well");
    expect(await bodies(said.mid, ann, ben, gil)).toEqual(["Well", "Well", undefined]);
  });

  test("what an author says below what they wrote for some is no message, whomever it mentions", async () => {
    const top = await post(ann, { body: "For the two of you", contact_allow: [ben.id, cleo.id] });
    for (const body of ["More of it", `And that, @ben@${ben.at.host}`]) {
      const said = await comment(ann, top.mid, body);
      expect(await copyOf(ben, said.mid)).toMatchObject({ item_private: 1, owner: ann.id });
      expect(await bodies(said.mid, ben, cleo, eve)).toEqual([expect.any(String), expect.any(String), undefined]);
    }
    const alone = await post(ann, { body: `This, @ben@${ben.at.host}, is a post`, contact_allow: [ben.id] });
    expect(await copyOf(ben, alone.mid)).toMatchObject({ item_private: 1 });
  });

  test("nor is what a neighbour of theirs says there", async () => {
    const next = await inhabitant(ann.at, "next");
    await next.post("/api/friendships/create", {
      user_id: (await findXchan(ann.at.hub, { hash: ann.channel.channel_hash }))!.xchan_id,
    });
    await world.settle();
    const top = await post(ann, { body: "For the three", contact_allow: [ben.id, cleo.id, next.channel.channel_hash] });
    const said = await comment(next, top.mid, "Me, too");
    expect(await bodies(said.mid, ann, ben, cleo, eve)).toEqual(["Me, too", "Me, too", "Me, too", undefined]);
  });

  test("an answer among followers that mentions the thread's owner is no message either", async () => {
    const top = await post(ann, { body: "For those who follow", public_policy: "contacts" });
    const said = await comment(ben, top.mid, `Yes, @ann@${ann.at.host}`);
    expect(await bodies(said.mid, ann, cleo, eve)).toEqual([expect.any(String), expect.any(String), undefined]);
  });

  test("whoever is in a thread for some may like and answer what others say there", async () => {
    const top = await post(ann, { body: "For both", contact_allow: [ben.id, cleo.id] });
    // Whose answers wait with them does not matter in threads of others.
    await changeChannelSettings(ben.at.hub, ben.channel.channel_id, { moderation: moderation.everybody });
    const said = await comment(ben, top.mid, "A word");
    await changeChannelSettings(ben.at.hub, ben.channel.channel_id, { moderation: moderation.nobody });
    const { id } = (await copyOf(cleo, said.mid))!;
    for (const verb of ["like", "dislike"])
      expect((await cleo.post(`/api/svc/activity/${verb}.json`, { id })).status).toBe(200);
    const answer = await comment(cleo, said.mid, "Indeed");
    expect(await bodies(answer.mid, ann, ben, cleo, eve)).toEqual(["Indeed", "Indeed", "Indeed", undefined]);
    expect((await listNotices(ben.at.hub, ben.channel.channel_id)).map(({ kind }) => kind)).toContain("reaction");
  });

  test("what is said below a share stands there on all hubs", async () => {
    const top = await post(ann, { body: "Shared" });
    await ann.post("/api/statuses/retweet", { id: top.id });
    await world.settle();
    const [share] = (await ann.get("/api/statuses/home_timeline.json")).json as { id: number }[];
    const said = await post(ann, { body: "I meant it", parent: share!.id });
    const { uuid } = (await copyOf(ann, (await copyOf(ann, said.mid))!.parent_mid))!;
    for (const person of [ben, cleo])
      expect(await copyOf(person, said.mid)).toMatchObject({ parent_mid: `${ann.at.url}/activity/${uuid}` });
  });

  test("what is edited is edited everywhere, and what is deleted is gone", async () => {
    const top = await post(ann, { body: "First" });
    const said = await comment(ben, top.mid, "One");
    await ann.post("/api/z/1.0/item/update", { post_id: top.id, body: "Second" });
    world.advance(5);
    await ben.post("/api/z/1.0/item/update", { post_id: said.id, body: "Two" });
    await world.settle();
    expect(await bodies(top.mid, ann, ben, cleo)).toEqual(["Second", "Second", "Second"]);
    expect(await bodies(said.mid, ann, ben, cleo)).toEqual(["Two", "Two", "Two"]);
    await ben.post("/api/statuses/destroy", { id: said.id });
    await world.settle();
    expect(await bodies(said.mid, ann, ben, cleo)).toEqual([undefined, undefined, undefined]);
    await ann.post("/api/statuses/destroy", { id: top.id });
    await world.settle();
    expect(await bodies(top.mid, ann, ben, cleo)).toEqual([undefined, undefined, undefined]);
    expect(await unsigned(top.mid)).toBe(410);
  });
});

test("an answer that waits elsewhere says so to its author, until the owner lets it in or refuses it", async () => {
  await changeChannelSettings(ann.at.hub, ann.channel.channel_id, { moderation: moderation.everybody });
  const top = await post(ann, { body: "Think before you answer" });
  const [welcome, other] = [await comment(ben, top.mid, "Thought through"), await comment(ben, top.mid, "Not so")];
  const consents = async () =>
    Promise.all(
      [welcome, other].map(
        async ({ id }) => (await ben.get("/api/z/1.0/item/deliveries", { item_id: id })).json.consent as string,
      ),
    );
  expect(await consents()).toEqual(["asked", "asked"]);
  expect(await copyOf(cleo, welcome.mid)).toBeUndefined();
  const { items } = await keptBack(ann.at.hub, ann.channel, "held", { count: 9 });
  expect(items.length).toBe(2);
  for (const { id, mid } of items) await (mid === welcome.mid ? approveHeld : dropHeld)(ann.at.hub, ann.channel, id);
  await changeChannelSettings(ann.at.hub, ann.channel.channel_id, { moderation: moderation.nobody });
  await world.settle();
  expect(await consents()).toEqual(["given", "refused"]);
  expect(await bodies(welcome.mid, ann, cleo)).toEqual(["Thought through", "Thought through"]);
  expect(await bodies(other.mid, ann, cleo)).toEqual([undefined, undefined]);
  const { json } = await ben.at.anonymous.get(
    new URL(welcome.mid).pathname,
    {},
    { headers: { accept: "application/activity+json" } },
  );
  expect(json.replyAuthorization).toContain(`${ann.at.url}/approval/`);
  expect(json.approvedBy).toBe(json.replyAuthorization);
});
