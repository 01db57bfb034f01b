import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everybody } from "../everybody.ts";
import { readActivity } from "./activity.ts";
import type { Activity } from "./activity.ts";
import { readActor } from "./actor.ts";
import { readCollection } from "./collection.ts";
import type { Json } from "./json.ts";
import { keyIn } from "./key.ts";
import { Node } from "./node.ts";
import { readPost } from "./object.ts";

/** What single servers are known for (federation contract 15), and what the contract asks of the reader (federation contract 4.1, 7, 9). */

/** One of the documents in `corpus`, counted from 1. */
function document(server: string, at: number): Node {
  const text = readFileSync(join(import.meta.dirname, "corpus", `${server}.json`), "utf8");
  return Node.of((JSON.parse(text) as Json[])[at - 1])!;
}

const node = (value: object): Node => Node.of(value as Json)!;
const activityOf = (value: Node): Activity => readActivity(value) as Activity;
const postIn = (server: string, at: number) => readPost(document(server, at).nodes("object")[0]!)!;

describe("keys", () => {
  test("Hubzilla's has the id of the actor", () => {
    const id = "https://hubzilla.example/channel/hal";
    expect(keyIn(document("hubzilla", 1), id)).toMatchObject({ id, owner: id });
  });

  test("Misskey's is of type Key", () => {
    const id = "https://misskey.example/users/9abc#main-key";
    expect(readActor(document("misskey", 1))!.keys).toMatchObject([{ id }]);
  });

  test("GoToSocial's and activitypub.bot's have documents of their own", () => {
    expect(readActor(document("gotosocial", 1))!.keys).toMatchObject([
      { id: "https://gts.example/users/gil/main-key" },
    ]);
    const id = "https://bots.example/user/ok/publickey";
    expect(readActor(document("activitypub-bot", 1))).toMatchObject({ keys: [], keyIds: [id] });
    expect(keyIn(document("activitypub-bot", 2), id)).toMatchObject({ id, owner: "https://bots.example/user/ok" });
    expect(keyIn(document("activitypub-bot", 2), `${id}-2`)).toBeUndefined();
  });

  test("for proofs stand in assertionMethod", () => {
    expect(readActor(document("forte", 1))!.keys.map(({ text }) => text.slice(0, 8))).toEqual(["-----BEG", "z6MkrJVn"]);
  });

  test("of two spellings in one document that differ, none is the id", () => {
    expect(node({ id: "https://a.example/1", "@id": "https://a.example/2" }).id).toBeUndefined();
  });
});

