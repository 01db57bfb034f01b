import { afterAll, beforeAll, expect, test } from "vitest";
import { openAuthority } from "../support/authority.ts";
import { copyOf, follows, idOf, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";
import { trustedAuthority } from "../support/strict.ts";
import { openTlsProxy } from "../support/tls-proxy.ts";
import { metActor } from "../../src/faces/federation/retrieve/actor.ts";

/** Two hubs that talk over TLS, by names, and with all the rules for requests that hold in operation (federation contract 10). */

const authority = trustedAuthority();
let world: TestHubs;
let ann: Inhabitant;
let bob: Inhabitant;

beforeAll(async () => {
  world = await openHubs(2, authority);
  const [here, there] = world.hubs as [TestHubs["hubs"][0], TestHubs["hubs"][0]];
  [ann, bob] = [await inhabitant(here, "ann"), await inhabitant(there, "bob")];
});
afterAll(async () => {
  await world.close();
  authority.close();
});

test("people follow each other, write and answer", async () => {
  await follows(world, bob, ann);
  const { mid } = (await ann.post("/api/z/1.0/item/update", { body: "Hello" })).json.item;
  await world.settle();
  expect(new URL(mid).protocol).toBe("https:");
  expect(await copyOf(bob, mid)).toMatchObject({ body: "Hello", author: ann.id });
  const answer = (await bob.post("/api/z/1.0/item/update", { body: "Hello, too", parent_mid: mid })).json.item;
  await world.settle();
  expect(await copyOf(ann, answer.mid)).toMatchObject({ body: "Hello, too", author: bob.id });
});

test("an identity is the same wherever it is known, and its key stands behind it there", async () => {
  const { db } = bob.at.hub;
  const columns = ["identity", "subjects"] as const;
  const known = await db.selectFrom("actor").select(columns).where("actor_id", "=", ann.id).executeTakeFirstOrThrow();
  expect(known).toEqual({
    identity: ann.channel.channel_hash,
    subjects: expect.stringMatching(/^did:key:z6Mk\w+$/),
  });
});

test("nobody is asked in the clear, by an address, or without a certificate that counts", async () => {
  const port = Number(new URL(ann.id).port);
  const unknown = openAuthority();
  const proxy = await openTlsProxy(port, { authority: unknown, name: "hub3.test", port: 0 });
  for (const place of [ann.id.replace("https:", "http:"), ann.id.replace("hub2.test", "127.0.0.1")])
    expect(await metActor(bob.at.hub, place)).toBeUndefined();
  expect(await metActor(bob.at.hub, `https://hub3.test:${proxy.port}/channel/ann`)).toBeUndefined();
  expect(await metActor(bob.at.hub, idOf(ann.at, ann))).toMatchObject({ xchan_hash: ann.id });
  proxy.close();
  unknown.close();
});
