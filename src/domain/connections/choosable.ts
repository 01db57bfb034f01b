import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { amongByName, firstByName } from "./by-name.ts";
import type { PeopleQuery } from "./by-name.ts";
import { peopleOf } from "./list.ts";
import type { ListedPerson } from "./list.ts";
import { isUnreached } from "./unreached.ts";

/** Whom the channel may choose for an audience, by their names; `more` says that these are not all. */
export function listPeople(
  hub: Hub,
  uid: number,
  query: PeopleQuery,
): Promise<{ people: ListedPerson[]; more: boolean }> {
  return firstByName(hub, peopleOf(hub, uid), query);
}

/** The same, of those who see another profile than the one with this guid. */
export function peopleWithoutProfile(
  hub: Hub,
  uid: number,
  guid: string,
  query: PeopleQuery,
): Promise<{ people: ListedPerson[]; more: boolean }> {
  return firstByName(hub, peopleOf(hub, uid).where("abook_profile", "!=", guid), query);
}

/** Those of these people, by hash, whom the channel may choose. */
export function choosableAmong(hub: Hub, uid: number, hashes: readonly string[]): Promise<ListedPerson[]> {
  return amongByName(hub, peopleOf(hub, uid), hashes);
}

/** The hashes of those whom the channel may choose by their addresses in small letters; who is at home here needs only a nick. */
export async function choosableByAddress(
  hub: Hub,
  uid: number,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const whole = new Map(addresses.map((one) => [one.includes("@") ? one : `${one}@${hub.config.host}`, one]));
  const found = await peopleOf(hub, uid)
    .where(isOneOf(hub.engine, sql`lower(xchan_addr)`, [...whole.keys()], "text"))
    .execute();
  return new Map(found.map((one) => [whole.get(one.xchan_addr.toLowerCase())!, one.xchan_hash]));
}

const mostUnreached = 1000;

/** The hashes of those whom the channel may choose, and whom nothing reaches that is posted here. */
export async function unreachedPeople(hub: Hub, uid: number): Promise<string[]> {
  const people = await peopleOf(hub, uid).where(isUnreached).orderBy("abook_id").limit(mostUnreached).execute();
  return people.map(({ xchan_hash }) => xchan_hash);
}
