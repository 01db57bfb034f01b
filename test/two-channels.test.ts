import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { block } from "../src/domain/connections/connections.ts";
import { createGuest } from "../src/domain/connections/guests.ts";
import { setNote } from "../src/domain/connections/notes.ts";
import { saveEvent } from "../src/domain/events/events.ts";
import { createGroup } from "../src/domain/groups/groups.ts";
import { createClient } from "../src/domain/identity/applications/oauth-clients.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { createChannel } from "../src/domain/identity/channels/channels.ts";
import { createProfile } from "../src/domain/identity/channels/profiles.ts";
import { findAccountById } from "../src/domain/identity/accounts/accounts.ts";
import { followTag } from "../src/domain/items/followed-tags.ts";
import { keepSketch } from "../src/domain/items/posting/sketches.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { saveSearch } from "../src/domain/items/timelines/saved-searches.ts";
import { sendMessage } from "../src/domain/messages/messages.ts";
import { pages } from "../src/faces/web/pages/table.ts";
import { methodsOf } from "../src/http/endpoint.ts";
import { rowsOf } from "../src/http/face.ts";
import { faces } from "../src/main.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Client } from "./support/client.ts";
import { openElsewhere } from "./support/elsewhere.ts";
import { only, put } from "./support/files.ts";
import { password } from "./support/hub.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import type { MastodonPerson } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";
import { newDevice } from "./support/push-receiver.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/**
 * Two channels of one account are two people to each other as well: whoever acts as one of them sees nothing that is private to the
 * other. Something new that a channel keeps for itself gets a line in `keepsSecrets`.
 */

const word = "marmalade";
const elsewhere = openElsewhere();

let world: TestApp;
let ann: Person;
let bob: Person;
/** The other channel of Ann's account, by the doors of each face. */
let other: Channel;
let basic: Client;
let app: MastodonPerson;
let annsApp: MastodonPerson;
let browser: Visitor;
/** What names Ann's things. */
const ids = new Set<string>();

beforeAll(async () => {
  world = await openTestApp({ fetch: elsewhere.fetch });
  const { hub } = world;
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  const account = (await findAccountById(hub, ann.channel.channel_account_id))!;
  other = await createChannel(hub, account, { nick: "other", name: "Other" });
  await befriend(hub, ann.channel, bob.channel);
  basic = clientOf(world.app, `other:${password}`);
  [app, annsApp] = [
    await mastodonPerson(world, other),
    await mastodonPerson(world, ann.channel, "read write follow push"),
  ];
  browser = visitorOf(world.app);
  await browser.logIn("other", password);
  await keepsSecrets();
  await world.work();
});
afterAll(() => world.close());

async function keepsSecrets(): Promise<void> {
  const { hub } = world;
  const { channel } = ann;
  const audience = only(bob.channel);
  const post = await postItem(hub, channel, { body: `${word} for Bob`, title: word, audience });
  await postItem(hub, bob.channel, { body: `${word} of Bob`, parent: { mid: post.mid } });
  const letter = await sendMessage(hub, channel, { to: bob.channel.channel_hash, body: `${word} by letter` });
  const event = await saveEvent(hub, channel, {
    summary: `${word} party`,
    dtstart: "2026-07-01 18:00:00",
    dtend: "2026-07-01 20:00:00",
  });
  const file = await put(hub, channel, `${word}.txt`, word, { audience });
  const group = await createGroup(hub, channel.channel_id, `${word} group`);
  const search = await saveSearch(hub, channel, word);
  await followTag(hub, channel, word);
  await keepSketch(hub, channel, { name: crypto.randomUUID(), place: "/network", fields: [["body", `${word} draft`]] });
  const guest = await createGuest(hub, channel, { name: `${word} guest` });
  const profile = await createProfile(hub, channel, `${word} profile`);
  await setNote(hub, channel, bob.channel.channel_hash, `${word} note`);
  await createClient(hub, channel.channel_id, { name: `${word} program`, key: "programkey", secret: "s".repeat(16) });
  const later = new Date(hub.clock().getTime() + 7 * 24 * 3600_000).toISOString();
  const planned = await annsApp.post("/api/v1/statuses", { status: `${word} later`, scheduled_at: later });
  const filter = await annsApp.post("/api/v2/filters", {
    title: word,
    context: ["home"],
    keywords_attributes: [{ keyword: word }],
  });
  const device = newDevice(`https://push.example/${word}`);
  const pushed = await annsApp.post("/api/v1/push/subscription", { subscription: device.form, data: { alerts: {} } });
  const hooked = await ann.post("/api/z/1.0/webhook", {
    url: `https://receiver.example/${word}`,
    events: ["comment.received"],
  });
  expect([planned.status, filter.status, pushed.status, hooked.status]).toEqual([200, 200, 200, 200]);
  const own = [post.id, post.mid, post.uuid, letter.id, event.event_hash, file.hash, group.id, search.id];
  for (const id of [...own, guest.atoken_id, profile.id, planned.json.id, filter.json.id, hooked.json.id])
    ids.add(String(id));
  await world.work();
}

