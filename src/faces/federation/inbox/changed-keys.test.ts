import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { openElsewhere, sendTo } from "../../../../test/support/elsewhere.ts";
import { cavageRequest, keys, now, pemOf } from "../../../../test/support/signed-requests.ts";
import { findMet } from "../../../domain/identity/xchans/actors.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** Deliveries of those who have other keys than before, or none (federation contract 1.3). Signed by Ann's key, or by Eve's. */

let world: TestApp;
const elsewhere = openElsewhere();
const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const keyOf = (nick: string): string => `${idOf(nick)}#main-key`;
type Signer = "ann" | "eve";

beforeAll(async () => {
  const env = { HUBBUB_BASE_URL: "https://hub.example" };
  world = await openTestApp({ env, clock: now, fetch: elsewhere.fetch });
});
afterAll(() => world.close());
beforeEach(() => {
  elsewhere.asked.length = 0;
});

/** What their document has said, as it was read. */
async function told(nick: string, key: Signer): Promise<void> {
  const pem = pemOf(keys[key].publicKey);
  await meetActor(world.hub, actorOf(nick, { keys: [{ id: keyOf(nick), kind: "rsa", key: pem }] }));
}

let count = 0;
async function delivers(actor: string, keyId: string, key: Signer, object = idOf(`note${++count}`)): Promise<number> {
  const activity = { id: `${actor.replace(/#.*$/, "")}/${++count}`, type: "Delete", actor, object };
  const body = Buffer.from(JSON.stringify(activity));
  const plan = { target: "/inbox", body, key: keys[key].privateKey, parameters: { keyId: `"${keyId}"` } };
  return (await sendTo(world.app, cavageRequest(plan))).status;
}
const signedBy = (nick: string, key: Signer) => delivers(idOf(nick), keyOf(nick), key);

test("a key of which its owner has told counts in the place of the former one, without another look", async () => {
  elsewhere.actor("ilse");
  expect(await signedBy("ilse", "ann")).toBe(202);
  world.hub.advance(1);
  await told("ilse", "eve");
  expect([await signedBy("ilse", "eve"), await signedBy("ilse", "ann")]).toEqual([202, 401]);
  expect(elsewhere.asked.map(({ url }) => url)).toEqual([idOf("ilse")]);
});

test("a key that was given up holds for five minutes at most, also where nobody has used the new one", async () => {
  elsewhere.actor("jana");
  expect(await signedBy("jana", "ann")).toBe(202);
  await told("jana", "eve");
  elsewhere.put(idOf("jana"), 503);
  world.hub.advance(301);
  expect(await signedBy("jana", "ann")).toBe(401);
});

test("whoever signs a farewell with a key that cannot be had any more is looked for", async () => {
  await told("lola", "ann");
  elsewhere.put(idOf("lola"), 410);
  expect(await delivers(idOf("lola"), keyOf("lola"), "eve", idOf("lola"))).toBe(401);
  await world.work();
  expect(await findMet(world.hub, idOf("lola"))).toMatchObject({ gone: true });
});

test("an actor may be a part of a document, in which another part is the key", async () => {
  const card = "https://far.example/card";
  const publicKey = { id: `${card}#main-key`, owner: `${card}#me`, publicKeyPem: pemOf(keys.ann.publicKey) };
  elsewhere.put(card, { ...elsewhere.actor("kai"), id: `${card}#me`, publicKey });
  expect(await delivers(`${card}#me`, publicKey.id, "ann")).toBe(202);
  // Who owns the key is not who stands there.
  elsewhere.put(`${card}2`, {
    ...elsewhere.actor("kai"),
    id: `${card}2#you`,
    publicKey: { ...publicKey, id: `${card}2#k` },
  });
  expect(await delivers(`${card}2#you`, `${card}2#k`, "ann")).toBe(401);
});
