import { cache } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import type { Account } from "./accounts.ts";
import { knownDevice } from "./devices.ts";
import { networkOf } from "./networks.ts";

const month = 30 * 24 * 3600 * 1000;

/** Until when a network is known as one from which somebody logs in. */
const places = cache<string, number>(100_000);

type Visitor = { login: string; address: string; device?: string | undefined };

/**
 * Under which name guesses at an account are counted, besides those of each address: one for all strangers, one for each
 * browser that has logged in to it before, and none from a network where somebody has done so lately. What is unknown is
 * counted like an account, or it could be told apart.
 */
export async function guesserOf(hub: Hub, visitor: Visitor, account: Account | undefined): Promise<string | undefined> {
  if (!account) return `login ${visitor.login.slice(0, 200)}`;
  const known = places(hub).get(placeOf(visitor.address, account));
  if (known !== undefined && known > hub.clock().getTime()) return undefined;
  const device = await knownDevice(hub, visitor.device ?? "", account);
  return `account ${account.account_id}${device === undefined ? "" : ` ${device}`}`;
}

/**
 * The same for codes of a second factor, of which there are few: everybody waits. Whoever guesses them knows the password, so that
 * neither a browser nor a network without a whole log-in counts as the owner's.
 */
export async function codeGuesserOf(hub: Hub, visitor: Omit<Visitor, "login">, account: Account): Promise<string> {
  const known = (places(hub).get(placeOf(visitor.address, account)) ?? 0) > hub.clock().getTime();
  const device = await knownDevice(hub, visitor.device ?? "", account);
  return `codes ${account.account_id} ${device ?? (known ? networkOf(visitor.address) : "")}`;
}

/** Somebody has logged in from there. */
export function rememberPlace(hub: Hub, address: string, account: Account): void {
  places(hub).set(placeOf(address, account), hub.clock().getTime() + month);
}

function placeOf(address: string, { account_id: id, account_password_changed: changed }: Account): string {
  return `${id} ${changed} ${networkOf(address)}`;
}
