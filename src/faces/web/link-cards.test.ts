import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { actorOf } from "../../../test/support/actors.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import {
  approve,
  connect,
  findConnectionTo,
  receiveAccept,
  receiveFollow,
} from "../../domain/connections/connections.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";
import { momentIn } from "../../hub.ts";
import { password } from "../../../test/support/hub.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { editItem } from "../../domain/items/posting/edit.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { shareItem } from "../../domain/items/posting/share.ts";
import type { Draft, Item } from "../../domain/items/types.ts";
import { RefusedAddress, UnusableAnswer } from "../../fetch/fetch.ts";
import { linkCardsOf } from "../../domain/link-cards/link-cards.ts";
import { cardInTime } from "../../domain/link-cards/make-card.ts";
import { trimLinkCards } from "../../domain/link-cards/trim.ts";
import { isLeftOut } from "../../domain/delivery/backlog.ts";
import { sendOut } from "../../domain/delivery/outgoing.ts";
import { setSiteBlock } from "../../domain/peers/site-blocks.ts";

/** The pages that posts link to say what they are about (decision 65). */

const elsewhere = openElsewhere();
let world: TestApp;
let ann: Person;
let visitor: Visitor;
let member: Visitor;
let picture: Buffer<ArrayBuffer>;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_LINK_CARDS: "on" }, fetch: elsewhere.fetch });
  ann = await world.person("ann");
  [visitor, member] = [visitorOf(world.app), visitorOf(world.app)];
  await member.logIn("ann", password);
  picture = Buffer.from(
    await sharp({ create: { width: 1200, height: 630, channels: 3, background: "#3a7" } })
      .png()
      .toBuffer(),
  );
});
afterAll(() => world.close());

const page =
  (inside: string, type = "text/html; charset=utf-8") =>
  () =>
    new Response(`<html><head>${inside}</head>`, { headers: { "content-type": type } });
const asked = (url: string): number => elsewhere.asked.filter((one) => one.url === url).length;

const shown = (item: { uuid: string }) => visitor.get(`/display/${item.uuid}`);
const cardsIn = (text: string): string[] => text.match(/<(a|hub-film)\s+class="link-card[^]*?<\/\1\s*>/g) ?? [];

async function write(body: string, more: Partial<Draft> = {}): Promise<Item> {
  const item = await postItem(world.hub, ann.channel, { body, ...more });
  await world.work();
  return item;
}
const cardOf = async ({ message_id }: Item) => (await linkCardsOf(world.hub, [message_id])).get(message_id);

test("a link has a card with title, picture and site, made once for all who link to it", async () => {
  const url = "https://news.example/mill";
  elsewhere.put(url, page(`<title>The "mill" & the river</title><meta property="og:image" content="/mill.png">`));
  elsewhere.put("https://news.example/mill.png", () => new Response(picture));
  const item = await write(`Look: ${url}`);
  expect(await cardOf(item)).toMatchObject({ kind: "link", width: 1200, height: 630, host: "news.example" });
  const [card] = cardsIn((await shown(item)).text);
  expect(card).toMatch(/class="link-card wide"\s+href="https:\/\/news\.example\/mill"\s+rel="nofollow noopener"/);
  expect(card).toContain("The &quot;mill&quot; &amp; the river");
  expect(card).toContain("<bdi>news.example</bdi>");
  expect(card).toContain("background-image:url(data:image/bmp;base64,");
  const { hostname, pathname } = new URL(/src="([^"]*)"/.exec(card!)![1]!);
  expect([hostname, (await visitor.get(pathname)).status]).toEqual(["hub.example", 200]);
  const again = await write(`Again ${url}`);
  expect([(await cardOf(again))?.id, asked(url), asked("https://news.example/mill.png")]).toEqual([
    (await cardOf(item))!.id,
    1,
    1,
  ]);
});

