import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { everybody } from "./everybody.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../test/support/elsewhere.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import type { Arrives } from "../../../test/support/incoming.ts";
import { befriend } from "../../../test/support/people.ts";
import { picture } from "../../../test/support/pictures.ts";
import { factsOf } from "../../../test/support/reader-facts.ts";
import { connect, receiveAccept, receiveFollow } from "../../domain/connections/connections.ts";
import { findConnectionTo } from "../../domain/connections/connections.ts";
import { moveTo } from "../../domain/identity/channels/moved.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { pinsOf } from "../../domain/items/pins.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { setPinned } from "../../domain/items/posting/pin.ts";
import { shareItem } from "../../domain/items/posting/share.ts";
import { vote } from "../../domain/items/posting/vote.ts";
import { listReports } from "../../domain/reports/list.ts";
import { report } from "../../domain/reports/report.ts";
import { metActor } from "./retrieve/actor.ts";

/**
 * The tables of federation contract 4, row by row: what goes out for it, and what becomes of what comes in. The rows are read from
 * the contract, so that one that is added there fails here until it is tried.
 */

let world: TestApp;
let elsewhere: Elsewhere;
let arrives: Arrives;
let alma: Person;
let eva: Xchan;
let count = 0;

const hubId = "http://hub.example";
const far = "https://far.example";

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({
    fetch: (url, options) => (options?.method === "POST" ? taken(url, options) : elsewhere.fetch(url, options)),
  });
  arrives = arrivesIn(world.hub);
  alma = await world.person("alma", { role: "feed" });
  eva = await friend("eva");
  await connect(world.hub, alma.channel, eva);
  await receiveAccept(world.hub, alma.channel, eva);
});
afterAll(() => world.close());

/** All that has gone out. */
const said = new Set<string>();
let posted: { type: string; object: any; [name: string]: any }[] = [];

function taken(_url: string, { body }: { body?: unknown }): Promise<Response> {
  posted.push(JSON.parse(String(body)));
  said.add(String(body));
  return Promise.resolve(new Response("", { status: 202 }));
}

/** Somebody elsewhere who follows Alma. */
async function friend(nick: string, who = alma, more: object = {}): Promise<Xchan> {
  const xchan = (await metActor(world.hub, elsewhere.actor(nick, more).id))!;
  await receiveFollow(world.hub, who.channel, xchan, `${far}/follows/${++count}`);
  await heard();
  return xchan;
}

/** What other hubs hear since the last time. */
async function heard() {
  await world.work();
  const all = posted;
  posted = [];
  return all;
}

type Posted = { id: number; mid: string; uuid: string };

async function post(form: Record<string, unknown>, who = alma): Promise<Posted> {
  const answer = await who.post("/api/z/1.0/item/update", form);
  if (answer.status !== 200) throw new Error(answer.text);
  const { id, mid } = answer.json.item;
  return { id: Number(id), mid, uuid: mid.split("/").at(-1) };
}

/** The same, after everybody has heard of it. */
async function told(form: Record<string, unknown>): Promise<Posted> {
  const item = await post(form);
  await heard();
  return item;
}

/** What other hubs hear, by activity and object, in whichever order. */
async function types(): Promise<string[]> {
  const all = await heard();
  return all.map(({ type, object }) => `${type} ${typeof object === "string" ? object : object.type}`).toSorted();
}

const objectBy = (actor: string, more: object = {}) => ({
  id: `${far}/things/${++count}`,
  type: "Note",
  attributedTo: actor,
  content: `<p>thing ${count}</p>`,
  to: [everybody],
  published: "2026-02-01T00:00:00Z",
  ...more,
});

const by = (type: string, object: unknown, more: object = {}) => ({
  id: `${far}/deeds/${++count}`,
  type,
  actor: eva.xchan_hash,
  object,
  ...more,
});

/** Lets Eva create such an object, and answers what is kept of it. */
async function kept(more: object = {}, type = "Create") {
  const object = objectBy(eva.xchan_hash, more);
  await arrives(by(type, object));
  return { ...(await stored(object.id))!, mid: object.id };
}

