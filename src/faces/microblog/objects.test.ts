import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { clientOf } from "../../../test/support/client.ts";
import { picture } from "../../../test/support/pictures.ts";
import { password } from "../../../test/support/hub.ts";
import { childrenOf, expectSame, readXml } from "../../../test/support/microblog.ts";
import { befriend } from "../../../test/support/people.ts";
import { plainStatusObject, statusObject, userObject, userWithStatus } from "../../../test/support/microblog-shapes.ts";
import { createApp } from "../../main.ts";
import { defaultProfile } from "../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../domain/people/change-profile.ts";
import { shareItem } from "../../domain/items/posting/share.ts";

/** Every endpoint that answers objects, in JSON against the tables of the contract, and in XML against the JSON. */

let world: TestApp;
let ann: Person;
let bob: Person;
let top: number;
let comment: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
  const status =
    "Hello #world, @bob: [url=https://www.example.org/a/path/that/is/long]look[/url]\n[img=800x400]https://example.org/a.png[/img]";
  const place = { lat: "52.5", long: "13.4", location: "Berlin" };
  top = (await ann.post("/api/statuses/update", { status, title: "News & <views>", category: "a,b", ...place })).json
    .id;
  comment = (await ann.post("/api/statuses/update", { status: "More", in_reply_to_status_id: top })).json.id;
  await ann.post("/api/favorites/create", { id: top });
  await world.work();
  const [answer, post] = (await bob.get("/api/statuses/home_timeline")).json;
  for (const verb of ["like", "dislike", "attendmaybe"]) await bob.post(`/api/svc/activity/${verb}`, { id: post.id });
  await bob.post("/api/statuses/update", { status: "Thanks", in_reply_to_status_id: answer.id });
  await shareItem(world.hub, bob.channel, { id: post.id });
  await world.work();
});
afterAll(() => world.close());

const timelines = [
  "statuses/home_timeline",
  "statuses/friends_timeline",
  "statuses/public_timeline",
  "statuses/user_timeline",
  "statuses/user_timeline/bob",
  "statuses/mentions",
  "statuses/replies",
  "statuses/mentions_timeline",
  "favorites",
  "favorites/list",
];

describe.each(timelines)("%s", (path) => {
  test.each([{}, { include_entities: "true" }])("answers complete statuses %j", async (query) => {
    const { status, json } = await ann.get(`/api/${path}.json`, query);
    expect(status).toBe(200);
    expect(json.length).toBeGreaterThan(0);
    z.array(statusObject).parse(json);
  });

  test("says the same in XML", async () => {
    for (const include_entities of [false, true]) {
      const { json } = await ann.get(`/api/${path}.json`, { include_entities });
      const root = readXml(await ann.get(`/api/${path}.xml`, { include_entities }));
      expect([root.name, root.children.length]).toEqual(["statuses", json.length]);
      childrenOf(root, "status").forEach((tag, at) => expectSame(tag, json[at]));
    }
  });
});

test("conversation and thread answer complete statuses in both formats", async () => {
  for (const path of [
    `conversation/show/${top}`,
    `compat/conversation/${top}`,
    `statusnet/conversation/${top}`,
    `gnusocial/conversation/${comment}`,
  ]) {
    const { json } = await ann.get(`/api/${path}.json`);
    expect(z.array(statusObject).parse(json).length).toBeGreaterThan(0);
    childrenOf(readXml(await ann.get(`/api/${path}.xml`)), "status").forEach((tag, at) => expectSame(tag, json[at]));
  }
  const thread = await ann.get(`/api/statuses/show/${comment}.json`, { conversation: "true" });
  const root = readXml(await ann.get(`/api/statuses/show/${comment}.xml`, { conversation: "true" }));
  expect([root.name, root.children.length]).toEqual(["statuses", thread.json.length]);
});

test("one status is complete in both formats", async () => {
  const { json } = await ann.get(`/api/statuses/show/${top}.json`);
  statusObject.parse(json);
  const root = readXml(await ann.get(`/api/statuses/show/${top}.xml`));
  expectSame(root, json);
  expect(root.attributes).toEqual({
    "xmlns:statusnet": "http://status.net/schema/api/1/",
    "xmlns:svc": "urn:hubbub:schema:svc:1",
    "xmlns:georss": "http://www.georss.org/georss",
  });
});

