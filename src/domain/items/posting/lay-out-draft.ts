import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { prepareContent } from "../content.ts";
import type { Content } from "../content.ts";
import { filesOfMedia } from "../media/media-ids.ts";
import { withCodes } from "../media/media.ts";
import type { Draft } from "../types.ts";

/** What the body of a draft would become, with media that were uploaded before; nothing is stored. Throws as `postItem` does of its body. */
export async function layOutDraft(
  hub: Hub,
  author: Channel,
  draft: Pick<Draft, "body" | "mimetype" | "mediaIds" | "allowEmpty">,
): Promise<Pick<Content, "html" | "attach" | "lang">> {
  const files = await filesOfMedia(hub, author, draft.mediaIds ?? []);
  return prepareContent(hub, author, await withCodes(hub, author, draft, files));
}