/** Alma's copy of what has this id. */
async function stored(mid: string) {
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select([
      "item.id",
      "title",
      "summary",
      "obj_type",
      "resource_type",
      "message.html",
      "message.uuid",
      "item_deleted",
    ])
    .where("message.mid", "=", mid)
    .where("item.uid", "=", alma.channel.channel_id)
    .where("item_deleted", "=", 0)
    .executeTakeFirst();
}

/** How people have reacted to it, as Alma sees it. */
async function reactions({ id }: { id: number }): Promise<string[]> {
  const rows = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("verb")
    .where("thr_parent_id", "=", id)
    .where("item_thread_top", "=", 0)
    .where("item_normal", "=", 1)
    .execute();
  return rows.map(({ verb }) => verb.split("/").at(-1)!).toSorted();
}

const react = (deed: string, { id }: { id: number }) => alma.post(`/api/svc/activity/${deed}.json`, { id });
const event = () => alma.post("/api/svc/event_create", { name: "Fair", start_time: "2026-05-01 10:00", publish: 1 });
const eventFields = { type: "Event", name: "Fair", startTime: "2026-05-01T10:00:00Z" };
const question = () => ({
  type: "Question",
  oneOf: ["a", "b"].map((name) => ({ type: "Note", name, replies: { totalItems: 0 } })),
});
const poll = () =>
  postItem(world.hub, alma.channel, { body: "Which?", objType: "Question", obj: JSON.stringify(question()) });
const follows = async (hash: string) => findConnectionTo(world.hub, alma.channel.channel_id, hash);

/** What goes out, and what becomes of what comes in; or in words why there is nothing to try. */
type Row = Record<"out" | "in", (() => Promise<void>) | string>;

const none = "the contract has none";

const objects: Record<string, Row> = {
  "post or comment without `title`": {
    out: async () => {
      const { mid } = await post({ body: "plain" });
      await post({ body: "answer", parent_mid: mid });
      expect(await types()).toEqual(["Create Note", "Create Note"]);
    },
    in: async () => {
      expect((await kept()).obj_type).toMatch(/note$/);
      const { mid } = await kept({ type: "ChatMessage", to: [`${hubId}/channel/alma`] });
      expect(await stored(mid)).toBeUndefined();
      expect((await alma.get("/api/direct_messages/all")).text).toContain(`thing ${mid.split("/").at(-1)}`);
    },
  },
  "with `title`": {
    out: async () => {
      await post({ title: "Title", summary: "short", body: "long" });
      expect(await heard()).toMatchObject([{ object: { type: "Article", name: "Title", summary: "short" } }]);
    },
    in: async () => {
      for (const type of ["Article", "Page"])
        expect(await kept({ type, name: "Title" })).toMatchObject({
          title: "Title",
          obj_type: expect.stringMatching(/article$/),
        });
    },
  },
  "photo item (`resource_type`=photo)": {
    out: async () => {
      const media = (await picture(40, 30).png().toBuffer()).toString("base64");
      await alma.post("/api/statuses/update_with_media", { status: "Look", media });
      const [activity] = await heard();
      expect(activity).toMatchObject({
        object: { type: "Note", attachment: [{ type: "Image", mediaType: "image/png" }] },
      });
    },
    in: async () => {
      const url = { type: "Link", href: `${far}/1.png`, mediaType: "image/png" };
      const item = await kept({ type: "Image", url: [url] });
      expect(item).toMatchObject({ obj_type: expect.stringMatching(/photo$/), html: expect.stringContaining("<img ") });
    },
  },
  "audio / video post": {
    out: async () => {
      await post({ body: "[audio]https://files.example/1.mp3[/audio] [video]https://files.example/1.mp4[/video]" });
      const [activity] = await heard();
      expect(activity!.object.attachment.map(({ type }: any) => type).toSorted()).toEqual(["Audio", "Video"]);
    },
    in: async () => {
      const url = (type: string) => [{ type: "Link", href: `${far}/1.${type.split("/")[1]}`, mediaType: type }];
      expect((await kept({ type: "Audio", name: "Song", url: url("audio/mpeg") })).html).toContain("<audio");
      expect((await kept({ type: "Video", name: "Film", url: url("video/mp4") })).html).toContain("<video");
      const films = [1080, 240, 720].map((height) => ({
        ...url("video/mp4")[0],
        href: `${far}/${height}.mp4`,
        height,
      }));
      const list = { type: "Link", href: `${far}/1.m3u8`, mediaType: "application/x-mpegURL", tag: films };
      const { html } = await kept({ type: "Video", name: "In pieces", url: [list] });
      expect(html).toContain(Buffer.from(`${far}/720.mp4`).toString("base64url"));
    },
  },
  "event (`resource_type`=event)": {
    out: async () => {
      await event();
      expect(await heard()).toMatchObject([{ type: "Create", object: eventFields }]);
    },
    in: async () => {
      for (const type of ["Create", "Invite"])
        expect(await kept(eventFields, type)).toMatchObject({ resource_type: "event", title: "Fair" });
    },
  },
  "consensus item (`item_consensus`=1)": {
    out: async () => {
      await post({ body: "Shall we?", consensus: 1 });
      const [activity] = await heard();
      expect(activity!.object.oneOf.map(({ name }: any) => name)).toEqual(["Agree", "Disagree", "Abstain"]);
    },
    in: async () => expect((await kept(question())).obj_type).toBe("Question"),
  },
  "poll: options, one or several choices, end, counts, own vote (`poll`, `poll_option`, `poll_vote`)": {
    out: async () => {
      await poll();
      expect(await heard()).toMatchObject([{ object: { type: "Question", oneOf: [{ name: "a" }, { name: "b" }] } }]);
    },
    in: async () => expect(await kept(question())).toMatchObject({ obj_type: "Question" }),
  },
  "web page (`webpage` kinds)": {
    out: async () => {
      await post({ body: "page", webpage: 3, pagetitle: "page" });
      expect(await heard()).toEqual([]);
    },
    in: none,
  },
  "deleted item": {
    out: async () => {
      const { id, mid } = await told({ body: "gone soon" });
      await deleteItem(world.hub, alma.channel, { id });
      expect(await heard()).toMatchObject([{ type: "Delete", object: { type: "Tombstone", id: mid } }]);
    },
    in: async () => {
      const { mid } = await kept();
      await arrives(by("Delete", { id: mid, type: "Tombstone" }));
      expect(await stored(mid)).toBeUndefined();
    },
  },
};

