import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { childOf, readXml } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { errorObject, statusObject } from "../../../../test/support/microblog-shapes.ts";
import { noteRecord } from "../../../../test/support/microblog-shapes.ts";
import { connect } from "../../../domain/connections/connections.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { shareItem } from "../../../domain/items/posting/share.ts";
import { notify } from "../../../domain/notifications/notify.ts";
import { restoreNotice } from "../../../domain/notifications/restore.ts";
import type { Deed } from "../../../domain/notifications/new-notice.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { layOut } from "../../../domain/bodies/texts.ts";
import { ago } from "./present-ago.ts";
import { statementsOf } from "../../../../test/support/statements.ts";

/** Notices: microblog contract 7.7, 9.3. */

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob", { name: "Bob [x] <b>$& {1}" })];
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());

/** A post of ann's that bob comments on, and the id of the comment as ann has it. */
async function commented(text: string): Promise<{ top: number; comment: number }> {
  const top = (await ann.post("/api/statuses/update", { status: text })).json.id;
  await world.work();
  const [seen] = (await bob.get("/api/statuses/home_timeline")).json;
  await bob.post("/api/statuses/update", { status: `${text} answered`, in_reply_to_status_id: seen.id });
  await world.work();
  const [comment] = (await ann.get("/api/statuses/home_timeline")).json;
  return { top, comment: comment.id };
}

const notesOf = async (person: Person): Promise<any[]> => (await person.get("/api/svc/notifications")).json;

async function clear(): Promise<void> {
  await world.hub.db.deleteFrom("notify").execute();
}

/** Tells ann something that needs no item; the number ends its link. */
async function tell(connection: number): Promise<void> {
  await notify(world.hub, [{ kind: "confirmed", to: ann.channel, actor: bob.channel.xchan_id, connection }]);
}

