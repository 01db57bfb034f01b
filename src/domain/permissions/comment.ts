import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { hasCome } from "../../lasting.ts";
import { asFlag, isOneOf, zeroDate } from "../../storage/sql.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { allowed } from "./allowed.ts";
import { threadsLeft } from "./thread-readers.ts";
import type { ReadThread } from "./thread-readers.ts";

/** What is known of the top of a thread, on the owner's wall where that is here. */
export type ThreadTop = ReadThread & {
  uid: number;
  author_id: number;
  owner_id: number;
  item_wall: number;
  item_nocomment: number;
  comment_policy: string;
  comments_closed: string;
};

/** Why nobody or this author may comment. */
export type CommentRefusal = "comments_closed" | "permission_denied";

/**
 * Native contract 3.7 for an author who can see these threads: why they may not comment there, for those of the tops where
 * that is so. However many there are, it takes three queries at most.
 */
export async function commentRefusals<Top extends ThreadTop>(
  hub: Hub,
  author: Observer,
  tops: readonly Top[],
): Promise<Map<Top, CommentRefusal>> {
  const rules = tops.map((top) => [top, ruleOf(hub, author, top)] as const);
  const among = (wanted: Rule) => rules.filter(([, rule]) => rule === wanted).map(([top]) => top);
  const onWalls = [...among("wall"), ...among("acquainted")];
  const walls = await wallsOpenTo(hub, author, onWalls);
  const left = await leftBy(hub, author, onWalls);
  const owners = await grantingOwners(hub, author, among("grant"));
  const isOpen = (top: Top, rule: Rule): boolean =>
    rule === "open" ||
    (rule === "wall" && walls.has(top.uid) && !left.has(top)) ||
    (rule === "acquainted" && walls.get(top.uid) === "acquainted" && !left.has(top)) ||
    (rule === "grant" && owners.has(top.owner_id));
  return new Map(
    rules.flatMap(([top, rule]) =>
      isOpen(top, rule) ? [] : [[top, rule === "closed" ? "comments_closed" : "permission_denied"]],
    ),
  );
}

/**
 * What decides about comments: nothing, the owner of the wall (who may want nobody but connections), or what an owner of elsewhere
 * has granted.
 */
type Rule = "closed" | "open" | "nobody" | "wall" | "acquainted" | "grant";

function ruleOf(hub: Hub, author: Observer, top: ThreadTop): Rule {
  if (isClosed(hub, top)) return "closed";
  if (top.author_id === author.xchanId || top.owner_id === author.xchanId) return "open";
  return top.item_wall === 1 ? ruleHere(top.comment_policy) : ruleElsewhere(hub, top.comment_policy);
}

/** The owner's limit decides, as it is now; a thread of its own kind is for connections besides. */
function ruleHere(policy: string): Rule {
  return policy === "specific" ? "acquainted" : "wall";
}

type Closing = Pick<ThreadTop, "item_nocomment" | "comment_policy" | "comments_closed">;

function isClosed(hub: Hub, top: Closing): boolean {
  const isOver = top.comments_closed !== zeroDate && hasCome(hub, top.comments_closed);
  return top.item_nocomment === 1 || top.comment_policy === "none" || isOver;
}

/** Who may comment on a thread of this hub, in the words of its policy, for others to know before they write. */
export function whoComments(hub: Hub, top: Closing): "owner" | "connections" | "everybody" {
  if (isClosed(hub, top)) return "owner";
  switch (top.comment_policy) {
    case "public":
    case "authenticated":
      return "everybody";
    case "contacts":
    case "any connections":
    case "specific":
    case "":
      return "connections";
    default:
      return "owner";
  }
}

/** A thread of somebody elsewhere: its policy word decides here, the owner's hub when the comment arrives there. */
function ruleElsewhere(hub: Hub, policy: string): Rule {
  switch (policy) {
    case "public":
    case "authenticated":
    case "network: red":
      return "open";
    case "self":
      return "nobody";
    case "contacts":
    case "specific":
    case "any connections":
    case "":
      return "grant";
    default:
      return policy === `site: ${hub.config.host}` ? "open" : "nobody";
  }
}

/** Those of the walls where the author may comment as usual, and whether the owner has approved them as a connection. */
async function wallsOpenTo(
  hub: Hub,
  author: Observer,
  tops: readonly ThreadTop[],
): Promise<Map<number, "anybody" | "acquainted">> {
  if (tops.length === 0) return new Map();
  const uid = sql.ref<number>("channel.channel_id");
  const approved = sql`exists (select 1 from abook ca where ca.abook_channel = ${uid} and ca.abook_xchan = ${author.hash}
    and ca.abook_pending = 0 and ca.abook_unconnected = 0)`;
  const rows = await hub.db
    .selectFrom("channel")
    .select(["channel_id", asFlag(approved).as("approved")])
    .where(
      isOneOf(
        hub.engine,
        uid,
        tops.map((top) => top.uid),
      ),
    )
    .where(allowed(author, "post_comments", uid))
    .execute();
  return new Map(rows.map((row) => [row.channel_id, row.approved === 1 ? "acquainted" : "anybody"]));
}

/** Those of the threads that a channel of this hub has, and reads no more; others are not let near them (`visibleTo`). */
async function leftBy<Top extends ThreadTop>(hub: Hub, author: Observer, tops: readonly Top[]): Promise<Set<Top>> {
  if (author.channelId <= 0) return new Set();
  return threadsLeft(
    hub,
    author,
    tops.filter((top) => top.item_private !== 0),
  );
}

async function grantingOwners(hub: Hub, author: Observer, tops: readonly ThreadTop[]): Promise<Set<number>> {
  if (tops.length === 0) return new Set();
  const owners = tops.map((top) => top.owner_id);
  const rows = await hub.db
    .selectFrom("abconfig")
    .innerJoin("xchan", "xchan.xchan_hash", "abconfig.xchan")
    .select("xchan.xchan_id")
    .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), owners))
    .where("abconfig.chan", "=", author.channelId)
    .where("abconfig.cat", "=", "their_perms")
    .where("abconfig.k", "=", "post_comments")
    .where("abconfig.v", "=", "1")
    .execute();
  return new Set(rows.map((row) => row.xchan_id));
}
