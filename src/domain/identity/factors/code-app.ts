import { momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { newTotpSecret, totpStepAt, totpStepOf } from "./totp.ts";

/** The app of an account that makes codes. */

/** How long a secret waits for the first code of an app. */
const waits = 3600 * 1000;

/** A new secret for an app, which counts for nothing before its first code; part of a transaction. */
export async function offerCodeApp(hub: Hub, accountId: number): Promise<void> {
  const values = { secret: newTotpSecret(), last_step: 0, confirmed: 0, created: now(hub) };
  await hub.db
    .insertInto("totp")
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(values).where("totp.confirmed", "=", 0))
    .execute();
}

/** The secret that still waits for its app. */
export async function offeredCodeApp(hub: Hub, accountId: number): Promise<string | undefined> {
  const found = await find(hub, accountId, 0);
  return found && found.created > momentIn(hub, -waits) ? found.secret : undefined;
}

/** Does the account have an app? */
export async function hasCodeApp(hub: Hub, accountId: number): Promise<boolean> {
  return (await find(hub, accountId, 1)) !== undefined;
}

/** Takes the first code of an app: from now on it is one of the account's. Answers whether it was right; part of a transaction. */
export async function confirmCodeApp(hub: Hub, accountId: number, code: string): Promise<boolean> {
  const secret = await offeredCodeApp(hub, accountId);
  return secret !== undefined && useCode(hub, accountId, { secret, confirmed: 0 }, code);
}

/** Is this a code of the app? It is used up then, with all before it; part of a transaction. */
export async function takeAppCode(hub: Hub, accountId: number, code: string): Promise<boolean> {
  const found = await find(hub, accountId, 1);
  return found !== undefined && useCode(hub, accountId, found, code);
}

/** Takes the app away; part of a transaction. */
export async function dropCodeApp(hub: Hub, accountId: number): Promise<void> {
  await hub.db.deleteFrom("totp").where("account_id", "=", accountId).execute();
}

async function useCode(
  hub: Hub,
  accountId: number,
  { secret, confirmed }: { secret: string; confirmed: number },
  code: string,
): Promise<boolean> {
  const step = totpStepOf(secret, code, totpStepAt(hub.clock()));
  if (step === undefined) return false;
  const { numUpdatedRows } = await hub.db
    .updateTable("totp")
    .set({ last_step: step, confirmed: 1 })
    .where("account_id", "=", accountId)
    .where("secret", "=", secret)
    .where("confirmed", "=", confirmed)
    .where("last_step", "<", step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function find(hub: Hub, accountId: number, confirmed: 0 | 1) {
  return hub.db
    .selectFrom("totp")
    .select(["secret", "confirmed", "created"])
    .where("account_id", "=", accountId)
    .where("confirmed", "=", confirmed)
    .executeTakeFirst();
}
