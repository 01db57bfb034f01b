import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { guestNetworks } from "../identity/xchans/guest-hash.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { findKnown } from "./known-person.ts";

/** The person that a profile address or `nick@host` names, whatever its scheme, `www.` and trailing slash. */
export async function findByProfile(hub: Hub, profile: string): Promise<Xchan | undefined> {
  const bare = bareName(profile.trim());
  if (bare === "") return undefined;
  if (!bare.includes("/")) return findKnown(hub, 0, { address: bare });
  for (const url of urlsOf(bare)) {
    const found = await findKnown(hub, 0, { url });
    if (found) return found;
  }
  return undefined;
}

/** A nick or an address without what people and programs put in front: `acct:`, and the sign of a mention. */
export function bareName(text: string): string {
  return text.replace(/^(?:acct:)?@?/i, "");
}

/** The ways in which a profile's address may be written. */
export function urlsOf(profile: string): string[] {
  const path = profile
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^www\./i, "")
    .replace(/(?<!\/)\/+$/, "")
    .replace(/^[^/]+/, (host) => host.toLowerCase());
  return [`https://${path}`, `http://${path}`, `https://www.${path}`, `https://${path}/`];
}

const networks = ["zot", "activitypub", "gnusoc", "diaspora"];

/** The person of that nickname or full address: channels of this hub first, then the observer's connections, then anybody known. */
export async function findByNick(hub: Hub, observer: Observer, name: string): Promise<Xchan | undefined> {
  const nick = bareName(name);
  if (nick.includes("@")) return findKnown(hub, 0, { address: nick });
  const local = await findXchan(hub, { address: `${nick}@${hub.config.host}` });
  if (local?.xchan_deleted === 0) return local;
  const connected = observer.channelId > 0 ? await connectionByNick(hub, observer.channelId, nick) : undefined;
  return connected ?? anybodyByNick(hub, nick);
}

function byNick(nick: string) {
  const start = `${nick.toLowerCase()}@`;
  return sql<boolean>`lower(xchan_addr) >= ${start} and lower(xchan_addr) < ${start.slice(0, -1)} || 'A'`;
}

async function connectionByNick(hub: Hub, uid: number, nick: string): Promise<Xchan | undefined> {
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("abook", "abook.abook_xchan", "xchan.xchan_hash")
    .selectAll("xchan")
    .where("abook.abook_channel", "=", uid)
    .where("xchan.xchan_deleted", "=", 0)
    .where("xchan.xchan_hearsay", "=", 0)
    .where(byNick(nick))
    .orderBy("xchan.xchan_id")
    .execute();
  const rank = (row: Xchan): number =>
    networks.includes(row.xchan_network) ? networks.indexOf(row.xchan_network) : networks.length;
  return rows.toSorted((one, other) => rank(one) - rank(other))[0];
}

async function anybodyByNick(hub: Hub, nick: string): Promise<Xchan | undefined> {
  return hub.db
    .selectFrom("xchan")
    .selectAll()
    .where(byNick(nick))
    .where("xchan_deleted", "=", 0)
    .where("xchan_hearsay", "=", 0)
    .where("xchan_network", "not in", guestNetworks)
    .orderBy("xchan_id")
    .executeTakeFirst();
}
