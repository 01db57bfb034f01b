import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { actorOf } from "../../../../test/support/actors.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { cavageRequest, keys, now, pemOf } from "../../../../test/support/signed-requests.ts";
import { connect, findConnectionTo, updateConnection } from "../../../domain/connections/connections.ts";
import { receiveFollow } from "../../../domain/connections/follows.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { picture } from "../../../../test/support/pictures.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import { setAccountFlag } from "../../../domain/identity/accounts/accounts.ts";
import { changeChannelSettings, moderation } from "../../../domain/identity/channels/channel-settings.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { toBase58 } from "../signatures/base58.ts";

let world: TestApp;
let alma: Person;
let bruno: Person;
/** The statements so far. */
const asked: string[] = [];

const base = "http://hub.example";
const everybody = "https://www.w3.org/ns/activitystreams#Public";
const accept = "application/activity+json";
const get = (path: string) => world.anonymous.get(path, {}, { headers: { accept } });
const object = async (uuid: string) => (await get(`/item/${uuid}`)).json;

type Posted = { id: string; uuid: string };

async function post(who: Person, form: Record<string, unknown>): Promise<Posted> {
  const { id, mid } = (await who.post("/api/z/1.0/item/update", form)).json.item;
  return { id, uuid: mid.split("/").at(-1) };
}

/** The copy of a post that somebody else has in their stream. */
async function copyFor(who: Person, text: string): Promise<string> {
  await world.work();
  const { json } = await who.get("/api/statuses/home_timeline", { count: 50 });
  return (json as { id_str: string; text: string }[]).find((status) => status.text.includes(text))!.id_str;
}

/** What the outbox lists first. */
async function newestOf(nick: string): Promise<any> {
  const { json } = await get(`/outbox/${nick}?page=first`);
  return (await get(new URL(json.orderedItems[0].object).pathname)).json;
}

beforeAll(async () => {
  world = await openTestApp({ onQuery: ({ query }) => void asked.push(query.sql) });
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
  await befriend(world.hub, alma.channel, bruno.channel);
});
afterAll(() => world.close());

