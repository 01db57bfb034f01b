import { z } from "zod";
import { callerOrNobody } from "../../../domain/identity/accounts/caller.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { lookElsewhere } from "../../../domain/people/look-elsewhere.ts";
import { searchPeople } from "../../../domain/people/search-people.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { namedPeople, peopleInput } from "./named-people.ts";
import { personAnywhere, personInput } from "./named-person.ts";
import { count, pageNumber, text } from "../parameters.ts";
import { include_entities, profileurl, skip_status } from "../shared-input.ts";
import { manyUsers, noStatus, oneUser, showUser, showUsers } from "./user-answers.ts";

/** Microblog contract 8.6. */
export const userRows = [
  endpoint({
    path: "users/show",
    pathId: "id",
    methods: "*",
    access: "public",
    mayBeStale: true,
    summary: "One person; without a name the caller. With credentials an address of elsewhere is looked up there.",
    example: { screen_name: "bob" },
    input: z.object({ ...personInput, skip_status, include_entities }),
    async handle(hub, caller, input, exchange) {
      const anybody = await callerOrNobody(hub, caller);
      return showUser(hub, anybody, await personAnywhere(hub, anybody, input), input, exchange);
    },
    ...oneUser,
  }),
  endpoint({
    path: "externalprofile/show",
    methods: "*",
    access: "public",
    summary: "The person with this profile address; with credentials it is looked up where the hub does not know it.",
    example: { profileurl: "https://hub.example/channel/bob" },
    input: z.object({ profileurl, skip_status, include_entities }),
    async handle(hub, caller, input, exchange) {
      const profileurl = input.profileurl?.trim();
      if (!profileurl) throw new HubError("invalid", "Wrong parameters.", { reason: "no_profile" });
      const anybody = await callerOrNobody(hub, caller);
      return showUser(hub, anybody, await personAnywhere(hub, anybody, { profileurl }), input, exchange);
    },
    ...oneUser,
  }),
  endpoint({
    path: "users/search",
    methods: "*",
    access: "public",
    mayBeStale: true,
    summary:
      "People by name, nickname, profile address or address; with credentials also those whose name begins so, and an address of elsewhere is looked up there.",
    example: { q: "bob" },
    input: z.object({
      q: text("Name, nick, address or address of the profile."),
      count: count(),
      page: pageNumber(),
      skip_status,
      include_entities,
    }),
    async handle(hub, caller, input, exchange) {
      const wanted = input.q?.trim();
      if (!wanted) throw new HubError("invalid", "No search term specified.", { reason: "no_term", field: "q" });
      const { count, page } = caller ? input : { count: 20, page: 1 };
      const anybody = await callerOrNobody(hub, caller);
      const known = await searchPeople(hub, anybody.observer, wanted, { count, skip: (page - 1) * count });
      const ids = known.length > 0 || !caller ? known : await peopleElsewhere(hub, caller.channel, wanted);
      return showUsers(hub, anybody, ids, input, exchange);
    },
    ...manyUsers,
  }),
  endpoint({
    path: "users/lookup",
    methods: "*",
    access: "channel",
    summary: "Several people, in the order in which they are named; unknown ones are left out.",
    example: { screen_name: "bob,carol" },
    input: z.object(peopleInput),
    async handle(hub, caller, input, exchange) {
      const { people } = await namedPeople(hub, caller, input);
      if (people.length === 0) throw new HubError("missing", "Not Found");
      const ids = people.map((person) => person.xchan_id);
      return showUsers(hub, caller, ids, noStatus, exchange);
    },
    ...manyUsers,
  }),
];

/** Who has this address elsewhere. */
async function peopleElsewhere(hub: Hub, channel: Channel, address: string): Promise<number[]> {
  const looked = await lookElsewhere(hub, channel, address);
  return "person" in looked ? [looked.person.xchan_id] : [];
}
