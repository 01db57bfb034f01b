import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { confirmCodeApp, hasCodeApp, offerCodeApp } from "../identity/factors/code-app.ts";
import { addPasskey, checkNewPasskey, removePasskey } from "../identity/factors/passkeys.ts";
import { dropFactors, settleSecondFactor } from "../identity/factors/factors.ts";
import { countRecoveryCodes, newRecoveryCodes } from "../identity/factors/recovery-codes.ts";
import { tell } from "./told.ts";
import type { Words } from "./told.ts";

type Owner = Pick<Account, "account_id" | "account_email">;

/** Begins anew with an app for codes. Throws conflict where there is one. */
export async function beginCodeApp(hub: Hub, { account_id: id }: Owner): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (await hasCodeApp(hub, id)) throw refusal("code_app_there");
    await offerCodeApp(hub, id);
  });
}

/** The app has shown its first code: from now on logging in takes one. Answers recovery codes where there are none yet. */
export async function finishCodeApp(hub: Hub, owner: Owner, code: string, told: Words): Promise<string[]> {
  return inTransaction(hub, async (hub) => {
    if (!(await confirmCodeApp(hub, owner.account_id, code.replaceAll(/\s/g, "")))) throw refusal("code_wrong");
    await settleSecondFactor(hub, owner.account_id);
    await tell(hub, owner.account_email, told);
    return (await countRecoveryCodes(hub, owner.account_id)) > 0 ? [] : newRecoveryCodes(hub, owner.account_id);
  });
}

/** Other recovery codes in the place of those that there are. Throws conflict where there is no second factor. */
export async function renewRecoveryCodes(hub: Hub, owner: Owner, told: Words): Promise<string[]> {
  return inTransaction(hub, async (hub) => {
    if (!(await hasCodeApp(hub, owner.account_id))) throw refusal("second_factor_off");
    await tell(hub, owner.account_email, told);
    return newRecoveryCodes(hub, owner.account_id);
  });
}

/** One more passkey for the account, which its browser has made. Throws invalid where it has not. */
export async function keepPasskey(hub: Hub, owner: Account, said: string, name: string, told: Words): Promise<void> {
  const made = await checkNewPasskey(hub, owner, said);
  await inTransaction(hub, async (hub) => {
    await addPasskey(hub, owner, made, name);
    await tell(hub, owner.account_email, told);
  });
}

/** That passkey lets in no more. Throws missing for those of others. */
export async function endPasskey(hub: Hub, owner: Owner, id: number, told: Words): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await removePasskey(hub, owner.account_id, id);
    await tell(hub, owner.account_email, told);
  });
}

/** From now on the password alone lets in. */
export async function endSecondFactor(hub: Hub, owner: Owner, told: Words): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await dropFactors(hub, owner.account_id);
    await tell(hub, owner.account_email, told);
  });
}