describe("a post", () => {
  test("says who wrote what for whom, and where everything about it is", async () => {
    const { uuid } = await post(alma, {
      body: "Hello [b]world[/b] #news and @bruno",
      location: "Rome",
      coord: "41.9 12.5",
    });
    const answer = await get(`/item/${uuid}`);
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("vary")]).toEqual([
      200,
      accept,
      "Accept",
    ]);
    const id = `${base}/item/${uuid}`;
    expect(answer.json).toMatchObject({
      "@context": expect.arrayContaining(["https://www.w3.org/ns/activitystreams"]),
      id,
      type: "Note",
      attributedTo: `${base}/channel/alma`,
      to: [everybody],
      cc: [`${base}/followers/alma`, `${base}/channel/bruno`],
      content: expect.stringContaining("<strong>world</strong>"),
      source: { content: expect.stringContaining("[b]world[/b]"), mediaType: "text/bbcode" },
      url: id,
      published: "2026-03-01T12:00:00Z",
      sensitive: false,
      context: `${base}/conversation/${uuid}`,
      conversation: `${base}/conversation/${uuid}`,
      tag: [
        { type: "Mention", href: `${base}/channel/bruno`, name: "@bruno@hub.example" },
        { type: "Hashtag", href: `${base}/search?tag=news`, name: "#news" },
      ],
      attachment: [],
      location: { type: "Place", name: "Rome", latitude: 41.9, longitude: 12.5 },
      replies: `${id}/replies`,
    });
    for (const absent of ["updated", "inReplyTo", "name", "summary", "quote"])
      expect(answer.json).not.toHaveProperty(absent);
    expect((await get(`/activity/${uuid}`)).json).toMatchObject({
      id: `${base}/activity/${uuid}`,
      type: "Create",
      actor: `${base}/channel/alma`,
      object: { id, type: "Note" },
    });
  });

  test("is a page for browsers, and the same document for whoever knows its version", async () => {
    const { uuid } = await post(alma, { body: "twice" });
    const page = await world.anonymous.get(`/item/${uuid}`, {}, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("location")]).toEqual([303, `/display/${uuid}`]);
    const etag = (await get(`/item/${uuid}`)).headers.get("etag")!;
    const again = await world.anonymous.get(`/item/${uuid}`, {}, { headers: { accept, "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("has its title, its warning, and the moment of its last change", async () => {
    const { id, uuid } = await post(alma, { body: "long", title: "Of bees", summary: "insects" });
    expect(await object(uuid)).toMatchObject({
      type: "Article",
      name: "Of bees",
      summary: "insects",
      preview: {
        type: "Note",
        attributedTo: `${base}/channel/alma`,
        published: "2026-03-01T12:00:00Z",
        content: `<p><strong>Of bees</strong></p><p>insects</p><p><a href="${base}/item/${uuid}">${base}/item/${uuid}</a></p>`,
      },
    });
    world.hub.advance(60);
    await alma.post("/api/z/1.0/item/update", { post_id: id, body: "longer", title: "Of bees" });
    expect(await object(uuid)).toMatchObject({ updated: "2026-03-01T12:01:00Z", content: "longer" });
  });

  test("lists its pictures with what they show", async () => {
    const media = (await picture(40, 30).png().toBuffer()).toString("base64");
    await alma.post("/api/statuses/update_with_media", { status: "Look", media });
    const { attachment } = await newestOf("alma");
    expect(attachment).toEqual([
      expect.objectContaining({
        type: "Image",
        mediaType: "image/png",
        url: expect.stringContaining(`${base}/photo/`),
      }),
    ]);
    expect(attachment[0].width).toBeGreaterThan(0);
    expect(attachment[0].blurhash).toMatch(/^.{6,}$/);
    expect(attachment[0]).not.toHaveProperty("focalPoint");
    await world.hub.db.updateTable("photo").set({ focus: "-0.50,0.25" }).execute();
    expect((await newestOf("alma")).attachment[0].focalPoint).toEqual([-0.5, 0.25]);
  });

  test("says what the bytes of its files are known by", async () => {
    const film = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom", "latin1"), Buffer.alloc(500, 7)]);
    for (const media of [await picture(40, 30).jpeg().toBuffer(), film]) {
      await alma.post("/api/statuses/update_with_media", { status: "Look", media: media.toString("base64") });
      const [shown] = (await newestOf("alma")).attachment as [{ url: string; digestMultibase: string }];
      const bytes = await (await world.app.request(shown.url)).arrayBuffer();
      const multihash = Buffer.concat([
        Buffer.from([0x12, 32]),
        createHash("sha256").update(Buffer.from(bytes)).digest(),
      ]);
      expect(shown.digestMultibase).toBe(`z${toBase58(multihash)}`);
    }
  });

  test("says when it goes by itself", async () => {
    const { uuid } = await post(alma, { body: "for now", expire: "2026-03-05 10:00:00" });
    expect(await object(uuid)).toMatchObject({ expires: "2026-03-05T10:00:00Z" });
  });

  test("says who may answer it in the words of Hubzilla, too", async () => {
    const policyOf = async (form: object) =>
      (await object((await post(alma, { body: "?", ...form })).uuid)).commentPolicy;
    expect(await policyOf({})).toBe("contacts");
    expect(await policyOf({ nocomment: 1 })).toMatch(/^self until=2026-03-01T12:0\d:00Z$/);
  });

  test("says who may answer it, and whose answers are let in one by one", async () => {
    const uid = alma.channel.channel_id;
    const actor = `${base}/channel/alma`;
    const followers = `${base}/followers/alma`;
    const repliesTo = async (form: object) =>
      (await object((await post(alma, { body: "?", ...form })).uuid)).interactionPolicy;
    const forAll = { automaticApproval: [actor, everybody] };
    const others = { canAnnounce: forAll, canQuote: forAll };
    const nobody = { automaticApproval: [actor] };
    expect(await repliesTo({ nocomment: 1 })).toEqual({ canReply: nobody, canLike: nobody, ...others });
    const known = { automaticApproval: [actor, followers] };
    expect(await repliesTo({})).toEqual({ canReply: known, canLike: known, ...others });
    const named = { automaticApproval: [actor, followers, `${base}/channel/bruno`] };
    expect(await repliesTo({ body: "What about you, @bruno?" })).toEqual({
      canReply: named,
      canLike: named,
      ...others,
    });
    await setPermissionLimits(world.hub, uid, { post_comments: limits.authenticated });
    expect(await repliesTo({})).toEqual({ canReply: forAll, canLike: forAll, ...others });
    await changeChannelSettings(world.hub, uid, { moderation: moderation.strangers });
    expect(await repliesTo({})).toEqual({
      canReply: { ...known, manualApproval: [everybody] },
      canLike: forAll,
      ...others,
    });
    await changeChannelSettings(world.hub, uid, { moderation: moderation.everybody });
    expect(await repliesTo({})).toEqual({
      canReply: { ...nobody, manualApproval: [everybody, followers] },
      canLike: forAll,
      ...others,
    });
    await changeChannelSettings(world.hub, uid, { moderation: moderation.nobody });
    for (const [limit, who] of [
      [limits.network, nobody],
      [limits.site, nobody],
      [limits.self, nobody],
      [limits.anyConnections, known],
    ] as const) {
      await setPermissionLimits(world.hub, uid, { post_comments: limit });
      expect([limit, (await repliesTo({})).canReply]).toEqual([limit, who]);
    }
    await setPermissionLimits(world.hub, uid, { post_comments: limits.authenticated });
    expect((await repliesTo({ comments_closed: "2026-02-01T00:00:00Z" })).canReply).toEqual(nobody);
  });

  test("says who may quote it, by itself or by what its author has set", async () => {
    const uid = alma.channel.channel_id;
    const [actor, followers] = [`${base}/channel/alma`, `${base}/followers/alma`];
    const quoters = async (form: object) =>
      (await object((await post(alma, { body: "?", ...form })).uuid)).interactionPolicy.canQuote.automaticApproval;
    expect(await quoters({ quoters: "connections" })).toEqual([actor, followers]);
    await changeChannelSettings(world.hub, uid, { quoters: "nobody" });
    expect(await quoters({})).toEqual([actor]);
    expect(await quoters({ quoters: "everybody" })).toEqual([actor, everybody]);
    await changeChannelSettings(world.hub, uid, { quoters: "everybody" });
    expect((await alma.post("/api/z/1.0/item/update", { body: "?", quoters: "me" })).status).toBe(400);
  });

  test("that is an event says when and where", async () => {
    const times = { start_time: "2026-05-01T10:00:00Z", end_time: "2026-05-01T12:00:00Z" };
    await alma.post("/api/svc/event_create", { name: "Fair", place: "Park", publish: 1, ...times });
    expect(await newestOf("alma")).toMatchObject({
      type: "Event",
      name: "Fair",
      startTime: times.start_time,
      endTime: times.end_time,
      location: { type: "Place", name: "Park" },
    });
  });

  test("that asks for a decision counts what was decided", async () => {
    const { uuid } = await post(alma, { body: "Shall we?", consensus: 1 });
    await copyFor(bruno, "Shall we?");
    await post(bruno, { body: "yes", verb: "agree", parent_mid: `${base}/item/${uuid}` });
    await world.work();
    const { type, oneOf, votersCount } = await object(uuid);
    expect([type, votersCount]).toEqual(["Question", 1]);
    expect(oneOf.map((one: any) => [one.name, one.replies.totalItems])).toEqual([
      ["Agree", 1],
      ["Disagree", 0],
      ["Abstain", 0],
    ]);
  });
});

