import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { put } from "../../../test/support/files.ts";
import { picture } from "../../../test/support/pictures.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { defaultProfile } from "../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../domain/people/change-profile.ts";
import { articleKinds } from "../../domain/pages/kinds.ts";
import { albumKey } from "../../domain/photos/albums.ts";
import { saveEvent } from "../../domain/events/save.ts";
import { nobody } from "../../domain/items/audience.ts";
import { savePage } from "../../domain/pages/save.ts";
import { createWiki } from "../../domain/pages/wiki-create.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import type { Item } from "../../domain/items/types.ts";

/** What other sites show of a page whose address they are given: the head of what anybody may see. */

let world: TestApp;
let ann: Person;
let stranger: Visitor;
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  stranger = visitorOf(world.app);
});
afterAll(() => world.close());

/** What the head of the page says, by name; the structured part is under `data`. */
async function headOf(path: string, visitor = stranger) {
  const { status, text } = await visitor.get(path);
  expect(status).toBe(200);
  const head = /<head>([^]*)<\/head>/.exec(text)![1]!;
  const said = [...head.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  const data = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(head)?.[1];
  const links = [...head.matchAll(/<link rel="(canonical|alternate)"[^>]*href="([^"]*)"/g)].map(
    ([, rel, href]) => `${rel} ${href}`,
  );
  return { ...Object.fromEntries(said), links, data: data === undefined ? undefined : JSON.parse(data) };
}
const pathOf = ({ uuid }: Item) => `/display/${uuid}`;

