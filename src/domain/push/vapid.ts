import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { getSetting, getSettings, settleSetting } from "../identity/site/site-settings.ts";

/** By which push services know the hub (RFC 8292). */

/** A key pair on P-256: the public one as push services and applications read it, the private one as a JWK has it. */
export type VapidKeys = { publicKey: string; privateKey: string };

/** The keys of the site, made when they are first needed, and never changed: subscriptions hold the public one. */
export async function vapidKeys(hub: Hub): Promise<VapidKeys> {
  return (await getSetting(hub, "vapid")) ?? settleSetting(hub, "vapid", newKeys());
}

function newKeys(): VapidKeys {
  const { x, y, d } = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey: d! };
}

const lasts = 12 * 3600;

/** Says to the push service at this address who sends, for half a day. */
export async function vapidToken(hub: Hub, { publicKey, privateKey }: VapidKeys, endpoint: string): Promise<string> {
  const { adminEmail } = await getSettings(hub, ["adminEmail"]);
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(hub.clock().getTime() / 1000) + lasts,
    sub: adminEmail === "" ? hub.config.baseUrl : `mailto:${adminEmail}`,
  };
  const signed = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => encoded(JSON.stringify(part))).join(".");
  const point = Buffer.from(publicKey, "base64url");
  const key = createPrivateKey({
    key: { kty: "EC", crv: "P-256", d: privateKey, x: encoded(point.subarray(1, 33)), y: encoded(point.subarray(33)) },
    format: "jwk",
  });
  return `${signed}.${encoded(sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }))}`;
}

function encoded(part: string | Uint8Array): string {
  return Buffer.from(part).toString("base64url");
}
