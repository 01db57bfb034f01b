import type { Group } from "../../../domain/groups/groups.ts";
import type { User } from "../../../domain/people/users.ts";
import { presentUser } from "../people/present-user.ts";
import type { UserObject } from "../people/present-user.ts";

/** A group with those of its members who are known. */
export type GroupAnswer = { group: Pick<Group, "id" | "gname">; users: User[] };

/** What became of a group, and the numbers that named no connection. */
export type GroupChange = GroupAnswer & { status: "ok" | "missing user" | "deleted"; wrong: number[] };

export type GroupRecord = { name: string; gid: number; user: UserObject[] };

/** Microblog contract 7.8. */
export function presentGroup({ group, users }: GroupAnswer): GroupRecord {
  return { name: group.gname, gid: group.id, user: users.map((user) => presentUser(user)) };
}

/** What became of a group, as one object. */
export function presentChange({ group, status, wrong }: GroupChange): object {
  return { success: true, gid: group.id, name: group.gname, status, "wrong users": wrong };
}
