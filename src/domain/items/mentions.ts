import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import type { FoundMention } from "../bodies/tags.ts";
import { findGroup } from "../groups/groups.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Draft } from "./types.ts";

/** Whom a mention means: a person, or one of the author's own privacy groups. */
export type Mentioned = { url: string; name: string; hash: string; xchanId: number; group?: string };

const most = 50;

/** Finds whom the mentions mean, first hit wins; with `ownNicks` a nick is looked for on this hub first. At most 50 are looked at. */
export async function resolveMentions(
  hub: Hub,
  channel: Channel,
  found: FoundMention[],
  { ownNicks = false }: Pick<Draft, "ownNicks"> = {},
): Promise<Map<FoundMention, Mentioned>> {
  const resolved = new Map<FoundMention, Mentioned>();
  for (const mention of found.slice(0, most)) {
    const hit =
      (ownNicks ? await findNick(hub, mention) : undefined) ??
      (await findPerson(hub, channel, mention)) ??
      (mention.private ? await findOwnGroup(hub, channel, mention) : undefined);
    if (hit) resolved.set(mention, hit);
  }
  return resolved;
}

/** The channel of this hub with that nick; nicks have no signs that names have. */
async function findNick(hub: Hub, { form, name }: FoundMention): Promise<Mentioned | undefined> {
  if (form !== "name" || !/^[\w-]+$/.test(name)) return undefined;
  return first(
    people(hub)
      .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
      .where("channel.channel_address", "=", name.toLowerCase())
      .where("channel.channel_removed", "=", 0),
  );
}

async function findPerson(hub: Hub, channel: Channel, mention: FoundMention): Promise<Mentioned | undefined> {
  if (mention.name === "") return undefined;
  if (mention.form === "address")
    return first(
      people(hub).where((x) =>
        x.or([x(sql`lower(xchan_addr)`, "=", mention.name.toLowerCase()), x("xchan_url", "=", mention.name)]),
      ),
    );
  const connections = people(hub)
    .innerJoin("abook", "abook.abook_xchan", "xchan.xchan_hash")
    .where("abook.abook_channel", "=", channel.channel_id);
  if (mention.form === "connection") return first(connections.where("abook.abook_id", "=", mention.connectionId ?? 0));
  const name = mention.form === "name" ? mention.name.replaceAll("_", " ") : mention.name;
  const byName = await first(
    connections.where((x) => x.or([x("xchan_name", "=", name), x("xchan_name", "=", mention.name)])),
  );
  if (byName || mention.form === "fullname") return byName;
  if (mention.name.includes("@"))
    return first(people(hub).where(sql`lower(xchan_addr)`, "=", mention.name.toLowerCase()));
  const start = `${mention.name.toLowerCase()}@`;
  return first(connections.where(sql`substr(lower(xchan_addr), 1, ${start.length})`, "=", start));
}

function people(hub: Hub) {
  return hub.db
    .selectFrom("xchan")
    .select(["xchan_id as xchanId", "xchan_hash as hash", "xchan_name as name", "xchan_url as url"])
    .where("xchan_deleted", "=", 0)
    .where("xchan_hearsay", "=", 0)
    .orderBy("xchan_id")
    .limit(1);
}

function first(query: { executeTakeFirst(): Promise<Mentioned | undefined> }): Promise<Mentioned | undefined> {
  return query.executeTakeFirst();
}

/** Only a group whose members may see who is in it can be mentioned. */
async function findOwnGroup(hub: Hub, channel: Channel, mention: FoundMention): Promise<Mentioned | undefined> {
  const group = await findGroup(hub, channel.channel_id, { name: mention.name });
  if (!group || group.visible === 0 || group.deleted === 1) return undefined;
  const url = `${hub.config.baseUrl}/group/${group.id}`;
  return { url, name: group.gname, hash: "", xchanId: 0, group: group.hash };
}
