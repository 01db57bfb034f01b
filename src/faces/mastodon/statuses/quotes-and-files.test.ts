import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonClient, mastodonPeople, postStatus, uploadPicture } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { formWith } from "../../../../test/support/pictures.ts";
import { mute, unmute } from "../../../domain/connections/connections.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { saveEvent } from "../../../domain/events/save.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { changeChannelSettings } from "../../../domain/identity/channels/channel-settings.ts";

/** What statuses show beside their words: quotations, files, link cards, for whom they are (mastodon contract 11.3 to 11.8, 13.9). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
/** Connected with nobody. */
let cara: MastodonPerson;
let nobody: Client;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  nobody = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  await world.work();
});
afterAll(() => world.close());

const post = (client: Client, form: object) => postStatus(world, client, form);

const show = async (client: Client, { id }: { id: string }) => (await client.get(`/api/v1/statuses/${id}`)).json;

describe.each([
  ["film", "video/mp4", "text/bbcode"],
  ["sound", "audio/mpeg", "text/bbcode"],
  ["film", "video/mp4", "text/markdown"],
])("a %s (%s, %s)", (name, type, content_type) => {
  const said = (status: any): unknown[] => status.media_attachments.map((file: any) => [file.type, file.description]);
  const kind = type.split("/")[0]!;

  test("says what is to be seen or heard, to everybody, elsewhere too", async () => {
    const form = formWith({ description: 'Ann [sings] "Tea"' }, [["file", Buffer.from(`a ${name}`), name, type]]);
    const file = (await ann.send("POST", "/api/v2/media", form)).json;
    expect([file.type, file.description]).toEqual([kind, 'Ann [sings] "Tea"']);
    const { id } = await post(ann, { status: "Listen", media_ids: [file.id], content_type, visibility: "public" });
    const isPlayed = content_type === "text/bbcode";
    const words = isPlayed ? "Ann (sings) 'Tea'" : 'Ann [sings] "Tea"';
    expect(said(await show(nobody, { id }))).toEqual([[kind, words]]);
    expect((await ann.get(`/api/v1/statuses/${id}/source`)).json.text).toBe("Listen");
    expect(said((await ann.put(`/api/v1/statuses/${id}`, { status: "Hark" })).json)).toEqual([[kind, words]]);
    const other = [{ id: file.id, description: "Ann hums" }];
    const edited = (await ann.put(`/api/v1/statuses/${id}`, { media_attributes: other })).json;
    expect([edited.content, said(edited)]).toEqual(["<p>Hark</p>", [[kind, "Ann hums"]]]);
    const described = await ann.put(`/api/v1/media/${file.id}`, { description: "Ann whistles" });
    expect(described.json.description).toBe("Ann whistles");
    if (!isPlayed) return;
    const history = (await bob.get(`/api/v1/statuses/${id}/history`)).json;
    expect(history.map(said)).toEqual([[[kind, words]], [[kind, words]], [[kind, "Ann hums"]]]);
    const asDocument = { headers: { accept: "application/activity+json" } };
    const { attachment } = (await world.anonymous.get(new URL(edited.url).pathname, {}, asDocument)).json;
    expect(attachment).toMatchObject([{ mediaType: type, name: "Ann hums" }]);
  });
});

