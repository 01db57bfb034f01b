import { createHmac, randomBytes } from "node:crypto";
import type { Hub } from "../../../hub.ts";
import type { Account } from "./accounts.ts";
import { formSecret } from "../site/site-settings.ts";

/**
 * Browsers from which somebody has logged in before. Each keeps a number of its own and a mark for each of its accounts, which
 * only the hub can make. It lets nobody in; it spares its owner the wait that the guesses of strangers cause.
 */

const length = 22;
const mostAccounts = 8;

type Owner = Pick<Account, "account_id" | "account_password_changed">;

/** What the browser keeps from now on, with the mark of this account; `device` is what it has kept so far. */
export async function addToDevice(hub: Hub, device: string, owner: Owner): Promise<string> {
  const [number = randomBytes(16).toString("base64url"), ...marks] = partsOf(device);
  const mark = await markOf(hub, number, owner);
  return [number, mark, ...marks.filter((other) => other !== mark).slice(0, mostAccounts - 1)].join("");
}

/** The number of a browser that has the mark of this account; undefined for any other one. */
export async function knownDevice(hub: Hub, device: string, owner: Owner): Promise<string | undefined> {
  const [number, ...marks] = partsOf(device);
  if (number === undefined) return undefined;
  return marks.includes(await markOf(hub, number, owner)) ? number : undefined;
}

/** A new password makes all browsers strangers again. */
async function markOf(hub: Hub, number: string, owner: Owner): Promise<string> {
  return createHmac("sha256", await formSecret(hub))
    .update(`device ${number} ${owner.account_id} ${owner.account_password_changed}`)
    .digest("base64url")
    .slice(0, length);
}

function partsOf(device: string): string[] {
  return device.match(/[\w-]{22}/g) ?? [];
}
