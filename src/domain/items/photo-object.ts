import { withinTag } from "./attachments.ts";
import type { Hub } from "../../hub.ts";
import { layOut } from "../bodies/texts.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { renditionsOf } from "../photos/find.ts";
import { atScale, scales } from "../photos/scales.ts";
import type { Photo } from "../photos/columns.ts";
import { albumUrl, photoFileUrl, photoPageUrl } from "../photos/urls.ts";
import { objectTypes } from "./vocabulary.ts";

/** The rendition that posts show, a large one where the channel prefers that. */
export function inPosts(renditions: readonly Photo[], large: boolean): Photo | undefined {
  return atScale(renditions, large ? "large" : "medium") ?? renditions[0];
}

/** The bbcode of an image: its picture as a link to its page. */
export function photoCode(hub: Hub, owner: Channel, renditions: readonly Photo[], large = false): string {
  const photo = inPosts(renditions, large);
  if (!photo) return "";
  const picture = `[zmg${attributesOf(photo)}]${photoFileUrl(hub.config.baseUrl, photo)}[/zmg]`;
  return `[zrl=${photoPageUrl(hub, owner, photo.resource_id)}]${picture}[/zrl]`;
}

/** The size, and the words for those who do not see the picture. */
function attributesOf({ width, height, description }: Photo): string {
  if (description === "") return `=${width}x${height}`;
  return ` width="${width}" height="${height}" alt="${withinTag(description)}"`;
}

/** The texts of a linked item's message. */
type PhotoContent = Record<"title" | "body" | "html" | "plain" | "obj_type" | "obj" | "tgt_type" | "target", string>;

/** What the linked item of an image says, from its file and rows as they are. */
export async function photoContent(hub: Hub, owner: Channel, file: File): Promise<PhotoContent> {
  const renditions = await renditionsOf(hub, owner.channel_id, file.hash);
  const album = renditions[0]?.album ?? "";
  const title = renditions[0]?.title || file.filename;
  const body = photoCode(hub, owner, renditions);
  return {
    title: renditions[0]?.title ?? "",
    body,
    html: (await layOut(hub, body, "text/bbcode")).html,
    plain: title,
    obj_type: objectTypes.photo,
    obj: JSON.stringify({
      type: objectTypes.photo,
      title,
      created: file.created,
      edited: file.edited,
      id: photoPageUrl(hub, owner, file.hash),
      link: renditions.filter(({ imgscale }) => imgscale <= scales.small.number).map((photo) => linkTo(hub, photo)),
      body,
    }),
    tgt_type: objectTypes.album,
    target: JSON.stringify({
      type: objectTypes.album,
      title: album === "" ? "/" : album,
      id: albumUrl(hub.config.baseUrl, owner.channel_address, album),
    }),
  };
}

function linkTo(hub: Hub, photo: Photo): object {
  return {
    rel: "alternate",
    type: "text/html",
    href: photoFileUrl(hub.config.baseUrl, photo),
    width: photo.width,
    height: photo.height,
  };
}
