import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
import { sendMessage } from "../src/domain/messages/send.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { mastodonPerson, uploadPicture } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** Posts of all kinds, seen by every door: text, author, date, audience, counts and links are the same. */

let world: TestApp;
let ann: Person;
let bob: Person;
let app: Client;
let bobsApp: Client;
let page: Visitor;
let choir: string;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
  const group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  choir = String(group.id);
  [app, bobsApp] = [await mastodonPerson(world, ann.channel), await mastodonPerson(world, bob.channel)];
  page = visitorOf(world.app);
  await page.logIn("ann", password);
});
afterAll(() => world.close());

/** What a door says of a post; what it does not say is missing. */
type View = {
  words: string;
  links?: string[];
  author: string;
  date: string;
  audience?: "public" | "some";
  address?: string;
  likes?: number;
  shares?: number;
  comments?: number;
  /** The post that it quotes or shares. */
  about?: string;
  /** The post that it answers. */
  answers?: string;
  options?: string[];
};

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };
const decoded = (text: string): string => text.replace(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all);

/** Letters and digits alone, in their order: doors differ in signs and breaks. */
function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []).join(" ");
}

/** Blocks part words, elements in a line do not. Pages tell times in words: which one is meant stands in its element. */
function wordsIn(html: string): string {
  const timed = html.replace(/<time datetime="([^"]*)">[^<]*(?=<\/time>)/g, (_, time: string) =>
    time.replace("T", " "),
  );
  const text = timed.replace(/<\/?(p|br|div|li|ul|ol|blockquote|pre|h\d|hr|table|tr|td)\b[^>]*>/g, " ");
  return wordsOf(decoded(text.replaceAll(/<[^>]*>/g, "")));
}

/** Whither a text leads: people and hashtags have addresses of their own at each door. */
function linksIn(html: string): string[] {
  const links = Array.from(html.matchAll(/<a ([^>]*)>/g), ([, attributes]) => attributes!);
  // Pictures are files beside the text for applications, and links in it for pages.
  const outward = links.filter((one) => !/class="[^"]*(mention|hashtag)|\/photos\/ann\/image\//.test(one));
  return outward.map((one) => decoded(/href="([^"]*)"/.exec(one)![1]!)).toSorted();
}

/** A post in another one: applications have it beside the text and by its address in the text, all others within the text. */
const within = /<article class="shared">([\s\S]*?)<\/article>|<p class="quote-inline">([\s\S]*?)<\/p>/;

/** Title, text, links, and what stands within. */
function partsOf(html: string, title: string): Pick<View, "words" | "links"> & { about?: string } {
  const [whole = "", post, named] = within.exec(html) ?? [];
  const [about] = Array.from((post ?? named ?? "").matchAll(/<a href="([^"]*\/item\/[^"]*)"/g), ([, href]) => href!);
  const own = html.replace(whole, " ");
  return { words: wordsOf(`${title} ${wordsIn(own)}`), links: linksIn(own), ...(about && { about }) };
}

/** The same of a source. */
function partsOfSource(source: string, mimetype: string, title: string): ReturnType<typeof partsOf> {
  if (mimetype === "text/html") return partsOf(source, title);
  const about = /^\[share [^\]]*message_id='([^']*)'/m.exec(source)?.[1];
  // Pictures are files beside the text for applications.
  const own = source
    .replace(/\[share [\s\S]*\[\/share\]/, "")
    .replaceAll(/\[zrl=[^\]]*\]\[zmg[\s\S]*?\[\/zrl\]|\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)/g, "");
  const links = Array.from(own.matchAll(/(?<!\[zrl=)https?:\/\/[^\s\])[]+/g), ([link]) => link);
  const text = own.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const words = text.replaceAll(/\[\/?(b|i|url|zrl)\b[^\]]*\]/g, "").replaceAll(/\[[^\]]*\]/g, " ");
  return { words: wordsOf(`${title} ${words}`), links: links.toSorted(), ...(about && { about }) };
}

