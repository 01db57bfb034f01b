import { z } from "zod";
import { pageOfPeople, peopleByNick } from "../../../domain/connections/connections.ts";
import type { PeopleList } from "../../../domain/connections/connections.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint, Method } from "../../../http/endpoint.ts";
import { cursor } from "../statuses/cursors.ts";
import { namesCaller } from "./named-person.ts";
import { count, optionalFlag, pageNumber } from "../parameters.ts";
import {
  actAs,
  include_entities,
  max_id,
  profileurl,
  screen_name,
  since_id,
  skip_status,
  stringify_ids,
  user_id,
} from "../shared-input.ts";
import { emptyPage, isCursored, manyIds, showPage, userPage } from "./cursor-answers.ts";
import { manyUsers, showUsers } from "./user-answers.ts";

const mostIds = 5000;

/** Whose list it is: of others none is shown (microblog contract 8.7). */
const whose = { user_id, screen_name, profileurl };

/** `channel` is there for the links to other pages. */
const idsInput = z.object({
  ...whose,
  stringify_ids,
  cursor: cursor(),
  count: count(mostIds, mostIds),
  channel: actAs,
});

/** A row that answers the ids of one list; without cursors as many as there may be. */
export function idsRow(path: string, list: PeopleList, methods: readonly Method[] | "*", summary: string): Endpoint {
  return endpoint({
    path,
    methods,
    access: "channel",
    summary,
    input: idsInput,
    async handle(hub, caller, input, exchange) {
      const cursored = isCursored(input.cursor, exchange);
      const window = cursored ? { ...input.cursor, count: input.count } : { count: mostIds };
      const own = namesCaller(hub, caller, input);
      const page = own ? await pageOfPeople(hub, caller.channel.channel_id, list, window) : emptyPage;
      return { page, cursored, asText: input.stringify_ids, input };
    },
    ...manyIds,
  });
}

function peopleRow(path: string, list: PeopleList, summary: string): Endpoint {
  return endpoint({
    path,
    methods: "*",
    access: "channel",
    summary,
    input: z.object({ ...whose, count: count(), page: pageNumber(), include_entities }),
    async handle(hub, caller, input, exchange) {
      const own = namesCaller(hub, caller, input);
      const ids = own ? await peopleByNick(hub, caller.channel.channel_id, list, input) : [];
      return showUsers(hub, caller, ids, { ...input, skip_status: false }, exchange);
    },
    ...manyUsers,
  });
}

function cursoredRow(path: string, list: PeopleList, summary: string): Endpoint {
  return endpoint({
    path,
    methods: ["GET"],
    access: "channel",
    summary,
    input: z.object({
      ...whose,
      cursor: cursor(),
      count: count(),
      since_id,
      max_id,
      skip_status,
      include_entities,
      include_user_entities: optionalFlag("False leaves out `entities` of each person."),
      channel: actAs,
    }),
    async handle(hub, caller, input, exchange) {
      const window = { ...input.cursor, count: input.count, sinceId: input.since_id, maxId: input.max_id };
      const own = namesCaller(hub, caller, input);
      const page = own ? await pageOfPeople(hub, caller.channel.channel_id, list, window) : emptyPage;
      return showPage(hub, caller, { page, cursored: true, input }, input, exchange);
    },
    ...userPage,
  });
}

/** Microblog contract 8.7. */
export const friendRows = [
  idsRow("friends/ids", "friends", "*", "Ids of the people whose posts the caller receives."),
  idsRow("followers/ids", "followers", "*", "Ids of the people who receive the caller's posts."),
  peopleRow("statuses/friends", "friends", "The people whose posts the caller receives, by nickname."),
  peopleRow("statuses/followers", "followers", "The people who receive the caller's posts, by nickname."),
  cursoredRow("friends/list", "friends", "The people whose posts the caller receives, with cursors."),
  cursoredRow("followers/list", "followers", "The people who receive the caller's posts, with cursors."),
];
