import { z } from "zod";
import {
  block,
  connect,
  dropFollower,
  mute,
  setNote,
  unblock,
  unfollow,
  unmute,
} from "../../../domain/connections/connections.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { isGuestNetwork } from "../../../domain/identity/xchans/guest-hash.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { findPeopleById } from "../../../domain/people/find-people.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { decidingNumber, flag, id, ids, invalid, optionalFlag, optionalTexts, text } from "../parameters.ts";
import { languageIn } from "../statuses/post-input.ts";
import { namedAccount } from "./named-account.ts";
import { manyRelationships, oneRelationship, relatedTo } from "./relationship-answers.ts";

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
    example: { id: "17" },
    input: z.object({
      id: ids("Ids of the people, at most 80.", most),
      with_suspended: flag("Changes nothing: nobody is left out."),
    }),
    async handle(hub, caller, input) {
      const known = await findPeopleById(hub, caller.channel, input.id);
      return relatedTo(
        hub,
        caller,
        input.id.filter((one) => known.has(one)),
      );
    },
    ...manyRelationships,
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
  endpoint({
    path: "v1/accounts/:id/follow",
    methods: ["POST"],
    access: "channel",
    scope: "write:follows",
    writes: true,
    summary: "Asks somebody for what they post; repeating it changes only what is chosen of that.",
    errors,
    example: { id: "17" },
    input: person.extend({
      reblogs: optionalFlag("Their shares come into the home time line."),
      notify: optionalFlag("What they post is told in a notification."),
      languages: optionalTexts("Only what they write in one of these languages comes there; all of it without any."),
    }),
    async handle(hub, caller, { id: personId, reblogs: shares, notify: tells, languages }) {
      const found = await namedAccount(hub, caller.observer, personId);
      if (isGuestNetwork(found.xchan_network)) throw invalid("This account cannot be followed");
      const known = languages?.flatMap((word) => languageIn(word) ?? []);
      await connect(hub, caller.channel, found, { shares, tells, languages: known });
      return relatedTo(hub, caller, [found.xchan_id]);
    },
    ...oneRelationship,
  }),
  deed("unfollow", "write:follows", "Receives somebody's posts no more.", (hub, channel, { xchan_hash }) =>
    unfollow(hub, channel, xchan_hash),
  ),
  deed("block", "write:blocks", "Blocks somebody: nothing goes in either direction.", block),
  deed("unblock", "write:blocks", "Ends a block.", (hub, channel, { xchan_hash }) => unblock(hub, channel, xchan_hash)),
  deed("unmute", "write:mutes", "Shows what somebody does again.", (hub, channel, { xchan_hash }) =>
    unmute(hub, channel, xchan_hash),
  ),
  deed(
    "remove_from_followers",
    "write:follows",
    "Somebody receives the caller's posts no more, and hears of that.",
    (hub, channel, { xchan_hash }) => dropFollower(hub, channel, xchan_hash),
  ),
  endpoint({
    path: "v1/accounts/:id/mute",
    methods: ["POST"],
    access: "channel",
    scope: "write:mutes",
    writes: true,
    summary: "Shows nothing of somebody any more, and takes nothing of theirs; nobody is told.",
    errors,
    example: { id: "17" },
    input: person.extend({
      duration: decidingNumber("Duration", "After how many seconds it ends; 0 or left out never."),
      notifications: flag("Changes nothing: of whom one ignores one hears nothing."),
    }),
    async handle(hub, caller, { id: personId, duration = 0 }) {
      const found = await namedAccount(hub, caller.observer, personId);
      if (duration < 0 || duration > longestMute) throw invalid("Duration is not included in the list");
      await mute(hub, caller.channel, found, duration > 0 ? { until: momentIn(hub, duration * 1000) } : {});
      return relatedTo(hub, caller, [found.xchan_id]);
    },
    ...oneRelationship,
  }),
  endpoint({
    path: "v1/accounts/:id/note",
    methods: ["POST"],
    access: "channel",
    scope: "write:accounts",
    writes: true,
    summary: "Keeps what the caller notes about somebody; nobody else sees it.",
    example: { id: "17", comment: "Sings bass" },
    input: person.extend({ comment: text("The note, up to 2,000 characters; empty removes it.") }),
    async handle(hub, caller, { id: personId, comment = "" }) {
      const found = await namedAccount(hub, caller.observer, personId);
      await setNote(hub, caller.channel, found.xchan_hash, comment);
      return relatedTo(hub, caller, [found.xchan_id]);
    },
    ...oneRelationship,
  }),
];

/** A hundred years. */
const longestMute = 100 * 366 * 24 * 3600;

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
    errors,
    example: { id: "17" },
    input: person,
    async handle(hub, caller, input) {
      const found = await namedAccount(hub, caller.observer, input.id);
      await act(hub, caller.channel, found).catch((error: unknown) => harmless(name, error));
      return relatedTo(hub, caller, [found.xchan_id]);
    },
    ...oneRelationship,
  });
}

/** Not to follow any more whom one does not follow is no fault. */
function harmless(name: string, error: unknown): void {
  const isNothing = name === "unfollow" && error instanceof HubError && error.code === "not_following";
  if (!isNothing) throw error;
}
