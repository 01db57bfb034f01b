import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { requiredPerson } from "./named-person.ts";
import type { PersonInput } from "./named-person.ts";
import { noStatus, oneUser, showUser } from "./user-answers.ts";
import type { UserAnswers } from "./user-answers.ts";

type PersonDeed = typeof oneUser & {
  access: "channel";
  writes: true;
  handle(hub: Hub, caller: Caller, input: PersonInput, exchange: Exchange): Promise<UserAnswers>;
};

type Find = (hub: Hub, caller: Caller, input: PersonInput) => Promise<Xchan>;

/** The part of a row that does something to a named person and answers the person as it is then. */
export function personDeed(
  act: (hub: Hub, channel: Channel, person: Xchan) => Promise<unknown>,
  find: Find = (hub, { observer }, input) => requiredPerson(hub, observer, input),
): PersonDeed {
  return {
    access: "channel",
    writes: true,
    async handle(hub, caller, input, exchange) {
      const person = await find(hub, caller, input);
      await act(hub, caller.channel, person);
      return showUser(hub, caller, person.xchan_id, noStatus, exchange);
    },
    ...oneUser,
  };
}
