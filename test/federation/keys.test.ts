import { createPrivateKey } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dropOldKeys, rotateKeys } from "../../src/domain/identity/channels/transport-keys.ts";
import { privateKeysOf } from "../../src/domain/identity/xchans/signing.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { signerOf } from "../../src/faces/federation/signatures/sign.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** A channel of one hub gets new keys, and another hub hears of it (federation contract 1.3). */

let world: TestHubs;
let ann: Inhabitant;
let ben: Inhabitant;

beforeAll(async () => {
  world = await openHubs(2);
  ann = await inhabitant(world.hubs[0]!, "ann");
  ben = await inhabitant(world.hubs[1]!, "ben");
  await follows(world, ann, ben);
});
afterAll(() => world.close());

type PublicKey = { id: string; publicKeyPem: string };

async function published(): Promise<PublicKey[]> {
  const answer = await fetch(ben.id, { headers: { accept: "application/activity+json" } });
  const { publicKey } = (await answer.json()) as { publicKey: PublicKey | PublicKey[] };
  return [publicKey].flat();
}

/** What ben posts now, as ann has it. */
async function arrives(text: string): Promise<string | undefined> {
  const { json } = await ben.post("/api/z/1.0/item/update", { body: text });
  await world.settle();
  return (await copyOf(ann, (json.item as { mid: string }).mid))?.body;
}

/** How ann's hub answers what is signed with the key of ben's identity, under the name that it was first published by. */
async function answerToFirstKey(number: number): Promise<number> {
  const { rsa } = await privateKeysOf(ben.at.hub, ben.channel.channel_id);
  const activity = { id: `${ben.id}#undo-${number}`, type: "Undo", actor: ben.id, object: `${ben.id}#like` };
  const answer = await ben.at.hub.fetch(`${ann.at.url}/inbox`, {
    method: "POST",
    purpose: "delivery",
    headers: { "content-type": "application/activity+json" },
    body: JSON.stringify(activity),
    sign: signerOf({ id: `${ben.id}#main-key`, object: createPrivateKey(rsa) }, "cavage", ben.at.hub.clock),
  });
  return answer.status;
}

test("both keys hold for two days, then the new one alone", async () => {
  const before = await published();
  expect(before).toMatchObject([{ id: `${ben.id}#main-key`, publicKeyPem: ben.channel.channel_pubkey }]);
  expect(await arrives("with the first key")).toBe("with the first key");
  const known = await findXchan(ann.at.hub, { hash: ben.id });

  const name = await rotateKeys(ben.at.hub, ben.channel);
  const [fresh, old, ...others] = await published();
  expect([fresh?.id, old, others]).toEqual([`${ben.id}#${name}`, before[0], []]);
  expect(fresh?.publicKeyPem).not.toBe(old?.publicKeyPem);
  // Before anybody was told.
  expect(await arrives("with a key that nobody knows")).toBe("with a key that nobody knows");
  world.advance(61);
  await world.settle();
  const keys = ann.at.hub.db.selectFrom("actor_key").select(["key_id", "gone"]).where("owner", "=", ben.id);
  const held = (await keys.execute()).filter(({ gone, key_id }) => gone < "1" && !key_id.endsWith("ed25519-key"));
  expect(held.map(({ key_id }) => key_id).toSorted()).toEqual([fresh!.id, old!.id].toSorted());
  expect(await answerToFirstKey(1)).toBe(202);

  world.advance(48 * 3600);
  await dropOldKeys(ben.at.hub);
  world.advance(61);
  await world.settle();
  expect(await published()).toEqual([fresh]);
  expect(await answerToFirstKey(2)).toBe(401);
  expect(await arrives("with the new key alone")).toBe("with the new key alone");
  // It is the same person all the while.
  expect((await findXchan(ann.at.hub, { hash: ben.id }))?.xchan_id).toBe(known?.xchan_id);
});

test("the identity keeps its own key", async () => {
  const row = () =>
    ben.at.hub.db
      .selectFrom("channel")
      .innerJoin("xchan", "xchan_hash", "channel_hash")
      .select(["channel_hash", "channel_guid_sig", "channel_pubkey", "channel_prvkey", "xchan_pubkey"])
      .where("channel_id", "=", ben.channel.channel_id)
      .executeTakeFirst();
  const before = await row();
  await rotateKeys(ben.at.hub, ben.channel);
  expect(await row()).toEqual(before);
});

test("private halves of keys that were replaced are gone at once", async () => {
  const keys = await ben.at.hub.db.selectFrom("transport_key").select(["prvkey", "retired"]).execute();
  expect(keys.length).toBeGreaterThan(1);
  expect(keys.filter(({ prvkey, retired }) => (prvkey === "") === retired < "1")).toEqual([]);
});
