import { z } from "zod";
import { connect, noRelation, relationsWith, unfollow } from "../../../domain/connections/connections.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import { HubError, unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { idsRow } from "./friends.ts";
import { namedPeople } from "./named-people.ts";
import { findNamed, personInput, requiredAnywhere, requiredPerson } from "./named-person.ts";
import type { PersonInput } from "./named-person.ts";
import { list, text } from "../parameters.ts";
import { personDeed } from "./person-deed.ts";
import { presentConnections, presentRelationship } from "./present-relationship.ts";
import type { Relationship, Sides } from "./present-relationship.ts";
import { rootElement } from "../xml.ts";

const errors = {
  no_user: "no user_id specified",
  own_channel: [403, "Forbidden"],
  network_cannot: [417, "Not supported"],
  not_following: "Not following Contact",
  missing: "no contact found to given ID",
  denied: "Permission denied.",
} as const;

const namedInput = z.object(personInput);

/** Microblog contract 8.8. */
export const friendshipRows = [
  idsRow("friendships/incoming", "incoming", "*", "Ids of the people who wait for the caller's answer."),
  idsRow("friendships/outgoing", "outgoing", ["GET"], "Ids of the people whose answer the caller waits for."),
  endpoint({
    path: "friendships/create",
    pathId: "id",
    methods: ["POST", "PUT"],
    summary: "Asks somebody for a connection, here or elsewhere; repeating it changes nothing.",
    errors,
    example: { screen_name: "bob" },
    input: namedInput,
    ...personDeed(connect, requiredAnywhere),
  }),
  endpoint({
    path: "friendships/destroy",
    pathId: "id",
    methods: ["POST", "PUT", "DELETE"],
    summary: "Receives somebody's posts no more; whoever receives the caller's stays as follower.",
    errors,
    example: { screen_name: "bob" },
    input: namedInput,
    ...personDeed((hub, channel, person) => unfollow(hub, channel, person.xchan_hash)),
  }),
  endpoint({
    path: "friendships/show",
    methods: ["GET"],
    access: "channel",
    summary: "What connects two people, as far as the caller is one of them.",
    answer: "Relationship",
    example: { target_screen_name: "bob" },
    input: z.object({
      source_id: text("Id of the first person; the caller unless named."),
      source_screen_name: text("Nick of the first person; the caller unless named."),
      target_id: text("Id of the second person."),
      target_screen_name: text("Nick of the second person."),
    }),
    async handle(hub, caller, input): Promise<Sides> {
      const source = { user_id: input.source_id, screen_name: input.source_screen_name };
      const target = { user_id: input.target_id, screen_name: input.target_screen_name };
      const sourceId = await sideOf(hub, caller, source, caller.channel.xchan_id, "Source not found");
      const targetId = await sideOf(hub, caller, target, undefined, "Target not found");
      const users = await loadUsers(hub, caller.observer, [sourceId, targetId]);
      const relations = await relationsWith(hub, caller.channel.channel_id, [sourceId, targetId]);
      return { source: users.get(sourceId)!, target: users.get(targetId)!, relations };
    },
    present: presentRelationship,
    xml: ({ relationship }: Relationship) => rootElement("relationship", relationship),
  }),
  endpoint({
    path: "friendships/lookup",
    methods: ["GET", "POST"],
    access: "channel",
    summary: "What connects the caller with several people.",
    answer: "Connections[]",
    otherNames: { user_id: ["id"] },
    example: { screen_name: "bob,carol" },
    input: z.object({
      user_id: list("Ids of the people, at most 100."),
      screen_name: list("Nicks of the people, at most 100 together with the ids."),
    }),
    async handle(hub, caller, input) {
      const { people } = await namedPeople(hub, caller, input);
      const ids = people.map((person) => person.xchan_id);
      const users = await loadUsers(hub, caller.observer, ids);
      const relations = await relationsWith(hub, caller.channel.channel_id, ids);
      return ids.map((id) => ({ user: users.get(id)!, relation: relations.get(id) ?? noRelation }));
    },
    present: (people) => people.map(presentConnections),
    xml: "relationships",
  }),
  endpoint({
    path: "friendships/exists",
    methods: ["GET"],
    access: "channel",
    summary: "Does the first person receive the posts of the second? Known where the caller is one of them.",
    answer: "Truth",
    errors: { no_user: errors.no_user, missing: errors.missing },
    example: { user_a: "ann", user_b: "bob" },
    input: z.object({
      user_a: text("Id or nick of the person who follows or not."),
      user_b: text("Id or nick of the person who is followed or not."),
    }),
    async handle(hub, caller, { user_a, user_b }) {
      const one = (await requiredPerson(hub, caller.observer, { id: user_a })).xchan_id;
      const other = (await requiredPerson(hub, caller.observer, { id: user_b })).xchan_id;
      const relations = await relationsWith(hub, caller.channel.channel_id, [one, other]);
      if (one === caller.channel.xchan_id) return relations.get(other)?.following ?? false;
      return other === caller.channel.xchan_id && (relations.get(one)?.followedBy ?? false);
    },
    xml: (exists: boolean) => ({ name: "friends", text: String(exists) }),
  }),
];

/** One side of a relationship. Throws missing with its own words. */
async function sideOf(
  hub: Hub,
  caller: Caller,
  named: PersonInput,
  otherwise: number | undefined,
  sentence: string,
): Promise<number> {
  const found = await unlessMissing(findNamed(hub, caller.observer, named));
  const id = found === "nobody named" ? otherwise : found?.xchan_id;
  if (id === undefined) throw new HubError("missing", sentence);
  return id;
}