describe("a quotation", () => {
  test.each(["text/markdown", "text/html", "text/plain"])("stands in a text of the type %s as well", async (type) => {
    const original = await post(ann, { status: "Look" });
    const words = { status: type === "text/html" ? "<b>Yes</b>" : "Yes", content_type: type };
    const quoting = await post(bob, { ...words, quoted_status_id: original.id, visibility: "public" });
    expect([quoting.quote?.state, quoting.content.includes("[share")]).toEqual(["accepted", false]);
    const edited = (await bob.put(`/api/v1/statuses/${quoting.id}`, words)).json;
    expect([edited.quote?.state, edited.content.includes("[share")]).toEqual(["accepted", false]);
    expect((await bob.get(`/api/v1/statuses/${quoting.id}/source`)).json.text).toBe(words.status);
  });

  test("shows what it quotes beside its words, once, and is found from there", async () => {
    const original = await post(ann, { status: "Tea is [b]good[/b]", visibility: "public" });
    expect(original).toMatchObject({
      quote: null,
      quotes_count: 0,
      quote_approval: { automatic: ["public"], current_user: "automatic" },
    });
    const quoting = await post(bob, { status: "Indeed", quoted_status_id: original.id, visibility: "public" });
    expect(quoting.quote).toMatchObject({ state: "accepted", quoted_status: { uri: original.uri, quote: null } });
    expect([quoting.quote_id, quoting.reblog]).toEqual([quoting.quote.quoted_status.id, null]);
    expect(quoting.content).toMatch(/^<p class="quote-inline">RE: <a href="([^"]*)"[^>]*>\1<\/a><\/p><p>Indeed<\/p>$/);
    expect((await bob.get(`/api/v1/statuses/${quoting.id}/source`)).json.text).toBe("Indeed");
    const edited = await bob.put(`/api/v1/statuses/${quoting.id}`, { status: "Quite" });
    expect([edited.json.quote.state, edited.json.content]).toEqual(["accepted", expect.stringContaining("Quite")]);
    const history = (await bob.get(`/api/v1/statuses/${quoting.id}/history`)).json;
    expect(history.map((one: any) => one.quote?.quoted_status.uri)).toEqual([undefined, original.uri]);
    expect((await show(ann, original)).quotes_count).toBe(1);
    const twice = await post(ann, { status: "My word", quote_id: quoting.id, visibility: "public" });
    expect(twice.quote.quoted_status.quote).toMatchObject({
      state: "accepted",
      quoted_status_id: expect.stringMatching(/^\d+$/),
    });
    const list = async (client: Client) =>
      (await client.get(`/api/v1/statuses/${original.id}/quotes`)).json.map((one: any) => one.uri);
    expect(await list(ann)).toEqual([quoting.uri]);
    expect(await list(cara)).toEqual([quoting.uri]);
    const secret = await post(bob, { status: "For us", quoted_status_id: original.id, visibility: "private" });
    expect(await list(cara)).toEqual([quoting.uri]);
    expect(await list(bob)).toEqual([secret.uri, quoting.uri]);
    expect((await show(ann, original)).quotes_count).toBe(1);
  });

  test("is of what is public, and says nothing of what is gone or of people who are not wanted", async () => {
    const closed = await post(ann, { status: "closed", visibility: "private" });
    const open = await post(ann, { status: "open", visibility: "public" });
    const quote = (client: Client, id: string, more = {}) =>
      client.post("/api/v1/statuses", { status: "so", quoted_status_id: id, ...more });
    expect((await quote(bob, closed.id)).status).toBe(422);
    expect((await quote(cara, closed.id)).status).toBe(404);
    expect((await quote(bob, open.id, { visibility: "direct" })).status).toBe(422);
    expect((await quote(bob, open.id, { status: "" })).status).toBe(422);
    const quoting = (await quote(bob, open.id, { visibility: "public" })).json;
    await world.work();
    const [me, author] = [cara.channel, (await findXchan(world.hub, { id: ann.channel.xchan_id }))!];
    await mute(world.hub, me, author);
    expect((await show(cara, quoting)).quote).toEqual({ state: "muted_account", quoted_status: null });
    await unmute(world.hub, me, author.xchan_hash);
    await cara.post(`/api/v1/accounts/${open.account.id}/block`);
    expect((await show(cara, quoting)).quote).toEqual({ state: "blocked_account", quoted_status: null });
    await cara.post(`/api/v1/accounts/${open.account.id}/unblock`);
    expect((await show(cara, quoting)).quote.state).toBe("accepted");
    await ann.send("DELETE", `/api/v1/statuses/${open.id}`);
    expect((await show(cara, quoting)).quote).toEqual({ state: "deleted", quoted_status: null });
  });

  test("is let by whom the author says, and taken back by the author alone", async () => {
    const original = await post(ann, { status: "original", visibility: "public" });
    const quoting = await post(bob, { status: "so", quoted_status_id: original.id, visibility: "public" });
    const revoke = (client: Client) => client.post(`/api/v1/statuses/${original.id}/quotes/${quoting.id}/revoke`);
    expect((await revoke(cara)).status).toBe(404);
    const { status, json } = await revoke(ann);
    expect([status, json.quote]).toEqual([200, null]);
    expect((await revoke(ann)).status).toBe(404);
    await changeChannelSettings(world.hub, ann.channel.channel_id, { quoters: "nobody" });
    expect((await show(bob, original)).quote_approval).toEqual({ automatic: [], manual: [], current_user: "denied" });
    expect((await show(ann, original)).quote_approval.current_user).toBe("automatic");
    await changeChannelSettings(world.hub, ann.channel.channel_id, { quoters: "everybody" });
  });

  test("is let by what the post says of itself, when it is posted, edited or changed in that alone", async () => {
    const quoters = async (one: { id: string }) => (await show(bob, one)).quote_approval.automatic;
    const mine = await post(ann, { status: "nobody", visibility: "public", quote_approval_policy: "nobody" });
    expect(await quoters(mine)).toEqual([]);
    const quote = () => bob.post("/api/v1/statuses", { status: "so", quoted_status_id: mine.id, visibility: "public" });
    expect((await quote()).status).toBe(422);
    const { revision } = await world.hub.db
      .selectFrom("message")
      .select("revision")
      .where("mid", "=", mine.uri)
      .executeTakeFirstOrThrow();
    const path = `/api/v1/statuses/${mine.id}/interaction_policy`;
    expect((await ann.put(path, { quote_approval_policy: "followers" })).json.quote_approval.automatic).toEqual([
      "followers",
    ]);
    for (const [client, status] of [
      [bob, 404],
      [ann, 422],
    ] as const)
      expect((await client.put(path, { quote_approval_policy: "friends" })).status).toBe(status);
    expect((await show(bob, mine)).edited_at).toBe(null);
    expect(revision).toBe(0);
    expect(await quoters(mine)).toEqual(["followers"]);
    await ann.put(`/api/v1/statuses/${mine.id}`, { status: "everybody", quote_approval_policy: "public" });
    expect(await quoters(mine)).toEqual(["public"]);
    expect((await quote()).status).toBe(200);
    const answer = await post(bob, { status: "no", in_reply_to_id: mine.id, quote_approval_policy: "nobody" });
    expect((await show(ann, answer)).quote_approval).toMatchObject({ automatic: [], current_user: "denied" });
    await world.work();
  });

  test("has its title where programs for Friendica put it, too", async () => {
    const mine = await post(ann, { status: "text", friendica: { title: "Head" }, visibility: "public" });
    expect(mine.hubbub.title).toBe("Head");
    const changed = await ann.put(`/api/v1/statuses/${mine.id}`, { status: "text", friendica: { title: "Hat" } });
    expect(changed.json.hubbub.title).toBe("Hat");
  });
});

