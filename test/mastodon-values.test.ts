import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, receiveAccept } from "../src/domain/connections/connections.ts";
import { changeSite } from "../src/domain/identity/site/site-settings.ts";
import { metActor } from "../src/faces/federation/retrieve/actor.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { openElsewhere } from "./support/elsewhere.ts";
import { password } from "./support/hub.ts";
import { arrivesIn } from "./support/incoming.ts";
import { mastodonPeople, mastodonPerson, postStatus, uploadPicture } from "./support/mastodon.ts";
import type { MastodonPerson } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";
import { picture } from "./support/pictures.ts";
import { newDevice } from "./support/push-receiver.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** Fields that are empty in most answers, with what they say when they are not (Mastodon contract 11). */

const elsewhere = openElsewhere();
let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let root: MastodonPerson;
/** At the desk of the hub. */
let desk: Visitor;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_LINK_CARDS: "on" }, fetch: elsewhere.fetch });
  [ann, bob, cara, root] = await mastodonPeople(world, "ann", "bob", "cara", "root");
  await befriend(world.hub, ann.channel, bob.channel);
  await world.hub.db
    .updateTable("account")
    .set({ account_roles: 4096 })
    .where("account_id", "=", root.channel.channel_account_id)
    .execute();
  desk = await loggedIn("root");
  await world.work();
});
afterAll(() => world.close());

async function loggedIn(nick: string): Promise<Visitor> {
  const visitor = visitorOf(world.app);
  await visitor.logIn(nick, password);
  return visitor;
}

const page = (html: string) => () => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
const accountOf = async ({ channel }: MastodonPerson, reader = ann) =>
  (await reader.get(`/api/v1/accounts/${channel.xchan_id}`)).json;

test("when a post was edited", async () => {
  const { id } = await postStatus(world, ann, { status: "once", visibility: "public" });
  world.hub.advance(90);
  const { json } = await ann.put(`/api/v1/statuses/${id}`, { status: "twice" });
  await world.work();
  expect(Date.parse(json.edited_at) - Date.parse(json.created_at)).toBe(90_000);
  const [seen] = (await bob.get("/api/v1/timelines/home")).json;
  expect([seen.content, seen.edited_at]).toEqual(["<p>twice</p>", json.edited_at]);
});

test("that a poll is over", async () => {
  const poll = { options: ["Tea", "Coffee"], expires_in: 600 };
  const { id } = await postStatus(world, ann, { status: "Which?", poll });
  const expired = async () => (await ann.get(`/api/v1/polls/${id}`)).json.expired;
  expect(await expired()).toBe(false);
  world.hub.advance(601);
  expect(await expired()).toBe(true);
});

test("that somebody is a forum, and how many ask to follow", async () => {
  const { channel } = await world.person("club", { role: "forum" });
  expect((await ann.get(`/api/v1/accounts/${channel.xchan_id}`)).json).toMatchObject({ acct: "club", group: true });
  await cara.post(`/api/v1/accounts/${ann.channel.xchan_id}/follow`);
  const { source } = (await ann.get("/api/v1/accounts/verify_credentials")).json;
  expect(source.follow_requests_count).toBe(1);
});

test("for whom a post is not", async () => {
  const contact_deny = [String(bob.channel.xchan_id)];
  const { hubbub } = await postStatus(world, ann, { status: "a surprise", contact_deny });
  expect(hubbub.audience).toMatchObject({ people_denied: [{ id: contact_deny[0], acct: "bob" }] });
});

test("that somebody is limited, as long as that lasts", async () => {
  const measure = async (name: string) => {
    await desk.get("/admin/accounts");
    const place = `/admin/accounts/${cara.channel.channel_account_id}`;
    expect((await desk.post(place, { measure: name, note: "loud" })).status).toBe(303);
  };
  await measure("limit");
  expect(await accountOf(cara)).toMatchObject({ acct: "cara", limited: true });
  await measure("unlimit");
  expect(await accountOf(cara)).not.toHaveProperty("limited");
});

test("what the page says to which a post leads", async () => {
  const url = "https://news.example/mill";
  const about = `<html lang="fil"><head><title>The mill</title><meta property="og:site_name" content="The News">
    <meta property="og:description" content="It turns."><meta name="author" content="Pat">
    <meta property="og:image" content="/mill.png"><meta property="og:image:alt" content="A wheel"></head>`;
  elsewhere.put(url, page(about));
  const png = await picture(400, 200).png().toBuffer();
  elsewhere.put("https://news.example/mill.png", () => new Response(new Uint8Array(png)));
  const { id } = await postStatus(world, ann, { status: `Look: ${url}`, visibility: "public" });
  const { card } = (await bob.get(`/api/v1/statuses/${id}`)).json;
  expect(card).toMatchObject({
    url,
    type: "link",
    title: "The mill",
    description: "It turns.",
    language: "fil",
    provider_name: "The News",
    provider_url: "https://news.example",
    author_name: "Pat",
    authors: [{ name: "Pat", url: "", account: null }],
    width: 400,
    height: 200,
    image_description: "A wheel",
    html: "",
    embed_url: "",
    published_at: null,
  });
  expect(card.blurhash).toMatch(/^.{6,}$/);
  const image = await world.app.request(card.image);
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
});