const activities: Record<string, Row> = {
  Create: {
    out: async () => {
      await post({ body: "new" });
      expect(await types()).toEqual(["Create Note"]);
    },
    in: async () => expect((await kept()).html).toContain("thing"),
  },
  Update: {
    out: async () => {
      const { id } = await told({ body: "before" });
      await alma.post("/api/z/1.0/item/update", { post_id: id, body: "after" });
      await alma.post("/api/account/update_profile", { name: "Alma A." });
      world.hub.advance(61);
      expect(await types()).toEqual(["Update Note", "Update Person"]);
    },
    in: async () => {
      const { mid } = await kept();
      const now = objectBy(eva.xchan_hash, { id: mid, content: "<p>after</p>", updated: "2026-02-02T00:00:00Z" });
      await arrives(by("Update", now));
      expect((await stored(mid))?.html).toContain("after");
    },
  },
  Delete: {
    out: objects["deleted item"]!.out,
    in: async () => {
      const { mid } = await kept();
      await arrives(by("Delete", mid));
      expect(await stored(mid)).toBeUndefined();
    },
  },
  "Like / Dislike": {
    out: async () => {
      const item = await kept();
      for (const deed of ["like", "dislike"]) await react(deed, item);
      expect(await types()).toEqual([`Dislike ${item.mid}`, `Like ${item.mid}`]);
    },
    in: async () => {
      const item = await told({ body: "like me" });
      for (const type of ["Like", "Like", "Dislike"]) await arrives(by(type, item.mid));
      expect(await reactions(item)).toEqual(["dislike", "like"]);
    },
  },
  EmojiReact: {
    out: async () => {
      const { mid } = await kept();
      await alma.post("/api/z/1.0/item/update", { verb: "react#tada", parent_mid: mid, body: "" });
      expect(await heard()).toMatchObject([{ type: "EmojiReact", content: "🎉", object: mid }]);
    },
    in: async () => {
      const item = await told({ body: "react" });
      for (const content of ["🎉", "🎉", "🔥"]) await arrives(by("EmojiReact", item.mid, { content }));
      expect(await reactions(item)).toEqual(["react#fire", "react#tada"]);
    },
  },
  "Announce of object": {
    out: async () => {
      const { id, mid } = await kept();
      await shareItem(world.hub, alma.channel, { id });
      expect(await heard()).toMatchObject([{ type: "Announce", object: mid }]);
    },
    in: async () => {
      const original = objectBy(elsewhere.actor("dora").id);
      elsewhere.put(original.id, original);
      await arrives(by("Announce", original.id, { to: [everybody] }));
      expect((await alma.get("/api/statuses/home_timeline")).text).toContain(original.content.slice(3, -4));
    },
  },
  "Announce of activity": {
    out: async () => {
      const board = await world.person("board", { role: "forum" });
      await befriend(world.hub, alma.channel, board.channel);
      const member = await friend("member", board);
      const { abook_id } = (await findConnectionTo(world.hub, board.channel.channel_id, member.xchan_hash))!;
      await board.post("/api/z/1.0/abook", { abook_id, pending: false });
      await told({ body: "nothing" });
      await post({ body: "News @board" });
      expect(await types()).toContain("Announce Create");
    },
    in: async () => {
      const group = elsewhere.actor("club", { type: "Group" });
      const said = objectBy(eva.xchan_hash);
      elsewhere.put(said.id, said);
      await arrives({ ...by("Announce", by("Create", said)), actor: group.id });
      expect((await stored(said.id))?.html).toContain(said.content);
    },
  },
  "Accept / Reject / TentativeAccept": {
    out: async () => {
      const item = await kept(eventFields);
      for (const [deed, type] of [
        ["attendyes", "Accept"],
        ["attendno", "Reject"],
        ["attendmaybe", "TentativeAccept"],
      ]) {
        await react(deed!, item);
        expect((await heard()).find((activity) => activity.type === type)?.object).toBe(item.mid);
      }
      for (const [quoters, answer] of [
        ["everybody", "Accept"],
        ["nobody", "Reject"],
      ]) {
        const { mid } = await told({ body: "quote me", quoters });
        await arrives(by("QuoteRequest", mid, { instrument: objectBy(eva.xchan_hash, { quote: mid }) }));
        expect(await types()).toEqual([`${answer} QuoteRequest`]);
      }
    },
    in: async () => {
      await event();
      const [{ object }] = (await heard()) as [any];
      const item = (await stored(object.id))!;
      for (const [n, type] of ["Accept", "Reject", "TentativeAccept"].entries()) {
        world.hub.advance(1);
        await arrives(by(type, object.id));
        expect(await reactions(item)).toEqual([["attendyes"], ["attendno"], ["attendmaybe"]][n]);
      }
    },
  },
  "Join / Leave on Event": {
    out: none,
    in: async () => {
      await event();
      const [{ object }] = (await heard()) as [any];
      const item = (await stored(object.id))!;
      await arrives(by("Join", object.id));
      expect([await reactions(item), await types()]).toEqual([["attendyes"], ["Accept Join"]]);
      await arrives(by("Leave", object.id));
      expect(await reactions(item)).toEqual([]);
    },
  },
  Undo: {
    out: async () => {
      const item = await kept();
      await react("like", item);
      await heard();
      await react("unlike", item);
      expect(await heard()).toMatchObject([{ type: "Undo", object: { type: "Like", object: item.mid } }]);
    },
    in: async () => {
      const item = await told({ body: "liked, and not" });
      const like = by("Like", item.mid);
      for (const undone of [like.id, like, { type: "Like", actor: eva.xchan_hash, object: item.mid }]) {
        await arrives({ ...like, id: `${like.id}/${++count}` });
        await arrives(by("Undo", typeof undone === "string" ? `${like.id}/${count}` : undone));
        expect(await reactions(item)).toEqual([]);
      }
    },
  },
  Follow: {
    out: async () => {
      const dora = (await metActor(world.hub, elsewhere.actor("dora").id))!;
      await connect(world.hub, alma.channel, dora);
      expect(await heard()).toMatchObject([{ type: "Follow", object: dora.xchan_hash }]);
    },
    in: async () => {
      const { id } = elsewhere.actor("fred");
      await arrives({ ...by("Follow", `${hubId}/channel/alma`), actor: id });
      expect(await types()).toContain("Accept Follow");
      expect((await follows(id))?.follow_in).toBe("accepted");
    },
  },
  Block: {
    out: async () => {
      const gus = await friend("gus");
      const { abook_id } = (await follows(gus.xchan_hash))!;
      await alma.post("/api/z/1.0/abook", { abook_id, blocked: true });
      expect(await types()).toEqual(["Reject Follow"]);
    },
    in: async () => {
      const hal = await friend("hal");
      await arrives({ ...by("Block", `${hubId}/channel/alma`), actor: hal.xchan_hash });
      expect((await follows(hal.xchan_hash))?.abook_shut_out).toBe(1);
    },
  },
  Flag: {
    out: async () => {
      await report(world.hub, alma.channel, { person: eva.xchan_hash, items: [], comment: "look", forward: true });
      expect(await heard()).toMatchObject([{ type: "Flag", actor: `${hubId}/actor`, content: "look" }]);
    },
    in: async () => {
      await arrives(by("Flag", [`${hubId}/channel/alma`], { content: "look there" }));
      const { reports } = await listReports(world.hub, "open", { count: 9 });
      expect(reports.map(({ comment }) => comment)).toContain("look there");
    },
  },
  Move: {
    out: async () => {
      const mara = await world.person("mara", { role: "feed" });
      await friend("ivo", mara);
      const { id } = elsewhere.actor("mara", { alsoKnownAs: [`${hubId}/channel/mara`] });
      await moveTo(world.hub, mara.channel, (await metActor(world.hub, id))!);
      expect(await heard()).toMatchObject([{ type: "Move", object: `${hubId}/channel/mara`, target: id }]);
    },
    in: async () => {
      const old = (await metActor(world.hub, elsewhere.actor("old").id))!;
      await connect(world.hub, alma.channel, old);
      const { id } = elsewhere.actor("new", { alsoKnownAs: [old.xchan_hash] });
      await arrives({ ...by("Move", old.xchan_hash), actor: old.xchan_hash, target: id });
      await heard();
      expect((await follows(id))?.follow_out).toBe("requested");
    },
  },
  "Add / Remove": {
    out: async () => {
      const { id, mid } = await told({ body: "pin me" });
      await setPinned(world.hub, alma.channel, { id }, true);
      await setPinned(world.hub, alma.channel, { id }, false);
      expect(await heard()).toMatchObject(["Add", "Remove"].map((type) => ({ type, object: mid })));
    },
    in: async () => {
      const target = `${far}/users/kim/featured`;
      const kim = (await metActor(world.hub, elsewhere.actor("kim", { featured: target }).id))!;
      const said = objectBy(kim.xchan_hash, { to: [everybody, `${hubId}/channel/alma`] });
      const pin = (type: string) => ({ ...by(type, said.id, { target }), actor: kim.xchan_hash });
      await arrives({ ...by("Create", said), actor: kim.xchan_hash }, [alma.channel]);
      await arrives(pin("Add"));
      expect(await pinsOf(world.hub, kim.xchan_hash)).toHaveLength(1);
      await arrives(pin("Remove"));
      expect(await pinsOf(world.hub, kim.xchan_hash)).toHaveLength(0);
      expect(await stored(said.id)).toBeDefined();
    },
  },
  "Add of an activity to a thread's container (FEP-171b)": {
    out: "in threads of several people: outbox/threads.test.ts",
    in: async () => {
      const context = `${far}/contexts/${++count}`;
      const { mid } = await kept({ context });
      const answer = objectBy(elsewhere.actor("dora").id, { inReplyTo: mid });
      elsewhere.put(answer.id, answer);
      const made = { ...by("Create", answer), actor: answer.attributedTo };
      const target = { id: context, type: "OrderedCollection", attributedTo: eva.xchan_hash };
      await arrives(by("Add", made, { target }));
      expect((await stored(answer.id))?.html).toContain(answer.content);
    },
  },
  "Question vote": {
    out: async () => {
      const { id, mid } = await kept(question());
      await vote(world.hub, alma.channel, { id }, [1]);
      const [activity] = await heard();
      expect(activity).toMatchObject({ type: "Create", to: [eva.xchan_hash], object: { name: "b", inReplyTo: mid } });
      expect(activity!.object).not.toHaveProperty("content");
    },
    in: async () => {
      const { uuid, mid } = await poll();
      const choice = { id: `${far}/votes/${++count}`, type: "Note", name: "b", attributedTo: eva.xchan_hash };
      const addressed = { inReplyTo: mid, to: [`${hubId}/channel/alma`] };
      for (let n = 0; n < 2; n++) await arrives(by("Create", { ...choice, ...addressed }));
      const headers = { accept: "application/activity+json" };
      const { json } = await world.anonymous.get(`/item/${uuid}`, {}, { headers });
      expect(json.oneOf.map(({ replies }: any) => replies.totalItems)).toEqual([0, 1]);
    },
  },
  "View, Read, Listen, Travel, Arrive, Ignore, Offer": {
    out: none,
    in: async () => {
      const item = await told({ body: "seen" });
      const rows = async () => (await world.hub.db.selectFrom("message").select("id").execute()).length;
      const before = await rows();
      for (const type of ["View", "Read", "Listen", "Travel", "Arrive", "Ignore", "Offer"])
        await arrives(by(type, item.mid));
      expect([await rows(), await heard()]).toEqual([before, []]);
    },
  },
};