describe("a file", () => {
  test("is described, looked at, and goes when no post has used it", async () => {
    const sent = await uploadPicture(ann, { description: "A boat", focus: "0.5,-1" }, "/api/v1/media");
    expect(sent).toMatchObject({
      type: "image",
      description: "A boat",
      blurhash: expect.stringMatching(/^.{6,}$/),
      meta: { original: { size: "60x40" }, small: { width: 60 }, focus: { x: 0.5, y: -1 } },
    });
    expect((await ann.get(`/api/v1/media/${sent.id}`)).json).toEqual(sent);
    const change = (client: MastodonPerson, form: object) => client.put(`/api/v1/media/${sent.id}`, form);
    expect((await change(ann, { description: "A ship", focus: "0,0" })).json).toMatchObject({
      description: "A ship",
      meta: { focus: { x: 0, y: 0 } },
    });
    expect((await change(ann, { description: "x".repeat(1501) })).status).toBe(422);
    expect((await change(ann, { focus: "here" })).status).toBe(422);
    expect((await change(bob, { description: "x" })).status).toBe(404);
    expect((await bob.get(`/api/v1/media/${sent.id}`)).status).toBe(404);
    expect((await bob.send("DELETE", `/api/v1/media/${sent.id}`)).status).toBe(404);
    const used = await post(ann, { media_ids: [sent.id], visibility: "public" });
    expect((await ann.send("DELETE", `/api/v1/media/${sent.id}`)).status).toBe(422);
    expect((await show(ann, used)).media_attachments.length).toBe(1);
    const other = await uploadPicture(ann);
    expect((await ann.send("DELETE", `/api/v1/media/${other.id}`)).json).toEqual({});
    expect((await ann.get(`/api/v1/media/${other.id}`)).status).toBe(404);
  });

  test.each([
    ["no file", () => formWith({}, [])],
    ["no bytes", () => formWith({}, [["file", Buffer.alloc(0), "a.png", "image/png"]])],
    ["a page that calls itself a picture", () => formWith({}, [["file", Buffer.from("<html>"), "a.png", "image/png"]])],
    [
      "a long description",
      () => formWith({ description: "x".repeat(1501) }, [["file", Buffer.from("x"), "a.txt", ""]]),
    ],
  ])("is not %s", async (_, form) => {
    expect((await ann.send("POST", "/api/v2/media", form())).status).toBe(422);
  });

  test("of a post for some is loaded by whoever may see it, for some days, and by nobody else", async () => {
    const { id } = await uploadPicture(ann);
    const secret = await post(ann, { status: "@bob look", media_ids: [id], visibility: "direct" });
    const [seen] = (await show(bob, secret)).media_attachments;
    const load = async (address: string) => (await world.app.request(address)).status;
    expect([await load(seen.url), await load(seen.preview_url)]).toEqual([200, 200]);
    expect(await load(seen.url.replace(/\?.*/, ""))).toBe(404);
    expect(await load(`${seen.url}x`)).toBe(404);
    const forged = seen.url.replace(/t=[^.]*/, `t=${ann.channel.channel_id.toString(36)}`);
    expect(await load(forged)).toBe(404);
    const now = world.hub.clock();
    const later = (days: number) => new Date(now.getTime() + days * 24 * 3600 * 1000);
    world.hub.setClock(later(2));
    expect(await load(seen.url)).toBe(200);
    world.hub.setClock(later(3.5));
    expect(await load(seen.url)).toBe(404);
    world.hub.setClock(now);
    await ann.post(`/api/v1/accounts/${(await bob.get("/api/v1/accounts/verify_credentials")).json.id}/block`);
    expect(await load(seen.url)).toBe(404);
    await ann.post(`/api/v1/accounts/${(await bob.get("/api/v1/accounts/verify_credentials")).json.id}/unblock`);
    const open = await post(ann, { media_ids: [(await uploadPicture(ann)).id], visibility: "public" });
    const [shown] = (await show(nobody, open)).media_attachments;
    expect([shown.url.includes("?"), await load(shown.url)]).toEqual([false, 200]);
    // Applications in browsers draw what anybody may see.
    const drawnBy = async (address: string) =>
      (await world.app.request(address)).headers.get("access-control-allow-origin");
    const { avatar } = (await show(nobody, open)).account;
    expect([await drawnBy(shown.url), await drawnBy(avatar), await drawnBy(seen.url)]).toEqual(["*", "*", null]);
  });
});

