import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { host, openElsewhere, sendTo } from "../../../test/support/elsewhere.ts";
import { mastodonPerson } from "../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../test/support/mastodon.ts";
import { cavageRequest, now } from "../../../test/support/signed-requests.ts";
import { connect, receiveAccept } from "../../domain/connections/connections.ts";
import { setSiteBlock } from "../../domain/peers/site-blocks.ts";
import { everybody } from "./everybody.ts";
import { metActor } from "./retrieve/actor.ts";

/** What people elsewhere share and quote counts as what people here do. */

const base = "https://hub.example";
const elsewhere = openElsewhere();
let world: TestApp;
let alma: Person;
let bruno: Person;
let app: MastodonPerson;
/** Alma and Bruno follow Eva; nobody follows Finn. */
let eva: string;
let finn: string;
let count = 0;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: base }, clock: now, fetch: elsewhere.fetch });
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
  app = await mastodonPerson(world, alma.channel);
  [eva, finn] = [elsewhere.actor("eva").id, elsewhere.actor("finn").id];
  await metActor(world.hub, finn);
  const known = (await metActor(world.hub, eva))!;
  for (const { channel } of [alma, bruno]) {
    await connect(world.hub, channel, known);
    await receiveAccept(world.hub, channel, known);
  }
  await world.work();
});
afterAll(() => world.close());

async function post(status: string): Promise<{ id: string; uri: string }> {
  const { json } = await app.post("/api/v1/statuses", { status });
  await world.work();
  return json;
}

/** Says it to the hub, and answers the id of the activity. */
async function say(actor: string, type: string, object: unknown, more: object = {}): Promise<string> {
  const id = `${actor}/deeds/${(count += 1)}`;
  const body = Buffer.from(JSON.stringify({ id, type, actor, object, to: [everybody], ...more }));
  const request = cavageRequest({ target: "/inbox", body, parameters: { keyId: `"${actor}#main-key"` } });
  expect((await sendTo(world.app, request)).status).toBe(202);
  await world.work();
  return id;
}

/** How often it was shared, as the doors have it. */
async function shared({ id, uri }: { id: string; uri: string }): Promise<number[]> {
  const path = new URL(uri).pathname;
  const status = (await app.get(`/api/v1/statuses/${id}`)).json;
  const old = (await alma.get("/api/statuses/show", { id })).json;
  const list = (await world.anonymous.get(`${path}/shares`, {}, { headers: { accept: "application/activity+json" } }))
    .json;
  return [status.reblogs_count, old.retweet_count, list.totalItems];
}

/** Those who shared a post, as applications page through them. */
async function sharers(id: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let asked: object | undefined = { limit }; asked;) {
    const { json, headers } = await app.get(`/api/v1/statuses/${id}/reblogged_by`, asked as Record<string, string>);
    found.push(...json.map(({ username }: any) => username));
    const next: string | undefined = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    asked = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams);
  }
  return found;
}

async function ownThatAreShared(): Promise<string[]> {
  return (await alma.get("/api/statuses/retweets_of_me")).json.map(({ text }: any) => text);
}

test("a share counts whether or not somebody here follows who shares, once for each of them, until it is taken back", async () => {
  const mine = await post("Apples");
  await say(finn, "Announce", mine.uri);
  expect(await shared(mine)).toEqual([1, 1, 1]);
  expect(await ownThatAreShared()).toEqual(["Apples"]);
  const first = await say(eva, "Announce", mine.uri);
  expect(await shared(mine)).toEqual([2, 2, 2]);
  const second = await say(eva, "Announce", mine.uri);
  await bruno.post("/api/statuses/retweet", { id: (await bruno.get("/api/statuses/show", { id: mine.id })).json.id });
  await world.work();
  expect(await shared(mine)).toEqual([3, 3, 3]);
  for (const share of [first, second]) await say(eva, "Undo", share);
  expect(await shared(mine)).toEqual([2, 2, 2]);
});