const moment = (date: string): string => new Date(date.replace(/^(\d{4}-\d\d-\d\d) (.*)$/, "$1T$2Z")).toISOString();

type Told = { id: string; mid: string; uuid: string; title: string };

async function byMastodon({ id, mid, title }: Told): Promise<View> {
  const { json } = await app.get(`/api/v1/statuses/${id}`);
  const parts = json.reblog
    ? { words: "", links: [], about: json.reblog.uri }
    : partsOf(title ? json.content.replace(title, "") : json.content, title);
  expect([json.uri, json.quote?.quoted_status.uri ?? parts.about]).toEqual([mid, parts.about]);
  const answered = json.in_reply_to_id && (await app.get(`/api/v1/statuses/${json.in_reply_to_id}`)).json.uri;
  return {
    ...parts,
    ...(answered && { answers: answered }),
    ...(json.poll && { options: json.poll.options.map((option: { title: string }) => option.title) }),
    author: json.account.url,
    date: moment(json.created_at),
    audience: ["public", "unlisted"].includes(json.visibility) ? "public" : "some",
    address: json.url,
    likes: json.favourites_count,
    shares: json.reblogs_count,
    comments: json.replies_count,
  };
}

async function byMicroblog({ id, title }: Told): Promise<View> {
  const { json } = await ann.get("/api/statuses/show", { id });
  return {
    ...partsOf(json.friendica_html, title),
    author: json.user.statusnet_profile_url,
    date: moment(json.created_at),
    audience: json.friendica_private ? "some" : "public",
    address: json.external_url,
    likes: json.favorite_count,
    shares: json.retweet_count,
    comments: json.friendica_comments,
  };
}

async function byNative({ mid, title }: Told): Promise<View> {
  const items = (await ann.get("/api/z/1.0/item/full", { mid })).json.item as Record<string, any>[];
  const around = (await ann.get("/api/z/1.0/network/stream")).json as { body: string }[];
  const own = items.find(({ message_id }) => message_id === mid)!;
  const below = (verb: string) =>
    items.filter(
      (one) => one["message_parent"] === mid && one["message_id"] !== mid && String(one["verb"]).endsWith(`/${verb}`),
    );
  const lists = ["allow_cid", "allow_gid", "deny_cid", "deny_gid"].some((name) => own[name] !== "");
  return {
    ...partsOfSource(own["body"], own["mimetype"], title),
    ...(own["message_parent"] !== mid && { answers: own["message_parent"] }),
    author: own["author"].url,
    date: moment(own["created"]),
    audience: lists || own["public_scope"] !== "public" ? "some" : "public",
    address: own["permalink"],
    likes: below("like").length,
    shares: around.filter(({ body }) => body.startsWith("[share ") && body.includes(`message_id='${mid}'`)).length,
    comments: below("post").length,
  };
}

