import { buildCollectionSynchronizationHeader } from "@fedify/fedify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere, sendTo } from "../../../test/support/elsewhere.ts";
import { cavageRequest, now } from "../../../test/support/signed-requests.ts";
import { connect, findConnectionTo, receiveAccept } from "../../domain/connections/connections.ts";
import { metActor } from "./retrieve/actor.ts";

/** A server made with Fedify says who of this hub follows whom (FEP-8fcf). */

const base = "https://hub.example";
const elsewhere = openElsewhere();
let world: TestApp;
let alma: Person;
let count = 0;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: base }, clock: now, fetch: elsewhere.fetch });
  alma = await world.person("alma");
});
afterAll(() => world.close());

/**
 * Somebody whom alma follows does something, and their server says who of this hub follows them, with `list` where that can be read.
 * Answers whether alma follows them then, and what was read.
 */
async function hears(followers: string[], list: object): Promise<[follows: string | undefined, asked: string[]]> {
  const { id } = elsewhere.actor(`eva${(count += 1)}`);
  const known = (await metActor(world.hub, id))!;
  await connect(world.hub, alma.channel, known);
  await receiveAccept(world.hub, alma.channel, known);
  await world.work();
  const header = await buildCollectionSynchronizationHeader(`${id}/followers`, followers);
  const partial = /url="([^"]+)"/.exec(header)![1]!;
  elsewhere.put(partial, { id: partial, type: "OrderedCollection", ...list });
  const activity = { id: `${id}/deed`, type: "Undo", actor: id, object: `${id}/like` };
  const request = cavageRequest({
    target: "/inbox",
    body: Buffer.from(JSON.stringify(activity)),
    parameters: { keyId: `"${id}#main-key"` },
    more: [["Collection-Synchronization", header]],
  });
  const from = elsewhere.asked.length;
  expect((await sendTo(world.app, request)).status).toBe(202);
  await world.work();
  const read = elsewhere.asked.slice(from).flatMap(({ url }) => (url === partial ? ["the list"] : []));
  return [(await findConnectionTo(world.hub, alma.channel.channel_id, id))?.follow_out, read];
}

const own = `${base}/channel/alma`;
const other = `${base}/channel/bob`;

test("where both know the same nothing is read", async () => {
  expect(await hears([own], { orderedItems: [] })).toEqual(["accepted", []]);
});

test("where they do not, what is not in the list ends", async () => {
  expect(await hears([other], { totalItems: 1, orderedItems: [other] })).toEqual([undefined, ["the list"]]);
});

test("a list in pages does not say who is not in it", async () => {
  const page = `${base}/channel/page`;
  for (const part of [{ first: page }, { first: { type: "OrderedCollectionPage", orderedItems: [other] } }])
    expect(await hears([other], { totalItems: 2, ...part })).toEqual(["accepted", ["the list"]]);
  const rest = { type: "OrderedCollectionPage", partOf: page, orderedItems: [other] };
  expect(await hears([other], rest)).toEqual(["accepted", ["the list"]]);
});