describe("the list", () => {
  test("has a note with every field of the contract", async () => {
    await clear();
    const { top, comment } = await commented("hello");
    world.hub.advance(2 * 3600 + 5);
    const [note, ...more] = await notesOf(ann);
    expect(more).toEqual([]);
    const name = "Bob [x] <b>$& {1}";
    expect(noteRecord.parse(note)).toMatchObject({
      type: 8,
      name,
      url: "http://hub.example/channel/bob",
      date: expect.stringMatching(/^2026-03-01 12:00:/),
      date_rel: "2 hours ago",
      msg_plain: "Bob x <b>$& {1} commented on a post",
      link: expect.stringMatching(/^http:\/\/hub\.example\/display\//),
      seen: 0,
      iid: comment,
      parent: top,
      otype: "item",
      uid: ann.channel.channel_id,
      name_cache: "Bob [x] &lt;b&gt;$&amp; {1}",
      msg_cache: "{0} commented on a post",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(note.timestamp).toBe(Date.parse(`${note.date.replace(" ", "T")}Z`) / 1000);
    expect(note.msg).toMatch(/^\[zrl=http:\/\/hub\.example\/channel\/bob\]/);
    expect(note.msg_html).toMatch(/^<a [^>]*href="http:\/\/hub\.example\/channel\/bob"/);
    expect(note.msg_html).not.toContain("<b>");
  });

  test("of every kind in its words, and what came with its own as it came", async () => {
    await clear();
    const { hub } = world;
    const { id, mid } = await postItem(hub, ann.channel, { body: "x" });
    const link = `http://hub.example/display/${mid.split("/").at(-1)}`;
    const post = "http://activitystrea.ms/schema/1.0/post";
    const tag = "http://activitystrea.ms/schema/1.0/tag";
    const friend = "http://activitystrea.ms/schema/1.0/make-friend";
    const emoji = "http://purl.org/zot/activity/react#smile";
    const deeds: [Deed, string, ...unknown[]][] = [
      [{ kind: "wall", item: id, verb: post }, `wrote [zrl=${link}]a post[/zrl] on your wall`, 4, post, "item", link],
      [
        { kind: "comment", item: id, verb: post, thread: id },
        `commented on [zrl=${link}]a post[/zrl]`,
        8,
        post,
        "item",
        link,
      ],
      [
        { kind: "held", verb: post },
        "commented on [zrl=http://hub.example/moderate]a post; the comment waits for you[/zrl]",
        8,
        post,
        "item",
        "http://hub.example/moderate",
      ],
      [
        { kind: "mention", item: id, verb: post },
        `mentioned you in [zrl=${link}]a post[/zrl]`,
        128,
        post,
        "item",
        link,
      ],
      [{ kind: "tag", item: id }, `tagged [zrl=${link}]a post[/zrl]`, 256, tag, "item", link],
      [
        { kind: "share", item: id, of: 1 },
        `shared [zrl=${link}]your post[/zrl]`,
        1024,
        tag.replace("tag", "share"),
        "item",
        link,
      ],
      [
        { kind: "reaction", item: id, verb: emoji },
        `reacts with 😄 to [zrl=${link}]a post[/zrl]`,
        1024,
        emoji,
        "item",
        link,
      ],
      [{ kind: "mail", mail: 7 }, "sent you a message", 16, post, "mail", "http://hub.example/mail/7"],
      [
        { kind: "request" },
        "would like to connect with you",
        1,
        friend,
        "intro",
        "http://hub.example/connections/ifpending",
      ],
      [
        { kind: "follower", connection: 9 },
        "has connected with you",
        1,
        friend,
        "intro",
        "http://hub.example/connedit/9",
      ],
      [
        { kind: "confirmed", connection: 9 },
        "has confirmed the connection with you",
        2,
        friend,
        "intro",
        "http://hub.example/connedit/9",
      ],
    ];
    await notify(
      hub,
      deeds.map(([deed]) => ({ ...deed, to: ann.channel, actor: bob.channel.xchan_id })),
    );
    const worded = { xname: "P", url: "", photo: "", msg: "[b]P[/b] pokes :) [url=javascript:1]you[/url]", parent: "" };
    const words = JSON.stringify({ ...worded, link: "http://hub.example/x", ntype: 512, verb: "poke", otype: "item" });
    const at = { uid: ann.channel.channel_id, item_id: 0, created: "2026-01-01 10:00:00" };
    await restoreNotice(hub, { ...at, hash: "ab".repeat(32), kind: "worded", words });
    const [last, ...notes] = (await notesOf(ann)).toReversed();
    expect(last).toMatchObject({
      type: 512,
      name: "P",
      msg: worded.msg,
      msg_html: "<strong>P</strong> pokes 🙂 you",
      msg_plain: "P pokes 🙂 you",
      msg_cache: "{0} pokes 🙂 you",
      link: "http://hub.example/x",
      verb: "poke",
      iid: 0,
    });
    expect(notes.map(({ msg, type, verb, otype, link }) => [msg, type, verb, otype, link])).toEqual(
      deeds.map(([, says, ...rest]) => [`[zrl=http://hub.example/channel/bob]Bob x <b>$& {1}[/zrl] ${says}`, ...rest]),
    );
    for (const { msg, msg_html, msg_plain } of notes) {
      const { html, plain } = await layOut(hub, msg, "text/bbcode");
      expect([msg_html, msg_plain]).toEqual([html, plain]);
    }
  });

  test("of messages and requests too", async () => {
    await clear();
    await bob.post("/api/direct_messages/new", { text: "hidden words", screen_name: "ann" });
    const stranger = await world.person("stranger");
    await connect(world.hub, stranger.channel, { xchan_hash: ann.channel.channel_hash });
    const notes = await notesOf(ann);
    for (const note of notes) noteRecord.parse(note);
    expect(notes.map(({ type, otype }) => [type, otype]).toSorted()).toEqual([
      [1, "intro"],
      [16, "mail"],
    ]);
    const note = notes.find(({ otype }) => otype === "mail");
    expect(note).toMatchObject({ type: 16, otype: "mail", iid: 0, parent: 0 });
    expect(note.link).toMatch(/^http:\/\/hub\.example\/mail\/\d+$/);
    expect(JSON.stringify(note)).not.toContain("hidden words");
  });

  test.each([
    "svc/notifications",
    "friendica/notifications",
    "svc/notification",
    "friendica/notification",
    "1.1/svc/notifications",
  ])("%s: unseen first, then the newest, at most 50", async (path) => {
    await clear();
    for (let n = 0; n < 55; n++) {
      world.hub.advance(1);
      await tell(n);
    }
    const before = (await ann.get(`/api/${path}.json`)).json;
    expect(before.map((note: any) => note.link.split("/").at(-1))).toEqual(
      Array.from({ length: 50 }, (_, at) => String(54 - at)),
    );
    for (const at of [0, 2]) await ann.post("/api/svc/notifications/seen", { id: before[at].id });
    const after = (await ann.get(`/api/${path}`)).json.map((note: any) => [note.link.split("/").at(-1), note.seen]);
    expect(after.slice(0, 2)).toEqual([
      ["53", 0],
      ["51", 0],
    ]);
    expect(after).toHaveLength(50);
    expect(after.every(([, seen]: [string, number]) => seen === 0)).toBe(true);
    await world.hub.db.deleteFrom("notify").where("seen", "=", 0).where("abook_id", "<>", 53).execute();
    expect((await ann.get(`/api/${path}`)).json.map((note: any) => [note.link.split("/").at(-1), note.seen])).toEqual([
      ["53", 0],
      ["54", 1],
      ["52", 1],
    ]);
    expect((await ann.post(`/api/${path}`)).status).toBe(405);
  });

  test("is empty for whom nothing has happened", async () => {
    await clear();
    expect(await notesOf(ann)).toEqual([]);
    expect(readXml(await ann.get("/api/svc/notifications.xml"))).toEqual({
      name: "notes",
      attributes: {},
      text: "",
      children: [],
    });
  });

  test("of a share, which stands on the wall of somebody else", async () => {
    const top = (await ann.post("/api/statuses/update", { status: "worth sharing" })).json.id;
    await world.work();
    await clear();
    const [seen] = (await bob.get("/api/statuses/home_timeline")).json;
    await shareItem(world.hub, bob.channel, { id: seen.id });
    await world.work();
    const [note] = await notesOf(ann);
    expect(noteRecord.parse(note)).toMatchObject({ type: 1024, msg_cache: "{0} shared your post" });
    const [status] = (await ann.post("/api/svc/notifications/seen", { id: note.id })).json;
    expect(status).toMatchObject({ retweeted_status: { id: top } });
    expect((await ann.get(`/api/statuses/show/${note.iid}`)).json.id).toBe(status.id);
  });

  test("what is gone has no numbers any more", async () => {
    await clear();
    const { top, comment } = await commented("short-lived");
    const [note] = await notesOf(ann);
    await deleteItem(world.hub, ann.channel, { id: comment });
    expect(await notesOf(ann)).toEqual([]);
    await tell(1);
    await world.hub.db.updateTable("notify").set({ item_id: top }).execute();
    expect(await notesOf(ann)).toMatchObject([{ iid: top, parent: top }]);
    // The number of what somebody else keeps from ann tells nothing.
    const { channel } = await world.person("confidant");
    const form = { status: "bob's", contact_allow: [channel.channel_hash] };
    const theirs = (await bob.post("/api/statuses/update", form)).json.id;
    await world.hub.db.updateTable("notify").set({ item_id: theirs }).execute();
    expect(await notesOf(ann)).toMatchObject([{ iid: 0, parent: 0 }]);
    expect(note.iid).toBe(comment);
  });

  test("in XML every field is an attribute", async () => {
    await clear();
    await commented("x");
    const root = readXml(await ann.get("/api/svc/notifications.xml"));
    const [note] = await notesOf(ann);
    expect([root.name, root.attributes, root.children.length]).toEqual(["notes", {}, 1]);
    const [tag] = root.children;
    expect([tag!.name, tag!.text, tag!.children]).toEqual(["note", "", []]);
    const said = Object.fromEntries(Object.entries(note).map(([key, value]) => [key, String(value)]));
    expect(Object.keys(tag!.attributes)).toEqual(Object.keys(said));
    for (const key of ["id", "type", "url", "date", "timestamp", "date_rel", "link", "seen", "iid", "parent", "hash"])
      expect([key, tag!.attributes[key]]).toEqual([key, said[key]]);
  });

  test("as many queries for many as for few", async () => {
    await clear();
    const queries = () => statementsOf(world.hub, () => notesOf(ann));
    await commented("one");
    await notesOf(ann);
    const few = await queries();
    for (const text of ["two", "three", "four"]) await commented(text);
    expect(await queries()).toBe(few);
  });
});

describe("seen", () => {
  const noteAbout = async (text: string): Promise<{ note: any; comment: number }> => {
    await clear();
    const { comment } = await commented(text);
    return { note: (await notesOf(ann))[0], comment };
  };

  test.each([
    "svc/notifications/seen",
    "friendica/notifications/seen",
    "svc/notification/seen",
    "friendica/notification/seen",
  ])("%s answers the status and marks no other note", async (path) => {
    const { note, comment } = await noteAbout("hello");
    await tell(1);
    for (const _ of ["first", "again"]) {
      const { status, json } = await ann.post(`/api/${path}.json`, { id: note.id });
      expect([status, json.length, statusObject.parse(json[0]).id]).toEqual([200, 1, comment]);
      expect(json[0]).not.toHaveProperty("entities");
    }
    expect((await notesOf(ann)).map(({ id, seen }) => [id === note.id, seen])).toEqual([
      [false, 0],
      [true, 1],
    ]);
    const [status] = (await ann.post(`/api/${path}`, { id: note.id, include_entities: "true" })).json;
    expect(status.entities).toMatchObject({ urls: [] });
    const root = readXml(await ann.post(`/api/${path}.xml`, { id: note.id }));
    expect([root.name, root.children.map(({ name }) => name)]).toEqual(["statuses", ["status"]]);
    expect(childOf(root.children[0]!, "id").text).toBe(String(comment));
    expect((await ann.get(`/api/${path}`, { id: note.id })).status).toBe(405);
  });

  test("without an item, or one that may not be seen, it says that it worked", async () => {
    await clear();
    await tell(1);
    const [{ id }] = await notesOf(ann);
    const worked = async (): Promise<void> => {
      const { status, text } = await ann.post("/api/svc/notifications/seen", { id });
      expect([status, text]).toEqual([200, '"success"']);
      expect(readXml(await ann.post("/api/svc/notifications/seen.xml", { id }))).toEqual({
        name: "status",
        attributes: {},
        text: "success",
        children: [],
      });
    };
    await worked();
    const { channel } = await world.person("distant");
    const form = { status: "private", contact_allow: [channel.channel_hash] };
    const hidden = (await bob.post("/api/statuses/update", form)).json.id;
    for (const item of [hidden, 987_654]) {
      await world.hub.db.updateTable("notify").set({ item_id: item }).execute();
      await worked();
    }
  });

  test("an id that names no note of the caller's", async () => {
    const { note } = await noteAbout("hello");
    const refused = ({ status, json }: Answer): void => {
      errorObject.parse(json);
      expect([status, json.error]).toEqual([400, "Invalid argument"]);
    };
    for (const form of [{}, { id: "" }, { id: 0 }, { id: "abc" }, { id: 987_654 }])
      refused(await ann.post("/api/svc/notifications/seen", form));
    refused(await bob.post("/api/svc/notifications/seen", { id: note.id }));
    expect((await notesOf(ann))[0].seen).toBe(0);
  });
});

test.each([
  [0, "less than a second ago"],
  [-5, "less than a second ago"],
  [1, "1 second ago"],
  [59, "59 seconds ago"],
  [60, "1 minute ago"],
  [3600, "1 hour ago"],
  [7199, "1 hour ago"],
  [86_400, "1 day ago"],
  [14 * 86_400, "2 weeks ago"],
  [31 * 86_400, "1 month ago"],
  [800 * 86_400, "2 years ago"],
])("%i seconds are %s", (seconds, words) => {
  expect(ago(seconds)).toBe(words);
});