describe.each([
  ["4.1", objects],
  ["4.3", activities],
])("contract %s", (section, rows) => {
  test("has these rows", () => expect(Object.keys(rows)).toEqual(rowsOf(section)));

  const cases = Object.entries(rows).flatMap(([name, row]) =>
    (["out", "in"] as const).flatMap((way) => {
      const run = row[way];
      return typeof run === "string" ? [] : [{ way, name, run }];
    }),
  );
  test.each(cases)("$way: $name", async ({ run }) => {
    await heard();
    await run();
  });
});

test("what goes out means by JSON-LD what it means here, and so do the documents of a channel", async () => {
  for (const path of ["/channel/alma", "/actor"]) {
    const { text } = await world.anonymous.get(path, {}, { headers: { accept: "application/activity+json" } });
    said.add(text);
  }
  expect(said.size).toBeGreaterThan(30);
  for (const text of said) {
    const { ours, theirs } = await factsOf(JSON.parse(text));
    expect({ text, ...ours }).toEqual({ text, ...theirs });
  }
});

test("what goes out has the forms without which strict readers refuse it", () => {
  const activities = [...said].map((text) => JSON.parse(text)).filter(({ actor }) => actor !== undefined);
  expect(activities.length).toBeGreaterThan(30);
  for (const activity of activities) expect({ activity, faults: faultsOf(activity) }).toEqual({ activity, faults: [] });
});

