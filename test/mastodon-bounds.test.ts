import { afterAll, beforeAll, expect, test } from "vitest";
import { mastodonFace } from "../src/faces/mastodon/face.ts";
import { rowsOf } from "../src/http/face.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { mastodonPeople, postStatus } from "./support/mastodon.ts";
import type { MastodonPerson } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";

/** Every list that pages takes every bound, alone and together (Mastodon contract 7.1, 7.2). */

const friends = ["bob", "cara", "dora"] as const;
const others = ["eva", "finn", "gus", "hal", "ida", "jan", "kim", "leo", "mia"] as const;

let world: TestApp;
let ann: MastodonPerson;
let friend: Record<(typeof friends)[number], MastodonPerson>;
/** What is named in the paths of rows, by what stands before it. */
let named: Record<string, string> = {};

beforeAll(async () => {
  world = await openTestApp();
  const [first, bob, cara, dora] = await mastodonPeople(world, "ann", ...friends);
  [ann, friend] = [first, { bob, cara, dora }];
  for (const { channel } of [bob, cara, dora]) await befriend(world.hub, ann.channel, channel);
  await fill(Object.values(friend), [...(await mastodonPeople(world, ...others))]);
});
afterAll(() => world.close());

const idOf = ({ channel }: MastodonPerson): string => String(channel.xchan_id);
const deed = async (who: MastodonPerson, path: string, form: Record<string, unknown> = {}): Promise<any> => {
  const answer = await who.post(`/api/v1/${path}`, form);
  expect(answer).toMatchObject({ status: 200 });
  return answer.json;
};

/** Three of everything. */
async function fill(close: MastodonPerson[], strangers: MastodonPerson[]): Promise<void> {
  const say = (who: MastodonPerson, status: string, more: object = {}) => postStatus(world, who, { status, ...more });
  await ann.patch("/api/v2/notifications/policy", { for_not_following: "filter" });
  const list = await deed(ann, "lists", { title: "Choir" });
  await deed(ann, `lists/${list.id}/accounts`, { account_ids: close.map(idOf) });
  const { id } = await say(ann, "Who comes?", { visibility: "public" });
  named = { accounts: idOf(friend.bob), lists: list.id, list: list.id, statuses: id, tag: "tea" };
  const copyOf = async (who: MastodonPerson, text: string): Promise<string> =>
    (await who.get("/api/v1/timelines/home")).json.find((one: any) => one.content.includes(text)).id;
  for (const [n, one] of close.entries()) {
    const asked = await copyOf(one, "Who comes?");
    for (const what of ["favourite", "reblog"]) await deed(one, `statuses/${asked}/${what}`);
    await say(one, `As she says ${n}`, { quoted_status_id: asked, visibility: "public" });
    await say(friend.bob, `pot ${n} #tea @ann`, { visibility: "public" });
    const pot = await copyOf(ann, `pot ${n}`);
    for (const what of ["favourite", "bookmark"]) await deed(ann, `statuses/${pot}/${what}`);
    await say(one, `psst ${n} @ann`, { visibility: "direct" });
    await say(ann, `later ${n}`, { scheduled_at: "2026-05-01T12:00:00Z" });
    await deed(ann, `tags/tag${n}/follow`);
    await deed(ann, "domain_blocks", { domain: `${n}.example` });
  }
  const [asking, blocked, muted] = [strangers.slice(0, 3), strangers.slice(3, 6), strangers.slice(6)];
  for (const one of asking) {
    await deed(one, `accounts/${idOf(ann)}/follow`);
    await befriend(world.hub, friend.bob.channel, one.channel);
  }
  for (const one of blocked) await deed(ann, `accounts/${idOf(one)}/block`);
  for (const one of muted) await deed(ann, `accounts/${idOf(one)}/mute`);
  await world.work();
}

const paged = (await rowsOf(mastodonFace)).filter(
  ({ input, answer }) => "since_id" in input.shape && answer.endsWith("[]"),
);

test.each(paged.map(({ path }) => path))("%s", async (path) => {
  const place = `/api/${path.replace(/(\w+)\/:\w+/, (_, kind: string) => `${kind}/${named[kind]!}`)}`;
  const page = async (bounds: Record<string, string>) => {
    const { json, headers } = await ann.get(place, { limit: "1", ...bounds });
    const [, key = ""] = /min_id=(\d+)>; rel="prev"$/.exec(headers.get("link") ?? "") ?? [];
    expect([json.length, key === ""]).toEqual([1, false]);
    return { key, entry: json[0].id ?? json[0] };
  };
  const first = await page({});
  const second = await page({ max_id: first.key });
  const third = await page({ max_id: second.key });
  expect(new Set([first, second, third].map(({ entry }) => entry)).size).toBe(3);
  const [max_id, below] = [first.key, third.key];
  expect(await page({ since_id: below })).toEqual(first);
  expect(await page({ min_id: below })).toEqual(second);
  expect(await page({ since_id: below, max_id })).toEqual(second);
  expect(await page({ min_id: below, since_id: second.key })).toEqual(second);
  expect((await ann.get(place, { min_id: below, max_id: second.key })).json).toEqual([]);
});