test("a post that is shared again under another id is shared once, until either is taken back", async () => {
  const mine = await post("Plums");
  const share = async () => ({
    id: await say(eva, "Announce", mine.uri),
    type: "Announce",
    actor: eva,
    object: mine.uri,
  });
  const seen = async () =>
    (await bruno.get("/api/statuses/home_timeline")).json.filter(
      ({ retweeted_status: shown }: any) => shown?.text === "Plums",
    ).length;
  for (const isFirst of [true, false]) {
    const [first, second] = [await share(), await share()];
    expect([await shared(mine), await seen()]).toEqual([[1, 1, 1], 1]);
    await say(eva, "Undo", isFirst ? first : second);
    expect([await shared(mine), await seen()]).toEqual([[0, 0, 0], 0]);
  }
});

test("a share for followers does not count, not even for those who see it", async () => {
  const mine = await post("Pears");
  await say(eva, "Announce", mine.uri, { to: [`${eva}/followers`] });
  await say(finn, "Announce", mine.uri, { to: [`${finn}/followers`] });
  expect(await shared(mine)).toEqual([0, 0, 0]);
  expect(await ownThatAreShared()).toEqual(["Apples"]);
});

test("a quotation counts where it is for everybody", async () => {
  const note = (more: object) => ({
    id: `${eva}/notes/${(count += 1)}`,
    type: "Note",
    attributedTo: eva,
    to: [everybody],
    content: `<p>Note ${count}</p>`,
    published: now.toISOString(),
    ...more,
  });
  const quoted = note({ content: "<p>Plums</p>" });
  await say(eva, "Create", quoted);
  await say(eva, "Create", note({ quote: quoted.id, quoteUrl: quoted.id }));
  const followers = { to: [`${eva}/followers`] };
  await say(eva, "Create", note({ quote: quoted.id, quoteUrl: quoted.id, ...followers }), followers);
  const home = (await app.get("/api/v1/timelines/home")).json.filter(
    ({ account }: any) => account.acct === "eva@far.example",
  );
  expect(home.map((one: any) => [one.quotes_count, one.reblogs_count])).toEqual([
    [0, 0],
    [0, 0],
    [1, 0],
  ]);
});

test("who shared it is listed, whether or not somebody here follows them, page by page, without those whom one has blocked", async () => {
  const mine = await post("Cherries");
  const others = ["hal", "ida", "jan"].map((nick) => elsewhere.actor(nick).id);
  for (const sharer of [finn, ...others]) {
    await metActor(world.hub, sharer);
    await say(sharer, "Announce", mine.uri);
  }
  await say(eva, "Announce", mine.uri);
  await say(finn, "Announce", mine.uri);
  expect(await sharers(mine.id, 1)).toEqual(["eva", "jan", "ida", "hal", "finn"]);
  expect(await sharers(mine.id, 2)).toEqual(["eva", "jan", "ida", "hal", "finn"]);
  const known = [...others, finn, eva].map(async (id) => (await metActor(world.hub, id))!.xchan_id);
  const ids = (await Promise.all(known)).toSorted((one, other) => other - one);
  const asked = { id: mine.id, count: 2 };
  const first = (await alma.get("/api/statuses/retweeters/ids", asked)).json;
  const rest = (await alma.get("/api/statuses/retweeters/ids", { ...asked, count: 5, cursor: first.next_cursor })).json;
  expect([...first.ids, ...rest.ids]).toEqual(ids);
  const jan = (await metActor(world.hub, others[2]!))!.xchan_id;
  await app.post(`/api/v1/accounts/${jan}/block`);
  expect(await sharers(mine.id, 2)).toEqual(["eva", "ida", "hal", "finn"]);
  expect((await alma.get("/api/statuses/retweeters/ids", asked)).json.total_count).toBe(4);
  await app.post(`/api/v1/accounts/${jan}/unblock`);
});

test("what somebody shared who is gone, or whom the site has nothing to do with any more, does not count", async () => {
  const mine = await post("Grapes");
  const gus = elsewhere.actor("gus").id;
  await metActor(world.hub, gus);
  for (const sharer of [gus, finn]) await say(sharer, "Announce", mine.uri);
  expect(await shared(mine)).toEqual([2, 2, 2]);
  await say(gus, "Delete", gus);
  expect(await shared(mine)).toEqual([1, 1, 1]);
  await setSiteBlock(world.hub, { domain: host, level: "suspend", noMedia: false });
  await world.work();
  expect(await shared(mine)).toEqual([0, 0, 0]);
});