describe("activities", () => {
  test("Accept that names only the id of the Follow, as expanded JSON-LD", () => {
    expect(activityOf(document("activitypub-bot", 3))).toMatchObject({
      type: "Accept",
      actor: "https://bots.example/user/ok",
      objects: ["https://hub.example/follow/1"],
    });
  });

  test("Accept without addressing (Lemmy), and of a follow in small letters (WordPress)", () => {
    expect(activityOf(document("lemmy", 3))).toMatchObject({ to: [], cc: [] });
    const follow = activityOf(document("wordpress", 3)).objects[0] as Node;
    expect(activityOf(follow)).toMatchObject({ type: "Follow", id: "https://hub.example/follow/1" });
  });

  test("Announce of an activity (Lemmy)", () => {
    const inner = activityOf(document("lemmy", 2)).objects[0] as Node;
    expect(activityOf(inner)).toMatchObject({ type: "Create", actor: "https://lemmy.example/u/lea" });
    expect(readPost(activityOf(inner).objects[0] as Node)).toMatchObject({
      type: "Page",
      attachments: [{ type: "Link", links: [{ href: "https://oaks.example/" }] }],
    });
  });

  test("Like with an emoji (Misskey), EmojiReact (Pleroma), Dislike (Friendica)", () => {
    expect(activityOf(document("misskey", 2))).toMatchObject({ type: "Like", content: "❤" });
    expect(activityOf(document("pleroma", 3))).toMatchObject({ type: "EmojiReact", content: "🔥" });
    expect(activityOf(document("friendica", 3))).toMatchObject({ type: "Dislike" });
  });

  test("Follow of a post (Friendica)", () => {
    expect(activityOf(document("friendica", 4))).toMatchObject({ objects: ["https://hub.example/item/7d2b"] });
  });

  test("Add of somebody else's activity to a conversation (Hubzilla)", () => {
    const add = activityOf(document("hubzilla", 3));
    expect((add.targets[0] as Node).id).toBe("https://hubzilla.example/conversation/e1");
    expect(activityOf(add.objects[0] as Node).actor).toBe("https://friend.example/channel/fay");
  });

  test.each([
    ["no type", { actor: "https://a.example/u" }, "no_type"],
    ["a type that nobody knows", { type: "Frobnicate", actor: "https://a.example/u" }, "no_type"],
    ["a type that is a number", { type: 7, actor: "https://a.example/u" }, "no_type"],
    ["no actor", { type: "Like" }, "no_actor"],
    ["a number as actor", { type: "Like", actor: 7 }, "no_actor"],
    ["two actors", { type: "Like", actor: ["https://a.example/u", "https://a.example/v"] }, "no_actor"],
    ["an id that is a number", { id: 7, type: "Like", actor: "https://a.example/u" }, "id_unreadable"],
    ["an id with a space", { id: "https://a.example/ 1", type: "Like", actor: "https://a.example/u" }, "id_unreadable"],
    [
      "two ids",
      { id: ["https://a.example/1", "https://a.example/2"], type: "Like", actor: "https://a.example/u" },
      "id_unreadable",
    ],
  ])("with %s are none", (_, value, fault) => {
    expect(readActivity(node(value))).toBe(fault);
  });

  test.each([
    ["https://a.example/u"],
    [{ id: "https://a.example/u" }],
    [["https://a.example/u"]],
    [[{ "@id": "https://a.example/u", type: "Person" }]],
  ])("have an actor that is %j", (actor) => {
    expect(readActivity(node({ type: "Like", actor }))).toMatchObject({ id: undefined, actor: "https://a.example/u" });
  });
});

describe("actors", () => {
  test("WordPress has a query in the id, and a link among the fields", () => {
    expect(readActor(document("wordpress", 1))).toMatchObject({
      id: "https://wordpress.example/?author=1",
      fields: [{ name: "Blog" }],
      webfinger: "wil@wordpress.example",
    });
  });

  test("webfinger is read with and without acct:", () => {
    expect(readActor(document("forte", 1))!.webfinger).toBe("fin@forte.example");
    expect(readActor(document("activitypub-bot", 1))!.webfinger).toBe("ok@bots.example");
  });

  test("of a type that nobody knows are services, if they have an inbox and a key", () => {
    const bare = { id: "https://a.example/u", type: "Robot", inbox: "https://a.example/u/inbox" };
    expect(readActor(node({ ...bare, publicKey: "https://a.example/u#key" }))).toMatchObject({ type: "Service" });
    expect(readActor(node(bare))).toBeUndefined();
  });

  test("without an inbox or an id are none", () => {
    expect(readActor(node({ id: "https://a.example/u", type: "Person" }))).toBeUndefined();
    expect(readActor(node({ type: "Person", inbox: "https://a.example/u/inbox" }))).toBeUndefined();
  });

  test("have at most 16 fields, whose texts are cut", () => {
    const attachment = Array.from({ length: 40 }, () => ({
      type: "PropertyValue",
      name: "n".repeat(999),
      value: "v".repeat(9999),
    }));
    const { fields } = readActor(
      node({ id: "https://a.example/u", type: "Person", inbox: "https://a.example/i", attachment }),
    )!;
    expect([fields.length, fields[0]!.name.length, fields[0]!.value.length]).toEqual([16, 255, 2047]);
  });
});

