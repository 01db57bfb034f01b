import { z } from "zod";
import { endpoint } from "../../http/endpoint.ts";
import { namedPerson, personInput } from "./named-person.ts";
import { flag, optionalFlag } from "./parameters.ts";
import { oneUser, showUser } from "./shown-user.ts";

/** Microblog contract 8.6. */
export const userRows = [
  endpoint({
    path: "users/show",
    pathId: "id",
    methods: "*",
    access: "public",
    summary: "One person; without a name the caller.",
    input: z.object({ ...personInput, skip_status: flag(), include_entities: optionalFlag() }),
    async handle(hub, caller, input, exchange) {
      return showUser(hub, caller, await namedPerson(hub, caller, input), input, exchange);
    },
    ...oneUser,
  }),
];