test("authors see for whom a post is, and others do not", async () => {
  const choir = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, choir.id, [bob.channel.channel_hash]);
  const closed = await post(ann, { status: "sing", visibility: String(choir.id) });
  expect(closed.hubbub.audience).toEqual({
    scope: "",
    groups: [{ id: String(choir.id), title: "Choir" }],
    people: [],
    groups_denied: [],
    people_denied: [],
  });
  const direct = await post(ann, { status: "@bob psst", visibility: "direct" });
  expect(direct.hubbub.audience.people.map((one: any) => one.acct).toSorted()).toEqual(["ann", "bob"]);
  for (const status of [closed, direct]) expect("audience" in (await show(bob, status)).hubbub).toBe(false);
});

test("a private answer says what it is about, to whom may see that", async () => {
  const open = await post(ann, { status: "open", visibility: "public" });
  const apart = await post(bob, { status: "just us", in_reply_to_id: open.id, visibility: "direct" });
  const seen = (await show(ann, apart)).hubbub.about;
  expect([(await show(bob, { id: apart.hubbub.about })).uri, seen]).toEqual([open.uri, open.id]);
});

test("an event is shown with its time and place, and how many come", async () => {
  await saveEvent(world.hub, ann.channel, {
    summary: "Tea party",
    location: "Garden",
    dtstart: "2026-12-24 15:00:00",
    dtend: "2026-12-24 17:00:00",
    share: { audience: { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] } },
  });
  await world.work();
  const [event] = (await bob.get("/api/v1/timelines/home")).json;
  expect(event.hubbub.event).toEqual({
    start: "2026-12-24T15:00:00.000Z",
    end: "2026-12-24T17:00:00.000Z",
    title: "Tea party",
    place: "Garden",
  });
});
