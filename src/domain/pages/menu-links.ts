import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** What the placeholders of menu links stand for, the longer addresses first. */
function places(hub: Hub, channel: Pick<Channel, "channel_address">): [placeholder: string, url: string][] {
  const { baseUrl } = hub.config;
  const nick = channel.channel_address;
  return [
    ["[channelurl]", `${baseUrl}/channel/${nick}`],
    ["[pageurl]", `${baseUrl}/page/${nick}`],
    ["[cloudurl]", `${baseUrl}/cloud/${nick}`],
    ["[baseurl]", baseUrl],
  ];
}

/** The address that a link of a menu means. */
export function expandLink(hub: Hub, channel: Pick<Channel, "channel_address">, link: string): string {
  return places(hub, channel).reduce((text, [placeholder, url]) => text.replaceAll(placeholder, url), link);
}

/** The link as it can be carried to another hub. */
export function portableLink(hub: Hub, channel: Pick<Channel, "channel_address">, link: string): string {
  const place = places(hub, channel).find(
    ([, url]) => link === url || (link.startsWith(url) && "/?#".includes(link[url.length]!)),
  );
  return place ? place[0] + link.slice(place[1].length) : link;
}