test("a comment has one; an edit changes it; what is deleted has none", async () => {
  for (const name of ["a", "b"]) elsewhere.put(`https://edit.example/${name}`, page(`<title>Page ${name}</title>`));
  const top = await write("A post");
  const comment = await write("Look: https://edit.example/a", { parent: { id: top.id } });
  expect(await cardOf(comment)).toMatchObject({ title: "Page a" });
  await editItem(world.hub, ann.channel, comment.id, { body: "No: https://edit.example/b" });
  await world.work();
  expect(await cardOf(comment)).toMatchObject({ title: "Page b" });
  await editItem(world.hub, ann.channel, comment.id, { body: "Neither" });
  expect(await cardOf(comment)).toBeUndefined();
  const other = await write("https://edit.example/a");
  expect(await cardOf(other)).toMatchObject({ title: "Page a" });
  await deleteItem(world.hub, ann.channel, { id: other.id });
  expect(await cardOf(other)).toBeUndefined();
});

test("a link that a text keeps for members has none, which everybody would see, and its page is not asked", async () => {
  const [hidden, open] = ["https://hidden.example/", "https://open.example/"];
  for (const url of [hidden, open]) elsewhere.put(url, page("<title>A page</title>"));
  const item = await write(`For members: [observer=1]${hidden}[/observer]; for all: ${open}`);
  expect([(await cardOf(item))?.host, asked(hidden)]).toEqual(["open.example", 0]);
  expect(await cardOf(await write(`[observer=1]${hidden}[/observer]`))).toBeUndefined();
});

test("what somebody shares keeps its card", async () => {
  elsewhere.put("https://share.example/", page("<title>Shared page</title>"));
  const item = await write("https://share.example/");
  const bob = await world.person("bob");
  const share = await shareItem(world.hub, bob.channel, { id: item.id });
  expect(cardsIn((await shown(share)).text).join()).toContain("Shared page");
});

describe("nobody is asked", () => {
  const url = "https://secret.example/token=abc";
  test.each<[string, Partial<Draft>]>([
    ["a post for some", { audience: { allow_cid: ["HASH"], allow_gid: [], deny_cid: [], deny_gid: [] } }],
    ["a post for connections", { publicPolicy: "contacts" }],
    ["a post that waits for its time", { created: "2026-03-02 12:00:00" }],
  ])("about what %s links to", async (_, draft) => {
    const audience = draft.audience && { ...draft.audience, allow_cid: [ann.channel.channel_hash] };
    const item = await write(url, { ...draft, ...(audience && { audience }) });
    expect([asked(url), await cardOf(item)]).toEqual([0, undefined]);
  });

  test("where the operator does not want it", async () => {
    const quiet = await openTestApp({ fetch: elsewhere.fetch });
    const cleo = await quiet.person("cleo");
    await postItem(quiet.hub, cleo.channel, { body: url });
    await quiet.work();
    expect(asked(url)).toBe(0);
    await quiet.close();
  });

  test("of a host with which the site has nothing to do; without media there is no picture", async () => {
    await setSiteBlock(world.hub, { domain: "bad.example", level: "suspend", noMedia: false });
    await setSiteBlock(world.hub, { domain: "loud.example", level: "none", noMedia: true });
    elsewhere.put("https://loud.example/", page(`<title>Loud</title><meta property="og:image" content="/a.png">`));
    const bad = await write("https://bad.example/");
    const loud = await write("https://loud.example/");
    expect([await cardOf(bad), asked("https://bad.example/")]).toEqual([undefined, 0]);
    expect(await cardOf(loud)).toMatchObject({ title: "Loud", picture: "" });
  });
});

test("a post for some has the card that is known already", async () => {
  elsewhere.put("https://known.example/", page("<title>Known</title>"));
  await write("https://known.example/");
  const item = await write("https://known.example/", { publicPolicy: "contacts" });
  expect([await cardOf(item), asked("https://known.example/")]).toMatchObject([{ title: "Known" }, 1]);
});

