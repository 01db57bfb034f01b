import type { z } from "zod";
import type { Group } from "../../../domain/groups/groups.ts";
import type { List } from "../entities/account.ts";

/** Mastodon contract 11.18. */
export function presentList({ id, gname }: Group): z.infer<typeof List> {
  return { id: String(id), title: gname, replies_policy: "list", exclusive: false };
}
