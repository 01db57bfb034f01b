import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { latestPublicStatuses } from "../../../domain/items/timelines/latest-statuses.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { withClaims } from "../../../domain/people/foreign-person.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import type { User } from "../../../domain/people/users.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { presentStatuses, statusObject } from "../statuses/present-status.ts";
import { presentUser } from "./present-user.ts";
import type { UserObject } from "./present-user.ts";
import { show } from "../statuses/status-answers.ts";
import type { StatusAnswers, Wanted } from "../statuses/status-answers.ts";

/** People on the way to the presenter, with the newest public status of each unless those were not wanted. */
export type UserAnswers = { users: User[]; latest: StatusAnswers | undefined; withoutEntities: boolean };

/** What a row says about the statuses in user objects. */
export type WantedOfUsers = Wanted & { skip_status: boolean; include_user_entities?: boolean | undefined };

/** User objects carry a status only where the contract says so (microblog contract 7.1). */
export const noStatus: WantedOfUsers = { skip_status: true, include_entities: false };

/** Loads what user objects are made of, in the order of the ids, in a fixed number of queries; unknown ids are left out. */
export async function showUsers(
  hub: Hub,
  caller: Anybody,
  ids: readonly number[],
  wanted: WantedOfUsers,
  exchange: Exchange,
): Promise<UserAnswers> {
  const withoutEntities = wanted.include_user_entities === false;
  if (ids.length === 0) return { users: [], latest: undefined, withoutEntities };
  const users = await loadUsers(hub, caller.observer, [...ids]);
  const statuses = wanted.skip_status
    ? new Map<number, StatusItem>()
    : await latestPublicStatuses(hub, caller.observer, ids);
  const latest = statuses.size === 0 ? undefined : await show(hub, caller, [...statuses.values()], wanted, exchange);
  return { users: ids.flatMap((id) => users.get(id) ?? []), latest, withoutEntities };
}

/** The same for one person, who is described as far as they are known. Throws missing. */
export async function showUser(
  hub: Hub,
  caller: Anybody,
  id: number,
  wanted: WantedOfUsers,
  exchange: Exchange,
): Promise<UserAnswers> {
  const shown = await showUsers(hub, caller, [id], wanted, exchange);
  const [user] = shown.users;
  if (!user) throw missing("User");
  return { ...shown, users: [await withClaims(hub, user)] };
}

/** The user objects, each with its status. */
export async function presentUsers({ users, latest, withoutEntities }: UserAnswers): Promise<UserObject[]> {
  const statuses = new Map<number, object>();
  for (const status of latest ? await presentStatuses(latest.page, latest.options) : []) {
    // The user is around it already.
    if (status.people.user) statuses.set(status.people.user.id, { ...statusObject(status), user: undefined });
  }
  return users.map((user) => {
    const shown = { ...presentUser(user), status: statuses.get(user.xchan_id) };
    return withoutEntities ? { ...shown, entities: undefined } : shown;
  });
}

/** The part of a row that answers a user object. */
export const oneUser = {
  answer: "User",
  present: async (shown: UserAnswers): Promise<UserObject> => (await presentUsers(shown))[0]!,
  xml: "user",
} as const;

/** The part of a row that answers several. */
export const manyUsers = { answer: "User[]", present: presentUsers, xml: "users" } as const;