/** Parameters that name something. */
const names = ["id", "item_id", "mid", "uuid", "hash", "event_hash", "group_id", "gid", "list_id", "resource_id"];

const rows = (
  await Promise.all(
    faces.map(async (face) =>
      (await rowsOf(face)).flatMap((row) => {
        const [place] = face.paths(row);
        return place && methodsOf(row, place.alias).includes("GET") ? [{ title: place.path, face, row }] : [];
      }),
    ),
  )
).flat();

/** The path with each of Ann's things in the place of what it names. */
const filled = (path: string): string[] =>
  path.includes(":") ? [...ids].map((id) => path.replaceAll(/:\w+/g, encodeURIComponent(id))) : [path];

/** Does the answer say more of it than it was asked for? */
const tells = ({ text }: { text: string }, asked: string): boolean => text.replaceAll(asked, "").includes(word);

const readable = pages.filter(({ get }) => get).map(({ path }) => path.replace(":nick", "ann"));

describe("what one channel keeps for itself", () => {
  test.each(rows)("is not seen as the other one at $title", async ({ title, face }) => {
    const client = face.credentials === "log-in" ? basic : app;
    const named = [...ids].map((id) => Object.fromEntries(names.map((name) => [name, id])));
    for (const path of filled(title))
      for (const query of title.includes(":") ? [{}] : [{}, ...named]) {
        const answer = await client.send("GET", path, undefined, { query });
        expect([path, query, tells(answer, path)]).toEqual([path, query, false]);
      }
  });

  test.each(readable)("is not seen as the other one on the page %s", async (page) => {
    for (const path of filled(page)) expect([path, tells(await browser.get(path), path)]).toEqual([path, false]);
  });

  test("is seen as itself, by the same doors", async () => {
    expect((await browser.get("/network")).text).toContain('href="/channel/other"');
    const annsBrowser = visitorOf(world.app);
    await annsBrowser.logIn("ann", password);
    const found: string[] = [];
    for (const { title, face } of rows.filter(({ title }) => !title.includes(":")))
      if (tells(await (face.credentials === "log-in" ? ann : annsApp).get(title), title)) found.push(title);
    for (const page of readable.filter((path) => !path.includes(":")))
      if (tells(await annsBrowser.get(page), page)) found.push(page);
    expect(found).toEqual(
      expect.arrayContaining([
        "/api/z/1.0/network/stream",
        "/api/z/1.0/group",
        "/api/z/1.0/webhook",
        "/api/statuses/home_timeline",
        "/api/direct_messages/sent",
        "/api/saved_searches/list",
        "/api/v1/timelines/home",
        "/api/v1/scheduled_statuses",
        "/api/v1/notifications",
        "/api/v1/followed_tags",
        "/api/v1/lists",
        "/api/v1/push/subscription",
        "/api/v2/filters",
        "/network",
        "/drafts",
        "/scheduled",
        "/mail",
        "/group",
        "/cloud/ann",
      ]),
    );
  });

  test("is not done as it by a token of the other one", async () => {
    const { json } = await app.post("/api/v1/statuses", { status: "whose?", channel: "ann" });
    expect(json.account.username).toBe("other");
  });
});

test("keys and names of requests are each channel's own", async () => {
  const key = { headers: { "idempotency-key": "the same" } };
  const [one, two] = [
    await annsApp.post("/api/v1/statuses", { status: "of Ann" }, key),
    await app.post("/api/v1/statuses", { status: "of the other" }, key),
  ];
  expect([one.json.account.username, two.json.account.username]).toEqual(["ann", "other"]);
  const remote = { namespace: "garden", remote_id: "7" };
  const [mine, theirs] = [
    await ann.post("/api/z/1.0/item/update", { body: "of Ann", ...remote }),
    await basic.post("/api/z/1.0/item/update", { body: "of the other", ...remote }),
  ];
  expect([mine.status, theirs.status, mine.json.item_id === theirs.json.item_id]).toEqual([200, 200, false]);
});

test("one of them keeps the other one out", async () => {
  const open = await annsApp.post("/api/v1/statuses", { status: "for everybody", visibility: "public" });
  expect((await app.get(`/api/v1/statuses/${open.json.id}`)).status).toBe(200);
  await block(world.hub, ann.channel, { xchan_hash: other.channel_hash, xchan_network: "zot" });
  expect((await app.get(`/api/v1/statuses/${open.json.id}`)).status).toBe(404);
  expect((await basic.get("/api/statuses/user_timeline", { screen_name: "ann" })).text).not.toContain("for everybody");
});
