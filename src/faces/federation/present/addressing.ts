import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { User } from "../../../domain/people/users.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { actorId, idsOf } from "../ids.ts";

/** Whom a public item goes to (federation contract 5). */
export function addressing(hub: Hub, written: WrittenHere): { to: string[]; cc: string[] } {
  const { followers } = idsOf(hub, written.nick);
  return { to: [everybody], cc: [followers, ...mentioned(written).map((person) => actorId(hub, person))] };
}

/** The people whom it mentions. */
export function mentioned({ page }: WrittenHere): User[] {
  const ids = new Set(page.mentioned.values());
  return [...ids].flatMap((id) => page.users.get(id) ?? []);
}
