import { unreachedPeople } from "../../../../domain/connections/connections.ts";
import type { ListedPerson } from "../../../../domain/connections/connections.ts";
import { countInGroups } from "../../../../domain/groups/count-in-groups.ts";
import type { Group } from "../../../../domain/groups/groups.ts";
import { scatteredPeople } from "../../../../domain/groups/scattered.ts";
import type { Scattered } from "../../../../domain/groups/scattered.ts";
import type { Hub } from "../../../../hub.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html } from "../../page.ts";
import type { Choosable } from "../connections/people-choice.ts";

/** Whom a post does not reach, or not with all that others answer. */
export type Reach = {
  /** Whose hubs do not show them what others answer. */
  scattered: Scattered;
  /** Does nothing reach some of the connections? */
  misses: boolean;
  /** Of each group, how many of how many nothing reaches. */
  unreached: Map<number, { count: number; total: number }>;
};

export async function loadReach(hub: Hub, uid: number): Promise<Reach> {
  const [scattered, missed] = await Promise.all([scatteredPeople(hub, uid), unreachedPeople(hub, uid)]);
  return { scattered, misses: missed.length > 0, unreached: await countInGroups(hub, uid, missed) };
}

/** Said before anything is sent, because afterwards it cannot be helped. */
export function warnings(say: Say, reach: Reach | undefined): Html {
  return html`${reach?.scattered.people.size ? html`<p class="hint">${say("composer.audience-scattered")}</p>` : ""}
  ${reach?.misses ? html`<p class="hint">${say("composer.audience-unreached")}</p>` : ""}`;
}

/** Of a group: whom nothing reaches, and which servers do not keep it together. */
export function aboutGroup(say: Say, reach: Reach | undefined, { id }: Group): { hint: string } | undefined {
  const missed = reach?.unreached.get(id);
  const hosts = reach?.scattered.groups.get(id);
  const said = [
    ...(missed ? [say("composer.unreached-among", missed)] : []),
    ...(hosts ? [scatteredAt(say, hosts)] : []),
  ];
  return said.length === 0 ? undefined : { hint: said.join("; ") };
}

/** Somebody to tick, with their address and the same of them. */
export function choosable(
  say: Say,
  reach: Pick<Reach, "scattered"> | undefined,
  { xchan_hash: hash, xchan_name: name, xchan_addr: address, unreached }: ListedPerson,
): Choosable {
  if (reach && unreached === 1) return { hash, name, about: say("composer.unreached-person", { address }) };
  const isScattered = reach?.scattered.people.has(hash) ?? false;
  return { hash, name, about: isScattered ? say("composer.scattered-person", { address }) : address };
}

function scatteredAt(say: Say, hosts: ReadonlySet<string>): string {
  const [first, second, third, ...others] = [...hosts].toSorted();
  const named = [first, second, third].filter((host) => host !== undefined).join(", ");
  return others.length > 0
    ? say("composer.scattered-at-more", { hosts: named, count: others.length })
    : say("composer.scattered-at", { hosts: named });
}
