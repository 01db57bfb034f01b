import type { Hub } from "../../../hub.ts";
import { dropCodeApp, hasCodeApp, takeAppCode } from "./code-app.ts";
import { countRecoveryCodes, dropRecoveryCodes, takeRecoveryCode } from "./recovery-codes.ts";

/** What an account has beside its password. */
export type Factors = { app: boolean; recoveryCodes: number };

/** What this account has. */
export async function factorsOf(hub: Hub, accountId: number): Promise<Factors> {
  return { app: await hasCodeApp(hub, accountId), recoveryCodes: await countRecoveryCodes(hub, accountId) };
}

/** Is this a code of the app, or one of those on paper? It is used up then; part of a transaction. */
export async function takeCode(hub: Hub, accountId: number, typed: string): Promise<boolean> {
  const code = typed.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(code) ? takeAppCode(hub, accountId, code) : takeRecoveryCode(hub, accountId, code);
}

/** Writes down whether the password alone lets in, after something was added or taken away; part of a transaction. */
export async function settleSecondFactor(hub: Hub, accountId: number): Promise<void> {
  const needed = await hasCodeApp(hub, accountId);
  if (!needed) await dropRecoveryCodes(hub, accountId);
  await hub.db
    .updateTable("account")
    .set({ account_second_factor: needed ? 1 : 0 })
    .where("account_id", "=", accountId)
    .execute();
}

/** Takes everything away beside the password; part of a transaction. */
export async function dropFactors(hub: Hub, accountId: number): Promise<void> {
  await dropCodeApp(hub, accountId);
  await settleSecondFactor(hub, accountId);
}
