import type { Deed, DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { accept, follow, reject, unfollow } from "./follow.ts";
import { arrive, depart, describe, leave, move } from "./channel.ts";
import { answered, ask, quote, quoted, unquoted } from "./consent.ts";
import { joined } from "./join.ts";
import { recall, write } from "./mail.ts";
import { pin } from "./pin.ts";
import { report } from "./report.ts";
import { change, say } from "./say.ts";
import { vote } from "./vote.ts";
import { remove, retract, withdraw } from "./withdraw.ts";

type Telling<Name extends Deed["deed"]> = (hub: Hub, channel: number, deed: DeedOf<Name>) => Promise<void>;

/** How each deed is told to other hubs (federation contract 12.1). Told again, none of them says anything new. */
const tellings: { readonly [Name in Deed["deed"]]: Telling<Name> } = {
  say,
  vote,
  change,
  pin,
  withdraw,
  remove,
  retract,
  follow,
  unfollow,
  accept,
  reject,
  joined,
  quote,
  ask,
  answered,
  quoted,
  unquoted,
  describe,
  move,
  depart,
  arrive,
  leave,
  write,
  recall,
  report,
};

/** Tells those elsewhere whom it concerns what a channel has done: makes the activity, and has it sent. */
export async function federate(hub: Hub, { channel, deed }: { channel: number; deed: Deed }): Promise<void> {
  const telling = tellings[deed.deed] as Telling<Deed["deed"]>;
  await telling(hub, channel, deed);
}
