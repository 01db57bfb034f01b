import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { may, ownerMay } from "../permissions/may.ts";

/** May the observer make and change pages of `owner`? */
export async function mayWritePages(hub: Hub, observer: Observer, owner: Channel): Promise<boolean> {
  return mayWrite(hub, observer, owner, "write_pages");
}

/** May the observer change pages of the wikis of `owner`? The wiki's own lists are another condition. */
export async function mayWriteWiki(hub: Hub, observer: Observer, owner: Channel): Promise<boolean> {
  return mayWrite(hub, observer, owner, "write_wiki");
}

/** Throws denied without `write_pages`. */
export async function requireWritePages(hub: Hub, actor: Channel, owner: Channel): Promise<void> {
  if (!(await mayWritePages(hub, observerOf(actor), owner))) throw refusal("permission_denied");
}

/** Throws denied without `write_wiki`. */
export async function requireWriteWiki(hub: Hub, actor: Channel, owner: Channel): Promise<void> {
  if (!(await mayWriteWiki(hub, observerOf(actor), owner))) throw refusal("permission_denied");
}

async function mayWrite(
  hub: Hub,
  observer: Observer,
  owner: Channel,
  permission: "write_pages" | "write_wiki",
): Promise<boolean> {
  if (observer.channelId === owner.channel_id) return ownerMay(owner, permission);
  return may(hub, observer, permission, owner.channel_id);
}