describe("hostile pages", () => {
  test("a script as title is text", async () => {
    elsewhere.put(
      "https://xss.example/",
      page(`<title><script>alert(1)</script></title>
      <meta name="description" content='"><img src=x onerror=alert(2)>'><meta property="og:image" content="javascript:alert(3)">`),
    );
    const { text } = await shown(await write("https://xss.example/"));
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).not.toMatch(/<script>alert|<img src=x|javascript:/);
  });

  test("a charset that is not the usual one", async () => {
    const bytes = Buffer.concat([
      Buffer.from("<title>"),
      Buffer.from([0xcc, 0xe5, 0xeb, 0xfc]),
      Buffer.from("</title>"),
    ]);
    const headers = { "content-type": "text/html; charset=windows-1251" };
    elsewhere.put("https://cyrillic.example/", () => new Response(bytes, { headers }));
    expect(await cardOf(await write("https://cyrillic.example/"))).toMatchObject({ title: "Мель" });
  });

  test.each<[string, Parameters<typeof elsewhere.put>[1]]>([
    ["gone.example", 404],
    ["private.example", new RefusedAddress("127.0.0.1 is private")],
    ["large.example", new UnusableAnswer("The answer is too large")],
    ["file.example", page("<title>No page</title>", "application/octet-stream")],
    ["empty.example", page("")],
  ])("%s has no card, and is not asked again for a day", async (host, answer) => {
    const url = `https://${host}/`;
    elsewhere.put(url, answer);
    await write(url);
    expect([await cardOf(await write(url)), asked(url)]).toEqual([undefined, 1]);
  });

  test("one that does not answer is asked three times", async () => {
    const url = "https://slow.example/";
    elsewhere.put(url, new Error("slow.example does not answer"));
    const item = await write(url);
    for (const wait of [121, 3601, 3601]) {
      world.hub.advance(wait);
      await world.work();
    }
    expect([await cardOf(item), asked(url)]).toEqual([undefined, 3]);
  });
});

test("a hub that has far too much to send asks no page before that is done", async () => {
  const url = "https://patient.example/";
  elsewhere.put(url, page("<title>Patient page</title>"));
  elsewhere.put("https://far.example/inbox", 202);
  const to = [{ inbox: "https://far.example/inbox", people: [], shared: true }];
  const sender = ann.channel.channel_id;
  await sendOut(world.hub, [{ deed: "old", variant: "", sender, objectId: "old", bytes: "{}", to }]);
  world.hub.advance(31 * 60);
  expect(await isLeftOut(world.hub, "previews")).toBe(true);
  const item = await write(url);
  expect(await cardInTime(world.hub, item.message_id)).toBeUndefined();
  expect(asked(url)).toBe(0);
  world.hub.advance(15 * 60);
  await world.work();
  expect([await cardOf(item), asked(url)]).toMatchObject([{ title: "Patient page" }, 1]);
});

