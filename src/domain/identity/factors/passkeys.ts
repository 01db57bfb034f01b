import { createHmac } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from "@simplewebauthn/server";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Account } from "../accounts/accounts.ts";
import { formSecret } from "../site/site-settings.ts";
import { isChallenge, newChallenge, useChallenge } from "./challenges.ts";
import type { ChallengePurpose } from "./challenges.ts";

/** Passkeys (WebAuthn): keys of devices, which sign what the hub asks. They belong to the host of the hub, and browsers give them to no other. */

const most = 20;
const longestName = 60;
/** EdDSA, ECDSA with P-256, RSA: what devices make. */
const algorithms = [-8, -7, -257];

/** What was made, and the challenge that it answers. */
export type NewPasskey = { credential: WebAuthnCredential; challenge: string };

export type Passkey = { id: number; name: string; created: string; used: string };

/** Can browsers have passkeys for this hub? They take names of hosts alone, over TLS or on the same machine. */
export function takesPasskeys({ config }: Pick<Hub, "config">): boolean {
  const { protocol, hostname } = new URL(config.baseUrl);
  return hostname === "localhost" || (protocol === "https:" && !/^[\d.]+$|^\[/.test(hostname));
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(hub: Hub, accountId: number): Promise<Passkey[]> {
  return hub.db
    .selectFrom("passkey")
    .select(["id", "name", "created", "used"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
}

/** What a browser is asked for to make one more, in the JSON form of WebAuthn. */
export async function optionsToAdd(hub: Hub, account: Account, site: string): Promise<object> {
  const name = account.account_email;
  return {
    challenge: await newChallenge(hub, `add ${account.account_id}`),
    rp: { id: hostOf(hub), name: site },
    user: { id: await handleOf(hub, account.account_id), name, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: await credentialsOf(hub, account.account_id),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestation: "none",
  };
}

/** What it is asked for to use one: any that it has, to log in, or one of this account in the place of a code. */
export async function optionsToUse(hub: Hub, accountId?: number): Promise<object> {
  return {
    challenge: await newChallenge(hub, accountId === undefined ? "log-in" : `code ${accountId}`),
    rpId: hostOf(hub),
    allowCredentials: accountId === undefined ? [] : await credentialsOf(hub, accountId),
    userVerification: accountId === undefined ? "required" : "preferred",
  };
}

/** A passkey that a browser has made, as it says so itself; nothing is kept before `addPasskey`. Throws invalid for what is none. */
export async function checkNewPasskey(hub: Hub, account: Account, said: string): Promise<NewPasskey> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const purpose: ChallengePurpose = `add ${account.account_id}`;
  const { registrationInfo } = await verifyRegistrationResponse({
    response: readSaid(said),
    ...expected(hub, purpose),
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(refuse);
  if (!registrationInfo) throw refusal("passkey_wrong");
  return { credential: registrationInfo.credential, challenge: challengeIn(said) };
}

/** Adds it to the account; part of a transaction. Throws conflict when there are 20, or when it is somebody's. */
export async function addPasskey(
  hub: Hub,
  { account_id: id }: Account,
  { credential, challenge }: NewPasskey,
  name: string,
): Promise<void> {
  if (name === "" || [...name].length > longestName) throw refusal("passkey_name_wrong", { most: longestName });
  if ((await listPasskeys(hub, id)).length >= most) throw refusal("passkeys_too_many", { most });
  if (!(await useChallenge(hub, challenge, id))) throw refusal("passkey_wrong");
  const { numInsertedOrUpdatedRows } = await hub.db
    .insertInto("passkey")
    .values({
      account_id: id,
      credential: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      name,
      counter: credential.counter,
      transports: (credential.transports ?? []).join(" ").slice(0, 100),
      created: now(hub),
      used: now(hub),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw refusal("passkey_wrong");
}

/** Removes one of the account's; part of a transaction. Throws missing for those of others. */
export async function removePasskey(hub: Hub, accountId: number, id: number): Promise<void> {
  const { numDeletedRows } = await hub.db
    .deleteFrom("passkey")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw missing("Passkey");
}

/** None of the account's lets in any more; part of a transaction. */
export async function dropPasskeys(hub: Hub, accountId: number): Promise<void> {
  await hub.db.deleteFrom("passkey").where("account_id", "=", accountId).execute();
}

/**
 * Whose passkey has signed this: of anybody who has shown a finger or a PIN to their device, or of this account. Works once. Throws invalid
 * for everything else.
 */
export async function usePasskey(hub: Hub, said: string, accountId?: number): Promise<number> {
  const response = readSaid(said);
  const known = await hub.db
    .selectFrom("passkey")
    .selectAll()
    .where("credential", "=", String(response.id))
    .executeTakeFirst();
  if (!known || known.account_id !== (accountId ?? known.account_id)) throw refusal("passkey_wrong");
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    ...expected(hub, accountId === undefined ? "log-in" : `code ${accountId}`),
    credential: {
      id: known.credential,
      publicKey: Uint8Array.from(Buffer.from(known.public_key, "base64url")),
      counter: known.counter,
    },
    requireUserVerification: accountId === undefined,
  }).catch(refuse);
  if (!verified) throw refusal("passkey_wrong");
  await inTransaction(hub, async (hub) => {
    if (!(await useChallenge(hub, challengeIn(said), known.account_id))) throw refusal("passkey_wrong");
    await hub.db
      .updateTable("passkey")
      .set({ counter: authenticationInfo.newCounter, used: now(hub) })
      .where("id", "=", known.id)
      .execute();
  });
  return known.account_id;
}

function expected(hub: Hub, purpose: ChallengePurpose) {
  return {
    expectedChallenge: (challenge: string) => isChallenge(hub, purpose, challenge),
    expectedOrigin: new URL(hub.config.baseUrl).origin,
    expectedRPID: hostOf(hub),
  };
}

function hostOf({ config }: Hub): string {
  return new URL(config.baseUrl).hostname;
}

/** What devices keep beside a passkey: it says nothing of its owner, and is the same for all that they make. */
async function handleOf(hub: Hub, accountId: number): Promise<string> {
  return createHmac("sha256", await formSecret(hub))
    .update(`passkeys of ${accountId}`)
    .digest("base64url");
}

async function credentialsOf(hub: Hub, accountId: number): Promise<object[]> {
  const rows = await hub.db
    .selectFrom("passkey")
    .select(["credential", "transports"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  return rows.map(({ credential, transports }) => ({
    type: "public-key",
    id: credential,
    ...(transports !== "" && { transports: transports.split(" ") }),
  }));
}

/** What a browser has sent may be anything; the library looks at the rest. */
function readSaid(said: string): AuthenticationResponseJSON & RegistrationResponseJSON {
  try {
    const value: unknown = JSON.parse(said);
    if (typeof value === "object" && value !== null)
      return value as AuthenticationResponseJSON & RegistrationResponseJSON;
  } catch {
    // Refused below.
  }
  throw refusal("passkey_wrong");
}

/** Only of what has been verified. */
function challengeIn(said: string): string {
  const { response } = readSaid(said);
  const client: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
  return (client as { challenge: string }).challenge;
}

/** The library says in sentences what is wrong. */
function refuse(): never {
  throw refusal("passkey_wrong");
}
