import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import type { Arrives } from "../../../../test/support/incoming.ts";
import { imagesOf } from "../../../domain/bodies/media.ts";
import {
  block,
  connect,
  findConnectionTo,
  receiveAccept,
  receiveFollow,
  unblock,
  updateConnection,
} from "../../../domain/connections/connections.ts";
import { setLanguage } from "../../../domain/identity/accounts/accounts.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { changeChannelSettings, moderation } from "../../../domain/identity/channels/channel-settings.ts";
import { findCame } from "../../../domain/items/foreign-documents.ts";
import { approveHeld } from "../../../domain/items/posting/moderation.ts";
import { blockedAs } from "../../../domain/items/vocabulary.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { shareItem, shareOf } from "../../../domain/items/posting/share.ts";
import { vote as voteHere } from "../../../domain/items/posting/vote.ts";
import type { Draft, Item } from "../../../domain/items/types.ts";
import { selectItems } from "../../../domain/items/queries.ts";
import { ownVotes } from "../../../domain/items/votes.ts";
import { listNotices } from "../../../domain/notifications/notices.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { proxied } from "../../../domain/proxy/addresses.ts";
import { NotYet } from "../../../fetch/fetch.ts";
import { meet } from "../retrieve/actor.ts";
import type { FetchOptions } from "../../../fetch/fetch.ts";

/** What people elsewhere write and do, and what becomes of it here (federation contract 4 to 6). */

const everybody = "https://www.w3.org/ns/activitystreams#Public";

let world: TestApp;
let arrives: Arrives;
/** Alma follows Carla, of another hub; Bob does not; Dora and Eva are of elsewhere, and nobody follows them. */
let alma: Person;
let bob: Person;
let carla: Xchan;
let dora: Xchan;
let eva: Xchan;

beforeAll(async () => {
  world = await openTestApp({ fetch: answerFrom });
  arrives = arrivesIn(world.hub);
  [alma, bob] = [await world.person("alma", { role: "social" }), await world.person("bob", { role: "social" })];
  [carla, dora] = [await meetActor(world.hub, actorOf("carla")), await meetActor(world.hub, actorOf("dora"))];
  eva = await meetActor(world.hub, actorOf("eva"));
  await follow(alma, carla);
  await setPermissionLimits(world.hub, bob.channel.channel_id, { post_comments: limits.authenticated });
});
afterAll(() => world.close());

async function follow(person: Person, whom: Xchan): Promise<void> {
  await connect(world.hub, person.channel, whom);
  await receiveAccept(world.hub, person.channel, whom);
}

/** What stands elsewhere, by its address, and what was asked for. */
const documents = new Map<string, unknown>();
const asked: string[] = [];

/** `to`: who alone may see it; for others nothing stands there. */
type DocumentAnswer = { type?: string; at?: string; status?: number; to?: Person };

const stands = (id: string, document: unknown, answer: DocumentAnswer = {}) =>
  documents.set(id, { document, ...answer });

function answerFrom(url: string, { method, inNameOf }: FetchOptions = {}): Promise<Response> {
  // What is delivered there is taken.
  if (method === "POST") return Promise.resolve(new Response(null, { status: 202 }));
  asked.push(url);
  const standing = documents.get(url) as (DocumentAnswer & { document: unknown }) | undefined;
  const found = standing?.to && !inNameOf?.startsWith(`${idOf(standing.to)} `) ? undefined : standing;
  const {
    document,
    type = "application/activity+json",
    at = url,
    status = 200,
  } = found ?? { document: {}, status: url.includes("/users/") ? 503 : 404 };
  const response = new Response(JSON.stringify(document), { status, headers: { "content-type": type } });
  return Promise.resolve(Object.defineProperty(response, "url", { value: at }));
}

let last = 0;
const followers = (who: Xchan) => `${who.xchan_hash}/followers`;
const idOf = (person: Person) => `http://hub.example/channel/${person.nick}`;

/** A note as Carla sends it to everybody, unless it is said. */
function note(more: object = {}, by: Xchan = carla): { id: string; [name: string]: unknown } {
  last += 1;
  return {
    id: `https://far.example/notes/${last}`,
    type: "Note",
    attributedTo: by.xchan_hash,
    to: [everybody],
    cc: [followers(by)],
    content: `<p>Number ${last}</p>`,
    published: "2026-03-01T11:00:00Z",
    ...more,
  };
}

const deed = (type: string, object: unknown, by: Xchan = carla, more: object = {}) => ({
  id: `https://far.example/deeds/${(last += 1)}`,
  type,
  actor: by.xchan_hash,
  object,
  to: [everybody],
  cc: [followers(by)],
  ...more,
});
const create = (object: object, by?: Xchan) => deed("Create", object, by);

/** Those of people: the site's own channel belongs to no account. */
const copies = (mid: string): Promise<Item[]> =>
  selectItems(world.hub)
    .where("message.mid", "=", mid)
    .where("item.item_deleted", "=", 0)
    .where("item.aid", ">", 0)
    .orderBy("uid")
    .execute();
const copyOf = async (person: Person, mid: string) =>
  (await copies(mid)).find(({ uid }) => uid === person.channel.channel_id);
const holders = async (mid: string) =>
  (await copies(mid)).map(({ uid }) => [alma, bob].find(({ channel }) => channel.channel_id === uid)?.nick);
const kinds = async (person: Person) =>
  (await listNotices(world.hub, person.channel.channel_id)).map(({ kind, actor, count }) => [kind, actor.name, count]);
const post = (person: Person, draft: Partial<Draft> = {}) =>
  postItem(world.hub, person.channel, { body: "ours", ...draft });

