import { z } from "zod";
import {
  block,
  connect,
  noRelation,
  relationsWith,
  unblock,
  unfollow,
} from "../../../domain/connections/connections.ts";
import type { Relation } from "../../../domain/connections/connections.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { findPeopleById } from "../../../domain/people/find-people.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import type { Relationship } from "../entities/account.ts";
import { flag, id, ids } from "../parameters.ts";
import { namedAccount } from "./named-account.ts";

type Related = { people: readonly number[]; relations: ReadonlyMap<number, Relation>; self: number };

const most = 80;

const person = z.object({ id: id("Id of the person.") });

/** What following refuses is told as the sentence that says why (mastodon contract 13.2). */
const errors = {
  own_channel: [403, "This action is not allowed"],
  blocked_by_you: [403, "This action is not allowed"],
  network_cannot: [422, "Validation failed: This account cannot be followed"],
} as const;

/** Mastodon contract 12.4: what connects the caller with people. */
export const relationshipRows = [
  endpoint({
    path: "v1/accounts/relationships",
    methods: ["GET"],
    access: "channel",
    scope: "read:follows",
    summary: "What connects the caller with people; strangers to the hub are left out.",
    answer: "Relationship[]",
    example: { id: "17" },
    input: z.object({
      id: ids("Ids of the people, at most 80.", most),
      with_suspended: flag("Changes nothing: nobody is left out."),
    }),
    async handle(hub, caller, input) {
      const known = await findPeopleById(hub, caller.channel, input.id);
      return related(
        hub,
        caller,
        input.id.filter((one) => known.has(one)),
      );
    },
    present: (shown) => shown.people.map((one) => presentRelationship(shown, one)),
  }),
  endpoint({
    path: "v1/accounts/familiar_followers",
    methods: ["GET"],
    access: "channel",
    scope: "read:follows",
    summary: "Whom the caller knows among those who follow people; the hub does not tell.",
    answer: "FamiliarFollowers[]",
    example: { id: "17" },
    input: z.object({ id: ids("Ids of the people, at most 80.", most) }),
    handle: (_hub, _caller, input) => input.id,
    present: (people) => people.map((one) => ({ id: String(one), accounts: [] })),
  }),
  deed("follow", "write:follows", "Asks somebody for what they post; repeating it changes nothing.", connect),
  deed("unfollow", "write:follows", "Receives somebody's posts no more.", (hub, channel, { xchan_hash }) =>
    unfollow(hub, channel, xchan_hash),
  ),
  deed("block", "write:blocks", "Blocks somebody: nothing goes in either direction.", block),
  deed("unblock", "write:blocks", "Ends a block.", (hub, channel, { xchan_hash }) => unblock(hub, channel, xchan_hash)),
];

type Act = (hub: Hub, channel: Channel, person: Xchan) => Promise<unknown>;

/** Does something about somebody, and answers what connects the caller with them then. */
function deed(name: string, scope: string, summary: string, act: Act): Endpoint {
  return endpoint({
    path: `v1/accounts/:id/${name}`,
    methods: ["POST"],
    access: "channel",
    scope,
    writes: true,
    summary,
    answer: "Relationship",
    errors,
    example: { id: "17" },
    input: person,
    async handle(hub, caller, input) {
      const found = await namedAccount(hub, caller.observer, input.id);
      await act(hub, caller.channel, found).catch((error: unknown) => harmless(name, error));
      return related(hub, caller, [found.xchan_id]);
    },
    present: (shown: Related) => presentRelationship(shown, shown.people[0]!),
  });
}

/** Not to follow any more whom one does not follow is no fault. */
function harmless(name: string, error: unknown): void {
  const isNothing = name === "unfollow" && error instanceof HubError && error.code === "not_following";
  if (!isNothing) throw error;
}

async function related(hub: Hub, { channel }: Caller, people: readonly number[]): Promise<Related> {
  return { people, relations: await relationsWith(hub, channel.channel_id, people), self: channel.xchan_id };
}

function presentRelationship({ relations, self }: Related, id: number): z.infer<typeof Relationship> {
  const relation = id === self ? noRelation : (relations.get(id) ?? noRelation);
  return {
    id: String(id),
    following: relation.following,
    requested: relation.requested,
    followed_by: relation.followedBy,
    requested_by: relation.received,
    showing_reblogs: relation.following,
    notifying: false,
    languages: null,
    blocking: relation.blocking,
    blocked_by: false,
    muting: relation.ignoring,
    muting_notifications: relation.ignoring,
    muting_expires_at: null,
    domain_blocking: false,
    endorsed: false,
    note: "",
  };
}
