import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { formatList, parseList } from "../groups/lists.ts";
import { findGroup } from "../groups/groups.ts";
import type { Lists } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { limits } from "../identity/channels/roles.ts";
import { limitOf } from "../identity/channels/channel-role.ts";
import type { Audience, ItemRow } from "./types.ts";
import type { Listed } from "../identity/records/name-successor.ts";

/** The fields of an item row that say who may see it and who may answer. */
export type Scope = Pick<ItemRow, keyof Lists | "public_policy" | "comment_policy" | "item_private">;

/** The scope word of a limit; `public` where anybody may. */
export function scopeWord(hub: Hub, limit: number): string {
  switch (limit) {
    case limits.public:
      return "public";
    case limits.network:
      return "network: red";
    case limits.site:
      return `site: ${hub.config.host}`;
    case limits.contacts:
    case limits.specific:
      return "contacts";
    case limits.authenticated:
      return "authenticated";
    case limits.anyConnections:
      return "any connections";
    default:
      return "self";
  }
}

/** The scope word of the limit for looking at the channel's pages. */
export async function scopeOfPages(hub: Hub, { channel_id }: Channel): Promise<string> {
  return scopeWord(hub, await limitOf(hub, channel_id, "view_pages"));
}

const widths = ["self", "contacts", "any connections", "site: ", "network: red", "authenticated", "public"];

function width(word: string): number {
  if (word === "specific") return widths.indexOf("contacts");
  return widths.findIndex((scope) => (scope === "site: " ? word.startsWith(scope) : scope === word));
}

/** The narrower of the scope that was asked for and the one that the channel's limit allows. Throws invalid for an unknown word. */
export function narrowerScope(asked: string | undefined, allowed: string): string {
  if (asked === undefined || asked === "") return allowed;
  if (width(asked) < 0) throw refusal("scope_unknown");
  return width(asked) < width(allowed) ? asked : allowed;
}

/**
 * The word for who may answer: the usual one, which only tells what the wall's limit is, or that of a thread which is for connections
 * whatever the limit becomes (native contract 3.7).
 */
export function commentScope(usual: string, asked: "connections" | undefined): string {
  return asked && width("specific") <= width(usual) ? "specific" : usual;
}

/** Lists that name nobody: what they go with is then for everybody. */
export const nobody: Readonly<Audience> = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };

/** The channel's default audience. */
export function defaultAudience(channel: Channel): Audience {
  return {
    allow_cid: parseList(channel.channel_allow_cid),
    allow_gid: parseList(channel.channel_allow_gid),
    deny_cid: parseList(channel.channel_deny_cid),
    deny_gid: parseList(channel.channel_deny_gid),
  };
}

/** The audience that stored lists name. */
export function audienceIn({ allow_cid, allow_gid, deny_cid, deny_gid }: Lists): Audience {
  return {
    allow_cid: parseList(allow_cid),
    allow_gid: parseList(allow_gid),
    deny_cid: parseList(deny_cid),
    deny_gid: parseList(deny_gid),
  };
}

/** The lists of an audience in their stored form. */
export function storedLists({ allow_cid, allow_gid, deny_cid, deny_gid }: Audience): Lists {
  return {
    allow_cid: formatList(allow_cid),
    allow_gid: formatList(allow_gid),
    deny_cid: formatList(deny_cid),
    deny_gid: formatList(deny_gid),
  };
}

/**
 * Replaces group ids by hashes and refuses groups that are not the channel's (native contract 1.6).
 * Throws invalid: a list that cannot be read must never become an empty one.
 */
export async function checkAudience(hub: Hub, channel: Channel, audience: Audience): Promise<Audience> {
  return {
    ...audience,
    allow_gid: await checkGroups(hub, channel, audience.allow_gid, "group_allow"),
    deny_gid: await checkGroups(hub, channel, audience.deny_gid, "group_deny"),
  };
}

async function checkGroups(hub: Hub, channel: Channel, groups: string[], field: string): Promise<string[]> {
  const hashes: string[] = [];
  for (const group of groups) {
    if (group.startsWith("vp.")) {
      hashes.push(group);
      continue;
    }
    const found =
      (await findGroup(hub, channel.channel_id, { hash: group })) ??
      (/^\d{1,15}$/.test(group) ? await findGroup(hub, channel.channel_id, { id: Number(group) }) : undefined);
    if (!found || found.deleted === 1) throw refusal("unknown_audience", { what: "group", field });
    hashes.push(found.hash);
  }
  return hashes;
}

/** The scope fields of a new thread: lists replace the scope word, and whatever restricts makes the item private. */
export function scopeOf(audience: Audience, scope: string, commentPolicy: string): Scope {
  const lists = storedLists(audience);
  const listed = Object.values(lists).some((list) => list !== "");
  const policy = listed || scope === "public" ? "" : scope;
  return {
    ...lists,
    public_policy: policy,
    comment_policy: commentPolicy,
    item_private: listed || policy !== "" ? 1 : 0,
  };
}

/** The scope fields of what these people see and nobody else, and nobody may answer. */
export function onlyFor(...hashes: readonly string[]): Scope {
  return scopeOf({ allow_cid: [...hashes], allow_gid: [], deny_cid: [], deny_gid: [] }, "self", "none");
}

/** Is it an answer for nobody but the owner of its thread, by their own copy? It is handed on to nobody. */
export function isWhispered(
  { allow_cid, item_thread_top }: Pick<ItemRow, "allow_cid" | "item_thread_top">,
  { channel_hash }: Pick<Channel, "channel_hash">,
): boolean {
  return item_thread_top === 0 && allow_cid === onlyFor(channel_hash).allow_cid;
}

/** A comment has the audience of its thread, whatever it asks for. */
export function inheritedScope(top: ItemRow): Scope {
  const { allow_cid, allow_gid, deny_cid, deny_gid, public_policy, comment_policy, item_private } = top;
  return { allow_cid, allow_gid, deny_cid, deny_gid, public_policy, comment_policy, item_private };
}

/** Who sees what stands on a wall, and pages; received copies have lists of somebody else. */
export const listedItems: Listed = {
  table: "item",
  id: "id",
  uid: "uid",
  date: "created",
  only: sql<SqlBool>`item_deleted = 0 and (item_wall = 1 or item_type > 0)`,
};
