import type { Selectable } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { HublocTable, XchanTable } from "../../../storage/tables/identity.ts";
import type { AvatarUrls } from "./avatar-urls.ts";

type XchanAddresses = Pick<
  Selectable<XchanTable>,
  "xchan_photo_l" | "xchan_photo_m" | "xchan_photo_s" | "xchan_addr" | "xchan_url" | "xchan_connurl" | "xchan_follow"
>;
type HublocAddresses = Pick<
  Selectable<HublocTable>,
  "hubloc_addr" | "hubloc_url" | "hubloc_host" | "hubloc_callback" | "hubloc_connect"
>;

/** The page of a channel, which is also the id that other hubs know it by. */
export function channelUrl({ config }: Hub, nick: string): string {
  return channelUrlAt(config.baseUrl, nick);
}

/** The same of a channel of any hub like this one. */
export function channelUrlAt(hubUrl: string, nick: string): string {
  return `${hubUrl}/channel/${nick}`;
}

/** Where the identity is found: what of it follows from the hub's address. */
export function xchanAddresses(hub: Hub, nick: string, avatar: AvatarUrls): XchanAddresses {
  const { baseUrl, host } = hub.config;
  return {
    xchan_photo_l: avatar.l,
    xchan_photo_m: avatar.m,
    xchan_photo_s: avatar.s,
    xchan_addr: `${nick}@${host}`,
    xchan_url: channelUrl(hub, nick),
    xchan_connurl: `${baseUrl}/poco/${nick}`,
    xchan_follow: `${baseUrl}/follow?f=&url=%s`,
  };
}

/** The same of its location. */
export function hublocAddresses({ config: { baseUrl, host } }: Hub, nick: string): HublocAddresses {
  return {
    hubloc_addr: `${nick}@${host}`,
    hubloc_url: baseUrl,
    hubloc_host: host,
    hubloc_callback: `${baseUrl}/inbox`,
    hubloc_connect: `${baseUrl}/connect/${nick}`,
  };
}