describe("of somebody elsewhere", () => {
  let eva: Awaited<ReturnType<typeof metActor>>;

  beforeAll(async () => {
    const link = "https://eva.example/";
    const value = `<a href="${link}" rel="me">${link}</a>`;
    const document = elsewhere.actor("eva", { attachment: [{ type: "PropertyValue", name: "Page", value }] });
    for (const inbox of ["https://far.example/inbox", document.inbox]) elsewhere.put(inbox, 202);
    eva = await metActor(world.hub, document.id);
    elsewhere.put(link, page(`<a href="${eva!.xchan_url}" rel="me">me</a>`));
    await connect(world.hub, ann.channel, eva!);
    await receiveAccept(world.hub, ann.channel, eva!);
  });

  test("when a page of theirs was seen to lead back", async () => {
    const fields = async () => (await ann.get(`/api/v1/accounts/${eva!.xchan_id}`)).json.fields;
    expect(await fields()).toMatchObject([{ name: "Page", verified_at: null }]);
    await (await loggedIn("ann")).get(`/person/${eva!.xchan_id}`);
    await world.work();
    const [{ verified_at }] = await fields();
    expect(Date.parse(verified_at)).toBe(world.hub.clock().getTime());
  });

  test("where their pictures lie, which are passed on from here", async () => {
    const id = "https://far.example/notes/1";
    const to = ["https://www.w3.org/ns/activitystreams#Public"];
    const image = { type: "Image", mediaType: "image/png", url: "https://far.example/café.png", name: "A cat" };
    const film = { type: "Video", mediaType: "video/mp4", url: "https://far.example/cat.mp4", name: 'A "cat" sings' };
    const note = { id, type: "Note", attributedTo: eva!.xchan_hash, to, content: "Look", attachment: [image, film] };
    const sender = { type: "Create", actor: eva!.xchan_hash, to };
    await arrivesIn(world.hub)({ ...sender, id: `${id}/create`, object: note });
    const [{ media_attachments }] = (await ann.get("/api/v1/timelines/home")).json;
    expect(media_attachments).toMatchObject([
      {
        type: "image",
        description: "A cat",
        remote_url: "https://far.example/caf%C3%A9.png",
        url: expect.stringMatching(/^http:\/\/hub\.example\/proxy\//),
        preview_remote_url: null,
        text_url: null,
      },
      { type: "video", description: 'A "cat" sings', remote_url: "https://far.example/cat.mp4" },
    ]);
  });
});

test("what is told of a report, also when somebody has dealt with it", async () => {
  const form = { account_id: String(bob.channel.xchan_id), comment: "rude", category: "spam" };
  const made = (await ann.post("/api/v1/reports", form)).json;
  await world.work();
  const told = async () => (await root.get("/api/v1/notifications", { types: ["admin.report"] })).json;
  const open = { action_taken: false, action_taken_at: null, category: "spam", comment: "rude", forwarded: false };
  expect(await told()).toMatchObject([
    {
      type: "admin.report",
      account: { acct: "ann" },
      report: { id: made.id, ...open, target_account: { acct: "bob" } },
    },
  ]);
  world.hub.advance(60);
  await desk.get("/admin/reports");
  expect((await desk.post(`/admin/reports/${made.id}`, { note: "spoken to" })).status).toBe(303);
  const [{ report }] = await told();
  expect([report.action_taken, Date.parse(report.action_taken_at)]).toEqual([true, world.hub.clock().getTime()]);
});

test("of lists that members see them, how many are in, and that new posts go there", async () => {
  const own = await loggedIn("ann");
  const { id } = (await ann.post("/api/v1/lists", { title: "Choir" })).json;
  await ann.post(`/api/v1/lists/${id}/accounts`, { account_ids: [String(bob.channel.xchan_id)] });
  const hubbub = async () => (await ann.get(`/api/v1/lists/${id}`)).json.hubbub;
  expect(await hubbub()).toEqual({ visible: false, members: 1, default: false });
  await own.get(`/group/${id}`);
  expect((await own.post(`/group/${id}`, { name: "Choir", visible: "1" })).status).toBe(303);
  const { hash } = await world.hub.db
    .selectFrom("pgrp")
    .select("hash")
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();
  await own.get("/settings/channel");
  const usual = { timezone: "UTC", expire: "0", default_group: "", role: "social" };
  expect((await own.post("/settings/channel", { ...usual, audience: "chosen", group_allow: hash })).status).toBe(303);
  expect(await hubbub()).toEqual({ visible: true, members: 1, default: true });
  await own.get("/settings/channel");
  await own.post("/settings/channel", { ...usual, audience: "public" });
  expect((await hubbub()).default).toBe(false);
});

describe("of posts that wait", () => {
  const later = () => new Date(world.hub.clock().getTime() + 3600_000).toISOString();
  const plan = async (form: object) => {
    const made = (await ann.post("/api/v1/statuses", { ...form, scheduled_at: later() })).json;
    expect((await ann.get(`/api/v1/scheduled_statuses/${made.id}`)).json).toEqual(made);
    return made;
  };

  test("their files, language, who may quote them, and what wrote them", async () => {
    const media = [await uploadPicture(ann, { description: "A tree" }), await uploadPicture(ann)];
    const media_ids = media.map(({ id }) => id);
    const said = { language: "fil", spoiler_text: "trees", sensitive: true, quote_approval_policy: "followers" };
    const { params, media_attachments } = await plan({ status: "Two", media_ids, visibility: "public", ...said });
    const constant = {
      poll: null,
      in_reply_to_id: null,
      scheduled_at: null,
      idempotency: null,
      with_rate_limit: false,
    };
    expect(params).toEqual({
      ...said,
      ...constant,
      text: "Two",
      media_ids,
      visibility: "public",
      quoted_status_id: null,
      application_id: expect.any(Number),
    });
    expect(media_attachments).toMatchObject([{ id: media_ids[0], description: "A tree" }, { id: media_ids[1] }]);
  });

  test("what they ask, and until when", async () => {
    const poll = { options: ["Tea", "Milk"], expires_in: 7200, multiple: true };
    const { params } = await plan({ status: "Which?", poll });
    expect(params.poll).toEqual({ ...poll, hide_totals: null });
    expect(params).toMatchObject({
      media_ids: null,
      spoiler_text: "",
      sensitive: false,
      quote_approval_policy: null,
    });
  });

  test("what they quote, and for whom they are", async () => {
    const { id } = await postStatus(world, ann, { status: "quote me", visibility: "public" });
    const { params } = await plan({ status: "indeed", quoted_status_id: id, visibility: "public" });
    expect([params.text, params.quoted_status_id]).toEqual(["indeed", id]);
    const list = (await ann.post("/api/v1/lists", { title: "Band" })).json.id;
    await ann.post(`/api/v1/lists/${list}/accounts`, { account_ids: [String(bob.channel.xchan_id)] });
    for (const [visibility, shown] of [
      ["unlisted", "unlisted"],
      ["private", "private"],
      ["direct", "direct"],
      [list, "private"],
    ])
      expect((await plan({ status: "psst @bob", visibility })).params.visibility).toBe(shown);
    const { id: line, params: lined } = await plan({ status: "!!Band\nonly for you" });
    expect([lined.text, lined.visibility]).toEqual(["only for you", "private"]);
    world.hub.advance(3601);
    await world.work();
    expect((await ann.get(`/api/v1/statuses/${line}`)).json.hubbub.audience.groups).toMatchObject([{ title: "Band" }]);
    const seenBy = async (reader: MastodonPerson) => (await reader.get("/api/v1/timelines/home")).text;
    expect([(await seenBy(bob)).includes("only for you"), (await seenBy(cara)).includes("only for you")]).toEqual([
      true,
      false,
    ]);
  });
});

test("nobody to turn to but an address, and no words of the hub's own for a closed door", async () => {
  await changeSite(world.hub, { registration: "closed" });
  world.hub.advance(60);
  const instance = (await ann.get("/api/v2/instance")).json;
  expect(instance.contact).toMatchObject({ email: expect.any(String), account: null });
  expect(instance.registrations).toMatchObject({ enabled: false, message: null });
  expect((await ann.get("/api/v1/instance")).json).toMatchObject({ registrations: false, contact_account: null });
});

test("what a device is told of, word by word", async () => {
  const client = await mastodonPerson(world, ann.channel, "read push");
  const types =
    "mention status reblog follow follow_request favourite poll update quote quoted_update admin.sign_up admin.report";
  const device = newDevice("https://push.example/ann");
  const alertsWith = async (chosen: string) => {
    const alerts = Object.fromEntries(types.split(" ").map((type) => [type, type === chosen]));
    const sent = { subscription: device.form, data: { alerts } };
    expect((await client.post("/api/v1/push/subscription", sent)).json.alerts).toEqual(alerts);
    expect((await client.get("/api/v1/push/subscription")).json.alerts).toEqual(alerts);
  };
  for (const type of types.split(" ")) await alertsWith(type);
});
