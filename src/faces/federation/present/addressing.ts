import type { Observer } from "../../../domain/identity/channels/observer.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { User } from "../../../domain/people/users.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { actorId, idsOf } from "../ids.ts";

/** Whom an item goes to (federation contract 5). Whoever reads one for named people learns of nobody else for whom it is. */
export function addressing(hub: Hub, observer: Observer, written: WrittenHere): { to: string[]; cc: string[] } {
  const { followers } = idsOf(hub, written.nick);
  const people = mentioned(written).map((person) => actorId(hub, person));
  if (written.audience === "everybody") return { to: [everybody], cc: [followers, ...people] };
  if (written.audience === "people") return { to: [observer.hash], cc: [] };
  return { to: [idsOf(hub, written.top.nick ?? written.nick).followers], cc: people };
}

/** The people whom it mentions. */
export function mentioned({ page }: WrittenHere): User[] {
  const ids = new Set(page.mentioned.values());
  return [...ids].flatMap((id) => page.users.get(id) ?? []);
}
