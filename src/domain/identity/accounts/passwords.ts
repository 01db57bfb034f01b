import { randomBytes, timingSafeEqual } from "node:crypto";
import { oncePerHub } from "../../../caches.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { PasswordCost } from "../../../password-cost.ts";
import type { Calls, Crew } from "../../../threads.ts";
import type * as work from "./password-work.ts";

const bytes = 32;
const shortest = 10;
const longest = 1024;

/** Two threads and a short queue, so that guessing keeps nothing else waiting (decision 22). */
const crew: Crew = { module: new URL("./password-work.ts", import.meta.url), threads: 2, queue: 20, limit: 60_000 };

/** Throws invalid for a password that is too short, too long, or among the first that everybody tries. */
export async function checkNewPassword(hub: Hub, password: string): Promise<void> {
  if (password === "") throw refusal("password_needed");
  if ([...password].length < shortest) throw refusal("password_too_short", { least: shortest });
  if (password.length > longest) throw refusal("password_too_long");
  if (await threads(hub).run("isWellKnown", password)) throw refusal("password_well_known");
}

/** The salted slow hash of a password with its parameters, so that the cost can rise later. */
export async function hashPassword(hub: Hub, password: string): Promise<string> {
  const salt = randomBytes(16);
  const cost = hub.passwordCost;
  return stored(cost, salt, await threads(hub).run("derive", password, salt, bytes, cost));
}

/** Is this the password of the stored hash? Takes the same time for every answer. */
export async function verifyPassword(hub: Hub, password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split("$");
  if (kind !== "scrypt" || !salt || !hash) return false;
  const expected = Buffer.from(hash, "base64url");
  const given = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await threads(hub).run("derive", password, Buffer.from(salt, "base64url"), bytes, given);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** A stored form that no password fits: whoever asks for an unknown login waits as long as for a known one. */
export function hashOfNobody(hub: Hub): string {
  const { salt, hash } = ofNobody(hub);
  return stored(hub.passwordCost, salt, hash);
}

const ofNobody = oncePerHub(() => ({ salt: randomBytes(16), hash: randomBytes(bytes) }));

function stored(cost: PasswordCost, salt: Uint8Array, hash: Uint8Array): string {
  const text = (value: Uint8Array): string => Buffer.from(value).toString("base64url");
  return ["scrypt", cost.N, cost.r, cost.p, text(salt), text(hash)].join("$");
}

function threads(hub: Hub): Calls<typeof work> {
  return hub.threads.of<typeof work>(crew);
}
