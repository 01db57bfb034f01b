import { dateIn } from "../identity/records/portable-fields.ts";
import { isForeignId } from "../identity/xchans/foreign-ids.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { Abconfig, Abook } from "./types.ts";

/** Who follows whom in connections of exports, and when a mute ends: their records have no fields for that. */
type Directions = Pick<Abook, "follow_out" | "follow_in">;
type Others = Pick<Abook, "follow_out_id" | "follow_in_id" | "mute_ends">;

type Entry = Pick<Abconfig, "cat" | "k" | "v">;
type Marks = { [Name in "abook_self" | "abook_unconnected" | "abook_pending"]?: number | undefined };

const family = "hubbub";
const known: Readonly<Record<keyof Directions, readonly string[]>> = {
  follow_out: ["none", "requested", "accepted", "rejected"],
  follow_in: ["none", "pending", "accepted"],
};
const names = ["follow_out", "follow_in"] as const;
const idNames = ["follow_out_id", "follow_in_id"] as const;
const otherNames = [...idNames, "mute_ends"] as const;
const noOthers: Others = { follow_out_id: "", follow_in_id: "", mute_ends: zeroDate };

/** Directions and ids of follows as metadata of the connection; none where they are what everybody takes them for. */
export function directionEntries(row: Abook, abconfig: readonly Entry[]): Entry[] {
  const usual = { ...usualDirections(row, abconfig), ...noOthers };
  return [...names, ...otherNames].flatMap((k) => (row[k] === usual[k] ? [] : [{ cat: family, k, v: row[k] }]));
}

/** Is this such an entry? It is for imports alone, and not kept. */
export function isDirection({ cat, k, v }: Entry): boolean {
  if (cat !== family) return false;
  return (
    names.some((name) => name === k && known[name].includes(v)) ||
    (idNames.some((name) => name === k) && isForeignId(v)) ||
    (k === "mute_ends" && dateIn({ v }, "v", "") !== "")
  );
}

/** The directions, and ids of follows, of a connection that an export brings. */
export function directionsOf(row: Marks, abconfig: readonly Entry[]): Directions & Others {
  const exported = abconfig.filter(isDirection).map(({ k, v }) => [k, v] as const);
  const usual = { ...usualDirections(row, abconfig), ...noOthers };
  return { ...usual, ...(Object.fromEntries(exported) as Partial<Directions & Others>) };
}

/**
 * What nothing is said of: a native connection is mutual once the other side has granted anything; before that it was
 * asked for.
 */
function usualDirections(row: Marks, abconfig: readonly Entry[]): Directions {
  if (row.abook_self === 1 || row.abook_unconnected === 1) return { follow_out: "none", follow_in: "none" };
  if (row.abook_pending === 1) return { follow_out: "none", follow_in: "pending" };
  const answered = abconfig.some(({ cat, v }) => cat === "their_perms" && v === "1");
  return answered ? { follow_out: "accepted", follow_in: "accepted" } : { follow_out: "requested", follow_in: "none" };
}
