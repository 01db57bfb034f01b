import { generateKeyPairSync } from "node:crypto";
import { readConfig } from "../src/config/config.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import type { Xchan } from "../src/domain/identity/xchans/xchans.ts";
import type { Scheme } from "../src/faces/federation/signatures/claim.ts";
import { signerOf } from "../src/faces/federation/signatures/sign.ts";
import { openHub } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { actorOf } from "../test/support/actors.ts";
import { baseUrl } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Somebody of another hub, whose key this one knows. */
export const ann = "https://far.example/users/ann";
export const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const keyId = `${ann}#main-key`;

/** The hub on this database, in the bench's own process. */
export function openBeside(place: DatabasePlace, data: string): Promise<Hub> {
  const env = { HUBBUB_BASE_URL: baseUrl, HUBBUB_DATA: data, HUBBUB_LOG_LEVEL: "off" };
  return openHub(readConfig({ ...env, HUBBUB_DATABASE_URL: place.url }));
}

/** Has the hub meet her, and do what else there is to do. */
export async function meetAnn(
  place: DatabasePlace,
  data: string,
  more: (hub: Hub, met: Xchan) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const hub = await openBeside(place, data);
  try {
    await more(hub, await meetActor(hub, actorOf("ann", { keys: [{ id: keyId, kind: "rsa", key: pem }] })));
  } finally {
    await hub.close();
  }
}

/** Signs requests of hers. */
export function signerOfAnn(scheme: Scheme): ReturnType<typeof signerOf> {
  return signerOf({ id: keyId, object: privateKey }, scheme, () => new Date());
}
