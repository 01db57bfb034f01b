import type { Caller } from "../../domain/identity/channel.ts";
import { ownCopyOf } from "../../domain/items/find.ts";
import { latestPublicStatus } from "../../domain/items/timelines.ts";
import type { StatusItem } from "../../domain/items/types.ts";
import { loadUsers } from "../../domain/people/users.ts";
import type { User } from "../../domain/people/users.ts";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Exchange } from "../../http/exchange.ts";
import { presentStatuses, statusObject } from "./present/status.ts";
import { presentUser } from "./present/user.ts";
import type { UserObject } from "./present/user.ts";
import { show } from "./shown.ts";
import type { Shown, Wanted } from "./shown.ts";

/** A person on the way to the presenter, with the newest public status unless it was not wanted. */
export type ShownUser = { user: User; latest: Shown | undefined };

/** Loads what a user object is made of. */
export async function showUser(
  hub: Hub,
  caller: Caller | undefined,
  id: number,
  wanted: Wanted & { skip_status: boolean },
  exchange: Exchange,
): Promise<ShownUser> {
  const item = wanted.skip_status ? undefined : await latest(hub, caller, id);
  const shown = item && (await show(hub, caller, [item], wanted, exchange));
  const user = shown?.page.users.get(id) ?? (await loadUsers(hub, caller?.channel, [id])).get(id);
  if (!user) throw missing("User");
  return { user, latest: shown };
}

/** By the caller's own copy, where there is one: its id is the one that timelines show. */
async function latest(hub: Hub, caller: Caller | undefined, id: number): Promise<StatusItem | undefined> {
  const item = await latestPublicStatus(hub, id);
  if (!item || !caller || item.uid === caller.channel.channel_id) return item;
  return (await ownCopyOf(hub, caller.channel.channel_id, item.message_id)) ?? item;
}

/** The part of a row that answers a user object. */
export const oneUser = {
  answer: "user object",
  present({ user, latest }: ShownUser): UserObject {
    const presented = presentUser(user);
    const [status] = latest ? presentStatuses(latest.page, latest.look) : [];
    // The user is around it already.
    return status ? { ...presented, status: { ...statusObject(status), user: undefined } } : presented;
  },
  xml: "user",
} as const;
