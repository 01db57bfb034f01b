import { linksForAll } from "../../../domain/bodies/links-for-all.ts";
import type { Group, WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { actorId, idsOf, personId } from "../ids.ts";
import { collectionOf } from "./conversation.ts";

export type Addressing = { to: string[]; cc: string[]; audience?: string };

/**
 * Whom an item goes to (federation contract 5, 6.3). Of those who are named one by one only `readers` are: whoever reads it
 * learns of nobody else for whom it is.
 */
export function addressing(hub: Hub, readers: readonly string[], written: WrittenHere): Addressing {
  const { to, cc } = addressedTo(hub, readers, written);
  if (!written.group) return { to, cc };
  const group = groupId(hub, written.group);
  // Others at the same hub need not know that a group elsewhere gets it, too.
  const isMeant = written.audience === "everybody" || "nick" in written.group || to.includes(group);
  if (!isMeant) return { to, cc };
  const all = written.audience === "everybody" ? [...to, group] : to;
  return { to: [...new Set(all)], cc: cc.filter((id) => id !== group), audience: group };
}

function groupId(hub: Hub, group: Group): string {
  return "nick" in group ? idsOf(hub, group.nick).actor : personId(group);
}

function addressedTo(hub: Hub, readers: readonly string[], written: WrittenHere): Addressing {
  const { audience, owner, top, nick, unlisted, group } = written;
  const { followers } = idsOf(hub, nick);
  const people = concerned(hub, readers, written).map(({ href }) => href);
  if (audience === "everybody") {
    const theirs = owner ? [owner.xchan_hash] : [idsOf(hub, top.nick ?? nick).followers];
    const others = [...new Set([followers, ...theirs, ...people])];
    if (unlisted) return { to: [followers], cc: [everybody, ...others.filter((one) => one !== followers)] };
    return { to: [everybody], cc: others };
  }
  // Its owner knows whom else the thread is for.
  if (owner) return { to: [owner.xchan_hash], cc: collectionOf(written) };
  if (audience === "people") return { to: [...readers], cc: [] };
  const whose = group && "nick" in group ? group.nick : (top.nick ?? nick);
  return { to: [idsOf(hub, whose).followers], cc: people };
}

/** Somebody whom it mentions, or answers. */
type Concerned = { href: string; name: string };

/** The people whom it mentions, and whose words it answers where they are elsewhere: that is how they learn of it. */
export function concerned(
  hub: Hub,
  readers: readonly string[],
  { item, page, parent, audience, owner, summoned }: WrittenHere,
): Concerned[] {
  const isShown = linksForAll(item.html);
  const ids = new Set([...page.mentioned].filter(([url]) => isShown(url)).map(([, id]) => id));
  const people = [...ids].flatMap((id) => page.users.get(id) ?? []);
  const found = people.map((person) => ({ href: actorId(hub, person), name: `@${person.xchan_addr}` }));
  // In a private thread that would make it a message to its owner.
  const isWhole = !owner || audience === "everybody";
  if (isWhole && parent?.nick === null && parent.author.xchan_network === "activitypub")
    found.push({ href: personId(parent.author), name: `@${parent.author.xchan_addr}` });
  if (!owner) found.push(...summoned.map(({ actor, address }) => ({ href: actor, name: `@${address}` })));
  const once = [...new Map(found.map((person) => [person.href, person])).values()];
  return audience === "people" && !owner ? once.filter(({ href }) => readers.includes(href)) : once;
}