describe("what comes from elsewhere", () => {
  const author = actorOf("carla").id;
  const arrives = (id: string, more: object, to = "https://www.w3.org/ns/activitystreams#Public") => {
    const object = { id: `${author}/${id}`, type: "Note", attributedTo: author, to, content: "<p>Words</p>", ...more };
    return arrivesIn(world.hub)({ id: `${object.id}/create`, type: "Create", actor: author, to, object }, [
      ann.channel,
    ]);
  };
  const titleOf = async (id: string): Promise<string | undefined> => {
    const [message] = await world.hub.db
      .selectFrom("message")
      .select("id")
      .where("mid", "=", `${author}/${id}`)
      .execute();
    return (await linkCardsOf(world.hub, [message!.id])).get(message!.id)?.title;
  };

  beforeAll(async () => {
    elsewhere.actor("carla");
    for (const inbox of ["inbox", "users/carla/inbox"]) elsewhere.put(`https://far.example/${inbox}`, 202);
    const carla = await meetActor(world.hub, actorOf("carla"));
    await connect(world.hub, ann.channel, carla);
    await receiveAccept(world.hub, ann.channel, carla);
    for (const host of ["one", "two", "three", "four"])
      elsewhere.put(`https://${host}.example/`, page(`<title>Page ${host}</title>`));
  });

  const waiting = () =>
    world.hub.db.selectFrom("job").select(["lane", "run_at"]).where("name", "=", "make-link-card").execute();
  const uuidOf = (id: string) =>
    world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("message.uuid")
      .where("message.mid", "=", `${author}/${id}`)
      .executeTakeFirstOrThrow();

  test("has its page asked when a member looks: within a minute, not all hubs at once, one of a host after the other", async () => {
    await arrives("1", { content: '<p><a href="https://one.example/">one</a></p>' });
    world.hub.advance(60);
    await world.work();
    expect((await visitor.get(`/display/${(await uuidOf("1")).uuid}`)).status).toBe(200);
    expect([await waiting(), asked("https://one.example/")]).toEqual([[], 0]);
    for (let n = 0; n < 2; n++) expect((await member.get(`/display/${(await uuidOf("1")).uuid}`)).status).toBe(200);
    const jobs = await waiting();
    expect(jobs.map(({ lane }) => lane)).toEqual(["link cards of one.example"]);
    expect(jobs[0]!.run_at > momentIn(world.hub, 0) && jobs[0]!.run_at <= momentIn(world.hub, 60_000)).toBe(true);
    world.hub.advance(60);
    await world.work();
    expect([await titleOf("1"), asked("https://one.example/")]).toEqual(["Page one", 1]);
  });

  test("may have the page attached, and is seen in the stream as well", async () => {
    await arrives("2", { attachment: [{ type: "Link", href: "https://two.example/" }] });
    await arrives("4", { content: '<p><a href="https://four.example/">four</a></p>' });
    await member.get("/network");
    world.hub.advance(60);
    await world.work();
    expect([await titleOf("2"), await titleOf("4")]).toEqual(["Page two", "Page four"]);
  });

  test("asks nobody where it is for some, whatever it links to", async () => {
    const content = '<p><a href="https://three.example/">three</a></p>';
    await arrives("3", { content }, `${world.hub.config.baseUrl}/channel/ann`);
    world.hub.advance(60);
    await world.work();
    expect([await titleOf("3"), asked("https://three.example/")]).toEqual([undefined, 0]);
  });
});