describe("posts", () => {
  test("everybody has one spelling", () => {
    for (const to of ["Public", "as:Public", everybody, { id: everybody }, ["as:Public"]])
      expect(readPost(node({ id: "https://a.example/1", type: "Note", to }))!.to).toEqual([everybody]);
  });

  test("single values stand for lists (GoToSocial)", () => {
    const post = postIn("gotosocial", 2);
    expect(post).toMatchObject({ to: [everybody], attachments: [{ description: "A mill" }] });
    expect(post.published).toEqual(new Date("2026-02-01T09:00:00Z"));
  });

  test("who may answer, in both spellings (GoToSocial)", () => {
    const { policy } = postIn("gotosocial", 2);
    expect(policy).toMatchObject({
      like: { automatic: [everybody], manual: [] },
      reply: {
        automatic: ["https://gts.example/users/gil", "https://gts.example/users/gil/followers"],
        manual: [everybody],
      },
      quote: undefined,
    });
  });

  test("texts in several languages (Friendica)", () => {
    expect(postIn("friendica", 2).content).toEqual([{ text: "reduced" }, { text: "<b>rich</b>", language: "en" }]);
  });

  test("quotes, in whichever way", () => {
    const quoted = "https://hub.example/item/7d2b";
    expect(postIn("misskey", 3).quote).toBe(quoted);
    expect(postIn("akkoma", 2).quote).toBe(quoted);
    const tag = {
      type: "Link",
      mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      href: quoted,
    };
    for (const way of [{ quote: quoted }, { quote: { id: quoted } }, { quoteUri: quoted }, { tag }])
      expect(readPost(node({ id: "https://a.example/1", type: "Note", ...way }))!.quote).toBe(quoted);
  });

  test("direct messages (Pleroma), and chat", () => {
    expect(postIn("pleroma", 2)).toMatchObject({ directMessage: undefined, source: { content: "psst" } });
    expect(postIn("pleroma", 4).type).toBe("ChatMessage");
  });

  test("polls with their counts (Mastodon)", () => {
    expect(readPost(document("mastodon", 3))!.poll).toEqual({
      options: [
        { name: "Oak", votes: 2 },
        { name: "Elm", votes: 1 },
      ],
      several: false,
      ends: new Date("2026-02-02T11:00:00Z"),
      closed: undefined,
      voters: 3,
    });
  });

  test("emojis, mentions and hashtags (Mastodon)", () => {
    expect(postIn("mastodon", 2)).toMatchObject({
      emojis: [
        { code: "tree", url: "https://mastodon.example/emoji/tree.png", updated: new Date("2026-01-01T00:00:00Z") },
      ],
      mentions: [{ href: "https://hub.example/channel/bob", name: "@bob@hub.example" }],
      hashtags: ["trees"],
      attachments: [{ width: 640, height: 480, blurhash: "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH" }],
    });
  });

  test("films in several sizes (PeerTube)", () => {
    const [film] = readPost(document("peertube", 2))!.attachments;
    expect(film!.links.map(({ height, mediaType }) => [height, mediaType])).toEqual([
      [720, "video/mp4"],
      [1080, "video/mp4"],
    ]);
  });

  test("films in pieces, with their files below the list (PeerTube)", () => {
    const film = (name: string, height: number) => ({
      type: "Link",
      mediaType: "video/mp4",
      href: `https://peertube.example/${name}.mp4`,
      height,
    });
    const list = {
      type: "Link",
      mediaType: "application/x-mpegURL",
      href: "https://peertube.example/master.m3u8",
      tag: [
        { type: "Infohash", name: "abc" },
        { type: "Link", name: "sha256", mediaType: "application/json", href: "https://peertube.example/sums.json" },
        film("720", 720),
        film("240", 240),
        { type: "Link", mediaType: "application/x-bittorrent", href: "https://peertube.example/240.torrent" },
      ],
    };
    const page = { type: "Link", mediaType: "text/html", href: "https://peertube.example/w/1" };
    const video = { id: "https://peertube.example/videos/1", type: "Video", url: [page, list] };
    expect(readPost(node(video))!.attachments).toMatchObject([
      { type: "Video", links: [{ height: 720 }, { height: 240 }] },
    ]);
    expect(readPost(node({ ...video, url: [page, { ...list, tag: [] }] }))!.attachments).toEqual([]);
  });

  test("events with their place, as Create (Mobilizon) and as Invite (Hubzilla); numbers that are texts (Pixelfed)", () => {
    expect(postIn("mobilizon", 2)).toMatchObject({ event: { start: new Date("2026-03-05T13:00:00Z") } });
    expect(postIn("hubzilla", 2).place).toMatchObject({ name: "Town hall" });
    expect(postIn("pixelfed", 2).place).toEqual({ name: "Lisbon", longitude: -9.13, latitude: 38.71 });
  });

  test("hidden recipients are not read (Friendica)", () => {
    expect(JSON.stringify(activityOf(document("friendica", 2)))).not.toContain("hid");
  });
});

