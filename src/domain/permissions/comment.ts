import { refusal } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/channel.ts";
import { may } from "./may.ts";

/** What is known of the top of a thread, on the owner's wall where that is here. */
export type ThreadTop = {
  uid: number;
  author_id: number;
  owner_id: number;
  item_wall: number;
  item_nocomment: number;
  comment_policy: string;
  comments_closed: string;
};

/**
 * Native contract 3.7 for an author who can see the thread. Throws denied, with the reason `comments_closed`
 * when the thread takes no more comments from anybody.
 */
export async function mayComment(hub: Hub, author: Channel, top: ThreadTop): Promise<void> {
  if (isClosed(hub, top)) throw refusal("comments_closed");
  if (top.author_id === author.xchan_id || top.owner_id === author.xchan_id) return;
  const allowed =
    top.item_wall === 1
      ? await may(hub, observerOf(author), "post_comments", top.uid)
      : await coveredElsewhere(hub, author, top);
  if (!allowed) throw refusal("permission_denied");
}

type Closing = Pick<ThreadTop, "item_nocomment" | "comment_policy" | "comments_closed">;

function isClosed(hub: Hub, top: Closing): boolean {
  const isOver = top.comments_closed !== zeroDate && top.comments_closed <= now(hub);
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
async function coveredElsewhere(hub: Hub, author: Channel, top: ThreadTop): Promise<boolean> {
  switch (top.comment_policy) {
    case "public":
    case "authenticated":
    case "network: red":
      return true;
    case "self":
      return false;
    case "contacts":
    case "specific":
    case "any connections":
    case "":
      return grantedByOwner(hub, author, top.owner_id);
    default:
      return top.comment_policy === `site: ${hub.config.host}`;
  }
}

async function grantedByOwner(hub: Hub, author: Channel, ownerId: number): Promise<boolean> {
  const row = await hub.db
    .selectFrom("abconfig")
    .innerJoin("xchan", "xchan.xchan_hash", "abconfig.xchan")
    .select("abconfig.v")
    .where("xchan.xchan_id", "=", ownerId)
    .where("abconfig.chan", "=", author.channel_id)
    .where("abconfig.cat", "=", "their_perms")
    .where("abconfig.k", "=", "post_comments")
    .executeTakeFirst();
  return row?.v === "1";
}