describe("cards of posts that go to other hubs", () => {
  const author = actorOf("carla").id;
  const everybody = "https://www.w3.org/ns/activitystreams#Public";
  const linkIn = (activity: any) => activity.object.attachment.find(({ type }: any) => type === "Link");
  const sent = async (item: Item): Promise<any> => {
    const deed = `create ${item.uuid}`;
    const rows = world.hub.db.selectFrom("outbox_activity").select("bytes").where("deed", "=", deed);
    return JSON.parse((await rows.executeTakeFirstOrThrow()).bytes);
  };
  let last = 0;
  const arrives = async (url: string, link: object) => {
    const id = `${author}/said-${++last}`;
    const content = `<p><a href="${url}">there</a></p>`;
    const attachment = [{ type: "Link", href: url, ...link }];
    const object = { id, type: "Note", attributedTo: author, to: everybody, content, attachment };
    await arrivesIn(world.hub)({ id: `${id}/create`, type: "Create", actor: author, to: everybody, object });
    await member.get("/network");
    world.hub.advance(60);
    await world.work();
    const message = await world.hub.db.selectFrom("message").select(["id", "attach"]).where("mid", "=", id).execute();
    return { card: (await linkCardsOf(world.hub, [message[0]!.id])).get(message[0]!.id), attach: message[0]!.attach };
  };

  beforeAll(async () => {
    const carla = await meetActor(world.hub, actorOf("carla"));
    await receiveFollow(world.hub, ann.channel, carla, `${author}/follow`);
    const waiting = await findConnectionTo(world.hub, ann.channel.channel_id, author);
    await approve(world.hub, ann.channel, waiting!.abook_id);
    await world.work();
  });

  test("go along with the first delivery, with our copy of the picture", async () => {
    const url = "https://along.example/";
    elsewhere.put(
      url,
      page(
        `<title>Along</title><meta name="description" content="With it"><meta property="og:image" content="/a.png">`,
      ),
    );
    elsewhere.put("https://along.example/a.png", () => new Response(picture));
    const item = await write(`See ${url}`);
    const link = linkIn(await sent(item));
    expect(link).toMatchObject({
      href: url,
      mediaType: "text/html",
      name: "Along",
      summary: "With it",
      preview: { type: "Image", width: 1200, height: 630 },
    });
    expect([link.url, asked(url)]).toEqual([undefined, 1]);
    expect((await visitorOf(world.app).get(new URL(link.preview.url).pathname)).status).toBe(200);
  });

  test("of a page that says nothing there is none", async () => {
    expect(linkIn(await sent(await write("See https://nothing.example/")))).toBeUndefined();
  });

  test("that come along are shown, and the page is not asked", async () => {
    const url = "https://said.example/";
    const preview = { type: "Image", url: `${url}p.png`, name: "A mill", width: 600, height: 300 };
    const { card, attach } = await arrives(url, { name: "Said", summary: "About it", hreflang: "de", preview });
    expect(card).toMatchObject({
      url,
      host: "said.example",
      kind: "link",
      title: "Said",
      description: "About it",
      language: "de",
      picture: "https://said.example/p.png",
      picture_text: "A mill",
      width: 600,
    });
    expect([attach, asked(url)]).toEqual(["", 0]);
    // What one says is not what others say, nor what the page says itself.
    expect((await arrives(url, { name: "Otherwise" })).card).toMatchObject({ title: "Otherwise", picture: "" });
    elsewhere.put(url, page("<title>Itself</title>"));
    expect(await cardOf(await write(url))).toMatchObject({ title: "Itself" });
    expect((await arrives(url, { name: "Said" })).card).toMatchObject({ title: "Itself" });
  });

  test("say nothing that pages could not say", async () => {
    const preview = { type: "Image", url: "javascript:alert(1)" };
    const name = `<script>alert(1)</script>\u202e${"a".repeat(500)}`;
    const { card } = await arrives("https://odd.example/", { name, hreflang: '"><b>', preview });
    expect(card).toMatchObject({ picture: "", language: "" });
    expect([card!.title.length, card!.title.includes("\u202e")]).toEqual([300, false]);
    // A card of another page than the one to which the post leads is none.
    elsewhere.put("https://own.example/", page("<title>Own</title>"));
    const link = { href: "https://trusted.example/", name: "Trusted" };
    expect((await arrives("https://own.example/", link)).card).toMatchObject({ title: "Own" });
    await setSiteBlock(world.hub, { domain: "worse.example", level: "suspend", noMedia: false });
    expect((await arrives("https://worse.example/", { name: "Worse" })).card).toBeUndefined();
  });
});

test("a film is played only when somebody wants to see it", async () => {
  const words = "https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ";
  const film = {
    title: "A <b>film</b>",
    author_name: "Ann",
    provider_name: "YouTube",
    thumbnail_url: "//i.example/1.jpg",
  };
  elsewhere.put(words, () => Response.json(film));
  elsewhere.put("https://i.example/1.jpg", () => new Response(picture));
  const { text, headers } = await shown(await write("https://youtu.be/dQw4w9WgXcQ"));
  expect(cardsIn(text)[0]).toMatch(
    /data-player="https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ[^]*A &lt;b&gt;film/,
  );
  expect(text).not.toContain("<iframe");
  expect(headers.get("content-security-policy")).toContain("frame-src https://www.youtube-nocookie.com ");
});

test("what nobody links to any more is forgotten", async () => {
  elsewhere.put("https://old.example/", page("<title>Old</title>"));
  const item = await write("https://old.example/");
  const rows = () => world.hub.db.selectFrom("link_card").select("id").where("host", "=", "old.example").execute();
  world.hub.advance(8 * 24 * 3600);
  await trimLinkCards(world.hub);
  expect(await rows()).toHaveLength(1);
  await deleteItem(world.hub, ann.channel, { id: item.id });
  await trimLinkCards(world.hub);
  expect(await rows()).toEqual([]);
});
