import type { z } from "zod";
import {
  choicesOf,
  noRelation,
  notesAbout,
  relationsWith,
  usualChoices,
  withBlockedHost,
} from "../../../domain/connections/connections.ts";
import type { FollowChoices, Relation } from "../../../domain/connections/connections.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Hub } from "../../../hub.ts";
import type { Relationship } from "../entities/account.ts";
import { datetime } from "../present/dates.ts";

/** What connects the caller with people, on its way to the presenter. */
export type Related = {
  people: readonly number[];
  relations: ReadonlyMap<number, Relation>;
  notes: ReadonlyMap<number, string>;
  choices: ReadonlyMap<number, FollowChoices>;
  /** Those whose server the caller blocks. */
  blockedHosts: ReadonlySet<number>;
  self: number;
};

/** Loads that of these people. */
export async function relatedTo(hub: Hub, { channel }: Caller, people: readonly number[]): Promise<Related> {
  const uid = channel.channel_id;
  const [relations, notes, choices, blockedHosts] = await Promise.all([
    relationsWith(hub, uid, people),
    notesAbout(hub, uid, people),
    choicesOf(hub, uid, people),
    withBlockedHost(hub, uid, people),
  ]);
  return { people, relations, notes, choices, blockedHosts, self: channel.xchan_id };
}

/** The part of a row that answers what connects the caller with one person. */
export const oneRelationship = {
  answer: "Relationship",
  present: (shown: Related): z.infer<typeof Relationship> => presentRelationship(shown, shown.people[0]!),
} as const;

/** The same of several. */
export const manyRelationships = {
  answer: "Relationship[]",
  present: (shown: Related): z.infer<typeof Relationship>[] =>
    shown.people.map((one) => presentRelationship(shown, one)),
} as const;

function presentRelationship(
  { relations, notes, choices, blockedHosts, self }: Related,
  id: number,
): z.infer<typeof Relationship> {
  const relation = id === self ? noRelation : (relations.get(id) ?? noRelation);
  const chosen = choices.get(id) ?? usualChoices;
  return {
    id: String(id),
    following: relation.following,
    requested: relation.requested,
    followed_by: relation.followedBy,
    requested_by: relation.received,
    showing_reblogs: relation.following && chosen.shares,
    notifying: relation.following && chosen.tells,
    languages: relation.following && chosen.languages.length > 0 ? [...chosen.languages] : null,
    blocking: relation.blocking,
    blocked_by: false,
    muting: relation.ignoring,
    muting_notifications: relation.ignoring,
    muting_expires_at: relation.ignoringEnds === undefined ? null : datetime(relation.ignoringEnds),
    domain_blocking: blockedHosts.has(id),
    endorsed: false,
    note: notes.get(id) ?? "",
  };
}