describe("a post", () => {
  test("is stored for those who follow its author, as often as it comes", async () => {
    const one = note({
      content:
        '<p>Hello <script>alert(1)</script><a href="javascript:x" onclick="y">you</a> <img src="https://far.example/a.png"></p>',
      summary: "careful",
      sensitive: true,
      url: "https://far.example/@carla/1",
      contentMap: { de: "<p>Hallo</p>" },
      tag: [{ type: "Hashtag", name: "#Spring", href: "https://far.example/tags/spring" }],
      attachment: [
        {
          type: "Document",
          mediaType: "image/jpeg",
          url: "https://far.example/b.jpg",
          name: 'a "cat"',
          width: 3,
          height: 2,
        },
        { type: "Document", mediaType: "application/pdf", url: "https://far.example/c.pdf", name: "notes" },
      ],
      location: { type: "Place", name: "Home", latitude: 1.5, longitude: 2 },
      bto: [idOf(bob)],
    });
    for (const _ of [1, 2, 3]) await arrives(create(one));
    expect(await holders(one.id)).toEqual(["alma"]);
    const item = (await copyOf(alma, one.id))!;
    expect(item).toMatchObject({
      author_id: carla.xchan_id,
      owner_id: carla.xchan_id,
      item_private: 0,
      item_wall: 0,
      item_origin: 0,
      item_unseen: 1,
      item_thread_top: 1,
      summary: "careful",
      item_nsfw: 1,
      created: "2026-03-01 11:00:00",
      plink: "https://far.example/@carla/1",
      mimetype: "text/bbcode",
      location: "Home",
      coord: "1.5 2",
      item_verified: 1,
      comment_policy: "public",
    });
    expect(item.html).not.toMatch(/script|javascript|onclick|"https:\/\/far\.example\/[ab]\./);
    expect(item.html).toMatch(
      /<img src="http:\/\/hub\.example\/proxy\/[^"]+" alt="a &quot;cat&quot;" width="3" height="2">/,
    );
    expect(item.body).toContain("https://far.example/b.jpg");
    expect(JSON.parse(item.attach)).toMatchObject([{ href: "https://far.example/c.pdf", title: "notes" }]);
    const { json } = await alma.get("/api/statuses/home_timeline", { count: "1" });
    expect(json[0]).toMatchObject({ user: { name: "Carla" }, text: expect.stringContaining("Hello") });
    expect(
      await world.hub.db
        .selectFrom("term")
        .select(["term", "ttype"])
        .where("message_id", "=", item.message_id)
        .execute(),
    ).toEqual([{ term: "Spring", ttype: 1 }]);
    expect(await kinds(alma)).not.toContainEqual(["mention", "Carla", 1]);
  });

  test("shows its pictures and emoji from here, and keeps where they come from", async () => {
    const there = { photo: "https://cdn.example/photo.jpg", tree: "https://far.example/tree.png" };
    const sent = note({
      content: '<p>A :tree: <img src="https://cdn.example/inline.jpg" alt=""></p>',
      attachment: [{ type: "Image", mediaType: "image/jpeg", url: there.photo, name: "An oak" }],
      tag: [{ type: "Emoji", name: ":tree:", icon: { type: "Image", url: there.tree } }],
    });
    await arrives(create(sent));
    const { html, body } = (await copyOf(alma, sent.id))!;
    expect(imagesOf(html).map(({ url }) => url)).toEqual(
      ["https://cdn.example/inline.jpg", there.photo].map((url) => proxied(world.hub, url)),
    );
    expect(html).toContain('<img class="emoji" src="http://hub.example/proxy/emoji/far.example/tree" alt=":tree:"');
    expect(body).toContain(there.photo);
    expect(body).not.toContain("/proxy/");
    // Of those with whom nobody is connected no copies are kept.
    const mention = { type: "Mention", href: idOf(alma), name: "@alma@hub.example" };
    const other = note({ ...sent, id: "https://far.example/notes/dora-1", tag: [mention], cc: [mention.href] }, dora);
    const stranger = { ...other, attributedTo: dora.xchan_hash };
    await arrives(create(stranger, dora), [alma.channel]);
    expect(imagesOf((await copyOf(alma, stranger.id))!.html).map(({ url }) => url)).toContain(
      proxied(world.hub, there.photo, { keeping: "proxy" }),
    );
  });

  test("is read by the type that it names, and is no less safe for that", async () => {
    const kept = async (content: string, mediaType: string, more: object = {}) => {
      const sent = note({ content, mediaType, ...more });
      await arrives(create(sent));
      return (await copyOf(alma, sent.id))!;
    };
    const plain = "if a <b && c>d: *see* <script>alert(1)</script>\nhttps://far.example/a?b&c";
    expect(await kept(plain, "text/plain; charset=utf-8")).toMatchObject({
      html: `if a &lt;b &amp;&amp; c&gt;d: *see* &lt;script&gt;alert(1)&lt;/script&gt;<br><a href="https://far.example/a?b&amp;c" rel="nofollow noopener">https://far.example/a?b&amp;c</a>`,
      plain,
    });
    const film = await kept("A *film*\n\n- one\n- two\n\n![frame](https://cdn.example/frame.png)", "text/Markdown");
    expect(film.html).toMatch(/^<p>A <em>film<\/em><\/p>\s*<ul>\s*<li>one<\/li>/);
    expect(imagesOf(film.html).map(({ url }) => url)).toEqual([proxied(world.hub, "https://cdn.example/frame.png")]);
    const hostile = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) <svg onload="x"><script>x</script>';
    expect((await kept(hostile, "text/markdown")).html).not.toMatch(/onerror|onload|<script|<svg|href="javascript/);
    expect((await kept("<p>as <b>ever</b></p>", "text/html")).html).toBe("<p>as <b>ever</b></p>");
    expect((await kept("<p>as <b>ever</b></p>", "text/x.other")).html).toBe("<p>as <b>ever</b></p>");
    const code = await kept("```js\nconst a = '<b>';\n```", "text/markdown");
    expect(code).toMatchObject({ plain: "const a = '<b>';" });
    expect(code.html).toBe((await post(bob, { body: "```js\nconst a = '<b>';\n```", mimetype: "text/markdown" })).html);
    // What costs too much is shown as it was typed.
    const nested = await kept(">".repeat(20_000), "text/markdown");
    expect(nested.html.length).toBeLessThan(256 * 1024);
    const message = note({ content: "1 < 2", mediaType: "text/plain", to: [idOf(alma)], cc: [], directMessage: true });
    await arrives(create(message));
    expect(await world.hub.db.selectFrom("mail").select("plain").where("mid", "=", message.id).execute()).toEqual([
      { plain: "1 < 2" },
    ]);
  });

  describe("in several languages", () => {
    const speaks = (person: Person, language: string) =>
      setLanguage(world.hub, person.channel.channel_account_id, language);
    const inAll = { en: "<p>Tea</p>", pt: "<p>Chá</p>", "pt-BR": "<p>Chimarrão</p>", de: "<p>Tee</p>" };
    afterEach(async () => {
      for (const person of [alma, bob]) await speaks(person, "");
    });

    async function taken(more: object): Promise<Pick<Item, "plain" | "lang" | "title" | "summary">> {
      const sent = note({ content: undefined, ...more });
      await arrives(create(sent));
      const { plain, lang, title, summary } = (await copyOf(alma, sent.id))!;
      return { plain, lang, title, summary };
    }

    test.each([
      ["in theirs", "de", inAll, { plain: "Tee", lang: "de" }],
      ["in that of their region", "pt-br", inAll, { plain: "Chimarrão", lang: "pt" }],
      ["in that without their region", "de-at", inAll, { plain: "Tee", lang: "de" }],
      ["in that of any region", "pt", { en: "<p>Tea</p>", "pt-BR": "<p>Chimarrão</p>" }, { plain: "Chimarrão" }],
      ["in English where there is none of theirs", "fr", { de: inAll.de, en: inAll.en }, { plain: "Tea", lang: "en" }],
      ["in the first where there is no English either", "fr", { de: inAll.de, pt: inAll.pt }, { plain: "Tee" }],
      ["in English where they have chosen none", "", { de: inAll.de, en: inAll.en }, { plain: "Tea", lang: "en" }],
    ])("is taken %s by those for whom it is", async (_, language, contentMap, expected) => {
      await speaks(alma, language);
      // It is nobody's concern what others of this hub have chosen.
      await speaks(bob, "es");
      expect(await taken({ contentMap: { es: "", ...contentMap } })).toMatchObject(expected);
    });

    test("has its title and its summary in the same", async () => {
      await speaks(alma, "de");
      const maps = { nameMap: { en: "On tea", de: "Vom Tee" }, summaryMap: { en: "Short", de: "Kurz" } };
      const article = { type: "Article", ...maps };
      expect(await taken({ ...article, contentMap: inAll })).toMatchObject({ title: "Vom Tee", summary: "Kurz" });
      const english = { ...article, contentMap: { en: inAll.en } };
      expect(await taken(english)).toMatchObject({ title: "On tea", summary: "Short", lang: "en" });
    });

    test("is what it says to everybody, where it says something to everybody", async () => {
      await speaks(alma, "de");
      expect(await taken({ content: inAll.en, contentMap: inAll })).toMatchObject({ plain: "Tea", lang: "en" });
      expect(await taken({ content: "<p>Mate</p>", contentMap: inAll })).toMatchObject({ plain: "Mate", lang: "" });
    });

    test("is a message in its recipient's", async () => {
      const zita = await world.person("zita", { role: "social" });
      await setPermissionLimits(world.hub, zita.channel.channel_id, { post_mail: limits.authenticated });
      await speaks(alma, "en");
      await speaks(zita, "de");
      const mention = { type: "Mention", href: idOf(zita), name: "@zita@hub.example" };
      const sent = note({ content: undefined, contentMap: inAll, to: [idOf(zita)], cc: [], tag: [mention] });
      await arrives(deed("Create", sent, carla, { to: [idOf(zita)], cc: [] }), [zita.channel]);
      const mail = world.hub.db.selectFrom("mail").select("plain").where("mid", "=", sent.id);
      expect(await mail.execute()).toEqual([{ plain: "Tee" }]);
    });
  });

  test("and where its author says which bytes they have, only those", async () => {
    const [url, digest] = ["https://cdn.example/known.jpg", "ab".repeat(32)];
    const digestMultibase = `u${Buffer.from(`1220${digest}`, "hex").toString("base64url")}`;
    const sent = note({ attachment: [{ type: "Image", mediaType: "image/jpeg", url, digestMultibase }] });
    await arrives(create(sent));
    const copy = await copyOf(alma, sent.id);
    expect(imagesOf(copy!.html).map((image) => image.url)).toEqual([
      proxied(world.hub, url, { keeping: "cache", digest }),
    ]);
  });

  test("of somebody whom nobody follows is not, unless it is addressed to somebody", async () => {
    const [unknown, named] = [
      note({}, dora),
      note({ cc: [idOf(bob)], tag: [{ type: "Mention", href: idOf(bob), name: "@bob" }] }, dora),
    ];
    await arrives(create(unknown, dora));
    for (const _ of [1, 2, 3]) await arrives(create(named, dora), [bob.channel]);
    expect([await holders(unknown.id), await holders(named.id)]).toEqual([[], ["bob"]]);
    expect(await kinds(bob)).toEqual([["mention", "Dora", 1]]);
  });

  test("that is for everybody is for those whom it mentions, also without an address", async () => {
    const named = note({ cc: [], tag: [{ type: "Mention", href: idOf(bob), name: "@bob" }] }, dora);
    const before = (await kinds(bob)).length;
    await arrives(create(named, dora));
    expect(await holders(named.id)).toEqual(["bob"]);
    expect((await kinds(bob)).slice(0, -before || undefined)).toEqual([["mention", "Dora", 1]]);
    const whispered = note({ to: [idOf(alma)], cc: [], tag: named["tag"] }, carla);
    await arrives(create(whispered));
    expect(await holders(whispered.id)).not.toContain("bob");
  });

  test("that somebody's own message is called alike is another one", async () => {
    const genuine = note();
    const own = await post(bob, { mid: genuine.id });
    await arrives(create(genuine));
    const like = deed("Like", genuine.id, dora);
    await arrives(like);
    expect((await copyOf(alma, genuine.id))?.author_id).toBe(carla.xchan_id);
    expect((await copyOf(alma, like.id))?.parent).toBe((await copyOf(alma, genuine.id))!.id);
    expect(await copyOf(bob, like.id)).toBeUndefined();
    await arrives(deed("Delete", genuine.id));
    expect((await copies(genuine.id)).map(({ id }) => id)).toEqual([own.id]);
  });

  test("takes the place of what an import brought under the name of its author, and answers stay", async () => {
    const genuine = note({ content: "<p>genuine</p>" });
    await arrives(create({ ...genuine, content: "<p>imported</p>", published: "2026-03-01T11:50:00Z" }));
    await world.hub.db.updateTable("message").set({ item_verified: 0 }).where("mid", "=", genuine.id).execute();
    const answer = note({ inReplyTo: genuine.id }, dora);
    await arrives(create(answer, dora));
    await arrives(create(genuine));
    const copy = (await copyOf(alma, genuine.id))!;
    expect(copy).toMatchObject({ item_verified: 1, plain: "genuine" });
    const message = world.hub.db.selectFrom("message").select("created").where("mid", "=", genuine.id);
    expect(await message.executeTakeFirst()).toEqual({ created: "2026-03-01 11:00:00" });
    expect((await copyOf(alma, answer.id))?.parent).toBe(copy.id);
  });

  test("mentions whom it names by their address where it has another one for them", async () => {
    const [page, name] = ["http://hub.example/profile/bob", "@BOB@hub.example"];
    const wrong = note({ cc: [idOf(bob)], tag: [{ type: "Mention", href: page, name }] });
    const other = note({ cc: [idOf(bob)], tag: [{ type: "Mention", href: page, name: "@bob@other.example" }] });
    const before = (await kinds(bob)).length;
    for (const one of [wrong, other]) await arrives(create(one), [bob.channel]);
    expect((await kinds(bob)).slice(0, -before || undefined)).toEqual([["mention", "Carla", 1]]);
    const found = await world.hub.db
      .selectFrom("term")
      .innerJoin("message", "message.id", "term.message_id")
      .select("url")
      .where("mid", "in", [wrong.id, other.id])
      .orderBy("message.id")
      .execute();
    expect(found.map(({ url }) => url)).toEqual([idOf(bob), page]);
  });

  test("that names more than fifty people is news only for those who follow its author", async () => {
    const crowd = (size: number) => {
      const others = Array.from({ length: size - 2 }, (_, n) => `https://crowd.example/users/${n}`);
      const cc = [idOf(alma), idOf(bob), ...others];
      return note({ cc, tag: cc.map((href) => ({ type: "Mention", href, name: "@somebody" })) });
    };
    const mentions = async (person: Person) =>
      (await listNotices(world.hub, person.channel.channel_id)).filter(({ kind }) => kind === "mention");
    for (const [size, heard] of [
      [50, [1, 1]],
      [51, [1, 0]],
    ] as const) {
      const before = [await mentions(alma), await mentions(bob)];
      const named = crowd(size);
      await arrives(create(named), [alma.channel, bob.channel]);
      expect(await holders(named.id)).toEqual(["alma", "bob"]);
      const after = [await mentions(alma), await mentions(bob)];
      expect(after.map((list, at) => list.length - before[at]!.length)).toEqual(heard);
    }
  });

  test("of more than 256 KiB is cut, with a link to all of it", async () => {
    const url = "https://far.example/@carla/long";
    const long = note({ content: `<p>${"<b>long</b> ".repeat(25_000)}</p>`, url });
    await arrives(create(long));
    const { html, body } = (await copyOf(alma, long.id))!;
    expect(Buffer.byteLength(html)).toBeLessThan(256 * 1024);
    expect(html).toMatch(/ …<\/p>/);
    expect(html).toContain(`href="${url}"`);
    expect(body).toContain(url);
    const whole = note({ content: `<p>${"<b>long</b> ".repeat(15_000)}</p>`, url });
    await arrives(create(whole));
    expect((await copyOf(alma, whole.id))!.html).not.toContain("…");
  });

  test("for followers is for those who follow its author, wherever it was sent", async () => {
    const secret = note({ to: [followers(carla)], cc: [] });
    await arrives(create(secret));
    expect(await holders(secret.id)).toEqual(["alma"]);
    expect(await copyOf(alma, secret.id)).toMatchObject({ item_private: 1, allow_cid: "", public_policy: "" });
    const stranger = note({ to: [followers(dora)], cc: [] }, dora);
    await arrives(create(stranger, dora));
    // As some do who have not heard that somebody follows no more.
    await arrives(create(stranger, dora), [bob.channel]);
    expect(await holders(stranger.id)).toEqual([]);
    const { id, uuid } = (await copyOf(alma, secret.id))!;
    for (const who of [bob, world.anonymous])
      for (const path of [
        `/display/${uuid}`,
        `/item/${uuid}`,
        `/item/${uuid}/replies`,
        `/api/statuses/show/${id}.json`,
      ]) {
        const { status, text } = await who.get(path);
        expect([path, status >= 400 || !text.includes("Number")]).toEqual([path, true]);
      }
    expect((await alma.get(`/api/statuses/show/${id}.json`)).text).toContain("Number");
    for (const who of [bob, world.anonymous])
      expect((await who.get("/api/search", { q: secret.id })).text).not.toContain("Number");
  });

  test("that is not for lists is found by nobody", async () => {
    const tag = [{ type: "Hashtag", name: "#whisperingly" }];
    const quiet = note({ to: [followers(carla)], cc: [everybody], tag });
    await arrives(create(quiet));
    expect(await copyOf(alma, quiet.id)).toMatchObject({ item_private: 0 });
    const { json } = await alma.get("/api/search", { q: "#whisperingly" });
    expect(json).toEqual([]);
  });

  test.each([
    ["the year 1", "0001-01-01T00:00:00Z"],
    ["the year 9999", "9999-12-31T23:59:59Z"],
    ["before 1970", "1969-12-31T23:59:59Z"],
    ["no date", "yesterday"],
  ])("of %s counts as of now", async (_, published) => {
    const odd = note({ published });
    await arrives(create(odd));
    expect(await copyOf(alma, odd.id)).toMatchObject({ created: "2026-03-01 12:00:00" });
  });
});

