import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere, sendTo } from "../../../test/support/elsewhere.ts";
import { cavageRequest, keys, now, pemOf } from "../../../test/support/signed-requests.ts";
import { connect, findConnectionTo, receiveAccept } from "../../domain/connections/connections.ts";
import { everybody } from "./everybody.ts";
import { metActor } from "./retrieve/actor.ts";

/** Somebody elsewhere is gone, and later somebody is there again at the same address. */

const base = "https://hub.example";
const elsewhere = openElsewhere();
let world: TestApp;
let alma: Person;
let count = 0;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: base }, clock: now, fetch: elsewhere.fetch });
  alma = await world.person("alma", { role: "feed" });
});
afterAll(() => world.close());

async function say(actor: string, type: string, object: unknown, key = keys.ann.privateKey): Promise<void> {
  const id = `${actor}/deeds/${(count += 1)}`;
  const body = Buffer.from(JSON.stringify({ id, type, actor, object, to: [everybody] }));
  const request = cavageRequest({ target: "/inbox", body, key, parameters: { keyId: `"${actor}#main-key"` } });
  expect((await sendTo(world.app, request)).status).toBe(202);
  await world.work();
}

const noteOf = (actor: string, content: string) => ({
  id: `${actor}/notes/${(count += 1)}`,
  type: "Note",
  attributedTo: actor,
  to: [everybody],
  content,
});

/** Somebody who follows alma and is followed. */
async function friend(nick: string): Promise<string> {
  const { id } = elsewhere.actor(nick);
  const known = (await metActor(world.hub, id))!;
  await connect(world.hub, alma.channel, known);
  await receiveAccept(world.hub, alma.channel, known);
  await say(id, "Follow", `${base}/channel/alma`);
  return id;
}

/** How alma and this person stand to each other: does she follow them, do they follow her, and is it put away? */
async function standing(id: string): Promise<unknown[]> {
  const row = await findConnectionTo(world.hub, alma.channel.channel_id, id);
  return [row?.follow_out, row?.follow_in, row?.abook_archived];
}

/** Who gets what alma posts now. */
async function receivers(): Promise<string[]> {
  const from = elsewhere.asked.length;
  await alma.post("/api/z/1.0/item/update", { body: "For those who follow", scope: "contacts" });
  await world.work();
  return elsewhere.asked.slice(from).flatMap(({ url, options }) => (options.method === "POST" ? [url] : []));
}

const texts = async () => (await alma.get("/api/statuses/home_timeline")).json.map(({ text }: any) => text.trim());

test("whoever could not be found for a while has what they had", async () => {
  const eva = await friend("eva");
  elsewhere.put(eva, 404);
  await say(eva, "Update", eva);
  expect([await standing(eva), await receivers()]).toEqual([["accepted", "accepted", 1], []]);
  elsewhere.actor("eva");
  world.hub.advance(301);
  await say(eva, "Create", noteOf(eva, "There again"));
  expect([await standing(eva), await texts()]).toEqual([
    ["accepted", "accepted", 0],
    expect.arrayContaining(["There again"]),
  ]);
  expect(await receivers()).not.toEqual([]);
  await say(eva, "Delete", eva);
});

test("whoever has the address of somebody who has deleted themselves begins anew", async () => {
  const finn = await friend("finn");
  await say(finn, "Delete", finn);
  expect([await standing(finn), await receivers()]).toEqual([["none", "none", 1], []]);
  elsewhere.actor("finn", {
    publicKey: { id: `${finn}#main-key`, owner: finn, publicKeyPem: pemOf(keys.eve.publicKey) },
  });
  world.hub.advance(301);
  await say(finn, "Create", noteOf(finn, "Somebody else"), keys.eve.privateKey);
  await say(finn, "Create", noteOf(finn, "Somebody else"), keys.eve.privateKey);
  expect([await standing(finn), await texts(), await receivers()]).toEqual([
    ["none", "none", 1],
    expect.not.arrayContaining(["Somebody else"]),
    [],
  ]);
  await say(finn, "Follow", `${base}/channel/alma`, keys.eve.privateKey);
  expect(await standing(finn)).toEqual(["none", "accepted", 0]);
  expect(await receivers()).not.toEqual([]);
  const { xchan_id } = (await metActor(world.hub, finn))!;
  await alma.post("/api/friendships/create", { user_id: xchan_id });
  expect(await standing(finn)).toEqual(["requested", "accepted", 0]);
});