/** What PeerTube, Lemmy, Mastodon and GoToSocial would not take of an activity, by their own readers. */
function faultsOf(activity: any): string[] {
  const { object, type } = activity;
  const isOwn = (id: unknown): boolean =>
    typeof id === "string" && new URL(id).origin === new URL(activity.actor).origin;
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every((one) => URL.canParse(one));
  const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
  const ask = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);
  const written = ["Create", "Update"].includes(type) && object.inbox === undefined && object.name === undefined;
  return [
    ...ask(isOwn(activity.id), "id of the actor's host"),
    ...ask(activity["@context"][0] === "https://www.w3.org/ns/activitystreams", "context"),
    ...["to", "cc"].flatMap((name) => ask(activity[name] === undefined || isList(activity[name]), `${name} as a list`)),
    ...(type === "Undo" ? ["id", "type", "actor"].flatMap((name) => ask(isText(object[name]), `undone ${name}`)) : []),
    ...(written
      ? [
          ...["attributedTo", "content", "url"].flatMap((name) => ask(isText(object[name]), name)),
          ...["to", "cc"].flatMap((name) => ask(isList(object[name]), `${name} of the object`)),
          ...ask(isOwn(object.id) && object.attributedTo === activity.actor, "author"),
          ...ask(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(object.published), "published"),
        ]
      : []),
  ];
}

/** The first cells of the table in a section of the contract. */
function rowsOf(section: string): string[] {
  const contract = readFileSync("docs/contract/federation/4-items.md", "utf8");
  const [, rest = ""] = contract.split(`\n## ${section} `);
  const [text = ""] = rest.split("\n## ");
  const cells = text.split("\n").flatMap((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? []);
  return cells.slice(1);
}