describe("a change of a post", () => {
  test("replaces it, unless it is older or by another", async () => {
    const first = note();
    const at = (time: string, content: string) => ({ ...first, updated: `2026-03-01T${time}:00Z`, content });
    await arrives(create(first));
    const update = (object: object, by?: Xchan) => arrives(deed("Update", object, by));
    await update(at("11:30", "<p>better</p>"));
    expect(await copyOf(alma, first.id)).toMatchObject({ plain: "better", edited: "2026-03-01 11:30:00", revision: 1 });
    await update(at("11:10", "<p>older</p>"));
    await update(at("11:30", "<p>better</p>"));
    await arrives(create(first));
    await expect(update(at("11:40", "<p>stolen</p>"), dora)).resolves.toBeUndefined();
    expect(await copyOf(alma, first.id)).toMatchObject({ plain: "better", revision: 1 });
  });

  test("that says nothing else is none, whatever its date; it is the newest version all the same", async () => {
    const nora = await world.person("nora");
    const fay = await meetActor(world.hub, actorOf("fay"));
    const film = {
      ...note({ updated: "2026-03-01T10:01:00Z", content: "<p>hello</p>" }, fay),
      type: "Video",
      name: "Dunes",
      views: 7,
    };
    await follow(nora, fay);
    await arrives(create(film, fay));
    const { id, uuid } = (await copyOf(nora, film.id))!;
    await shareItem(world.hub, nora.channel, { id });
    const update = (more: object) => arrives(deed("Update", { ...film, ...more }, fay));
    const edits = async () => {
      world.hub.advance(120);
      await world.work();
      const notices = await listNotices(world.hub, nora.channel.channel_id);
      world.hub.advance(-120);
      const { revision, plain } = (await copyOf(nora, film.id))!;
      return [revision, notices.filter(({ kind }) => kind === "edit").length, plain];
    };
    // PeerTube dates whatever it counts.
    await update({ views: 8, updated: "2026-03-01T11:00:00Z" });
    await update({ views: 9, updated: "2026-03-01T11:30:00Z" });
    expect(await edits()).toEqual([0, 0, "hello"]);
    expect((await nora.get(`/display/${uuid}`)).text).not.toContain(`/item/${uuid}/history`);
    await update({ content: "<p>overtaken</p>", updated: "2026-03-01T11:20:00Z" });
    expect(await edits()).toEqual([0, 0, "hello"]);
    for (const [at, more] of [
      { sensitive: true },
      { location: { type: "Place", name: "Home" } },
      { name: "Seas" },
    ].entries()) {
      Object.assign(film, more);
      await update({ updated: `2026-03-01T11:4${at}:00Z` });
      expect(await edits()).toEqual([at + 1, 1, "hello"]);
    }
  });

  test("is taken as the post where that never came", async () => {
    const first = note({ updated: "2026-03-01T11:30:00Z", content: "<p>second</p>" });
    await arrives(deed("Update", first));
    await arrives(create({ ...first, updated: undefined, content: "<p>first</p>" }));
    expect(await copyOf(alma, first.id)).toMatchObject({ plain: "second" });
  });
});

describe("a deletion", () => {
  test("takes it from everybody, and it does not come back", async () => {
    const first = note();
    await arrives(create(first));
    stands(first.id, first);
    await arrives(deed("Delete", { id: first.id, type: "Tombstone" }, dora));
    expect(await holders(first.id)).toEqual(["alma"]);
    for (const _ of [1, 2]) await arrives(deed("Delete", { id: first.id, type: "Tombstone" }));
    await arrives(create(first));
    expect(await holders(first.id)).toEqual([]);
  });

  test("happens by itself at the moment that the post names, or its newest version", async () => {
    const [first, second, late] = [
      note({ expires: "2026-03-01T12:10:00Z" }),
      note({ expiry: "2026-03-01T12:10:00Z" }),
      note({ expires: "2026-03-01T11:30:00Z" }),
    ];
    for (const one of [first, second, late]) await arrives(create(one));
    await arrives(deed("Update", { ...second, expiry: undefined, updated: "2026-03-01T11:45:00Z", content: "stays" }));
    await world.work();
    expect([await holders(first.id), await holders(late.id)]).toEqual([["alma"], []]);
    world.hub.advance(600);
    await world.work();
    expect([await holders(first.id), await holders(second.id)]).toEqual([[], ["alma"]]);
    world.hub.advance(-600);
  });

  test("is enough: what is gone is not asked for again, whoever brings or shares it, or answers it", async () => {
    const first = note();
    stands(first.id, first);
    await arrives(deed("Delete", first.id));
    asked.length = 0;
    await arrives(create(first), [], dora.xchan_hash);
    await arrives(deed("Announce", first.id));
    const answer = note({ inReplyTo: first.id });
    await arrives(create(answer));
    expect([asked, await holders(answer.id)]).toEqual([[], ["alma"]]);
  });

  test("may come first", async () => {
    const first = note();
    await arrives(deed("Delete", first.id));
    await arrives(create(first));
    await arrives(deed("Update", first));
    expect(await holders(first.id)).toEqual([]);
  });
});