describe("collections", () => {
  test("with a first page written out, and items by id or in full", () => {
    const replies = readPost(document("mastodon", 2).nodes("object")[0]!)!.replies as Node;
    const first = readCollection(readCollection(replies)!.first as Node)!;
    expect(first).toMatchObject({ next: "https://mastodon.example/users/ann/statuses/1/replies?page=true", items: [] });
    const page = {
      type: "OrderedCollectionPage",
      orderedItems: ["https://a.example/1", { id: "https://a.example/2", type: "Note" }, 7, null],
    };
    const { items } = readCollection(node(page))!;
    expect(items.map((item) => (typeof item === "string" ? item : item.id))).toEqual([
      "https://a.example/1",
      "https://a.example/2",
    ]);
    expect(readCollection(node({ type: "Note" }))).toBeUndefined();
  });
});

describe("contexts", () => {
  const note = (context: unknown, rest: object) =>
    node({ "@context": context, id: "https://a.example/1", type: "Note", ...rest });

  test("names with prefixes and full addresses are the names of the table", () => {
    const spelled = note("https://www.w3.org/ns/activitystreams", {
      "as:content": "one",
      "https://www.w3.org/ns/activitystreams#summary": [{ "@value": "two", "@language": "en" }],
      "toot:blurhash": "three",
    });
    expect([spelled.text("content"), spelled.texts("summary"), spelled.text("blurhash")]).toEqual([
      "one",
      [{ text: "two", language: "en" }],
      "three",
    ]);
  });

  test("a term that the document maps to something else is read that way", () => {
    const as = "https://www.w3.org/ns/activitystreams#";
    const mapped = note(
      [{ content: "https://evil.example/ns#content", text: `${as}content`, x: as, heading: "x:name" }],
      {
        content: "not this",
        text: "this",
        heading: "and this",
      },
    );
    expect([mapped.texts("content"), mapped.text("name")]).toEqual([[{ text: "this" }], "and this"]);
  });

  test("vocabularies that are at the address of each server (Hubzilla) are one", () => {
    const own = { zot: "https://hubzilla.example/apschema#", directMessage: "zot:directMessage" };
    expect(readPost(note([own], { directMessage: true }))!.directMessage).toBe(true);
    const strange = { zot: "https://hubzilla.example/other#", directMessage: "zot:directMessage" };
    expect(readPost(note([strange], { directMessage: true }))!.directMessage).toBeUndefined();
  });

  test("a term that is mapped to something else with more than an address is ignored", () => {
    const odd = note(
      { content: { "@id": "as:summary" }, featured: { "@id": "toot:featured", "@type": "@id" } },
      {
        content: "ignored",
        featured: "https://a.example/pins",
      },
    );
    expect([odd.text("content"), odd.text("summary"), odd.oneId("featured")]).toEqual([
      undefined,
      undefined,
      "https://a.example/pins",
    ]);
  });

  test("what the outer object says holds for the inner one, and not the other way round", () => {
    const outer = note(
      { text: "as:content" },
      {
        object: { "@context": { heading: "as:name" }, text: "inner", heading: "inner" },
        heading: "outer",
      },
    );
    const inner = outer.nodes("object")[0]!;
    expect([inner.text("content"), inner.text("name"), outer.text("name")]).toEqual(["inner", "inner", undefined]);
  });
});
