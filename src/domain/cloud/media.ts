import type { Hub, Staged } from "../../hub.ts";
import { openLists, ownerOnly } from "../files/lists.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Claims } from "../photos/uploads.ts";
import { upload } from "./upload.ts";
import type { Place } from "./upload.ts";

/** Where media goes and what it shows. */
export type MediaPlace = {
  /** The album, made if need be; empty is the directory for uploads of its kind. */
  album: string;
  /** For those who do not see the picture; empty says nothing. */
  description: string;
};

/**
 * Stores a file that only its owner sees until a post uses it. What calls itself an image and is none is refused.
 * Throws denied, invalid, too-large.
 */
export async function uploadMedia(
  hub: Hub,
  channel: Channel,
  staged: Staged,
  claims: Claims,
  media: MediaPlace,
): Promise<File> {
  return upload(hub, channel, channel, staged, { ...claims, refuses: "false images", ...placeOf(channel, media) });
}

/** The place of media in the storage of the channel. */
export function placeOf(channel: Channel, { album, description }: MediaPlace): Place {
  return {
    folder: album === "" ? undefined : { path: album, lists: openLists },
    lists: ownerOnly(channel),
    description,
  };
}

/** What a client said of an album or a description, fit to be stored. */
export function readPlace(album: string | undefined, description: string | undefined): MediaPlace {
  return { album: (album ?? "").trim(), description: description ?? "" };
}
