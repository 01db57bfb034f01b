import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
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
};

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };
const decoded = (text: string): string => text.replace(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all);

/** Letters and digits alone, in their order: doors differ in signs and breaks. */
function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []).join(" ");
}

/** Blocks part words, elements in a line do not. */
function wordsIn(html: string): string {
  const text = html.replace(/<\/?(p|br|div|li|ul|ol|blockquote|pre|h\d|hr|table|tr|td)\b[^>]*>/g, " ");
  return wordsOf(decoded(text.replaceAll(/<[^>]*>/g, "")));
}

/** Whither a text leads: people and hashtags have addresses of their own at each door. */
function linksIn(html: string): string[] {
  const links = Array.from(html.matchAll(/<a ([^>]*)>/g), ([, attributes]) => attributes!);
  // Pictures are files beside the text for applications, and links in it for pages.
  const outward = links.filter((one) => !/class="[^"]*(mention|hashtag)|\/photos\/ann\/image\//.test(one));
  return outward.map((one) => decoded(/href="([^"]*)"/.exec(one)![1]!)).toSorted();
}

const moment = (date: string): string => new Date(date.replace(/^(\d{4}-\d\d-\d\d) (.*)$/, "$1T$2Z")).toISOString();

type Told = { id: string; mid: string; uuid: string; title: string; warning: string };

async function byMastodon({ id, title }: Told): Promise<View> {
  const { json } = await app.get(`/api/v1/statuses/${id}`);
  return {
    words: wordsOf(`${title} ${wordsIn(json.content).replace(wordsOf(title), "")}`),
    links: linksIn(json.content),
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
    words: wordsOf(`${title} ${wordsIn(json.friendica_html)}`),
    links: linksIn(json.friendica_html),
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
  const own = items.find(({ message_id }) => message_id === mid)!;
  const below = (verb: string) =>
    items.filter(
      (one) => one["message_parent"] === mid && one["message_id"] !== mid && String(one["verb"]).endsWith(`/${verb}`),
    );
  const lists = ["allow_cid", "allow_gid", "deny_cid", "deny_gid"].some((name) => own[name] !== "");
  return {
    // The source: links and pictures stand in it as codes.
    words: wordsOf(title),
    author: own["author"].url,
    date: moment(own["created"]),
    audience: lists || own["public_scope"] !== "public" ? "some" : "public",
    address: own["permalink"],
    likes: below("like").length,
    comments: below("post").length,
  };
}

async function byPage({ uuid, title }: Told): Promise<View> {
  const { text } = await page.get(`/display/${uuid}`);
  const article = text.slice(text.indexOf("<article"));
  const [, body = ""] = /<div class="body"[^>]*>([\s\S]*?)<div class="status-foot/.exec(article) ?? [];
  const count = (label: string): number =>
    Number(new RegExp(`<span class="act-label">${label}</span><span class="count">(\\d*)`).exec(article)?.[1] ?? 0);
  return {
    words: wordsOf(`${title} ${wordsIn(body)}`),
    author: `http://hub.example${/<a class="name" href="([^"]*)"/.exec(article)![1]}`,
    date: moment(/<time datetime="([^"]*)"/.exec(article)![1]!),
    audience: /class="visibility public"/.test(article) ? "public" : "some",
    likes: count("Like"),
    comments: count("Comment"),
  };
}

/** What anybody reads of it elsewhere; undefined where nobody may. */
async function byDocument({ uuid, title, mid }: Told): Promise<View | undefined> {
  const asDocument = { headers: { accept: "application/activity+json" } };
  const read = (path: string) => world.anonymous.get(path, {}, asDocument);
  const { status, json } = await read(`/item/${uuid}`);
  if (status !== 200) return undefined;
  const total = async (of: string) => (await read(`/item/${uuid}/${of}`)).json.totalItems as number;
  expect(json.id).toBe(mid);
  const named = [...json.to, ...json.cc].includes("https://www.w3.org/ns/activitystreams#Public");
  return {
    words: wordsOf(`${title} ${wordsIn(json.content)}`),
    links: linksIn(json.content),
    author: json.attributedTo,
    date: moment(json.published),
    audience: named ? "public" : "some",
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
    words: wordsOf(`${title} ${wordsIn(html)}`),
    links: linksIn(html),
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
    const told: Told = {
      id: json.id,
      mid: json.uri,
      uuid: json.uri.split("/").at(-1),
      title: json.hubbub.title,
      warning: json.spoiler_text,
    };
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
      feed: isPublic && views.feed !== undefined,
    });
    for (const [door, view] of Object.entries(views)) {
      if (!view) continue;
      const { words, ...rest } = view;
      expect({ door, ...model, words: "" }).toMatchObject({ door, ...rest });
      if (door !== "native") expect([door, words]).toEqual([door, model.words]);
    }
  },
);