test("of a post they are its words, its picture, who wrote it and when, and the feed of that person", async () => {
  const media = (await ann.post("/api/media/upload", { media_data: pixel })).json.media_id_string;
  const status = 'Say "hello" & <b>wave</b>\n</script><script>alert(1)</script>';
  const { json } = await ann.post("/api/statuses/update", { status, media_ids: media });
  const { uuid } = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("message.uuid")
    .where("item.id", "=", json.id)
    .executeTakeFirstOrThrow();
  const head = await headOf(`/display/${uuid}`);
  expect(head).toMatchObject({
    "og:type": "article",
    "og:site_name": "Hubbub",
    "og:title": expect.stringMatching(/^Ann: Say &quot;hello&quot; &amp; &lt;b&gt;wave/),
    "og:url": `http://hub.example/display/${uuid}`,
    "og:description": expect.stringContaining("Say &quot;hello&quot; &amp; &lt;b&gt;wave"),
    "og:image": expect.stringMatching(/^http:\/\/hub\.example\/photo\//),
    "article:author": "http://hub.example/channel/ann",
    "article:published_time": expect.stringMatching(/^2026-03-01T/),
    "twitter:card": "summary_large_image",
  });
  expect(head.links).toEqual([
    "alternate /feed/ann",
    "alternate /feed/ann.rss",
    `canonical http://hub.example/display/${uuid}`,
  ]);
  expect(head.data).toMatchObject({
    "@type": "SocialMediaPosting",
    author: { "@type": "Person", name: "Ann", url: "http://hub.example/channel/ann" },
    description: expect.stringContaining("</script><script>alert(1)"),
  });
});

test("behind a warning stay text and pictures", async () => {
  const body = "The gardener did it [img]http://hub.example/photo/x.jpg[/img]";
  const head = await headOf(pathOf(await postItem(world.hub, ann.channel, { body, summary: "The end of the film" })));
  expect(head).toMatchObject({ "og:description": "The end of the film", "twitter:card": "summary" });
  expect(JSON.stringify(head)).not.toMatch(/gardener|x\.jpg/);
});

test("pictures of other sites are not named", async () => {
  const body = "See [img]https://far.example/big.jpg[/img]";
  const head = await headOf(pathOf(await postItem(world.hub, ann.channel, { body })));
  expect(head["og:image"]).toMatch(/^http:\/\/hub\.example\/photo\/profile\/l\//);
});

test("of a channel and of the site they say who and what it is", async () => {
  const { hub } = world;
  const { channel_id: uid } = ann.channel;
  await updateProfile(hub, uid, (await defaultProfile(hub, uid)).id, { pdesc: "Mustard and cheese" });
  for (const path of ["/channel/ann", "/profile/ann", "/photos/ann"]) {
    const head = await headOf(path);
    expect(head).toMatchObject({ "og:type": "profile", "og:description": "Mustard and cheese" });
    expect(head.data).toMatchObject({ "@type": "ProfilePage", mainEntity: { "@type": "Person" } });
    expect(head.links).toContain("alternate /feed/ann");
  }
  expect(await headOf("/")).toMatchObject({ "og:type": "website", "og:title": "Hubbub", data: { "@type": "WebSite" } });
});

test("of an event it is when and where, for everybody and nobody else", async () => {
  const { hub } = world;
  const event = { summary: "Singing", description: "Bring a voice", location: "The barn" };
  const evening = { dtstart: "2026-04-01 18:00:00", dtend: "2026-04-01 20:00:00", adjust: true };
  const days = { dtstart: "2026-05-01 00:00:00", dtend: "2026-05-03 00:00:00", adjust: false };
  const pathOfEvent = async (draft: typeof evening, audience = nobody) =>
    `/event/${(await saveEvent(hub, ann.channel, { ...event, ...draft, share: { audience } })).event_hash}`;
  const { data } = await headOf(await pathOfEvent(evening));
  expect(data).toMatchObject({
    "@type": "Event",
    name: "Singing",
    startDate: "2026-04-01T18:00:00Z",
    endDate: "2026-04-01T20:00:00Z",
    location: { "@type": "Place", name: "The barn" },
    organizer: { "@type": "Person", name: "Ann", url: "http://hub.example/channel/ann" },
    description: "Bring a voice",
  });
  const whole = await headOf(await pathOfEvent(days));
  expect([whole.data.startDate, whole.data.endDate]).toEqual(["2026-05-01", "2026-05-02"]);
  const mine = { ...nobody, allow_cid: [ann.channel.channel_hash] };
  const { status, text } = await stranger.get(await pathOfEvent(evening, mine));
  expect([status, text.includes("Singing")]).toEqual([404, false]);
});

test("search engines are asked to leave out who does not want to be found", async () => {
  const { hub, work } = world;
  const { uuid } = await postItem(hub, ann.channel, { body: "For whoever comes by" });
  const { hash } = await put(hub, ann.channel, "hill.jpg", await picture(60, 40).jpeg().toBuffer());
  const evening = { summary: "Open evening", dtstart: "2026-04-01 18:00:00", dtend: "2026-04-01 20:00:00" };
  const { event_hash } = await saveEvent(hub, ann.channel, { ...evening, share: { audience: nobody } });
  await createWiki(hub, ann.channel, { name: "Notes", mimetype: "text/markdown", posted: false });
  const page = {
    kind: "webpage",
    name: "home",
    title: "Home",
    body: "Welcome",
    mimetype: "text/markdown",
    layoutMid: "",
  } as const;
  await savePage(hub, ann.channel, ann.channel, page);
  await work();
  const paths = [
    "/channel/ann",
    `/display/${uuid}`,
    `/event/${event_hash}`,
    `/file/${hash}`,
    `/photos/ann/image/${hash}`,
    "/wiki/ann/Notes/Home",
    "/page/ann/home",
  ];
  const robots = async () => Promise.all(paths.map(async (path) => [path, (await headOf(path))["robots"]]));
  const all = (said?: string) => paths.map((path) => [path, said]);
  expect(await robots()).toEqual(all());
  const { id } = await defaultProfile(world.hub, ann.channel.channel_id);
  await updateProfile(world.hub, ann.channel.channel_id, id, { publish: 0 });
  expect(await robots()).toEqual(all("noindex"));
  await updateProfile(world.hub, ann.channel.channel_id, id, { publish: 1 });
});

test("members get none, and pages for some people have none", async () => {
  const member = visitorOf(world.app);
  await member.logIn("ann", password);
  expect(await headOf("/channel/ann", member)).not.toHaveProperty("og:title");
  const { status, text } = await stranger.get("/display/00000000-0000-4000-8000-000000000000");
  expect([status, text.includes("og:")]).toEqual([404, false]);
});

test("every page of a channel that anybody may see names its feed, and says what it is", async () => {
  const { hub } = world;
  await postItem(hub, ann.channel, { body: "Pages", itemType: articleKinds.article.itemKind, title: "An article" });
  const file = await put(hub, ann.channel, "lake.jpg", await picture(60, 40).jpeg().toBuffer());
  const feed = ["alternate /feed/ann", "alternate /feed/ann.rss"];
  const ofChannel = ["channel", "profile", "viewconnections", "photos", "cloud", "articles"].map(
    (one) => `/${one}/ann`,
  );
  for (const path of [...ofChannel, `/photos/ann/album/${albumKey("")}`]) {
    const { links, ...head } = await headOf(path);
    expect([path, links, head["og:type"]]).toEqual([path, [...feed, `canonical http://hub.example${path}`], "profile"]);
  }
  for (const path of [
    `/photos/ann/image/${file.hash}`,
    `/file/${file.hash}`,
    "/directory",
    "/help",
    "/register",
    "/about",
  ])
    expect([path, (await headOf(path))["og:title"]]).toEqual([path, expect.stringMatching(/./)]);
});
