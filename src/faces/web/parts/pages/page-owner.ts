import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import type { Lists } from "../../../../domain/files/types.ts";
import { parseList } from "../../../../domain/groups/lists.ts";
import type { Audience } from "../../../../domain/items/types.ts";
import { mayWritePages } from "../../../../domain/pages/may-write.ts";
import { missing } from "../../../../errors.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext, PageContext } from "../../page.ts";
import { loadFileAudience, readFileAudience } from "../items/audience.ts";
import type { AudienceChoice } from "../items/audience.ts";

/** Whose pages the address names, and what the visitor is to them. */
export type PageOwner = { owner: Channel; own: boolean; writes: boolean };

/** The channel that the address names. Throws missing. */
export async function loadOwner(context: PageContext): Promise<Channel> {
  const owner = await findChannelByNick(context.hub, context.params["nick"] ?? "");
  if (!owner) throw missing("Page");
  return owner;
}

/** The channel whose pages the visitor may look at, and perhaps write. Throws missing for an unknown channel. */
export async function loadPageOwner(context: PageContext): Promise<PageOwner> {
  const owner = await loadOwner(context);
  const { hub, member, observer } = context;
  const writes = member !== undefined && (await mayWritePages(hub, observer, owner));
  return { owner, own: observer.channelId === owner.channel_id, writes };
}

/** The same where only those come who may write. Throws missing for all others. */
export async function loadWriter(context: MemberContext): Promise<PageOwner> {
  const found = await loadPageOwner(context);
  if (!found.writes) throw missing("Page");
  return found;
}

/** Who may see a page or a wiki, to choose from; of a new one those who see the channel's posts. */
export function loadPageAudience(
  { hub }: PageContext,
  owner: Channel,
  lists: Lists | undefined,
  typed?: Fields,
): Promise<AudienceChoice> {
  const { channel_allow_cid: allow_cid, channel_allow_gid: allow_gid } = owner;
  return loadFileAudience(hub, owner, lists ?? { allow_cid, allow_gid }, typed);
}

/** The audience that a form names; whom the lists of an existing page deny stays denied. */
export async function readPageAudience(
  context: MemberContext,
  typed: Fields,
  owner: Channel,
  lists: Lists | undefined,
): Promise<Audience> {
  const { allow_cid, allow_gid } = await readFileAudience(context, typed, owner);
  const { deny_cid, deny_gid } = lists ?? { deny_cid: owner.channel_deny_cid, deny_gid: owner.channel_deny_gid };
  return { allow_cid, allow_gid, deny_cid: parseList(deny_cid), deny_gid: parseList(deny_gid) };
}