describe("what belongs to a post", () => {
  test("answers, likes and shares are counted and listed, a page at a time", async () => {
    const top = await post(alma, { body: "ask me" });
    const copy = await copyFor(bruno, "ask me");
    const comment = await post(bruno, { body: "first answer", parent: copy });
    const below = await post(alma, { body: "below it", parent: top.id });
    await bruno.post("/api/svc/activity/like", { id: copy });
    await bruno.post(`/api/statuses/retweet/${copy}`);
    await world.work();
    expect(await object(comment.uuid)).toMatchObject({
      attributedTo: `${base}/channel/bruno`,
      inReplyTo: `${base}/item/${top.uuid}`,
      context: `${base}/conversation/${top.uuid}`,
    });
    const replies = (await get(`/item/${top.uuid}/replies`)).json;
    expect(replies).toMatchObject({
      type: "OrderedCollection",
      totalItems: 2,
      first: `${base}/item/${top.uuid}/replies?page=first`,
    });
    const ids = [`${base}/item/${comment.uuid}`, `${base}/item/${below.uuid}`];
    expect((await get(`/item/${top.uuid}/replies?page=first`)).json.orderedItems.toSorted()).toEqual(ids.toSorted());
    const thread = (await get(`/conversation/${top.uuid}?page=first`)).json;
    expect([thread.totalItems, thread.orderedItems[0]]).toEqual([3, `${base}/item/${top.uuid}`]);
    expect((await get(`/item/${top.uuid}/likes`)).json).toMatchObject({ totalItems: 1 });
    expect((await get(`/item/${top.uuid}/shares`)).json).toMatchObject({ totalItems: 1 });
    expect((await get(`/item/${top.uuid}/likes?page=first`)).status).toBe(404);
    expect((await get(`/conversation/${comment.uuid}`)).status).toBe(404);
  });

  test("long lists go on by key, without gaps and repetitions", async () => {
    const top = await post(alma, { body: "many" });
    for (let n = 0; n < 23; n++) await post(alma, { body: `answer ${n}`, parent: top.id });
    const first = (await get(`/item/${top.uuid}/replies?page=first`)).json;
    const second = (await get(first.next.slice(base.length))).json;
    expect([first.orderedItems.length, second.orderedItems.length, second.next]).toEqual([20, 3, undefined]);
    expect(new Set([...first.orderedItems, ...second.orderedItems]).size).toBe(23);
  });

  test("a like is an activity, and no object", async () => {
    const top = await post(alma, { body: "like me" });
    await bruno.post("/api/svc/activity/like", { id: await copyFor(bruno, "like me") });
    await world.work();
    const { uuid } = await world.hub.db
      .selectFrom("message")
      .select("uuid")
      .where("thr_parent", "=", `${base}/item/${top.uuid}`)
      .where("verb", "like", "%/like")
      .executeTakeFirstOrThrow();
    expect((await get(`/activity/${uuid}`)).json).toMatchObject({
      type: "Like",
      actor: `${base}/channel/bruno`,
      object: `${base}/item/${top.uuid}`,
    });
    expect((await get(`/item/${uuid}`)).status).toBe(404);
  });

  test("a share is an announcement, and with words of its own a quotation", async () => {
    const top = await post(alma, { body: "worth it" });
    await bruno.post(`/api/statuses/retweet/${await copyFor(bruno, "worth it")}`);
    const { json } = await get("/outbox/bruno?page=first");
    const shared = json.orderedItems.find(
      (one: any) => one.type === "Announce" && one.object === `${base}/item/${top.uuid}`,
    );
    const activity = new URL(shared.id).pathname;
    expect((await get(activity)).json).toMatchObject({ type: "Announce", object: `${base}/item/${top.uuid}` });
    expect((await get(activity.replace("/activity/", "/item/"))).json).toMatchObject({ type: "Announce" });
    const { body } = await world.hub.db
      .selectFrom("message")
      .select("body")
      .where("uuid", "=", activity.split("/").at(-1)!)
      .executeTakeFirstOrThrow();
    const quote = await post(bruno, { body: `So true:\n${body}` });
    const quoting = await object(quote.uuid);
    expect(quoting).toMatchObject({ type: "Note", quote: `${base}/item/${top.uuid}` });
    expect(quoting.content).toContain("So true:");
    expect(quoting.content).not.toContain("worth it");
  });
});

