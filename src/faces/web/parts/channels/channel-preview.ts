import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { isNobody, nobody } from "../../../../domain/identity/channels/observer.ts";
import { isHiddenById } from "../../../../domain/identity/xchans/xchans.ts";
import { scales } from "../../../../domain/photos/scales.ts";
import { may } from "../../../../domain/permissions/may.ts";
import type { PageContent } from "../../answers.ts";
import type { PageContext } from "../../page.ts";
import type { Preview } from "../preview.ts";
import type { ChannelView } from "./channel-header.ts";

/** What the pages of a channel have for programs: its feed, where anybody may read one, and whose they are. */
export async function channelLinks(
  context: PageContext,
  view: ChannelView,
): Promise<Pick<PageContent, "feed" | "preview">> {
  return {
    ...((await hasFeed(context, view)) && { feed: `/feed/${view.channel.channel_address}` }),
    preview: () => channelPreview(context, view),
  };
}

async function channelPreview({ hub }: PageContext, { channel, profile }: ChannelView): Promise<Preview> {
  const picture = {
    url: `/photo/profile/l/${channel.channel_id}`,
    alt: "",
    width: scales.profileLarge.width,
    height: scales.profileLarge.height,
    isLarge: false,
  };
  const description = profile?.pdesc || profile?.summary || `${channel.channel_address}@${hub.config.host}`;
  return { kind: "profile", description, picture, unlisted: await isHiddenById(hub, channel.xchan_id) };
}

/** What others show of one thing of a channel, beside what it is: whose it is, and whether it shall be found. */
export async function partOfChannel(
  { hub }: PageContext,
  owner: Channel,
): Promise<Pick<Preview, "kind" | "unlisted" | "author">> {
  return {
    kind: "article",
    unlisted: await isHiddenById(hub, owner.xchan_id),
    author: { name: owner.channel_name, url: `${hub.config.baseUrl}/channel/${owner.channel_address}` },
  };
}

/** Feed readers are nobody, so there is a feed only of what anybody may see. */
async function hasFeed({ hub, site, observer }: PageContext, { channel, permissions }: ChannelView): Promise<boolean> {
  return isNobody(observer) ? permissions.view_stream : may(hub, nobody(site), "view_stream", channel.channel_id);
}
