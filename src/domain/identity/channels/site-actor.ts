import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { oncePerHub } from "../../../caches.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { ChannelTable } from "../../../storage/tables/identity.ts";
import { identityHash, signWith } from "../xchans/signing.ts";
import { certain } from "../../../errors.ts";
import { setConfigs } from "./channel-config.ts";
import { families } from "./channel-settings.ts";
import { limits } from "./roles.ts";

/** No person can have this nick: theirs have no dots. */
export const siteNick = "instance.actor";

/** What others may know of the site's own channel. */
export type SiteActor = Pick<Selectable<ChannelTable>, (typeof columns)[number]>;

const columns = ["channel_id", "channel_created", "channel_pubkey", "channel_ed25519_pubkey"] as const;

/**
 * The channel in whose name the hub itself acts towards others (federation contract 1.1). It has keys, and copies of what is public
 * elsewhere, which everybody with a channel here may see (decision 162), and nothing else: no account, no profile, no identity
 * among people (`xchan`). So no list, search, count or log-in ever meets it. It is made when it is first asked for.
 */
export async function siteActor(hub: Hub): Promise<SiteActor> {
  return (await findSiteActor(hub)) ?? makeSiteActor(hub);
}

const known = oncePerHub((): { id?: number | undefined } => ({}));

/** The id of that channel, which stays the same. */
export async function siteChannelId(hub: Hub): Promise<number> {
  return (known(hub).id ??= (await siteActor(hub)).channel_id);
}

/** The same, or 0 as long as there is no such channel. */
export async function siteChannelIfMade(hub: Hub): Promise<number> {
  return (known(hub).id ??= (await findSiteActor(hub))?.channel_id) ?? 0;
}

/** The same in a statement, where no such channel may have been made yet. */
export const siteUid = sql<number>`(select site.channel_id from channel site where site.channel_address = ${sql.lit(siteNick)})`;

function findSiteActor(hub: Hub): Promise<SiteActor | undefined> {
  return hub.db.selectFrom("channel").select(columns).where("channel_address", "=", siteNick).executeTakeFirst();
}

/** Of several processes that start at once, one makes it. */
async function makeSiteActor(hub: Hub): Promise<SiteActor> {
  const { rsa, ed25519 } = await hub.makeKeys();
  const guid = randomBytes(64).toString("base64url");
  await inTransaction(hub, async (hub) => {
    const made = await hub.db
      .insertInto("channel")
      .values({
        channel_account_id: 0,
        channel_name: "",
        channel_address: siteNick,
        channel_guid: guid,
        channel_guid_sig: await signWith(rsa.privateKey, guid),
        channel_hash: identityHash(guid, rsa.publicKey),
        channel_pubkey: rsa.publicKey,
        channel_prvkey: rsa.privateKey,
        channel_ed25519_pubkey: ed25519.publicKey,
        channel_ed25519_prvkey: ed25519.privateKey,
        channel_system: sql.lit(1),
        channel_created: now(hub),
        channel_updated: now(hub),
      })
      .onConflict((conflict) => conflict.column("channel_address").doNothing())
      .returning("channel_id")
      .executeTakeFirst();
    if (made) await setConfigs(hub, made.channel_id, families.limits, { view_stream: limits.site });
  });
  return certain(await findSiteActor(hub), "site actor");
}
