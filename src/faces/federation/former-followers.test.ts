import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, password } from "../../../test/support/hub.ts";
import { follows, inhabitant, met, openHubs } from "../../../test/support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../../../test/support/hubs.ts";
import { jsonFile } from "../../../test/support/hubzilla.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { approve, block, findConnectionTo, updateConnection } from "../../domain/connections/connections.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { setRole } from "../../domain/identity/channels/channel-role.ts";
import { findChannelById } from "../../domain/identity/channels/channels.ts";
import { goThroughList } from "../../domain/import/lists/go-through.ts";
import { trimLists } from "../../domain/import/lists/trim-lists.ts";
import { importNow } from "../../domain/import/start.ts";
import { lookUpQuietly } from "./retrieve/look-up.ts";

/** A channel came by an import, and its old place is gone: its followers hear of it from the new one (FEP-7628, decision 137). */

let world: TestHubs;
let [there, here, far]: Neighbour[] = [];
let before: Inhabitant;
let alma: Channel;
let owner: Visitor;
let exported: object;
let account: number;
const readers: Inhabitant[] = [];

beforeAll(async () => {
  world = await openHubs(3);
  [there, here, far] = world.hubs;
  before = await inhabitant(there!, "alma");
  for (const nick of ["carla", "dora", "emil", "rude", "old", "gone"]) {
    const reader = await inhabitant(far!, nick);
    await follows(world, reader, before);
    readers.push(reader);
  }
  const [, , , rude, old] = readers;
  await block(there!.hub, before.channel, await met(there!, far!, rude!));
  const archived = (await findConnectionTo(there!.hub, before.channel.channel_id, old!.id))!;
  await updateConnection(there!.hub, before.channel, archived.abook_id, { archived: true });
  // She waits for an answer.
  await setRole(there!.hub, before.channel, "social");
  const wanda = await inhabitant(far!, "wanda");
  await follows(world, wanda, before);
  readers.push(wanda);
  exported = (await before.get("/api/z/1.0/channel/export/basic")).json as object;
  await there!.leave();
  account = (await makeAccount(here!.hub, "alma@example.org")).account_id;
});
afterAll(() => world.close());

/** Brings the channel from its export. */
async function bring(from = exported) {
  const options = { mode: "moving", nick: "", posts: true } as const;
  return importNow(here!.hub, account, { file: jsonFile(from) }, options, () => undefined);
}

/** What the reader follows: the old place, the new one. */
const reads = (reader: Inhabitant) =>
  Promise.all(
    [before.id, `${here!.url}/channel/alma`].map(
      async (id) => (await findConnectionTo(far!.hub, reader.channel.channel_id, id))?.follow_out,
    ),
  );

/** Whom the new place has told, by each activity that went out. */
async function told(): Promise<string[]> {
  const rows = await here!.hub.db.selectFrom("outbox_activity").select("bytes").orderBy("id").execute();
  const moves = rows.map(({ bytes }) => JSON.parse(bytes)).filter(({ type }) => type === "Move");
  for (const { actor, object, target } of moves)
    expect([actor, object, target]).toEqual([`${here!.url}/channel/alma`, before.id, `${here!.url}/channel/alma`]);
  expect(new Set(moves.map(({ id }) => id)).size).toBe(moves.length);
  return moves.flatMap(({ to }) => to as string[]);
}

const plain = ({ text }: { text: string }): string => text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** The page of the only list of followers. */
async function pageOfList(): Promise<string> {
  const { text } = await owner.get("/settings/import-lists");
  return /href="(\/settings\/import-lists\/\d+)">Followers to tell/.exec(text)?.[1] ?? "";
}

