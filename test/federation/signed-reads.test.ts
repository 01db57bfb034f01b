import { afterAll, beforeAll, expect, test } from "vitest";
import { block, unblock } from "../../src/domain/connections/connections.ts";
import { setPermissionLimits } from "../../src/domain/identity/channels/permission-limits.ts";
import { limits } from "../../src/domain/identity/channels/roles.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { setOnlySignedReads } from "../../src/domain/peers/signed-reads.ts";
import { removeSiteBlock, setSiteBlock } from "../../src/domain/peers/site-blocks.ts";
import { signingAs } from "../../src/faces/federation/retrieve/signing-as.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** Hubs that want a signature for whatever is read there (federation contract 8.3). */

let world: TestHubs;
let ann: Inhabitant;
let ben: Inhabitant;

beforeAll(async () => {
  world = await openHubs(2);
  for (const { hub } of world.hubs) await setOnlySignedReads(hub, true);
  ann = await inhabitant(world.hubs[0]!, "ann");
  ben = await inhabitant(world.hubs[1]!, "ben");
});
afterAll(() => world.close());

const accept = "application/activity+json";

/** What ben's hub gets at an address of ann's, as somebody there or as the whole server. */
async function asked(url: string, who?: Inhabitant): Promise<Response> {
  const signing = await signingAs(ben.at.hub, who?.channel, "cavage");
  return ben.at.hub.fetch(url, { headers: { accept }, ...signing });
}

test("two of them get on with each other", async () => {
  await follows(world, ben, ann);
  const { json } = await ann.post("/api/z/1.0/item/update", { body: "Signed and sealed" });
  await world.settle();
  expect((await copyOf(ben, (json.item as { mid: string }).mid))?.body).toBe("Signed and sealed");
});

test("who has signed reads, also for a whole server, and nobody may keep it for others", async () => {
  for (const who of [ben, undefined]) {
    const answer = await asked(ann.id, who);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect((await answer.json()) as object).toMatchObject({ id: ann.id, publicKey: {} });
  }
  expect((await asked(`${ann.at.url}/channel/nobody`, ben)).status).toBe(404);
});

test("without a signature that holds there is nothing, and a browser has its pages", async () => {
  const read = (headers: Record<string, string>) => fetch(ann.id, { headers });
  expect((await read({ accept })).status).toBe(401);
  const date = new Date(world.hubs[0]!.hub.clock()).toUTCString();
  const forged = `keyId="${ben.id}#main-key",headers="(request-target) host date",signature="AAAA"`;
  expect((await read({ accept, date, signature: forged })).status).toBe(401);
  expect((await read({ accept: "text/html" })).status).toBe(200);
});

test("lists are what the channel shows to whoever has signed, also where nobody has to", async () => {
  const total = async (list: string, who?: Inhabitant) =>
    ((await (await asked(`${ann.at.url}/${list}/ann`, who)).json()) as { totalItems?: number }).totalItems;
  await setPermissionLimits(ann.at.hub, ann.channel.channel_id, { view_contacts: limits.contacts });
  for (const all of [false, true]) {
    await setOnlySignedReads(ann.at.hub, all);
    expect([all, await total("followers", ben), await total("followers")]).toEqual([all, 1, undefined]);
  }
  expect(await total("outbox", ben)).toBeGreaterThan(0);
  const person = (await findXchan(ann.at.hub, { hash: ben.id }))!;
  await block(ann.at.hub, ann.channel, person);
  expect(await total("outbox", ben)).toBeUndefined();
  await unblock(ann.at.hub, ann.channel, ben.id);
});

test("whoever is blocked by somebody does not find what they write for everybody", async () => {
  const { json } = await ann.post("/api/z/1.0/item/update", { body: "For everybody but Ben" });
  const { mid } = json.item as { mid: string };
  expect((await asked(mid, ben)).status).toBe(200);
  const person = (await findXchan(ann.at.hub, { hash: ben.id }))!;
  await block(ann.at.hub, ann.channel, person);
  expect((await asked(mid, ben)).status).toBe(404);
  expect((await asked(mid)).status).toBe(200);
  await unblock(ann.at.hub, ann.channel, ben.id);
});

test("who is suspended is refused as ever", async () => {
  await setSiteBlock(ann.at.hub, { domain: ben.at.host, level: "suspend", noMedia: false });
  expect((await asked(ann.id, ben)).status).toBe(403);
  await removeSiteBlock(ann.at.hub, ben.at.host);
});
