import { columnsOf } from "../../../storage/row-shape.ts";
import type { Hub } from "../../../hub.ts";
import { nobodyHere, observerOf } from "../channels/observer.ts";
import type { Observer } from "../channels/observer.ts";
import { accountColumns } from "./accounts.ts";
import type { Account } from "./accounts.ts";
import { channelColumns } from "../channels/channel.ts";
import type { Channel } from "../channels/channel.ts";

/** Who calls: every request acts as one channel of the account, and looks as that channel. */
export type Caller = { account: Account; channel: Channel; observer: Observer };

/** Whom a public endpoint answers: a caller, or somebody without credentials. */
export type Anybody = Caller | { account?: undefined; channel?: undefined; observer: Observer };

/** The account acting as one of its channels. */
export function callerOf(account: Account, channel: Channel): Caller {
  return { account, channel, observer: observerOf(channel) };
}

/** The caller, else nobody, as far as the site lets that see anything. */
export async function callerOrNobody(hub: Hub, caller: Caller | undefined): Promise<Anybody> {
  return caller ?? { observer: await nobodyHere(hub) };
}

const accountIn = columnsOf(accountColumns);
const channelIn = columnsOf(channelColumns);

/** The caller of a row of account joined with channel; what else was selected goes nowhere. */
export function callerIn(row: Account & Channel): Caller {
  return callerOf(accountIn(row), channelIn(row));
}