test("an import keeps who followed the old place, and tells nobody", async () => {
  const run = await bring();
  expect(run.report.sections["abook"]?.remarks).toMatchObject({
    "who follows you elsewhere can be told of this place once the old one is gone": { count: 5 },
  });
  alma = (await findChannelById(here!.hub, run.channelId))!;
  owner = visitorOf(here!.app, here!.host);
  await owner.logIn("alma@example.org", password);
  await world.settle();
  const page = plain(await owner.get(await pageOfList()));
  expect(page).toContain(`followed you at ${before.id}, the place that you came from. 5 to be done`);
  expect(page).toContain("Only once the old place is gone for good");
  expect(await told()).toEqual([]);
  // It may be gone in a year as well.
  here!.hub.advance(300 * 24 * 3600);
  await trimLists(here!.hub);
  here!.hub.advance(-300 * 24 * 3600);
  expect(await pageOfList()).not.toBe("");
});

test("once the owner says that it is gone each is told once, also by a worker that comes late or dies", async () => {
  const [carla, dora, emil, rude, old, gone, wanda] = readers as [
    Inhabitant,
    Inhabitant,
    Inhabitant,
    Inhabitant,
    Inhabitant,
    Inhabitant,
    Inhabitant,
  ];
  // Somebody whom the channel has blocked since then.
  await block(here!.hub, alma, await met(here!, far!, gone));
  // What she has asked for names the old place, so this one answers when she asks here.
  const { abook_id, follow_in, follow_in_id } = (await findConnectionTo(here!.hub, alma.channel_id, wanda.id))!;
  expect([follow_in, follow_in_id]).toEqual(["pending", ""]);
  await approve(here!.hub, alma, abook_id);
  await world.settle();
  expect(await reads(wanda)).toEqual(["requested", undefined]);
  const page = await pageOfList();
  expect((await owner.post(`${page}/start`, {})).status).toBe(303);
  expect((await owner.post(`${page}/start`, {})).status).toBe(422);
  // The first one of a list that has begun.
  const turn = { list: Number(page.split("/").at(-1)), turn: 1 };
  const dying = goThroughList(here!.hub, turn, async (hub, channel, text, signal) => {
    if (text === dora.id) throw new Error("The process is gone");
    return lookUpQuietly(hub, channel, text, signal);
  });
  await expect(dying).rejects.toThrow("gone");
  await goThroughList(here!.hub, turn, async (hub, channel, text, signal) => {
    const found = await lookUpQuietly(hub, channel, text, signal);
    if (text === dora.id) await goThroughList(hub, turn, lookUpQuietly);
    return found;
  });
  await world.settle();
  expect(await told()).toEqual([carla.id, dora.id, emil.id, wanda.id]);
  for (const reader of [carla, dora, emil, wanda]) expect(await reads(reader)).toEqual(["none", "accepted"]);
  // The server of those who were told takes along whoever else of it reads the old place, but nobody whom that had refused.
  expect([await reads(rude), await reads(old)]).toEqual([
    [undefined, undefined],
    ["none", "accepted"],
  ]);
  expect(plain(await owner.get(page))).toContain("4 have been told 1 follows you no more");
  const { json } = await here!.anonymous.get("/channel/alma", {}, { headers: { accept: "application/activity+json" } });
  expect(json.alsoKnownAs).toEqual([before.id]);
});

test("another import tells nobody again", async () => {
  await bring();
  await world.settle();
  const { text } = await owner.get("/settings/import-lists");
  expect(text.match(/">Followers to tell/g)).toHaveLength(1);
  expect(await told()).toHaveLength(4);
});

test("an export without the key that stands behind both places leaves nobody to tell", async () => {
  const { channel, ...rest } = exported as { channel: object };
  const without = { ...rest, channel: { ...channel, channel_ed25519_pubkey: "", channel_ed25519_prvkey: "" } };
  await here!.hub.db.deleteFrom("list_import").where("kind", "=", "followers").execute();
  await here!.hub.db.deleteFrom("abook").where("abook_channel", "=", alma.channel_id).execute();
  const run = await bring(without);
  expect([run.state, await pageOfList()]).toEqual(["done", ""]);
});
