import type { z } from "zod";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { withUploads } from "../../../domain/photos/uploads.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import type { Draft, Item } from "../../../domain/items/types.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { mediaIdIn, mediaInput, sentMedia } from "../media/media-input.ts";
import { accessList } from "../parameters.ts";

/** What `statuses/update` takes of media. */
export const updateMediaInput = {
  ...mediaInput,
  media_ids: accessList("Ids of up to ten uploads; they win over files that come along."),
};

type UpdateMedia = { [name in keyof typeof updateMediaInput]?: z.output<(typeof updateMediaInput)[name]> };

const most = 10;

/** Posts the draft with the media of the request: those that were uploaded before, else the files that came with it. */
export async function postWithMedia(
  hub: Hub,
  channel: Channel,
  draft: Draft,
  { media, media_data, media_ids = [] }: UpdateMedia,
  exchange: Exchange,
): Promise<Item> {
  // Whoever reads the post sees what is in it, in the threads of others too.
  const shared: Draft = { ...draft, sharesFiles: true };
  if (media_ids.length > 0) {
    refuseMore(new Set(media_ids).size);
    return postItem(hub, channel, { ...shared, mediaIds: media_ids.map(mediaIdIn) });
  }
  const sent = await sentMedia(hub, exchange, { media_data, media });
  refuseMore(sent.length);
  const files = sent.map((one) => ({ ...one, refuses: "false images" as const }));
  return withUploads(hub, channel, files, (prepared) => postItem(hub, channel, { ...shared, media: prepared }));
}

function refuseMore(count: number): void {
  if (count > most) throw new HubError("invalid", `A status can have at most ${most} media.`, { field: "media_ids" });
}
