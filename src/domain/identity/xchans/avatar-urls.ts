import type { Hub } from "../../../hub.ts";

/** Addresses of the picture at 300, 80 and 48 pixels. */
export type AvatarUrls = { l: string; m: string; s: string };

/** The public addresses of a channel's avatar in 300, 80 and 48 pixels; they never change. */
export function avatarUrls(hub: Hub, channelId: number): AvatarUrls {
  const url = (size: string): string => `${hub.config.baseUrl}/photo/profile/${size}/${channelId}`;
  return { l: url("l"), m: url("m"), s: url("s") };
}