test("the fields of a status say what they should", async () => {
  const { json } = await ann.get(`/api/statuses/show/${top}`);
  expect(json).toMatchObject({
    id: top,
    id_str: String(top),
    truncated: false,
    created_at: "Sun Mar 01 12:00:00 +0000 2026",
    source: "api (Hubbub)",
    in_reply_to_status_id: null,
    geo: { type: "Point", coordinates: [52.5, 13.4] },
    coordinates: { type: "Point", coordinates: [13.4, 52.5] },
    place: { full_name: "Berlin", name: "Berlin" },
    favorited: true,
    favorite_count: 1,
    retweeted: false,
    retweet_count: 1,
    is_quote_status: false,
    statusnet_conversation_id: top,
    attachments: [{ url: "https://example.org/a.png", mimetype: "image/png", size: 0, width: 800, height: 400 }],
    svc_private: false,
    svc_comments: 2,
    svc_title: "News & views",
  });
  expect(json.text).toMatch(/^News & views\n\nHello #world, @bob: look/);
  expect(json.statusnet_html).toMatch(/^<h4>News &amp; views<\/h4><br>Hello /);
  expect(json.external_url).toMatch(/^http:\/\/hub\.example\/item\/[0-9a-f-]{36}$/);
  const { like, dislike, attendyes, attendno, attendmaybe } = json.svc_activities;
  const nicks = [like, dislike, attendyes, attendno, attendmaybe].map((list) =>
    list.map((user: any) => user.screen_name),
  );
  expect(nicks).toEqual([["bob"], ["bob"], [], [], ["bob"]]);
  expect(json.friendica_activities.announce.map((user: any) => user.screen_name)).toEqual(["bob"]);
});

test("entities stand at their places, counted in code points", async () => {
  const { json } = await ann.post("/api/statuses/update", {
    status: "😀😀 #tag [url=https://www.example.org/a/path/that/is/long]look[/url] @bob",
    include_entities: "1",
  });
  const at = ([start, end]: number[]): string => [...json.text].slice(start, end).join("");
  const { hashtags, urls, user_mentions } = json.entities;
  expect(hashtags).toEqual([{ text: "tag", indices: [3, 7] }]);
  expect([urls[0].url, urls[0].display_url, at(urls[0].indices)]).toEqual([
    "https://www.example.org/a/path/that/is/long",
    "look",
    "https://www.example.org/a/path/that/is/long",
  ]);
  expect([user_mentions[0].screen_name, at(user_mentions[0].indices)]).toEqual(["bob", "@bob"]);
  const plain = await ann.get(`/api/statuses/show/${json.id}`);
  expect(plain.json.text).toBe("😀😀 #tag look @bob");
  expect(plain.json).not.toHaveProperty("entities");
});

describe("people who are mentioned have the names that clients can resolve", () => {
  const status = "@[zrl=http://hub.example/channel/bob]Bob de la Example[/zrl], @rita@far.example and @!bob";
  beforeAll(async () => {
    const rita = { xchan_hash: "rita", xchan_name: "Rita of the Sea", xchan_addr: "rita@far.example" };
    const row = { ...rita, xchan_url: "https://far.example/@rita", xchan_network: "activitypub", xchan_created: "" };
    await world.hub.db.insertInto("xchan").values(row).execute();
  });

  test.each([false, true])("in a status, include_entities %s", async (include_entities) => {
    const { json } = await ann.post("/api/statuses/update", { status, include_entities, group_allow: "" });
    expect(json.text).toBe("@bob, @rita@far.example and @bob");
    expect(json.svc_html).toContain(">@Bob de la Example</a>");
    expect(json.svc_html).toContain(">@Rita of the Sea</a>");
    const again = (await ann.get(`/api/statuses/show/${json.id}`, { include_entities })).json;
    expect(again.text).toBe(json.text);
    const named = json.entities?.user_mentions.map(({ screen_name, name, indices }: any) => [
      screen_name,
      name,
      indices,
    ]);
    if (include_entities)
      expect(named).toEqual([
        ["bob", "Bob", [0, 4]],
        ["rita@far.example", "Rita of the Sea", [6, 23]],
        ["bob", "Bob", [28, 32]],
      ]);
    for (const { screen_name, id } of json.entities?.user_mentions ?? [])
      expect((await ann.get("/api/users/show", { screen_name })).json.id).toBe(id);
  });

  test("in a feed, and in a direct message", async () => {
    const feed = await ann.get("/api/statuses/user_timeline.rss");
    expect(feed.text).toContain("@bob, @rita@far.example and @bob");
    for (const include_entities of [false, true]) {
      const sent = {
        screen_name: "bob",
        text: "Ask @[zrl=http://hub.example/channel/bob]Bob de la[/zrl]",
        include_entities,
      };
      expect((await ann.post("/api/direct_messages/new", sent)).json.text).toContain("Ask @bob");
    }
  });
});

test("media entities have the sizes that fit", async () => {
  const { entities } = (await ann.get(`/api/statuses/show/${top}`, { include_entities: "true" })).json;
  expect(entities.media).toHaveLength(1);
  expect(entities.media[0].sizes).toEqual({
    thumb: { w: 150, h: 75, resize: "fit" },
    small: { w: 340, h: 170, resize: "fit" },
    medium: { w: 600, h: 300, resize: "fit" },
    large: { w: 800, h: 400, resize: "fit" },
  });
});

test.each(["account/verify_credentials", "users/show", "users/show/ann"])(
  "%s answers a complete user with the newest public status",
  async (path) => {
    const { json } = await ann.get(`/api/${path}.json`);
    userWithStatus.parse(json);
    expect(json.status.id).toBeGreaterThan(0);
    expectSame(readXml(await ann.get(`/api/${path}.xml`)), json);
    const short = await ann.get(`/api/${path}`, { skip_status: "true" });
    userObject.parse(short.json);
  },
);

test("films and sounds that a body plays are media of the status", async () => {
  const said = async (status: string) => (await ann.post("/api/1.1/statuses/update", { status })).json;
  const film = await said("[video]https://example.org/a.webm[/video]");
  expect(film).toMatchObject({
    text: "https://example.org/a.webm",
    attachments: [{ url: "https://example.org/a.webm", mimetype: "video/webm", thumb_url: "" }],
    entities: {
      media: [{ type: "video", indices: [0, 26], video_info: { variants: [{ content_type: "video/webm" }] } }],
    },
  });
  const sound = await said("[audio]https://example.org/a.ogg[/audio] Listen");
  expect(sound).toMatchObject({
    text: "Listen",
    attachments: [{ url: "https://example.org/a.ogg", mimetype: "audio/ogg" }],
    entities: { media: [] },
  });
  for (const status of [film, sound]) statusObject.parse(status);
});

test("an image in the body itself is the permalink in the text", async () => {
  const { json } = await ann.post("/api/statuses/update", { status: "[img]data:image/png;base64,AAAA[/img]" });
  expect([json.text, json.attachments[0].mimetype]).toEqual([json.external_url, "image/png"]);
});

test("users have their own numbers", async () => {
  const { json } = await ann.get("/api/users/show/bob");
  expect(json).toMatchObject({
    id: bob.channel.xchan_id,
    name: "Bob",
    screen_name: "bob",
    following: true,
    verified: true,
    network: "zot",
  });
  expect(json.cid).toBeGreaterThan(0);
  expect(json).not.toHaveProperty("profile_link_color");
  const own = (await ann.get("/api/account/verify_credentials")).json;
  expect(own).toMatchObject({
    following: false,
    cid: 0,
    favourites_count: 1,
    friends_count: 1,
    followers_count: 1,
    profile_link_color: "6fdbe8",
  });
  expect(own).not.toHaveProperty("uid");
});

test("the about text is plain, and the place is there where there is one", async () => {
  const { id, uid } = await defaultProfile(world.hub, bob.channel.channel_id);
  await updateProfile(world.hub, uid, id, {
    about: "I [b]like[/b] [url=https://example.org/]things[/url] & more",
    locality: "Berlin",
  });
  const { json } = await ann.get("/api/users/show/bob");
  expect([json.description, json.location]).toEqual(["I like things & more", "Berlin"]);
  await updateProfile(world.hub, uid, id, { about: "Gardener & <cook>", locality: "" });
  const after = (await ann.get("/api/users/show/bob")).json;
  expect([after.description, after.location]).toEqual(["Gardener & <cook>", "Hubbub"]);
});

test("entries of feeds are cut at 1000 characters, however many units those have", async () => {
  const entry = async (length: number) => {
    const { id } = (await ann.post("/api/statuses/update", { status: "😀".repeat(length) })).json;
    const messages = world.hub.db.selectFrom("item").select("message_id").where("id", "=", id);
    await world.hub.db.updateTable("message").set({ item_rss: 1 }).where("id", "in", messages).execute();
    const { json } = await ann.get(`/api/statuses/show/${id}`);
    await ann.post(`/api/statuses/destroy/${id}`);
    return [json.truncated, json.text.replace(json.external_url, "URL")];
  };
  expect(await entry(1000)).toEqual([false, "😀".repeat(1000)]);
  expect(await entry(1001)).toEqual([true, `${"😀".repeat(1000)}... URL`]);
});

test("alias fields can be left out", async () => {
  const config = { ...world.hub.config, aliasFields: false };
  const client = clientOf(createApp({ ...world.hub, config }), `ann:${password}`);
  plainStatusObject.parse((await client.get(`/api/statuses/show/${top}`)).json);
  expect((await client.get("/api/compat/config")).json.site).not.toHaveProperty("friendica");
  const media = await picture(4, 4).png().toBuffer();
  const upload = (await client.post("/api/media/upload", { media_data: media.toString("base64") })).json;
  expect(Object.keys(upload.image)).toEqual(["w", "h", "image_type", "svc_preview_url"]);
});

test("entities stand where the links are, not where the same is said without one", async () => {
  const entitiesOf = async (status: string, title = "") =>
    (await ann.post("/api/statuses/update", { status, title, include_entities: "true" })).json;
  const { text, entities } = await entitiesOf(
    "[code]#tags @bob https://e.example/1[/code] &#35; 😀 #tag @bob https://e.example/ #tag",
    "#tags and @bob",
  );
  const after = [...text].indexOf("😀");
  const at = ([start, end]: [number, number]) => [...text].slice(start, end).join("");
  const found = [...entities.hashtags, ...entities.user_mentions, ...entities.urls].map(({ indices }) => indices);
  expect(found.map(at)).toEqual(["#tag", "#tag", "@bob", "https://e.example/"]);
  for (const [start] of found) expect(start).toBeGreaterThan(after);
  expect(entities.hashtags[0].indices).not.toEqual(entities.hashtags[1].indices);
});

describe("shares", () => {
  test("a pure one carries its original under the original's own id (trap 30)", async () => {
    const [share] = (await bob.get("/api/statuses/user_timeline")).json;
    expect(share).toMatchObject({
      user: { screen_name: "bob" },
      svc_author: { screen_name: "ann" },
      svc_owner: { screen_name: "bob" },
    });
    expect(share.retweeted_status).toMatchObject({ user: { screen_name: "ann" }, retweeted: true, retweet_count: 1 });
    expect(share.retweeted_status.id).not.toBe(share.id);
    statusObject.parse(share.retweeted_status);
  });

  test("one with words of its own quotes", async () => {
    const mid = (await bob.get("/api/statuses/user_timeline")).json[0].retweeted_status.external_url;
    const block = `[share author='Ann' profile='http://hub.example/channel/ann' avatar='' link='${mid}' posted='2026-03-01 12:00:00' message_id='${mid}']Hello[/share]`;
    const { json } = await bob.post("/api/statuses/update", { status: `So [b]true[/b]\n${block}` });
    expect(json).toMatchObject({
      text: "So true",
      is_quote_status: true,
      svc_author: { screen_name: "bob" },
      quoted_status: { user: { screen_name: "ann" } },
    });
    expect([json.quoted_status_id, json.quoted_status_id_str]).toEqual([
      json.quoted_status.id,
      json.quoted_status.id_str,
    ]);
    expect(json).not.toHaveProperty("retweeted_status");
    statusObject.parse(json);
  });

  test("the entities of a quotation are those of its own words, which are its text", async () => {
    const mid = (await bob.get("/api/statuses/user_timeline", { count: 200 })).json.find((s: any) => s.retweeted_status)
      .retweeted_status.external_url;
    const block = `[share author='Ann' profile='http://hub.example/channel/ann' avatar='' link='${mid}' posted='2026-03-01 12:00:00' message_id='${mid}']Hello #theirs [img]https://example.org/theirs.png[/img][/share]`;
    const quote = async (added: string) =>
      (await bob.post("/api/statuses/update", { status: `${block}\n${added}`, include_entities: "true" })).json;
    const said = await quote("😀 #mine [url=https://example.org/x]here[/url]");
    expect(said.text).toBe("😀 #mine https://example.org/x");
    expect(said.entities).toMatchObject({
      hashtags: [{ text: "mine", indices: [2, 7] }],
      urls: [{ url: "https://example.org/x", indices: [8, 29] }],
      media: [],
    });
    expect(said.statusnet_html).toContain("theirs.png");
    statusObject.parse(said);
    const shown = await quote("[img]https://example.org/mine.png[/img]");
    expect([shown.text, shown.entities.media[0].indices]).toEqual(["https://example.org/mine.png", [0, 28]]);
  });

  test("what the caller may not see is not shown through one", async () => {
    const secret = (
      await ann.post("/api/statuses/update", { status: "secret", contact_allow: `<${ann.channel.channel_hash}>` })
    ).json;
    const block = `[share author='Ann' profile='' avatar='' link='' posted='' message_id='${secret.external_url}']harmless[/share]`;
    const { json } = await bob.post("/api/statuses/update", { status: block });
    expect(json).not.toHaveProperty("retweeted_status");
    expect(JSON.stringify(json)).not.toContain("secret");
    expect(json.svc_author.screen_name).toBe("bob");
  });
});

test("AndStatus shows attachments itself, so texts come without their images (trap 24)", async () => {
  const headers = { "user-agent": "AndStatus/59" };
  const { json } = await ann.get(`/api/statuses/show/${top}`, {}, { headers });
  expect([json.statusnet_html.includes("<img"), json.attachments.length]).toEqual([false, 1]);
  const only = (await ann.post("/api/statuses/update", { status: "[img]https://example.org/b.png[/img]" }, { headers }))
    .json;
  expect([only.text, only.statusnet_html]).toEqual(["https://example.org/b.png", "https://example.org/b.png"]);
});

test("traps 16, 18, 51, 52: types, order and absence", async () => {
  const { json, text } = await ann.get("/api/statuses/home_timeline");
  for (const status of json) {
    const keys = Object.keys(status);
    for (const name of ["id", "created_at", "text"]) expect(keys.indexOf(name)).toBeLessThan(keys.indexOf("user"));
    expect(typeof status.source).toBe("string");
    for (const name of ["retweeted_status", "quoted_status"]) expect(status[name]).not.toBeNull();
    expect(typeof status.user.protected).toBe("boolean");
    expect(status.user).not.toHaveProperty("status");
  }
  expect(text).not.toContain('"uri"');
});

test("traps 23, 25: the HTML is never empty and has breaks around blocks", async () => {
  const { json } = await ann.post("/api/statuses/update", { status: "before[quote]wise[/quote]after" });
  expect(json.statusnet_html).toMatch(/before<br><blockquote.*<\/blockquote><br>after/s);
});

test("trap 26: the profile URL is on the user's own host", async () => {
  expect((await ann.get("/api/users/show/bob")).json.statusnet_profile_url).toBe("http://hub.example/channel/bob");
});
