import type { Hub } from "../../../hub.ts";
import { markOf } from "../metadata.ts";
import { answersElsewhere } from "../save.ts";

/** How many answers the hub of a message said that it has, when the message came; undefined where it said nothing. */
export async function countElsewhere(hub: Hub, messageId: number): Promise<number | undefined> {
  const said = await markOf(hub, messageId, answersElsewhere);
  return said === undefined ? undefined : Number(said);
}
