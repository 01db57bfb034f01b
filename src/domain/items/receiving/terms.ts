import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { plainLine } from "../../bodies/names.ts";
import { isHere } from "../../identity/xchans/web-url.ts";
import { tagAddress } from "../content.ts";
import type { NewTerm } from "../content.ts";
import { termTypes } from "../vocabulary.ts";
import type { ReceivedPost } from "./received.ts";

/** So many tags and names of one post are kept of each kind; people of this hub come first. */
const most = 100;
const longest = 255;

/** The hashtags and mentions of a post. People who are known here are called by the names that they have here. */
export async function termsOf(hub: Hub, { hashtags, mentions }: ReceivedPost): Promise<NewTerm[]> {
  const tags = [...new Set(hashtags.map((tag) => plainLine(tag, longest)).filter((tag) => tag !== ""))];
  const people = await peopleAmong(
    hub,
    mentions.map(({ href }) => href),
  );
  const unknown = mentions.filter(({ href }) => !people.has(href));
  const byNick = await peopleHere(
    hub,
    unknown.flatMap(({ name }) => nickIn(hub, name) ?? []),
  );
  const named = mentions.map(({ href, name }) => {
    const known = people.get(href) ?? byNick.get(nickIn(hub, name) ?? "");
    const term = plainLine(known?.name ?? (name || href), longest);
    return { ttype: termTypes.mention, term, url: known?.url ?? href, isHere: known?.isHere ?? false };
  });
  const here = [...named.filter(({ isHere }) => isHere), ...named.filter(({ isHere }) => !isHere)].slice(0, most);
  return [
    ...here.map(({ ttype, term, url }) => ({ ttype, term, url })),
    ...tags.slice(0, most).map((term) => ({
      ttype: termTypes.hashtag,
      term,
      url: tagAddress(hub, term),
    })),
  ];
}

/** The nick in the address of somebody of this hub, `@nick@host`. */
function nickIn(hub: Hub, name: string): string | undefined {
  const address = name.trim().replace(/^@/, "");
  return /^[^@]+@/.test(address) && isHere(hub, address)
    ? address.slice(0, address.indexOf("@")).toLowerCase()
    : undefined;
}

/** Channels by their nicks: some hubs name their pages where others name their ids. */
async function peopleHere(hub: Hub, nicks: readonly string[]): Promise<Map<string, Known>> {
  if (nicks.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["channel_address as nick", "xchan_url as url", "xchan_name as name"])
    .where(isOneOf(hub.engine, sql.ref("channel_address"), nicks))
    .where("channel_removed", "=", 0)
    .execute();
  return new Map(rows.map(({ nick, ...person }) => [nick, { ...person, isHere: true }]));
}

type Known = { name: string; url: string; isHere: boolean };

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
    .execute();
  return new Map<string, Known>([
    ...elsewhere.map(({ id, ...person }) => [id, { ...person, isHere: false }] as const),
    ...here.map(({ id, ...person }) => [id, { ...person, isHere: true }] as const),
  ]);
}