async function byPage({ uuid, title }: Told): Promise<View> {
  const { text } = await page.get(`/display/${uuid}`);
  const article = text
    .split(/(?=<article\s+class="status)/)
    .slice(1)
    .find((one) => one.includes(`<a href="/display/${uuid}"><time`))!;
  const [, body = ""] = /<div class="body"[^>]*>([\s\S]*?)<div class="(?:status-foot|poll)/.exec(article) ?? [];
  const count = (label: string): number =>
    Number(new RegExp(`<span class="act-label">${label}</span><span class="count">(\\d*)`).exec(article)?.[1] ?? 0);
  const options = Array.from(article.matchAll(/class="poll-option">\s*<bdi>(.*?)<\/bdi>/g), ([, option]) => option!);
  // What is said of the whole thread is not said again of each comment.
  const [, audience] = /class="visibility (\w+)"/.exec(article) ?? [];
  return {
    ...partsOf(body, title),
    author: `http://hub.example${/<a class="name" href="([^"]*)"/.exec(article)![1]}`,
    date: moment(/<time datetime="([^"]*)"/.exec(article)![1]!),
    ...(audience && { audience: audience === "public" ? "public" : "some" }),
    likes: count("Like"),
    shares: count("Share"),
    comments: count("Comment"),
    ...(options.length > 0 && { options }),
  };
}

/** What anybody reads of it elsewhere; undefined where nobody may. */
async function byDocument({ uuid, title, mid }: Told): Promise<View | undefined> {
  const asDocument = { headers: { accept: "application/activity+json" } };
  const read = (path: string) => world.anonymous.get(path, {}, asDocument);
  const { status, json } = await read(`/item/${uuid}`);
  if (status !== 200) return undefined;
  const total = async (of: string) => (await read(`/item/${uuid}/${of}`)).json.totalItems as number;
  const named = [...json.to, ...json.cc].includes("https://www.w3.org/ns/activitystreams#Public");
  const audience = named ? "public" : "some";
  if (json.type === "Announce")
    return { words: "", links: [], author: json.actor, date: moment(json.published), audience, about: json.object };
  expect(json.id).toBe(mid);
  return {
    ...partsOf(json.content, title),
    ...(json.inReplyTo && { answers: json.inReplyTo }),
    ...(json.oneOf && { options: json.oneOf.map(({ name }: { name: string }) => name) }),
    author: json.attributedTo,
    date: moment(json.published),
    audience,
    address: json.url,
    likes: await total("likes"),
    shares: await total("shares"),
  };
}

/** Its entry in the channel's feed, if it has one. */
async function byFeed({ mid, title }: Told): Promise<View | undefined> {
  const { text } = await world.anonymous.get("/feed/ann");
  const { feed } = new XMLParser({ ignoreAttributes: false }).parse(text);
  const entry = [feed.entry].flat().find((one) => [one.link].flat().some((link) => link["@_href"] === mid));
  if (!entry) return undefined;
  const html = String(entry.content["#text"]);
  return {
    ...partsOf(html, title),
    author: entry.author.uri,
    date: moment(entry.published),
  };
}

const bodies: Record<string, object> = {
  "a line": { status: "Tea at four" },
  paragraphs: { status: "One\n\nTwo\nThree" },
  "people and hashtags": { status: "Tea with @bob #tea #GreenTea" },
  "a link": { status: "See https://example.org/a/long/address/that/is/longer/than/thirty?b=c&d=e" },
  "a link with words": { status: "See [url=https://example.org/x]this page[/url] and more" },
  codes: { status: "[b]bold[/b] [i]italic[/i] [quote]said[/quote] [code]x = 1[/code]" },
  lists: { status: "[ul][*]one[*]two[/ul]" },
  signs: { status: "é ß 漢字 😀 & <b> \"quoted\" 'single'" },
  Markdown: { status: "**bold** and [words](https://example.org/m)\n\n- one\n- two", content_type: "text/markdown" },
  HTML: { status: "<p>One <em>two</em></p><p>three</p>", content_type: "text/html" },
  "a title": { status: "The body", title: "A heading" },
  "a warning": { status: "Behind it", spoiler_text: "Careful" },
  "something long": { status: "word ".repeat(400).trim() },
  "a right-to-left line": { status: "שלום עולם" },
};
const audiences: Record<string, () => object> = {
  everybody: () => ({ visibility: "public" }),
  "everybody, unlisted": () => ({ visibility: "unlisted" }),
  friends: () => ({ visibility: "private" }),
  "a group": () => ({ visibility: choir }),
};
const kinds = Object.keys(bodies).flatMap((body) =>
  Object.keys(audiences).map((audience) => [body, audience] as const),
);

test.each(kinds.map(([body, audience], index) => [body, audience, index] as const))(
  "%s for %s",
  async (body, audience, index) => {
    world.hub.advance(61);
    const media = index % 4 === 0 ? await uploadPicture(app) : undefined;
    const form = { ...bodies[body], ...audiences[audience]!(), ...(media && { media_ids: [media.id] }) };
    const { json, status, text } = await app.post("/api/v1/statuses", form);
    expect([status, status === 200 || text]).toEqual([200, true]);
    await world.work();
    const seen = (await bobsApp.get("/api/v1/timelines/home")).json.find(
      ({ uri }: { uri: string }) => uri === json.uri,
    );
    if (index % 2 === 0) await bobsApp.post(`/api/v1/statuses/${seen.id}/favourite`);
    if (index % 3 === 0) await bobsApp.post("/api/v1/statuses", { status: "An answer", in_reply_to_id: seen.id });
    if (index % 5 === 0 && seen.visibility === "public") await bobsApp.post(`/api/v1/statuses/${seen.id}/reblog`);
    await world.work();
    await agree({ ...json, title: json.hubbub.title }, { feed: true });
  },
);

/** Every door says the same of it. */
async function agree(
  { id, uri, title }: { id: string; uri: string; title: string },
  has: { feed: boolean; counts?: false },
) {
  const told: Told = { id, mid: uri, uuid: uri.split("/").at(-1)!, title };
  const views = {
    microblog: await byMicroblog(told),
    native: await byNative(told),
    page: await byPage(told),
    document: await byDocument(told),
    feed: await byFeed(told),
  };
  const model: View = await byMastodon(told);
  const isPublic = model.audience === "public";
  expect({ document: views.document !== undefined, feed: views.feed !== undefined }).toEqual({
    document: isPublic,
    feed: isPublic && has.feed,
  });
  for (const [door, view] of Object.entries(views)) {
    const told = {
      ...view,
      ...(has.counts === false && { likes: model.likes, shares: model.shares, comments: model.comments }),
    };
    if (view) expect({ door, ...model }).toMatchObject({ door, ...told });
  }
  return model;
}

describe("what is no plain post", () => {
  type Posted = { id: string; uri: string };
  const say = async (client: Client, form: Record<string, unknown>): Promise<Posted> => {
    world.hub.advance(61);
    const { json, status, text } = await client.post("/api/v1/statuses", form);
    expect([status, status === 200 || text]).toEqual([200, true]);
    await world.work();
    return json;
  };
  const ofBobs = async (form: Record<string, unknown>): Promise<string> => {
    const { uri } = await say(bobsApp, form);
    return (await app.get("/api/v1/timelines/home")).json.find((one: Posted) => one.uri === uri).id;
  };

  test.each(["public", "private"])("a poll, %s", async (visibility) => {
    const poll = { options: ["Tea", "Coffee"], expires_in: 600 };
    const asked = await say(app, { status: "Which?", poll, visibility });
    expect(await agree({ ...asked, title: "" }, { feed: true })).toMatchObject({ options: ["Tea", "Coffee"] });
  });

  test("an event", async () => {
    const parts = { summary: "Feast", start: "2026-05-01 10:00:00", location: "Hall" };
    const codes = Object.entries(parts).map(([name, text]) => `[event-${name}]${text}[/event-${name}]`);
    const body = `${codes.join("")}[event-description]Come: https://example.org/e[/event-description]`;
    const { item_id: id, item } = (await ann.post("/api/z/1.0/item/update", { body })).json;
    await world.work();
    const model = await agree({ id, uri: item.mid, title: "" }, { feed: true });
    expect(model).toMatchObject({ words: expect.stringContaining("feast 2026"), links: ["https://example.org/e"] });
  });

  test.each(["public", "private"])("a comment on a post, %s", async (visibility) => {
    const below = await ofBobs({ status: "Who comes?", visibility });
    const answer = await say(app, { status: "I do", in_reply_to_id: below });
    const model = await agree({ ...answer, title: "" }, { feed: false });
    expect(model.answers).toBe((await app.get(`/api/v1/statuses/${below}`)).json.uri);
  });

  test("a quotation", async () => {
    const quoted = await ofBobs({ status: "Tea is https://example.org/hot" });
    const post = await say(app, { status: "As he says", quoted_status_id: quoted });
    const model = await agree({ ...post, title: "" }, { feed: true });
    expect([model.words, model.about]).toEqual(["as he says", (await app.get(`/api/v1/statuses/${quoted}`)).json.uri]);
  });

  test("a share", async () => {
    const shared = await ofBobs({ status: "Pass it on" });
    world.hub.advance(61);
    const { json } = await app.post(`/api/v1/statuses/${shared}/reblog`);
    await world.work();
    // APIs that tell of posts as applications know them count what has become of the post that is shared.
    const model = await agree({ ...json, title: "" }, { feed: true, counts: false });
    expect(model).toMatchObject({ about: json.reblog.uri, shares: 1 });
    const { retweeted, retweet_count, retweeted_status } = (await ann.get("/api/statuses/show", { id: json.id })).json;
    expect([retweeted, retweet_count, retweeted_status.retweet_count]).toEqual([true, 1, 1]);
  });

  test("a direct post", async () => {
    const post = await say(app, { status: "Psst @bob", visibility: "direct" });
    const [told] = (await bobsApp.get("/api/v1/notifications", { types: ["mention"] })).json;
    expect(told.status.uri).toBe(post.uri);
    await bobsApp.post(`/api/v1/statuses/${told.status.id}/favourite`);
    await world.work();
    expect(await agree({ ...post, title: "" }, { feed: false })).toMatchObject({ audience: "some", likes: 1 });
  });
});

describe("a message", () => {
  let cara: Person;

  beforeAll(async () => {
    cara = await world.person("cara");
    await befriend(world.hub, ann.channel, cara.channel);
  });

  test.each([
    ["one", []],
    ["several", ["cara"]],
  ])("to %s", async (_name, others) => {
    world.hub.advance(61);
    const { id, mid } = await sendMessage(world.hub, ann.channel, {
      to: bob.channel.channel_hash,
      also: others.map(() => cara.channel.channel_hash),
      title: "Rehearsal",
      body: "[b]At six[/b], see https://example.org/hall",
    });
    await world.work();
    const [talk] = (await app.get("/api/v1/conversations")).json;
    const shown = talk.last_status;
    const [sent] = (await ann.get("/api/direct_messages/sent", { getText: "html" })).json;
    const exported = (await ann.get("/api/z/1.0/channel/export/basic")).json.mail;
    const own = exported.find((one: Record<string, unknown>) => one["message_id"] === mid);
    const { text } = await page.get(`/mail/${id}`);
    const bubble = text.split(/<li class="message/).find((one) => one.includes(`id="m${id}"`))!;
    const [, body = ""] = /<div class="body"[^>]*>([\s\S]*?)<\/div>/.exec(bubble) ?? [];
    const model = { ...partsOf(shown.content.replace("Rehearsal", ""), ""), date: moment(shown.created_at) };
    expect(model).toMatchObject({ words: expect.stringContaining("at six"), links: ["https://example.org/hall"] });
    expect({
      microblog: { ...partsOf(sent.text, ""), date: moment(sent.created_at) },
      native: { ...partsOfSource(own.body, "text/bbcode", ""), date: moment(own.created) },
      page: { ...partsOf(body, ""), date: moment(/<time datetime="([^"]*)"/.exec(bubble)![1]!) },
    }).toEqual({ microblog: model, native: model, page: model });
    expect([shown.uri, shown.visibility, shown.account.url, sent.title, own.title]).toEqual([
      mid,
      "direct",
      sent.sender.statusnet_profile_url,
      "Rehearsal",
      "Rehearsal",
    ]);
    const names = shown.mentions.map(({ username }: { username: string }) => username);
    expect([names, 1 + (own.also_to ?? []).length]).toEqual([["bob", ...others], names.length]);
    const uuid = mid.split("/").at(-1)!;
    const asDocument = { headers: { accept: "application/activity+json" } };
    expect((await world.anonymous.get(`/item/${uuid}`, {}, asDocument)).status).toBe(404);
    expect((await world.anonymous.get("/feed/ann")).text).not.toContain("Rehearsal");
  });
});
