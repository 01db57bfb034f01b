import { z } from "zod";
import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { findShown } from "../../../domain/items/find.ts";
import type { Item } from "../../../domain/items/types.ts";
import type { Hub } from "../../../hub.ts";
import { id } from "../parameters.ts";
import { showStatuses } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";

/** The parameter of rows about one status. */
export const statusId = z.object({ id: id("Id of the post, of any copy that the caller may see.") });

/** The status with this id, on its way to the presenter. Throws missing. */
export async function showOne(hub: Hub, anybody: Pick<Anybody, "observer">, id: number): Promise<StatusAnswers> {
  const item = await findShown(hub, anybody.observer, { id });
  return showStatuses(hub, anybody, [item], { named: namedBy(item, id) });
}

/** A message that was named by another copy is answered by the id that it was named by (mastodon contract 5.2). */
export function namedBy(item: Pick<Item, "message_id">, id: number): ReadonlyMap<number, number> {
  return new Map([[item.message_id, id]]);
}