describe("what strangers may not see", () => {
  test("has the answer of what does not exist, by every address", async () => {
    const hidden = await post(alma, { body: "hidden", contact_allow: [bruno.channel.channel_hash] });
    const comment = await post(alma, { body: "hidden too", parent: hidden.id });
    const nothing = "11111111-1111-4111-8111-111111111111";
    for (const uuid of [hidden.uuid, comment.uuid, "x", "%00"])
      for (const path of [
        `/item/${uuid}`,
        `/activity/${uuid}`,
        `/item/${uuid}/replies`,
        `/item/${uuid}/likes`,
        `/conversation/${uuid}`,
      ]) {
        const [answer, unknown] = [await get(path), await get(path.replace(uuid, nothing))];
        expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      }
  });

  test("is not counted, listed or named by what they may see", async () => {
    const top = await post(alma, { body: "open" });
    const secret = await post(bruno, { body: "secret words", contact_allow: [alma.channel.channel_hash] });
    await world.work();
    const mention = await post(alma, { body: `see ${base}/item/${secret.uuid}`, parent: top.id });
    expect((await get(`/item/${top.uuid}/replies`)).json.totalItems).toBe(1);
    expect((await get(`/item/${mention.uuid}`)).text).not.toContain("secret words");
  });

  test("stands in none of the fields where the text keeps it for members", async () => {
    const hidden =
      "[observer=1]door codeword [img=https://files.example/door.png]the door[/img] #doorcode @bruno [url=https://files.example/map]map[/url][/observer]";
    const { uuid } = await post(alma, { body: `Party #open ${hidden} tonight` });
    const shown = await object(uuid);
    expect(shown).toMatchObject({ cc: [`${base}/followers/alma`], tag: [{ name: "#open" }], attachment: [] });
    const times = { start_time: "2026-05-01T10:00:00Z" };
    await alma.post("/api/svc/event_create", { name: "Party", desc: `Come ${hidden} soon`, publish: 1, ...times });
    const event = await newestOf("alma");
    expect(event).toMatchObject({ type: "Event", content: expect.stringMatching(/^Come\s+soon$/) });
    for (const one of [shown, event])
      expect(JSON.stringify(one)).not.toMatch(/codeword|door|bruno|files\.example|viewer|observer/);
  });

  test("nor are the pictures of what is quoted those of whoever quotes it", async () => {
    const top = await post(alma, { body: "look at [img]https://files.example/quoted.png[/img]" });
    const own = "So true [img]https://files.example/own.png[/img]";
    const body = `${own}[share author='Alma' profile='${base}/channel/alma' message_id='${base}/item/${top.uuid}' link='${base}/item/${top.uuid}']look at [img]https://files.example/quoted.png[/img][/share]`;
    const { quote, attachment } = await object((await post(bruno, { body })).uuid);
    expect([quote, attachment]).toEqual([
      `${base}/item/${top.uuid}`,
      [expect.objectContaining({ url: "https://files.example/own.png" })],
    ]);
  });

  test("changes with the wall and the site", async () => {
    const shy = await world.person("shy");
    const { uuid } = await post(shy, { body: "for a while" });
    expect((await get(`/item/${uuid}`)).status).toBe(200);
    await setPermissionLimits(world.hub, shy.channel.channel_id, { view_stream: 2 });
    expect((await get(`/item/${uuid}`)).status).toBe(404);
    const { uuid: open } = await post(alma, { body: "on an open site" });
    await changeSite(world.hub, { blockPublic: true });
    expect((await get(`/item/${open}`)).status).toBe(404);
    await changeSite(world.hub, { blockPublic: false });
    expect((await get(`/item/${open}`)).status).toBe(200);
  });
});

