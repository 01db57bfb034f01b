import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { identityOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { guestNetworks } from "../identity/xchans/guest-hash.ts";
import { bareName, urlsOf } from "./find-person.ts";

/** Nobody is called by more than a line, or an address of this length. */
const longestName = 2048;

/** Comes after every character that a name can go on with. */
const last = "\u{10ffff}";

export type PeopleSearch = {
  count: number;
  skip?: number;
  /** Only those whose posts the observer's channel receives. */
  followed?: boolean;
};

/**
 * People by name, nickname, profile URL or address, in any case: those who are called exactly that, and for observers
 * with an identity those whose name begins with it, exact ones first. Who hides is found by those alone who know the
 * whole of it, and by nobody anonymous; a closed site shows nobody to them.
 */
export async function searchPeople(
  hub: Hub,
  observer: Observer,
  text: string,
  { count, skip = 0, followed = false }: PeopleSearch,
): Promise<number[]> {
  const wanted = text.trim();
  if (wanted === "" || wanted.length > longestName || !observer.seesPublic) return [];
  const named = identityOf(observer) !== undefined;
  const exact = sql`(${exactly(wanted)})`;
  const found = named ? sql`(${exactly(wanted)} union ${beginningWith(wanted)})` : exact;
  const rank = sql<number>`case when xchan_id in ${exact} then 0 else 1 end`;
  let people = hub.db
    .selectFrom("xchan")
    .select("xchan_id")
    .where(sql<SqlBool>`xchan_id in ${found}`)
    .where("xchan_deleted", "=", 0)
    .where("xchan_hearsay", "=", 0)
    .where("xchan_network", "not in", guestNetworks)
    .where(sql<SqlBool>`(xchan_hidden + xchan_censored = 0 or ${named ? sql`xchan_id in ${exact}` : sql`1 = 0`})`);
  if (followed) people = people.where(isFollowedBy(observer.channelId));
  const rows = await people
    .orderBy(rank)
    .orderBy(sql`lower(xchan_name)`)
    .orderBy("xchan_id")
    .limit(count)
    .offset(skip)
    .execute();
  return rows.map((row) => row.xchan_id);
}

function isFollowedBy(uid: number) {
  return sql<SqlBool>`xchan_hash in (select abook_xchan from abook where abook_channel = ${uid} and abook_self = 0
    and abook_pending = 0 and abook_blocked = 0 and abook_archived = 0 and follow_out = 'accepted')`;
}

function exactly(text: string) {
  const address = bareName(text.toLowerCase());
  const nick = `${address}@`;
  const names = spellings(text).map((name) => sql`select xchan_id from xchan where lower(xchan_name) = ${name}`);
  const urls = urlsOf(text).map((url) => sql`select xchan_id from xchan where xchan_url = ${url}`);
  return sql.join(
    [
      ...names,
      ...urls,
      sql`select xchan_id from xchan where lower(xchan_addr) = ${address}`,
      sql`select xchan_id from xchan where lower(xchan_addr) >= ${nick} and lower(xchan_addr) < ${`${nick.slice(0, -1)}A`}`,
    ],
    sql` union `,
  );
}

function beginningWith(text: string) {
  const from = text.toLowerCase();
  const ranges = spellings(text).map(
    (name) => sql`select xchan_id from xchan where lower(xchan_name) >= ${name} and lower(xchan_name) < ${name + last}`,
  );
  const nicks = sql`select xchan_id from xchan where lower(xchan_addr) >= ${from} and lower(xchan_addr) < ${from + last}`;
  return sql.join([...ranges, nicks], sql` union `);
}

/** How a name may be written: the databases fold only ASCII, so other letters are tried in all the usual ways. */
function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  const capitals = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const asciiFolded = [text, lower, text.toUpperCase(), capitals].map((name) =>
    name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  );
  return [...new Set(asciiFolded)];
}
