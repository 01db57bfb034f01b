import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import { isSameId, isSameOrigin } from "../../identity/xchans/foreign-ids.ts";
import { hostOf, isHere, isWebUrl } from "../../identity/xchans/web-url.ts";
import type { ReceivedPost } from "./received.ts";

type Mention = ReceivedPost["mentions"][number];

/** Somebody who is known here. */
type Known = { name: string; url: string; isHere: boolean };

/** Somebody whom a post mentions and nobody here knows: what it leads to, and the address by which they may be found. */
export type Unmatched = { href: string; address: string };

/** So many people of one post are asked for. */
const mostAskedFor = 5;
const longest = 255;

/** Whom the mentions mean, as far as that is known here: by what they lead to, else by their address. */
export async function peopleMentioned(hub: Hub, { mid, mentions }: ReceivedPost): Promise<Map<Mention, Known>> {
  const byId = await peopleAmong(
    hub,
    mentions.map(({ href }) => href),
  );
  const others = mentions.filter(({ href }) => !byId.has(href));
  const addresses = others.flatMap((mention) => addressIn(mention, mid)?.toLowerCase() ?? []);
  const byAddress = new Map([
    ...(await peopleAt(
      hub,
      addresses.filter((address) => !isHere(hub, address)),
    )),
    ...(await peopleHere(
      hub,
      addresses.filter((address) => isHere(hub, address)),
    )),
  ]);
  return new Map(
    mentions.flatMap((mention) => {
      const known = byId.get(mention.href) ?? byAddress.get(addressIn(mention, mid)?.toLowerCase() ?? "");
      return known ? [[mention, known] as const] : [];
    }),
  );
}

/**
 * Who can be asked for by their address. What is for some is no reason to ask anybody who has not got it: a hub would hear of whom others
 * write among themselves.
 */
export function unmatchedIn(
  hub: Hub,
  { mid, mentions, audience }: ReceivedPost,
  people: ReadonlyMap<Mention, Known>,
): Unmatched[] {
  const isTold = ({ href }: Mention): boolean =>
    audience.for !== "named" || audience.addresses.some((id) => isSameId(id, href));
  const found = mentions
    .filter((mention) => !people.has(mention) && isTold(mention))
    .flatMap((mention) => {
      const address = addressIn(mention, mid);
      return address === undefined || isHere(hub, address) ? [] : [[address, mention.href] as const];
    });
  return [...new Map(found)].slice(0, mostAskedFor).map(([address, href]) => ({ href, address }));
}

/** The address in the name of a mention, `@nick@host`; without a host it is of the hub of the post, if it leads there. */
function addressIn({ href, name }: Mention, mid: string): string | undefined {
  const said = name.trim().replace(/^@/, "");
  const address = !said.includes("@") && isSameOrigin(href, mid) ? `${said}@${new URL(mid).host}` : said;
  return hostOf(address) === undefined || address.length > longest || isWebUrl(address) ? undefined : address;
}

/** Channels by the nicks in these addresses: some hubs name their pages where others name their ids. */
async function peopleHere(hub: Hub, addresses: readonly string[]): Promise<Map<string, Known>> {
  if (addresses.length === 0) return new Map();
  const nickOf = (address: string): string => address.slice(0, address.indexOf("@"));
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["channel_address as nick", "xchan_url as url", "xchan_name as name"])
    .where(isOneOf(hub.engine, sql.ref("channel_address"), addresses.map(nickOf)))
    .where("channel_removed", "=", 0)
    .execute();
  const byNick = new Map(rows.map(({ nick, ...person }) => [nick, { ...person, isHere: true }]));
  return new Map(
    addresses.flatMap((address) => {
      const known = byNick.get(nickOf(address));
      return known ? [[address, known] as const] : [];
    }),
  );
}

/** Others who have been met, by their addresses. */
async function peopleAt(hub: Hub, addresses: readonly string[]): Promise<Map<string, Known>> {
  if (addresses.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select([sql<string>`lower(xchan_addr)`.as("address"), "xchan_url as url", "xchan_name as name"])
    .where(isOneOf(hub.engine, sql`lower(xchan_addr)`, addresses))
    .where("gone", "=", zeroDate)
    .execute();
  return new Map(rows.map(({ address, ...person }) => [address, { ...person, isHere: false }]));
}

/** By their ids: those of channels here are the addresses of their pages, those of others their identities. */
async function peopleAmong(hub: Hub, ids: readonly string[]): Promise<Map<string, Known>> {
  if (ids.length === 0) return new Map();
  const here = await hub.db
    .selectFrom("xchan")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["xchan_url as id", "xchan_url as url", "xchan_name as name"])
    .where(isOneOf(hub.engine, sql.ref("xchan_url"), ids))
    .where("channel_removed", "=", 0)
    .execute();
  const elsewhere = await hub.db
    .selectFrom("xchan")
    .select(["xchan_hash as id", "xchan_url as url", "xchan_name as name"])
    .where(isOneOf(hub.engine, sql.ref("xchan_hash"), ids))
    .where("xchan_hearsay", "=", 0)
    .execute();
  return new Map<string, Known>([
    ...elsewhere.map(({ id, ...person }) => [id, { ...person, isHere: false }] as const),
    ...here.map(({ id, ...person }) => [id, { ...person, isHere: true }] as const),
  ]);
}
