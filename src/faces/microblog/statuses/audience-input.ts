import type { z } from "zod";
import { hashesOfPeople } from "../../../domain/connections/connections.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { checkAudience, nobody } from "../../../domain/items/audience.ts";
import type { Audience } from "../../../domain/items/types.ts";
import type { Hub } from "../../../hub.ts";
import { accessList } from "../parameters.ts";

/** The four access lists of photos and events. */
export const audienceInput = {
  allow_cid: accessList("Ids of the connections who may see it."),
  deny_cid: accessList("Ids of the connections who may not see it."),
  allow_gid: accessList("Ids of the groups that may see it."),
  deny_gid: accessList("Ids of the groups that may not see it."),
};

type Sent = { [Name in keyof typeof audienceInput]?: z.output<(typeof audienceInput)[Name]> };

/** Those of the four lists that were sent, in hashes; undefined when none was. Throws invalid (`unknown_audience`). */
export async function audienceIn(hub: Hub, channel: Channel, input: Sent): Promise<Partial<Audience> | undefined> {
  const { allow_cid, deny_cid, allow_gid, deny_gid } = input;
  if (!allow_cid && !deny_cid && !allow_gid && !deny_gid) return undefined;
  const people = (entries: string[], field: string) => hashesOfPeople(hub, channel.channel_id, entries, field);
  const groups = await checkAudience(hub, channel, { ...nobody, allow_gid: allow_gid ?? [], deny_gid: deny_gid ?? [] });
  return {
    ...(allow_cid && { allow_cid: await people(allow_cid, "allow_cid") }),
    ...(deny_cid && { deny_cid: await people(deny_cid, "deny_cid") }),
    ...(allow_gid && { allow_gid: groups.allow_gid }),
    ...(deny_gid && { deny_gid: groups.deny_gid }),
  };
}
