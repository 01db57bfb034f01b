import type { Relation } from "../../../domain/connections/connections.ts";
import type { User } from "../../../domain/people/users.ts";
import { presentUser } from "./present-user.ts";

/** Two people, and what connects the caller with those that are not the caller. */
export type Sides = { source: User; target: User; relations: ReadonlyMap<number, Relation> };

/** What one side is to the other; null is what the caller cannot know. */
type Directions = {
  following: boolean;
  followed_by: boolean;
  following_received: boolean | null;
  following_requested: boolean | null;
};

type Named = { id: number; id_str: string; screen_name: string };

export type Relationship = {
  relationship: {
    source: Named & Directions & { can_dm: boolean } & ReturnType<typeof ownMarks>;
    target: Named & Directions;
  };
};

/** The relationship object, from the source's side. */
export function presentRelationship({ source, target, relations }: Sides): Relationship {
  const known = source.self !== target.self;
  const relation = known ? relations.get(source.self ? target.xchan_id : source.xchan_id) : undefined;
  const mine = known ? directionsOf(relation) : unknownDirections;
  const directions = source.self ? mine : mirrored(mine);
  const seen = source.self && known ? relation : undefined;
  return {
    relationship: {
      source: {
        ...nameOf(source),
        ...directions,
        can_dm: directions.following && directions.followed_by,
        ...ownMarks(source.self, seen),
      },
      target: { ...nameOf(target), ...mirrored(directions) },
    },
  };
}

function directionsOf(relation: Relation | undefined): Directions {
  return {
    following: relation?.following ?? false,
    followed_by: relation?.followedBy ?? false,
    following_received: relation?.received ?? false,
    following_requested: relation?.requested ?? false,
  };
}

const unknownDirections: Directions = {
  following: false,
  followed_by: false,
  following_received: null,
  following_requested: null,
};

function mirrored(of: Directions): Directions {
  return {
    following: of.followed_by,
    followed_by: of.following,
    following_received: of.following_requested,
    following_requested: of.following_received,
  };
}

/** What the caller alone has decided; nobody learns by whom they are blocked. */
function ownMarks(isCaller: boolean, relation: Relation | undefined) {
  return {
    blocking: isCaller ? (relation?.blocking ?? false) : null,
    blocked_by: null,
    muting: isCaller ? (relation?.ignoring ?? false) : null,
    want_retweets: isCaller ? (relation?.following ?? false) : null,
    all_replies: isCaller ? (relation?.following ?? false) : null,
    marked_spam: isCaller ? false : null,
    notifications_enabled: isCaller ? false : null,
    live_following: false,
  };
}

type LookedUp = Named & { name: string; connections: string[] };

/** One entry of friendships/lookup. */
export function presentConnections({ user, relation }: { user: User; relation: Relation }): LookedUp {
  const { name } = presentUser(user);
  const connections = [
    relation.following ? "following" : "",
    relation.requested ? "following_requested" : "",
    relation.followedBy ? "followed_by" : "",
    relation.blocking ? "blocking" : "",
  ].filter((word) => word !== "");
  return { ...nameOf(user), name, connections: connections.length > 0 ? connections : ["none"] };
}

function nameOf(user: User): Named {
  const { id, id_str, screen_name } = presentUser(user);
  return { id, id_str, screen_name };
}
