import { limits } from "../../src/domain/identity/channels/roles.ts";
import { foreigner, isElsewhere, isGuest, people } from "./random-world.ts";
import type { World, WorldItem } from "./random-world.ts";

/** Native contract 3.4 and 3.5 said once more, rule by rule, without any SQL. `who` undefined: anonymous. */

export function oracleAllows(world: World, uid: number, someone: number | undefined, permission: string): boolean {
  const who = atHome(world, uid, someone);
  const holdsToken = who !== undefined && isGuest(who);
  const channel = world.channels[uid];
  const limit = channel?.limits[permission] ?? 0;
  const writes = !permission.startsWith("view_");
  const connection = world.connections.find((row) => row.from === uid && row.to === who);
  if (!channel || channel.removed) return false; // 1
  if (connection?.blocked) return false; // 2
  if (writes && channel.moved) return false; // 6: a channel that moved away is read-only, for others, too
  if (who === uid) return true; // 6, before 3
  if (who !== undefined && limit === limits.authenticated) return !(connection?.ignored && writes); // 3
  if (connection?.ignored && writes) return false; // 4
  if (who === undefined && world.blockPublic) return false; // 5
  if (limit === limits.public) return true; // 7
  if (who === undefined) return false; // 8
  if (limit === limits.network) return !isElsewhere(who) && !holdsToken; // 9
  if (limit === limits.site) return !isElsewhere(who) && !holdsToken; // 10
  const grants = holdsToken ? world.guests[who - people]!.grants : (connection?.grants ?? []);
  const granted = limit === limits.specific && grants.includes(permission);
  if (!connection && !holdsToken) return granted; // 11
  if (limit === limits.anyConnections) return true; // 12
  if (connection?.pending) return false; // 13
  if (limit === limits.contacts) return !holdsToken; // 14
  return granted; // 15, 16
}

/** What one sees of each kind by which permission; comments below a photo are conversation. */
const shownBy: Record<string, readonly WorldItem["kind"][]> = {
  view_stream: ["conversation", "wiki", "photo"],
  view_pages: ["page"],
  view_wiki: ["wiki"],
  view_storage: ["conversation", "wiki", "photo"],
};

/**
 * The pages of a wiki are unpublished, and a wiki that was not announced is hidden, as is a photo that nobody has answered:
 * streams do not show them.
 */
function harmlessFlaws(item: WorldItem, permission: string): readonly string[] {
  if (permission === "view_wiki") return ["", "item_hidden", "item_unpublished"];
  return permission === "view_storage" && item.kind === "photo" ? ["", "item_hidden"] : [""];
}

/** A guest is somebody at the channel that gave the key, and nobody elsewhere. */
function atHome(world: World, uid: number, who: number | undefined): number | undefined {
  return who !== undefined && isGuest(who) && world.guests[who - people]!.of !== uid ? undefined : who;
}

export function oracleSees(world: World, item: WorldItem, someone: number | undefined, permission: string): boolean {
  const who = atHome(world, item.uid, someone);
  if (who === item.uid) return true;
  if (!shownBy[permission]!.includes(item.kind) || !harmlessFlaws(item, permission).includes(item.flaw)) return false;
  if (isSaidTo(world, item, who, permission)) return true;
  if (!oracleAllows(world, item.uid, who, permission)) return false;
  if (item.private === 0) return true;
  if (who === undefined || !item.wall) return false;
  if (inLists(world, item, who, item.denyPeople, item.denyGroups)) return false;
  if (inLists(world, item, who, item.allowPeople, item.allowGroups)) return true;
  if (item.allowPeople.length > 0 || item.allowGroups.length > 0) return false;
  const connection = world.connections.find((row) => row.from === item.uid && row.to === who);
  if (item.denyPeople.length > 0 || item.denyGroups.length > 0) return connection !== undefined && !connection.pending;
  switch (item.policy) {
    case "authenticated":
      return true;
    case "network: red":
    case "site: hub.example":
      return !isElsewhere(who) && !isGuest(who);
    case "any connections":
      return connection !== undefined;
    case "contacts":
    case "specific":
      return connection !== undefined && !connection.pending;
    default:
      return false;
  }
}

/** What was sent into a private thread of elsewhere is for whom that is (federation contract 6.3), but not for who is blocked. */
function isSaidTo(world: World, { uid, wall, said, ...item }: WorldItem, who: number | undefined, permission: string) {
  if (who !== foreigner || permission !== "view_stream" || item.private === 0 || wall) return false;
  const blocked = world.connections.some((row) => row.from === uid && row.to === who && row.blocked);
  return (said === "owner" || said === "named") && !blocked && !world.channels[uid]!.removed;
}

/** The four lists alone, without permission and scope word: files, photos, events. */
export function oracleAdmits(world: World, item: WorldItem, someone: number | undefined): boolean {
  const who = atHome(world, item.uid, someone);
  const lists = [item.allowPeople, item.allowGroups, item.denyPeople, item.denyGroups];
  if (who === item.uid || lists.every((list) => list.length === 0)) return true;
  if (who === undefined || inLists(world, item, who, item.denyPeople, item.denyGroups)) return false;
  if (inLists(world, item, who, item.allowPeople, item.allowGroups)) return true;
  if (item.allowPeople.length > 0 || item.allowGroups.length > 0) return false;
  return world.connections.some((row) => row.from === item.uid && row.to === who && !row.pending);
}

function inLists(world: World, item: WorldItem, who: number, listed: number[], groups: string[]): boolean {
  if (listed.includes(who)) return true;
  return groups.some((name) => {
    if (name.startsWith("vp.")) {
      return world.connections.some(
        (row) => row.from === item.uid && row.to === who && !row.pending && `vp.${row.profile}` === name,
      );
    }
    const group = world.groups[Number(name.slice(1))];
    return group !== undefined && !group.deleted && group.uid === item.uid && group.members.includes(who);
  });
}