describe("an answer", () => {
  test("to a post of this hub goes on its wall and to all who have it, and tells its author once", async () => {
    await befriend(world.hub, alma.channel, bob.channel);
    const top = await post(bob);
    await world.work();
    const answer = note({ inReplyTo: top.mid, cc: [idOf(bob)] }, dora);
    for (const _ of [1, 2, 3]) await arrives(create(answer, dora), [bob.channel]);
    await world.work();
    expect(await holders(answer.id)).toEqual(["alma", "bob"]);
    expect(await copyOf(bob, answer.id)).toMatchObject({
      parent: top.id,
      item_wall: 1,
      owner_id: bob.channel.xchan_id,
      answers_me: 1,
    });
    expect((await kinds(bob)).filter(([kind]) => kind === "comment")).toEqual([["comment", "Dora", 1]]);
  });

  test("waits where comments have to be let in, and is handed on when that is done", async () => {
    await changeChannelSettings(world.hub, bob.channel.channel_id, { moderation: moderation.everybody });
    const top = await post(bob);
    await world.work();
    const answer = note({ inReplyTo: top.mid }, dora);
    await arrives(create(answer, dora));
    await world.work();
    const held = (await copyOf(bob, answer.id))!;
    expect([held.item_blocked, await holders(answer.id)]).toEqual([blockedAs.held, ["bob"]]);
    expect((await findCame(world.hub, held.message_id))?.document).toContain(answer.id);
    await approveHeld(world.hub, bob.channel, held.id);
    await world.work();
    expect(await holders(answer.id)).toEqual(["alma", "bob"]);
    await changeChannelSettings(world.hub, bob.channel.channel_id, { moderation: moderation.nobody });
  });

  test("is refused where there are no comments, and where the post is not for its author", async () => {
    const closed = await post(bob, { nocomment: true });
    const refused = note({ inReplyTo: closed.mid }, dora);
    await expect(arrives(create(refused, dora))).rejects.toMatchObject({ kind: "denied" });
    expect(await holders(refused.id)).toEqual([]);
    const secret = await post(bob, {
      audience: { allow_cid: [bob.channel.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    const unseen = note({ inReplyTo: secret.mid }, dora);
    await expect(arrives(create(unseen, dora))).rejects.toMatchObject({ kind: "missing" });
    expect(await holders(unseen.id)).toEqual([]);
  });

  test("is refused where the time for comments is over, and where its author is blocked", async () => {
    const over = await post(bob, { commentsClosed: "2026-03-01 10:00:00" });
    const late = note({ inReplyTo: over.mid }, dora);
    await expect(arrives(create(late, dora))).rejects.toMatchObject({ kind: "denied" });
    const open = await post(bob);
    await block(world.hub, bob.channel, dora);
    const unwanted = note({ inReplyTo: open.mid }, dora);
    await expect(arrives(create(unwanted, dora))).rejects.toMatchObject({ kind: "missing" });
    await unblock(world.hub, bob.channel, dora.xchan_hash);
    expect([await holders(late.id), await holders(unwanted.id)]).toEqual([[], []]);
  });

  test("is welcome from those whom the post mentions, whoever else may answer, as long as anybody may", async () => {
    await setPermissionLimits(world.hub, bob.channel.channel_id, { post_comments: limits.contacts });
    const [top, closed] = [
      await post(bob, { body: "you, @dora@far.example?" }),
      await post(bob, { body: "no more, @dora@far.example", nocomment: true }),
    ];
    const answers = [note({ inReplyTo: top.mid }, dora), note({ inReplyTo: top.mid }, eva)] as const;
    await arrives(create(answers[0], dora));
    await expect(arrives(create(answers[1], eva))).rejects.toMatchObject({ kind: "denied" });
    const late = note({ inReplyTo: closed.mid }, dora);
    await expect(arrives(create(late, dora))).rejects.toMatchObject({ kind: "denied" });
    expect(await Promise.all([...answers, late].map(({ id }) => holders(id)))).toEqual([["bob"], [], []]);
    await setPermissionLimits(world.hub, bob.channel.channel_id, { post_comments: limits.authenticated });
  });

  test("to a post with an id of its own finds it by the address that others have for it", async () => {
    const top = await post(bob, { mid: "urn:own:1" });
    const id = `http://hub.example/item/${top.uuid}`;
    const headers = { accept: "application/activity+json" };
    const { json } = await world.anonymous.get(`/item/${top.uuid}`, {}, { headers });
    expect(json).toMatchObject({ id, context: `http://hub.example/conversation/${top.uuid}` });
    const answer = note({ inReplyTo: id }, dora);
    await arrives(create(answer, dora));
    expect((await copyOf(bob, answer.id))?.parent).toBe(top.id);
    const below = await post(bob, { parent: { mid: answer.id } });
    const besides = await post(bob, { parent: { id: top.id } });
    const found = async ({ uuid }: Item) => (await world.anonymous.get(`/item/${uuid}`, {}, { headers })).json;
    expect([await found(below), await found(besides)]).toMatchObject([
      { inReplyTo: answer.id, context: json.context },
      { inReplyTo: id, context: json.context },
    ]);
  });

  test("finds a post of this hub by the address of its page, and with a question or a place after its id", async () => {
    const top = await post(bob);
    const odd = await post(bob, { mid: "urn:own:2" });
    const [item, page] = [`http://hub.example/item/${top.uuid}`, `http://hub.example/display/${top.uuid}`];
    const names = [page, `${page}?language=de`, `${page}#end`, `${item}?x=/item/none`, `${item}#x`, `${item}?x#/`];
    const answers = [...names, `http://hub.example/display/${odd.uuid}`].map((inReplyTo) => note({ inReplyTo }, dora));
    for (const answer of answers) await arrives(create(answer, dora));
    const found = await Promise.all(answers.map(async ({ id }) => (await copyOf(bob, id))?.parent));
    expect(found).toEqual([...names.map(() => top.id), odd.id]);
  });

  test("to what is deleted, and a share of it, find it by none of its addresses", async () => {
    const { id, uuid } = await post(bob);
    await deleteItem(world.hub, bob.channel, { id });
    await world.work();
    for (const name of [`item/${uuid}`, `item/${uuid}?x`, `display/${uuid}`, `activity/${uuid}`]) {
      const answer = note({ inReplyTo: `http://hub.example/${name}` }, dora);
      const share = deed("Announce", `http://hub.example/${name}`, carla);
      await arrives(create(answer, dora));
      await arrives(share);
      expect([name, await holders(answer.id), await holders(share.id)]).toEqual([name, [], []]);
    }
  });

  test("finds none by what names an activity besides, nor by the page of a person", async () => {
    const { uuid } = await post(bob);
    const names = [
      `activity/${uuid}#delete`,
      `activity/${uuid}?x`,
      `channel/${uuid}`,
      `display/${uuid}/x`,
      "display/",
      `x?/item/${uuid}`,
    ];
    const answers = names.map((name) => note({ inReplyTo: `http://hub.example/${name}` }, dora));
    for (const answer of answers) await arrives(create(answer, dora));
    expect(await Promise.all(answers.map(({ id }) => copyOf(bob, id)))).toEqual(names.map(() => undefined));
  });

  test("in a thread elsewhere is for those who have the thread, and a narrower one for those whom it is for", async () => {
    const top = note();
    await arrives(create(top));
    const answer = note({ inReplyTo: top.id }, dora);
    const narrow = note({ inReplyTo: top.id, to: [followers(dora)], cc: [carla.xchan_hash] }, dora);
    const below = note({ inReplyTo: answer.id });
    await arrives(create(below));
    await arrives(create(answer, dora));
    await arrives(create(narrow, dora));
    expect([await holders(answer.id), await holders(narrow.id)]).toEqual([["alma"], []]);
    expect(await copyOf(alma, answer.id)).toMatchObject({
      parent: (await copyOf(alma, top.id))!.id,
      item_thread_top: 0,
    });
  });

  test("in a thread that is not for everybody is not either", async () => {
    const top = note({ to: [followers(carla)], cc: [] });
    await arrives(create(top));
    const wide = note({ inReplyTo: top.id }, dora);
    await arrives(create(wide, dora));
    expect(await copyOf(alma, wide.id)).toMatchObject({ item_private: 1 });
  });

  test("stays in its thread, whatever a later version says that it answers", async () => {
    const [top, other] = [note(), note({ to: [followers(carla)], cc: [] })];
    for (const one of [top, other]) await arrives(create(one));
    const answer = note({ inReplyTo: top.id }, dora);
    await arrives(create(answer, dora));
    const at = (minute: number) => ({ updated: `2026-03-01T12:${minute}:00Z`, content: `<p>At ${minute}</p>` });
    const { inReplyTo: _, ...alone } = answer;
    for (const [version, plain] of [
      [{ ...alone, ...at(10) }, "At 10"],
      [{ ...answer, inReplyTo: other.id, ...at(20) }, "At 20"],
    ] as const) {
      await arrives(deed("Update", { ...version, to: [everybody], cc: [idOf(bob)] }, dora));
      expect(await copyOf(alma, answer.id)).toMatchObject({ parent_mid: top.id, item_thread_top: 0, plain });
      expect((await copies(answer.id)).filter(({ item_thread_top }) => item_thread_top === 1)).toEqual([]);
    }
  });

  test("to itself is a post", async () => {
    const self = note();
    await arrives(create({ ...self, inReplyTo: self.id }));
    expect(await copyOf(alma, self.id)).toMatchObject({ item_thread_top: 1 });
  });
});

describe("a post that becomes a message", () => {
  test("stays with those who have it as it was, and nobody else sees it any more", async () => {
    const top = note();
    await arrives(create(top));
    const { uuid } = (await copyOf(alma, top.id))!;
    const statusOf = async () => (await world.anonymous.get(`/display/${uuid}`)).status;
    expect(await statusOf()).toBe(200);
    const tag = [{ type: "Mention", href: idOf(bob), name: "@bob" }];
    const narrow = { ...top, content: "<p>for Bob</p>", updated: "2026-03-01T11:30:00Z", to: [idOf(bob)], cc: [], tag };
    await arrives(deed("Update", narrow, carla, { to: [idOf(bob)], cc: [] }));
    expect(await copies(top.id)).toMatchObject([{ uid: alma.channel.channel_id, item_private: 1 }]);
    expect([(await copyOf(alma, top.id))?.plain, await statusOf()]).not.toContain("for Bob");
    expect(await statusOf()).toBe(404);
    // What was said before opens it no more, and nobody does it for somebody else.
    await arrives(deed("Update", { ...top, content: "<p>older</p>", updated: "2026-03-01T11:20:00Z" }));
    expect(await copyOf(alma, top.id)).toMatchObject({ item_private: 1, plain: expect.not.stringContaining("older") });
    const other = note();
    await arrives(create(other));
    await arrives(deed("Update", { ...narrow, id: other.id, attributedTo: dora.xchan_hash }, dora));
    expect(await copyOf(alma, other.id)).toMatchObject({ item_private: 0 });
  });
});

describe("a post that is for some from now on", () => {
  let minute = 30;
  const version = (top: object, words: string, more: object) =>
    deed(
      "Update",
      { ...top, content: `<p>${words}</p>`, updated: `2026-03-01T11:${++minute}:00Z`, cc: [], ...more },
      carla,
      more,
    );
  const plainOf = async (who: Person, { id }: { id: string }) => (await copyOf(who, id))?.plain;

  test("says what is new to them alone, and goes from all when it is deleted", async () => {
    for (const isTaken of [true, false]) {
      const top = note({ content: "<p>for all</p>" });
      await arrives(create(top));
      const { uuid } = (await copyOf(alma, top.id))!;
      // Bob takes nothing of whom he has blocked.
      if (!isTaken) await block(world.hub, bob.channel, carla);
      await arrives(version(top, "for few", { to: [idOf(bob)] }));
      expect(await copyOf(alma, top.id)).toMatchObject({ plain: "for all", item_private: 1 });
      expect(await plainOf(bob, top)).toBe(isTaken ? "for few" : undefined);
      expect((await world.anonymous.get(`/display/${uuid}`)).status).toBe(404);
      const home = (await alma.get("/api/statuses/home_timeline.json")).text;
      expect([...new Set(home.match(/for (all|few)/g))]).toEqual(["for all"]);
      await arrives(deed("Delete", top.id));
      expect(await copies(top.id)).toEqual([]);
      if (!isTaken) await unblock(world.hub, bob.channel, carla.xchan_hash);
    }
  });

  test("says it to those who follow its author, where it is for these", async () => {
    const top = note({ content: "<p>for all</p>", cc: [followers(carla), idOf(bob)] });
    await arrives(create(top));
    expect(await holders(top.id)).toEqual(["alma", "bob"]);
    await arrives(version(top, "for few", { to: [followers(carla)] }));
    expect([await plainOf(alma, top), await plainOf(bob, top)]).toEqual(["for few", "for all"]);
  });

  test("was for those who follow its author before, or is for nobody here", async () => {
    const [top, other] = [note({ to: [followers(carla)], cc: [] }), note()];
    for (const one of [top, other]) {
      await arrives(create(one));
      const before = await plainOf(alma, one);
      await arrives(version(one, "for Dora", { to: [dora.xchan_hash] }));
      expect(await copyOf(alma, one.id)).toMatchObject({ plain: before, item_private: 1 });
    }
  });

  test("is read as it is by whom a later version means again, and by nobody twice", async () => {
    const top = note({ content: "<p>for all</p>" });
    await arrives(create(top));
    const { id } = (await copyOf(alma, top.id))!;
    for (const [words, to, almas, bobs] of [
      ["for Bob", [idOf(bob)], "for all", "for Bob"],
      ["for both", [idOf(bob), idOf(alma)], "for both", "for both"],
      ["for Bob again", [idOf(bob)], "for both", "for Bob again"],
      ["for all again", [everybody], "for all again", "for all again"],
    ] as const) {
      await arrives(version(top, words, { to }));
      expect([await plainOf(alma, top), await plainOf(bob, top)]).toEqual([almas, bobs]);
      expect(await holders(top.id)).toEqual(["alma", "bob"]);
    }
    expect((await copyOf(alma, top.id))?.id).toBe(id);
    const kept = world.hub.db.selectFrom("message").select("id").where("mid", "=", top.id).where("version", "<", 0);
    expect(await kept.execute()).toEqual([]);
  });
});

describe("several things at once", () => {
  test("are written and deleted like each by itself", async () => {
    const [one, other] = [note(), note()];
    await arrives(deed("Create", [one, other]));
    expect([await holders(one.id), await holders(other.id)]).toEqual([["alma"], ["alma"]]);
    await arrives(deed("Delete", [one.id, { id: other.id, type: "Tombstone" }]));
    expect([await holders(one.id), await holders(other.id)]).toEqual([[], []]);
  });
});

describe("a reaction", () => {
  test("is counted once, tells the author once, and goes when it is taken back", async () => {
    const top = await post(bob);
    const before = (await kinds(bob)).length;
    const like = deed("Like", top.mid, dora);
    for (const _ of [1, 2, 3]) await arrives(like);
    await arrives(deed("Like", top.mid, dora));
    expect((await copies(like.id)).length).toBe(1);
    expect((await kinds(bob)).slice(0, (await kinds(bob)).length - before)).toEqual([["reaction", "Dora", 1]]);
    await arrives(deed("Undo", { type: "Like", actor: dora.xchan_hash, object: top.mid }, dora));
    expect(await copies(like.id)).toEqual([]);
    expect((await kinds(bob)).length).toBe(before);
  });

  test("that was taken back before it came is not taken for a day", async () => {
    const top = await post(bob);
    const like = deed("Like", top.mid, dora);
    await arrives(deed("Undo", like, dora));
    await arrives(like);
    expect(await copies(like.id)).toEqual([]);
    const another = deed("Like", top.mid, dora);
    await arrives(another);
    await arrives(deed("Undo", another.id, carla));
    expect((await copies(another.id)).length).toBe(1);
  });

  test("with an emoji is one of several, and one to a post elsewhere is for all who have it", async () => {
    const top = note();
    await arrives(create(top));
    const emoji = ["🎉", "❤", "🧋", ":unknown:"].map((content) => deed("EmojiReact", top.id, dora, { content }));
    for (const one of emoji) await arrives(one);
    const verbs = await Promise.all(emoji.map(async ({ id }) => (await copyOf(alma, id))?.verb.split("/").at(-1)));
    expect(verbs).toEqual(["react#tada", "react#heart", "react#🧋", "like"]);
  });

  test("that takes no emoji is what it is, whatever its words look like", async () => {
    const top = await post(bob);
    const dislike = deed("Dislike", top.mid, dora, { content: ":blob:" });
    await arrives(dislike);
    expect((await copyOf(bob, dislike.id))?.verb.split("/").at(-1)).toBe("dislike");
  });

  test("with a picture is taken back without it, and nothing else is", async () => {
    const top = await post(bob);
    const icon = { type: "Image", mediaType: "image/png", url: "https://far.example/blob.png" };
    const picture = { content: ":blob:", tag: [{ type: "Emoji", name: ":blob:", icon }] };
    const [like, react] = [deed("Like", top.mid, dora), deed("EmojiReact", top.mid, dora, picture)];
    for (const one of [like, react]) await arrives(one);
    expect((await copyOf(bob, react.id))?.verb.split("/").at(-1)).toBe("react#blob@far.example");
    const { type, actor, object } = react;
    await arrives(deed("Undo", { type, actor, object, content: ":blob:" }, dora));
    expect([(await copies(like.id)).length, (await copies(react.id)).length]).toEqual([1, 0]);
  });

  test("with a picture that never came was a like, and is taken back as one", async () => {
    const top = await post(bob);
    const react = deed("EmojiReact", top.mid, dora, { content: ":nowhere:" });
    await arrives(react);
    expect((await copyOf(bob, react.id))?.verb.split("/").at(-1)).toBe("like");
    const { type, actor, object } = react;
    await arrives(deed("Undo", { type, actor, object, content: ":nowhere:" }, dora));
    expect(await copies(react.id)).toEqual([]);
  });

  test("to what is not here is nothing", async () => {
    const like = deed("Like", "https://far.example/notes/unknown", dora);
    await arrives(like);
    expect(await copies(like.id)).toEqual([]);
  });
});

describe("a share", () => {
  test("repeats what is public, tells its author once, and goes when it is taken back", async () => {
    const top = await post(bob, { body: "worth it" });
    const share = deed("Announce", top.mid);
    for (const _ of [1, 2, 3]) await arrives(share);
    const item = (await copyOf(alma, share.id))!;
    expect(item).toMatchObject({ author_id: carla.xchan_id, shared_id: top.message_id, item_private: 0 });
    expect(item.body).toMatch(/^\[share .*worth it\[\/share\]$/s);
    expect((await kinds(bob)).filter(([kind]) => kind === "share")).toEqual([["share", "Carla", 1]]);
    await arrives(deed("Undo", share));
    await arrives(share);
    expect(await copies(share.id)).toEqual([]);
  });

  test("by somebody whom nobody follows, and that names nobody, is not looked after", async () => {
    const shared = note({}, dora);
    stands(shared.id, shared);
    asked.length = 0;
    await arrives(deed("Announce", shared.id, eva));
    expect(asked).toEqual([]);
    await arrives(deed("Announce", shared.id, eva, { cc: [idOf(bob)] }));
    expect(asked).toContain(shared.id);
  });

  test("shows nothing private", async () => {
    const secret = note({ to: [followers(carla)], cc: [], content: "<p>for few</p>" });
    await arrives(create(secret));
    await follow(bob, dora);
    const share = deed("Announce", secret.id, dora);
    await arrives(share);
    expect(await copies(share.id)).toEqual([]);
  });
});

describe("what somebody else brings", () => {
  const brought = (activity: object, by = dora) => arrives(activity, [], by.xchan_hash);

  test("is what stands at its id, and not what was sent", async () => {
    const true_ = note({ content: "<p>true</p>" });
    stands(true_.id, true_);
    await brought(create({ ...true_, content: "<p>false</p>" }));
    expect(await copyOf(alma, true_.id)).toMatchObject({ plain: "true" });
    const missing = note();
    await brought(create(missing));
    expect(await copies(missing.id)).toEqual([]);
  });

  test.each([
    ["redirects to somebody else's server", { at: "https://evil.example/notes/1" }],
    ["is a file that somebody uploaded", { type: "text/plain" }],
    ["is of another type", { type: "application/json" }],
    ["is refused", { status: 403 }],
  ])("has no effect where its address %s", async (_, answer) => {
    const forged = note();
    stands(forged.id, forged, answer);
    await brought(create(forged));
    expect(await copies(forged.id)).toEqual([]);
  });

  test("is tried again where its server does not answer", async () => {
    const late = note();
    stands(late.id, late, { status: 503 });
    await expect(brought(create(late))).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("is gone where nothing stands at its id any more", async () => {
    const first = note();
    await arrives(create(first));
    stands(first.id, first);
    await brought(deed("Delete", first.id));
    expect(await holders(first.id)).toEqual(["alma"]);
    stands(first.id, {}, { status: 410 });
    await brought(deed("Delete", first.id));
    expect(await holders(first.id)).toEqual([]);
  });

  test("is not gone because others may not see it", async () => {
    const few = note({ to: [followers(carla)], cc: [] });
    await arrives(create(few));
    stands(few.id, few, { to: alma });
    await brought(deed("Delete", few.id));
    expect(await holders(few.id)).toEqual(["alma"]);
    documents.delete(few.id);
    await brought(deed("Delete", few.id));
    expect(await holders(few.id)).toEqual([]);
    // Of what is not here nobody says that it was.
    const later = note();
    await brought(deed("Delete", later.id));
    await arrives(create(later));
    expect(await holders(later.id)).toEqual(["alma"]);
  });

  test("is no reaction unless it stands at its id", async () => {
    const top = note();
    await arrives(create(top));
    const [like, lie] = [deed("Like", top.id), deed("Like", top.id)];
    stands(like.id, like);
    await brought(like);
    await brought(lie);
    expect([(await copies(like.id)).length, (await copies(lie.id)).length]).toEqual([1, 0]);
  });

  test("and may be read by one of those to whom it was sent, is for the others no more than it says", async () => {
    const secret = note({ to: [idOf(alma)], cc: [], content: "<p>for Alma</p>" }, eva);
    stands(secret.id, secret, { to: alma });
    for (const inboxes of [[bob, alma], [alma, bob], [bob]])
      await arrives(
        create(secret, eva),
        inboxes.map(({ channel }) => channel),
        dora.xchan_hash,
      );
    expect(await holders(secret.id)).toEqual(["alma"]);
  });

  test("to the inbox of all is asked for in the name of somebody for whom it is", async () => {
    const top = note({ to: [followers(carla)], cc: [] });
    await arrives(create(top));
    const [named, below] = [
      note({ to: [idOf(alma)], cc: [carla.xchan_hash] }, eva),
      note({ inReplyTo: top.id, to: [carla.xchan_hash], cc: [] }, eva),
    ];
    for (const one of [named, below]) {
      stands(one.id, one, { to: alma });
      await brought({ ...create(one, eva), to: one["to"], cc: one["cc"] }, carla);
      expect(await holders(one.id)).toEqual(["alma"]);
    }
  });

  test("is not written in somebody else's name by a signature that holds", async () => {
    const forged = note({ attributedTo: carla.xchan_hash }, dora);
    await arrives(deed("Create", forged, dora));
    expect(await copies(forged.id)).toEqual([]);
    const differing = note({ id: "https://far.example/Notes/case" });
    await arrives(create(differing));
    await arrives(deed("Delete", "https://far.example/notes/CASE"));
    expect(await holders(differing.id)).toEqual(["alma"]);
  });

  test("in a share is what stands at its id", async () => {
    const shared = note({ content: "<p>as it is</p>" }, dora);
    stands(shared.id, shared);
    await arrives(deed("Announce", { ...shared, content: "<p>altered</p>" }));
    const shares = await selectItems(world.hub)
      .where("item.author_id", "=", carla.xchan_id)
      .where("shared_id", ">", 0)
      .where("item.item_deleted", "=", 0)
      .orderBy("item.id", "desc")
      .limit(1)
      .execute();
    expect(shares[0]!.body).toMatch(/as it is/);
    const secret = note({ to: [followers(dora)], cc: [] }, dora);
    stands(secret.id, secret);
    const share = deed("Announce", secret.id);
    await arrives(share);
    expect(await copies(share.id)).toEqual([]);
  });
});

describe("whoever is not there any more", () => {
  test("takes away what they wrote, one by one or all of it, although their document is gone", async () => {
    const gone = await meetActor(world.hub, actorOf("gone"));
    await follow(alma, gone);
    const [one, other] = [note({}, gone), note({}, gone)];
    for (const each of [one, other]) await arrives(create(each, gone));
    stands(gone.xchan_hash, {}, { status: 410 });
    expect(await meet(world.hub, gone.xchan_hash)).toEqual({ fault: "gone" });
    expect([await holders(one.id), await holders(other.id)]).toEqual([["alma"], ["alma"]]);
    await arrives(deed("Delete", one.id, gone));
    expect([await holders(one.id), await holders(other.id)]).toEqual([[], ["alma"]]);
    await arrives(deed("Delete", gone.xchan_hash, gone));
    await world.work();
    expect(await holders(other.id)).toEqual([]);
    // Nobody else comes back by what is said in their name.
    const late = note({}, gone);
    await arrives(create(late, gone));
    expect(await holders(late.id)).toEqual([]);
  });
});

describe("an answer to what is not here", () => {
  /** As the queue does: it is put off until its turn. Answers how often. */
  async function arrivesInTime(activity: object): Promise<number> {
    for (let times = 0; ; times++) {
      try {
        await arrives(activity);
        return times;
      } catch (error) {
        if (!(error instanceof NotYet)) throw error;
        world.hub.advance((error.until - world.hub.clock().getTime()) / 1000);
      }
    }
  }

  test("brings the thread along, up to its top", async () => {
    const top = note({}, eva);
    const middle = note({ inReplyTo: top.id }, eva);
    for (const one of [top, middle]) stands(one.id, one);
    const answer = note({ inReplyTo: middle.id });
    await arrivesInTime(create(answer));
    expect([await holders(top.id), await holders(middle.id)]).toEqual([["alma"], ["alma"]]);
    const own = (await copyOf(alma, top.id))!;
    expect(await copyOf(alma, answer.id)).toMatchObject({
      parent: own.id,
      thr_parent_id: (await copyOf(alma, middle.id))!.id,
    });
  });

  test("stands alone where that cannot be had, and asks for nothing where nobody is to get it", async () => {
    const [one, loop] = [note({ inReplyTo: "https://far.example/notes/gone" }), note()];
    await arrives(create(one));
    expect(await copyOf(alma, one.id)).toMatchObject({ item_thread_top: 1 });
    const other = note({ inReplyTo: loop.id });
    stands(other.id, other);
    stands(loop.id, { ...loop, inReplyTo: other.id });
    await arrives(create({ ...loop, inReplyTo: other.id }));
    expect(await holders(loop.id)).toEqual(["alma"]);
    const before = asked.length;
    await arrives(create(note({ inReplyTo: "https://far.example/notes/unasked" }, eva), eva));
    expect(asked.length).toBe(before);
  });

  test("asks for no more than 25 above it", async () => {
    const chain = Array.from({ length: 40 }, () => note({}, dora));
    for (const [at, one] of chain.entries()) stands(one.id, { ...one, inReplyTo: chain[at + 1]?.id });
    const before = asked.length;
    const answer = note({ inReplyTo: chain[0]!.id });
    // One origin is asked every five seconds.
    expect(await arrivesInTime(create(answer))).toBe(24);
    expect(asked.length - before).toBe(25);
    expect(await copyOf(alma, answer.id)).toMatchObject({ item_thread_top: 0 });
  });
});

describe("a direct message", () => {
  const mention = (who: Person) => ({ type: "Mention", href: idOf(who), name: `@${who.nick}` });
  const message = (more: object = {}) => note({ to: [idOf(bob)], cc: [], tag: [mention(bob)], ...more }, dora);
  const inbox = async (who: Person) => (await who.get("/api/direct_messages")).json as { id: number; text: string }[];
  const texts = async (who = bob) => (await inbox(who)).map(({ text }) => text);

  test("is a record of each recipient, and of nobody else, however often it comes", async () => {
    await setPermissionLimits(world.hub, alma.channel.channel_id, { post_mail: limits.authenticated });
    const both = message({
      to: [idOf(bob), idOf(alma)],
      tag: [mention(bob), mention(alma)],
      content: "<p>secretly</p>",
    });
    for (const who of [bob, alma, bob]) await arrives(create(both, dora), [who.channel]);
    for (const who of [bob, alma]) {
      expect((await texts(who)).filter((text) => text.includes("secretly")).length).toBe(1);
      expect((await kinds(who)).filter(([kind, name]) => kind === "mail" && name === "Dora").length).toBe(1);
    }
    expect((await texts())[0]).toMatch(/also to @alma/);
    expect(await copies(both.id)).toEqual([]);
    const eve = await world.person("eve");
    expect([await texts(eve), (await eve.get("/api/search", { q: "secretly" })).json]).toEqual([[], []]);
  });

  test("that came without any address is for the one to whose inbox it came", async () => {
    const bare = message({ to: [], tag: [], content: "<p>unaddressed</p>" });
    await arrives({ ...create(bare, dora), to: [], cc: [] }, [bob.channel]);
    expect((await texts())[0]).toContain("unaddressed");
  });

  test("is changed, answered and taken back", async () => {
    const first = message({ content: "<p>first words</p>" });
    await arrives(create(first, dora), [bob.channel]);
    await arrives(deed("Update", { ...first, content: "<p>other words</p>", updated: "2026-03-01T12:30:00Z" }, dora));
    await arrives(deed("Update", { ...first, content: "<p>old words</p>", updated: "2026-03-01T12:20:00Z" }, dora));
    expect((await texts())[0]).toMatch(/other words[^]*edited 2026-03-01 12:30:00/);
    await arrives(create(message({ inReplyTo: first.id, content: "<p>more</p>" }), dora), [bob.channel]);
    const rows = await world.hub.db
      .selectFrom("mail")
      .selectAll()
      .where("channel_id", "=", bob.channel.channel_id)
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    expect([rows[0]!.conv_guid, rows[0]!.mail_isreply]).toEqual([rows[1]!.conv_guid, 1]);
    await arrives(deed("Delete", first.id, carla));
    expect((await texts()).join()).toContain("other words");
    await arrives(deed("Delete", first.id, dora));
    await arrives(create(first, dora), [bob.channel]);
    expect((await texts()).join()).not.toMatch(/other words|first words/);
  });

  test("is refused by who does not want it, without a word", async () => {
    await setPermissionLimits(world.hub, alma.channel.channel_id, { post_mail: limits.contacts });
    const unwanted = message({ to: [idOf(alma)], tag: [mention(alma)], content: "<p>unwanted</p>" });
    await arrives(create(unwanted, dora), [alma.channel]);
    expect((await texts(alma)).join()).not.toContain("unwanted");
    await block(world.hub, bob.channel, dora);
    const before = [await texts(), await kinds(bob)];
    await arrives(create(message({ content: "<p>unwanted</p>" }), dora), [bob.channel]);
    await unblock(world.hub, bob.channel, dora.xchan_hash);
    const { abook_id } = (await findConnectionTo(world.hub, alma.channel.channel_id, carla.xchan_hash))!;
    await updateConnection(world.hub, alma.channel, abook_id, { ignored: true });
    const ignored = { ...unwanted, id: note().id, attributedTo: carla.xchan_hash };
    await arrives(create(ignored, carla), [alma.channel]);
    await updateConnection(world.hub, alma.channel, abook_id, { ignored: false });
    expect([await texts(), await kinds(bob)]).toEqual(before);
    expect((await texts(alma)).join()).not.toContain("unwanted");
  });

  test("to many names the first twenty of them", async () => {
    const others = Array.from({ length: 25 }, (_, n) => `https://crowd.example/users/n${n}`);
    const crowd = others.map((href, n) => ({ type: "Mention", href, name: `@n${n}@crowd.example` }));
    await arrives(create(message({ to: [idOf(bob), ...others], tag: [mention(bob), ...crowd] }), dora), [bob.channel]);
    expect((await texts())[0]).toMatch(/also to @n0@.*@n19@crowd\.example …/);
    expect((await texts())[0]).not.toContain("@n20@");
  });

  test("or not is told apart in a private thread without lists by the thread that it names, and by whom it mentions", async () => {
    await follow(alma, dora);
    await receiveFollow(world.hub, alma.channel, dora, "https://far.example/follows/dora-1");
    await connect(world.hub, alma.channel, dora);
    const top = await post(alma, { publicPolicy: "contacts" });
    const context = `http://hub.example/conversation/${top.uuid}`;
    const to = { inReplyTo: top.mid, to: [idOf(alma)], tag: [] };
    for (const [more, kind] of [
      [{ ...to, context }, "comment"],
      [{ ...to, cc: [`http://hub.example/followers/alma`] }, "comment"],
      [to, "message"],
      [{ ...to, context, tag: [mention(alma)] }, "message"],
      [{ ...to, context, directMessage: true }, "message"],
      [{ ...to, tag: [mention(alma)], directMessage: false }, "comment"],
    ] as const) {
      const one = message(more);
      await arrives(create(one, dora), [alma.channel]);
      const isThere = (await copyOf(alma, one.id)) !== undefined;
      const mail = world.hub.db.selectFrom("mail").select("id").where("mid", "=", one.id);
      expect([more, isThere, (await mail.execute()).length]).toEqual([
        more,
        kind === "comment",
        kind === "message" ? 1 : 0,
      ]);
    }
  });

  test("about a post says which, and is not seen by the thread", async () => {
    const top = await post(bob);
    const whisper = message({ inReplyTo: top.mid, content: "<p>between us</p>" });
    await arrives(create(whisper, dora), [bob.channel]);
    expect((await texts())[0]).toMatch(new RegExp(`${top.uuid}[^]*between us`));
    expect(await copies(whisper.id)).toEqual([]);
  });

  test("is a comment where a private thread has lists, and it answers there", async () => {
    const lists = {
      allow_cid: [dora.xchan_hash, alma.channel.channel_hash],
      allow_gid: [],
      deny_cid: [],
      deny_gid: [],
    };
    const top = await post(bob, { audience: lists });
    const answer = message({ inReplyTo: top.mid });
    await arrives(create(answer, dora), [bob.channel]);
    await world.work();
    expect((await copyOf(bob, answer.id))?.item_private).toBe(1);
  });
});

describe("a poll", () => {
  const question = (kind: "oneOf" | "anyOf", endTime = "2026-03-02T00:00:00Z") =>
    JSON.stringify({
      type: "Question",
      [kind]: ["Leek", "Pea"].map((name) => ({ type: "Note", name, replies: { type: "Collection", totalItems: 0 } })),
      endTime,
      votersCount: 0,
    });
  const vote = (target: Item, name: string, by: Xchan) =>
    create({ ...note({ to: [idOf(bob)], cc: [], inReplyTo: target.mid, name }, by), content: undefined }, by);
  const counts = async (poll: Item) => {
    const { obj } = (await copyOf(bob, poll.mid))!;
    const { oneOf, anyOf, votersCount } = JSON.parse(obj) as Record<string, { replies: { totalItems: number } }[]>;
    return [...(oneOf ?? anyOf)!.map(({ replies }) => replies.totalItems), votersCount];
  };

  test.each([
    ["oneOf", [1, 1, 2]],
    ["anyOf", [2, 1, 2]],
  ] as const)(
    "with %s counts each person and choice once, and nothing that cannot be chosen",
    async (kind, expected) => {
      const poll = await post(bob, { objType: "Question", obj: question(kind) });
      for (const [name, by] of [
        ["Leek", dora],
        ["Leek", dora],
        ["Pea", carla],
        ["Leek", carla],
        ["Beet", dora],
      ] as const)
        await arrives(vote(poll, name, by));
      expect(await counts(poll)).toEqual(expected);
      expect((await copies(poll.mid)).length).toBe(1);
    },
  );

  test("takes all that somebody chooses in one activity, and votes whose text is empty", async () => {
    const poll = await post(bob, { objType: "Question", obj: question("anyOf") });
    const chosen = ["Leek", "Pea"].map((name) => vote(poll, name, dora).object);
    await arrives(deed("Create", chosen, dora, { to: [idOf(bob)], cc: [] }));
    expect(await counts(poll)).toEqual([1, 1, 1]);
    const empty = vote(poll, "Pea", carla);
    await arrives({ ...empty, object: { ...(empty.object as object), content: "" } });
    expect(await counts(poll)).toEqual([1, 2, 2]);
  });

  test("takes no votes after its end", async () => {
    const poll = await post(bob, { objType: "Question", obj: question("oneOf", "2026-02-01T00:00:00Z") });
    await arrives(vote(poll, "Leek", dora));
    expect(await counts(poll)).toEqual([0, 0, 0]);
  });

  test("that is a decision takes its three answers", async () => {
    const poll = await post(bob, { consensus: true });
    const answer = vote(poll, "Agree", dora);
    await arrives(answer);
    expect(await copyOf(bob, (answer.object as { id: string }).id)).toMatchObject({
      verb: expect.stringMatching(/agree$/),
    });
  });

  test("of elsewhere is shown, and its counts follow", async () => {
    const options = (votes: number) => [
      { type: "Note", name: "Yes", replies: { type: "Collection", totalItems: votes } },
    ];
    const poll = { ...note(), type: "Question", oneOf: options(1), endTime: "2026-03-02T00:00:00Z", votersCount: 1 };
    await arrives(create(poll));
    await arrives(deed("Update", { ...poll, oneOf: options(5), votersCount: 5 }));
    const item = (await copyOf(alma, poll.id))!;
    expect(item.obj_type).toBe("Question");
    expect(JSON.parse(item.obj)).toMatchObject({ oneOf: options(5), votersCount: 5 });
    expect((await alma.get(`/display/${item.uuid}`)).text).toMatch(/Yes/);
  });

  test("of elsewhere that is counted anew has not been edited, and one that asks something else has no votes", async () => {
    const options = (...counts: [string, number][]) =>
      counts.map(([name, votes]) => ({ type: "Note", name, replies: { type: "Collection", totalItems: votes } }));
    const poll = {
      ...note(),
      type: "Question",
      oneOf: options(["Leek", 0], ["Pea", 0]),
      endTime: "2026-03-02T00:00:00Z",
    };
    await arrives(create(poll));
    const { id, message_id, created } = (await copyOf(alma, poll.id))!;
    const voted = async () => (await ownVotes(world.hub, alma.channel.xchan_id, [message_id])).get(message_id);
    await voteHere(world.hub, alma.channel, { id }, [1]);
    await world.work();
    // Mastodon says nothing of a date when it counts.
    await arrives(deed("Update", { ...poll, oneOf: options(["Leek", 3], ["Pea", 2]) }));
    expect(await copyOf(alma, poll.id)).toMatchObject({ revision: 0, edited: created });
    expect((await listNotices(world.hub, alma.channel.channel_id)).map(({ kind }) => kind)).not.toContain("edit");
    expect(await voted()).toEqual(["Pea"]);
    world.hub.advance(60);
    await arrives(deed("Update", { ...poll, oneOf: options(["Leek", 0], ["Pea", 0], ["Beet", 0]) }));
    const asked = (await copyOf(alma, poll.id))!;
    expect(JSON.parse(asked.obj).oneOf).toEqual(options(["Leek", 0], ["Pea", 0], ["Beet", 0]));
    expect([asked.revision, await voted()]).toEqual([1, undefined]);
  });
});

describe("what a group or the owner of a thread hands on", () => {
  test("is taken on its own merits", async () => {
    const trees = await meetActor(world.hub, actorOf("trees", { type: "Group" }));
    await follow(alma, trees);
    const [true_, lie] = [note({ content: "<p>a tree</p>" }, eva), note({}, eva)];
    stands(true_.id, true_);
    for (const one of [true_, lie])
      for (const _ of [1, 2]) await arrives(deed("Announce", create({ ...one, content: "<p>a bush</p>" }, eva), trees));
    expect(await copyOf(alma, true_.id)).toMatchObject({ plain: "a tree", author_id: eva.xchan_id });
    expect(await copies(lie.id)).toEqual([]);
    const other = note({}, eva);
    stands(other.id, other);
    await arrives(deed("Announce", create(other, eva), carla));
    expect(await copies(other.id)).toEqual([]);
  });

  test("reaches those who have the thread, by an Add of its owner alone", async () => {
    const top = note();
    await arrives(create(top));
    const target = (by: Xchan) => ({
      id: `https://far.example/threads/${last}`,
      type: "Collection",
      attributedTo: by.xchan_hash,
    });
    const [answer, other] = [note({ inReplyTo: top.id }, eva), note({ inReplyTo: top.id }, eva)];
    for (const one of [answer, other]) stands(one.id, one);
    await arrives(deed("Add", create(answer, eva), carla, { target: target(carla) }));
    await arrives(deed("Add", create(other, eva), dora, { target: target(carla) }));
    expect([await holders(answer.id), await holders(other.id)]).toEqual([["alma"], []]);
  });
});

describe("who may do what with a post, as its author says", () => {
  const only = (...ids: string[]) => ({ automaticApproval: ids });
  const act = async (who: Person, path: string, form: Record<string, unknown>) => {
    const { status, text } = await who.post(path, form);
    return [status, /only some people (\w+)/.exec(text)?.[1]];
  };
  const like = (who: Person, { id }: Item) => act(who, "/api/svc/activity/like.json", { id });
  const share = (who: Person, { id }: Item) => act(who, "/api/statuses/retweet.json", { id });
  const quote = async (who: Person, item: Item) =>
    act(who, "/api/z/1.0/item/update", { body: `Look: ${await shareOf(world.hub, item)}` });

  test("holds for people here, who are told so, and nothing is done or sent", async () => {
    const limited = {
      canLike: only(carla.xchan_hash),
      canAnnounce: only(dora.xchan_hash),
      canQuote: only(carla.xchan_hash),
    };
    const one = note({ interactionPolicy: limited });
    await arrives(create(one));
    const item = (await copyOf(alma, one.id))!;
    expect([await like(alma, item), await share(alma, item), await quote(alma, item)]).toEqual([
      [403, "react"],
      [403, "share"],
      [403, "quote"],
    ]);
    await world.work();
    const sent = world.hub.db.selectFrom("outbox_activity").select("id").where("bytes", "like", `%${one.id}%`);
    expect(await sent.execute()).toEqual([]);
    expect((await alma.get(`/api/statuses/show/${item.id}.json`)).json.svc_activities.like).toEqual([]);
  });

  test("is those who follow the author, those who are named, or everybody, as the newest version has it", async () => {
    const one = note({
      interactionPolicy: { canLike: only(followers(carla)), canAnnounce: { manualApproval: [idOf(bob)] } },
      to: [everybody, idOf(bob)],
    });
    await arrives(create(one));
    const [almas, bobs] = [(await copyOf(alma, one.id))!, (await copyOf(bob, one.id))!];
    expect([await like(alma, almas), await like(bob, bobs)]).toEqual([
      [200, undefined],
      [403, "react"],
    ]);
    expect([await share(alma, almas), await share(bob, bobs)]).toEqual([
      [403, "share"],
      [200, undefined],
    ]);
    const open = { canLike: only(everybody), canAnnounce: only(everybody) };
    await arrives(deed("Update", { ...one, interactionPolicy: open, updated: "2026-03-01T11:30:00Z" }));
    expect([await like(bob, bobs), await share(alma, almas)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });

  const answerTo = (who: Person, { id }: Item) => who.post("/api/z/1.0/item/update", { body: "Well", parent: id });

  test("is one of the words for who may answer, in both spellings, and those who are named may whatever it says", async () => {
    const canReply = (rule: object | undefined) => note(rule && { interactionPolicy: { canReply: rule } });
    for (const [rule, word, status] of [
      [undefined, "public", 200],
      [only(everybody), "public", 200],
      [{ always: everybody }, "public", 200],
      [{ automaticApproval: [], manualApproval: [everybody] }, "public", 200],
      [{ approvalRequired: [everybody] }, "public", 200],
      [only(carla.xchan_hash, followers(carla)), "contacts", 200],
      [{ always: followers(carla) }, "contacts", 200],
      [only(carla.xchan_hash), "self", 403],
      [only(dora.xchan_hash, eva.xchan_hash), "self", 403],
      [only(idOf(alma)), "self", 200],
    ] as const) {
      const one = canReply(rule);
      await arrives(create(one));
      const item = (await copyOf(alma, one.id))!;
      expect([rule, item.comment_policy, (await answerTo(alma, item)).status]).toEqual([rule, word, status]);
    }
    const tag = [{ type: "Mention", href: idOf(alma), name: "@alma" }];
    const named = note({ interactionPolicy: { canReply: only(carla.xchan_hash) }, tag, cc: [idOf(alma)] });
    await arrives(create(named));
    expect((await answerTo(alma, (await copyOf(alma, named.id))!)).status).toBe(200);
  });

  test("is not said by what says nothing of it, and its reactions can be taken back", async () => {
    const one = note();
    await arrives(create(one));
    const item = (await copyOf(alma, one.id))!;
    expect([await like(alma, item), await quote(alma, item)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const closed = { canLike: only(carla.xchan_hash) };
    await arrives(deed("Update", { ...one, interactionPolicy: closed, updated: "2026-03-01T11:30:00Z" }));
    expect(await act(alma, "/api/svc/activity/unlike.json", { id: item.id })).toEqual([200, undefined]);
    expect(await like(alma, item)).toEqual([403, "react"]);
  });
});

describe("a group elsewhere", () => {
  let club: Xchan;
  beforeAll(async () => {
    club = await meetActor(world.hub, actorOf("club", { type: "Group" }));
    await follow(alma, club);
  });
  const handsOn = (object: unknown) => arrives(deed("Announce", object, club));

  test("owns what was posted to it, in whichever form it hands that on", async () => {
    const [told, shown] = [{}, {}].map(() =>
      note({ to: [everybody, club.xchan_hash], audience: club.xchan_hash }, eva),
    );
    for (const one of [told!, shown!]) stands(one.id, one);
    await handsOn(create(told!, eva));
    await handsOn(told!.id);
    await handsOn(shown!.id);
    for (const { id } of [told!, shown!]) {
      expect(await holders(id)).toEqual(["alma"]);
      expect(await copyOf(alma, id)).toMatchObject({ owner_id: club.xchan_id, author_id: eva.xchan_id });
    }
  });

  test("shares what was not posted to it, like anybody", async () => {
    const one = note({}, eva);
    stands(one.id, one);
    await handsOn(one.id);
    expect(await holders(one.id)).toEqual([]);
    expect((await alma.get("/api/statuses/home_timeline")).text).toContain(String(one.content).replace(/<.*?>/g, ""));
  });

  test("shows nobody what it was told as one of several", async () => {
    const one = note({ to: [idOf(bob), club.xchan_hash], cc: [] }, eva);
    stands(one.id, one);
    await handsOn(create(one, eva));
    expect(await copyOf(alma, one.id)).toBeUndefined();
  });

  test("shows nobody what was for somebody who is not named", async () => {
    const one = note({ to: [], cc: [] }, eva);
    stands(one.id, one, { to: bob });
    const telling = deed("Announce", { ...create(one, eva), object: one.id, to: [], cc: [] }, club);
    await arrives(telling, [bob.channel]);
    expect(await copyOf(alma, one.id)).toBeUndefined();
  });
});