describe("who has signed the request", () => {
  const id = (nick: string): string => `https://far.example/users/${nick}`;
  const keyOf = (nick: string) => `${id(nick)}#main-key`;

  const keyFor = (nick: string) => ({ id: keyOf(nick), kind: "rsa" as const, key: pemOf(keys.ann.publicKey) });

  async function read(path: string, nick: string): Promise<Answer> {
    const parameters = { keyId: `"${keyOf(nick)}"` };
    const { rawHeaders } = cavageRequest({ method: "GET", target: path, parameters, headers: { Accept: accept } });
    const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]!]] : []));
    return world.anonymous.get(path, {}, { headers: Object.fromEntries(pairs) as Record<string, string> });
  }

  beforeAll(async () => {
    world.hub.setClock(now);
    for (const nick of ["friend", "other"]) {
      const met = await meetActor(world.hub, actorOf(nick, { keys: [keyFor(nick)] }));
      if (nick === "friend") await connectBoth(met);
    }
  });

  /** Alma lets them in and gives them what a connection gets. */
  async function connectBoth(met: Xchan): Promise<void> {
    await receiveFollow(world.hub, alma.channel, met, `${met.xchan_hash}/follows/1`);
    await connect(world.hub, alma.channel, { xchan_hash: met.xchan_hash });
  }

  test("gets what they may see, for themselves alone and naming nobody else", async () => {
    const allowed = [id("friend"), bruno.channel.channel_hash];
    const { id: postId, uuid } = await post(alma, { body: "for two", contact_allow: allowed });
    const comment = await post(alma, { body: "and this", parent: postId });
    const answer = await read(`/item/${uuid}`, "friend");
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(answer.json).toMatchObject({ content: "for two", to: [id("friend")], cc: [] });
    expect(answer.text).not.toContain(bruno.channel.channel_hash);
    expect(answer.text).not.toContain("bruno");
    expect((await read(`/item/${comment.uuid}`, "friend")).json).toMatchObject({ to: [id("friend")], cc: [] });
    expect((await read(`/item/${uuid}/replies`, "friend")).json.totalItems).toBe(1);
    expect((await read(`/activity/${uuid}`, "friend")).json).toMatchObject({ type: "Create", to: [id("friend")] });
    for (const path of [`/item/${uuid}`, `/activity/${uuid}`, `/item/${uuid}/replies`, `/conversation/${uuid}`]) {
      const [theirs, unsigned] = [await read(path, "other"), await get(path)];
      expect([theirs.status, theirs.text]).toEqual([404, unsigned.text]);
    }
  });

  test("gets what is for some, or for all, by one statement that looks for it", async () => {
    const looksForIt = (sql: string) => sql.startsWith('select "item".*') && sql.includes('"message"."uuid" =');
    for (const audience of [{ contact_allow: [id("friend")] }, {}]) {
      const { uuid } = await post(alma, { body: "one statement", ...audience });
      asked.length = 0;
      expect((await read(`/item/${uuid}`, "friend")).status).toBe(200);
      expect(asked.filter(looksForIt)).toHaveLength(1);
    }
  });

  test("is told of what is for them by name that they may answer, whomever else it is for", async () => {
    await setPermissionLimits(world.hub, alma.channel.channel_id, { post_comments: limits.contacts });
    const { uuid } = await post(alma, { body: "you two?", contact_allow: [id("friend"), bruno.channel.channel_hash] });
    const { canReply, canLike, canAnnounce } = (await read(`/item/${uuid}`, "friend")).json.interactionPolicy;
    const [actor, them] = [`${base}/channel/alma`, id("friend")];
    expect([canReply, canLike]).toEqual([{ automaticApproval: [actor, them] }, { automaticApproval: [actor, them] }]);
    expect(canAnnounce).toEqual({ automaticApproval: [actor] });
  });

  test("gets what its owner has added to a thread that is for some, and nobody else does", async () => {
    const { uuid } = await post(alma, { body: "what do you say?", contact_allow: [id("friend"), id("other")] });
    const [mid, context] = [`${base}/item/${uuid}`, `${base}/conversation/${uuid}`];
    const addressed = { to: [`${base}/channel/alma`], cc: [] };
    const note = { id: `${id("friend")}/notes/1`, type: "Note", attributedTo: id("friend"), content: "yes" };
    const object = { ...note, ...addressed, inReplyTo: mid, context };
    const said = { ...addressed, id: `${note.id}/create`, type: "Create", actor: id("friend"), object };
    await arrivesIn(world.hub)(said, [alma.channel]);
    const history = `/conversation/${uuid}/history`;
    expect((await read(history, "friend")).json).toMatchObject({
      id: base + history,
      totalItems: 1,
      attributedTo: `${base}/channel/alma`,
    });
    const { orderedItems } = (await read(`${history}?page=first`, "friend")).json;
    const target = { id: base + history, type: "OrderedCollection", attributedTo: `${base}/channel/alma` };
    expect(orderedItems).toEqual([
      expect.objectContaining({ type: "Add", actor: `${base}/channel/alma`, to: [id("friend")], object: said, target }),
    ]);
    const strange = await meetActor(world.hub, actorOf("strange", { keys: [keyFor("strange")] }));
    expect((await read(`${history}?page=first`, strange.xchan_hash.split("/").at(-1)!)).status).toBe(404);
    for (const address of [`${history}?page=first`, "/conversation/nothing/history"])
      expect(await get(address)).toMatchObject({ status: 404, text: (await get(`/item/${uuid}`)).text });
  });

  test("gets what is for followers as such, unless one who follows is not meant", async () => {
    const { uuid } = await post(alma, { body: "for followers", public_policy: "contacts" });
    const addressed = async () => (await read(`/item/${uuid}`, "friend")).json.to;
    expect(await addressed()).toEqual([`${base}/followers/alma`]);
    const left = await meetActor(world.hub, actorOf("left"));
    await connectBoth(left);
    const { abook_id } = (await findConnectionTo(world.hub, alma.channel.channel_id, left.xchan_hash))!;
    await updateConnection(world.hub, alma.channel, abook_id, { archived: true });
    expect(await addressed()).toEqual([id("friend")]);
  });

  test("gets what is public like everybody, and with a bad signature what nobody gets", async () => {
    const { uuid } = await post(alma, { body: "for all" });
    expect((await read(`/item/${uuid}`, "other")).json).toMatchObject({ to: [everybody] });
    const { uuid: closed } = await post(alma, { body: "not for all", contact_allow: [id("friend")] });
    world.hub.advance(5 * 3600);
    expect((await read(`/item/${closed}`, "friend")).status).toBe(404);
    world.hub.setClock(now);
  });
});

