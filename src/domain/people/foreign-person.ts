import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { fromSqlDate, zeroDate } from "../../storage/sql.ts";
import { actorDetails } from "../identity/xchans/actor-details.ts";
import type { ActorDetails } from "../identity/xchans/actor-details.ts";
import { isLeftOut } from "../delivery/backlog.ts";
import { identityOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { findXchan, isHidden } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { meetLater } from "../peers/meet-actor.ts";
import { suspended } from "../peers/site-blocks.ts";
import type { User } from "./users.ts";
import { verifyLater } from "./verify-links.ts";
import { foreignCover } from "../photos/foreign-avatar.ts";

/** Somebody of elsewhere as a visitor sees them (federation contract 17). */
export type ForeignPerson = Omit<ActorDetails, "gone"> & {
  xchan: Xchan;
  /** Path of the cover, where there is one. */
  cover: string | undefined;
  /** Why there is nobody behind the name any more, if so. */
  absent: "gone" | "suspended" | undefined;
};

/**
 * Somebody of another hub. Without a log-in only those are shown who want to be found, and whose hub the site shows in public.
 * Throws missing.
 */
export async function findForeignPerson(hub: Hub, observer: Observer, id: number): Promise<ForeignPerson> {
  const xchan = await findXchan(hub, { id });
  if (xchan?.xchan_network !== "activitypub") throw missing("Identity");
  const { gone, ...shown } = (await actorDetails(hub, id)) ?? unmet(xchan);
  const absent = gone ? "gone" : (await suspended(hub, shown.host)) ? "suspended" : undefined;
  const isShown = identityOf(observer) !== undefined || (observer.seesPublic && !absent && isForAll(xchan));
  if (!isShown) throw missing("Identity");
  return { ...shown, xchan, absent, cover: absent ? undefined : await foreignCover(hub, xchan.xchan_hash) };
}

/**
 * Without a log-in nobody reads what somebody of another hub posts who does not want to be found, or whom the site does not show,
 * though people here have it. Throws missing.
 */
export async function refuseUnshown(hub: Hub, observer: Observer, id: number): Promise<void> {
  if (identityOf(observer) !== undefined) return;
  const xchan = await findXchan(hub, { id });
  if (xchan?.xchan_network === "activitypub" && isHidden(xchan)) throw missing("Item");
}

function isForAll(xchan: Xchan): boolean {
  return !isHidden(xchan) && xchan.xchan_deleted + xchan.xchan_hearsay === 0;
}

/** Somebody of whom an import brought the name, and nobody has read the document. */
function unmet({ xchan_hash: id }: Xchan): ActorDetails {
  return {
    actor_id: id,
    host: URL.canParse(id) ? new URL(id).host : id,
    fields: [],
    counts: { followers: undefined, following: undefined, posts: undefined },
    fetched: zeroDate,
    counted: zeroDate,
    moved: undefined,
    gone: false,
    belongsTo: "",
  };
}

const day = 24 * 3600_000;

/**
 * A member looks at them: what is old is asked for again, by jobs, unless there is too much to do (federation contract 1.4, 12.2).
 */
export async function refreshLater(
  hub: Hub,
  { actor_id, fetched, counted, absent, fields }: ForeignPerson,
): Promise<void> {
  if (absent === "suspended") return;
  const age = (date: string): number => hub.clock().getTime() - fromSqlDate(date).getTime();
  const isOld = age(fetched) > 7 * day;
  const isThere = absent === undefined;
  if ((!isOld && !isThere) || (await isLeftOut(hub, "asking again"))) return;
  await (isOld ? meetLater(hub, actor_id) : verifyLater(hub, actor_id, fields));
  if (isThere && age(counted) > day)
    await addJob(hub, "count-actor", { actor: actor_id }, { key: `count ${actor_id}` });
}

/** A user of another hub with the cover and the numbers that their hub claims; others as they are. */
export async function withClaims(hub: Hub, user: User): Promise<User> {
  if (user.xchan_network !== "activitypub") return user;
  const { counts } = (await actorDetails(hub, user.xchan_id)) ?? { counts: undefined };
  const cover = await foreignCover(hub, user.xchan_hash);
  return {
    ...user,
    cover: cover === undefined ? "" : hub.config.baseUrl + cover,
    followers: counts?.followers ?? user.followers,
    friends: counts?.following ?? user.friends,
    statuses_count: counts?.posts ?? user.statuses_count,
  };
}
