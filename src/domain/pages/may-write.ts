import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/channel.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { may, ownerMay } from "../permissions/may.ts";

/** May `actor` make and change pages of `owner`? */
export async function mayWritePages(hub: Hub, actor: Channel | undefined, owner: Channel): Promise<boolean> {
  return mayWrite(hub, actor, owner, "write_pages");
}

/** May `actor` change pages of the wikis of `owner`? The wiki's own lists are another condition. */
export async function mayWriteWiki(hub: Hub, actor: Channel | undefined, owner: Channel): Promise<boolean> {
  return mayWrite(hub, actor, owner, "write_wiki");
}

/** Throws denied without `write_pages`. */
export async function requireWritePages(hub: Hub, actor: Channel, owner: Channel): Promise<void> {
  if (!(await mayWritePages(hub, actor, owner))) throw refusal("permission_denied");
}

/** Throws denied without `write_wiki`. */
export async function requireWriteWiki(hub: Hub, actor: Channel, owner: Channel): Promise<void> {
  if (!(await mayWriteWiki(hub, actor, owner))) throw refusal("permission_denied");
}

async function mayWrite(
  hub: Hub,
  actor: Channel | undefined,
  owner: Channel,
  permission: "write_pages" | "write_wiki",
): Promise<boolean> {
  if (!actor) return false;
  if (actor.channel_id === owner.channel_id) return ownerMay(owner, permission);
  return may(hub, observerOf(actor), permission, owner.channel_id);
}