describe("what is gone", () => {
  test("says so where anybody could see it, long after its tombstone is gone", async () => {
    const open = await post(alma, { body: "gone", title: "Once" });
    const closed = await post(alma, { body: "gone too", contact_allow: [bruno.channel.channel_hash] });
    const shy = await world.person("shy-deleter");
    const hidden = await post(shy, { body: "gone as well" });
    await setPermissionLimits(world.hub, shy.channel.channel_id, { view_stream: limits.contacts });
    for (const { id } of [open, closed]) expect((await alma.post("/api/statuses/destroy", { id })).status).toBe(200);
    expect((await shy.post("/api/statuses/destroy", { id: hidden.id })).status).toBe(200);
    world.hub.advance(50 * 86_400);
    await world.work();
    const answer = await get(`/item/${open.uuid}`);
    expect([answer.status, answer.json]).toEqual([
      410,
      expect.objectContaining({ id: `${base}/item/${open.uuid}`, type: "Tombstone", formerType: "Article" }),
    ]);
    const unknown = await get("/item/00000000-0000-4000-8000-000000000000");
    const toldNothing = async ({ uuid }: Posted): Promise<void> => {
      const { status, text } = await get(`/item/${uuid}`);
      expect([status, text]).toEqual([404, unknown.text]);
    };
    for (const one of [closed, hidden]) await toldNothing(one);
    expect((await get(`/activity/${open.uuid}`)).status).toBe(404);
    await changeSite(world.hub, { blockPublic: true });
    await toldNothing(open);
    await changeSite(world.hub, { blockPublic: false });
  });

  test("of somebody whose account is blocked nothing is shown until it is let in again", async () => {
    const rude = await world.person("rude");
    const { uuid } = await post(rude, { body: "rude words" });
    const account = rude.channel.channel_account_id;
    await setAccountFlag(world.hub, account, "blocked", true);
    expect((await get(`/item/${uuid}`)).status).toBe(404);
    await setAccountFlag(world.hub, account, "blocked", false);
    expect((await get(`/item/${uuid}`)).status).toBe(200);
  });

  test("of somebody who has left, says so at once where anybody could see it", async () => {
    const [gone, shy] = [await world.person("goner"), await world.person("shy-goner")];
    const { uuid } = await post(gone, { body: "bye" });
    const { uuid: closed } = await post(gone, { body: "bye, friends", contact_allow: [bruno.channel.channel_hash] });
    const { uuid: hidden } = await post(shy, { body: "bye, few" });
    await setPermissionLimits(world.hub, shy.channel.channel_id, { view_stream: 8 });
    for (const { channel } of [gone, shy]) await removeChannel(world.hub, channel.channel_id);
    for (const work of [() => Promise.resolve(), () => world.work()]) {
      await work();
      const answer = await get(`/item/${uuid}`);
      const tombstone = { id: `${base}/item/${uuid}`, type: "Tombstone", formerType: "Note" };
      expect([answer.status, answer.json]).toEqual([410, expect.objectContaining(tombstone)]);
      const unknown = await get("/item/00000000-0000-4000-8000-000000000000");
      for (const one of [closed, hidden]) {
        const { status, text } = await get(`/item/${one}`);
        expect([status, text]).toEqual([404, unknown.text]);
      }
    }
  });
});
