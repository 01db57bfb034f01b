import { z } from "zod";
import { bbcodeOf } from "../../../domain/bodies/texts.ts";
import { hashesOfPeople } from "../../../domain/connections/connections.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findOwnItem } from "../../../domain/items/find.ts";
import type { ItemRef } from "../../../domain/items/find.ts";
import { findAnswerable } from "../../../domain/items/media/photo-thread.ts";
import type { Audience, Draft, Item } from "../../../domain/items/types.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { accessList, flag, text } from "../parameters.ts";
import { include_entities } from "../shared-input.ts";
import { sourceOf } from "./source.ts";
import { postWithMedia, updateMediaInput } from "./update-media.ts";

export const updateInput = z.object({
  status: text("What the post says; BBCode works."),
  htmlstatus: text("What the post says, as HTML; it wins over `status`."),
  title: text("Its title."),
  summary: text("A content warning, behind which pages fold what it says."),
  in_reply_to_status_id: text("Id of the status that it answers."),
  lat: text("Latitude in decimal degrees."),
  long: text("Longitude in decimal degrees."),
  location: text("Where it was written, in words."),
  ...updateMediaInput,
  source: text("Name of the application."),
  group_allow: accessList("Ids of the groups that may see it; one of the four lists replaces the usual audience."),
  contact_allow: accessList("`cid`s of the connections who may see it."),
  group_deny: accessList("Ids of the groups that may not see it."),
  contact_deny: accessList("`cid`s of the connections who may not see it."),
  category: text("Its categories, with commas between them."),
  network: text("A network that the post is limited to; unknown ones are ignored."),
  possibly_sensitive: flag("It is not for every eye."),
  message_id: text("Message id of the post; if there is one already, that is answered."),
  include_entities,
});

/** Its code in user objects, and its name in scope words. */
const ownNetwork: readonly string[] = ["zot", "red", "network: red"];

type UpdateInput = z.output<typeof updateInput>;

/** Posts what `statuses/update` was sent, or answers what is there already under that message id. */
export async function updateStatus(hub: Hub, channel: Channel, input: UpdateInput, exchange: Exchange): Promise<Item> {
  const mid = input.message_id?.trim();
  const draft = await draftOf(hub, channel, input, exchange);
  if (!mid) return postWithMedia(hub, channel, draft, input, exchange);
  try {
    return await postWithMedia(hub, channel, { ...draft, mid }, input, exchange);
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "conflict") throw error;
    const known = await findOwnItem(hub, channel.channel_id, { mid });
    if (known?.item_normal !== 1) throw error;
    return known;
  }
}

async function draftOf(hub: Hub, channel: Channel, input: UpdateInput, exchange: Exchange): Promise<Draft> {
  const parent = await parentOf(hub, channel, input.in_reply_to_status_id?.trim() ?? "");
  const audience = parent ? undefined : await audienceOf(hub, channel, input);
  return {
    body: await bodyOf(hub, input),
    title: input.title ?? "",
    summary: input.summary ?? "",
    app: sourceOf(input.source, exchange),
    location: input.location ?? "",
    coord: coordOf(input.lat, input.long),
    categories: [input.category ?? ""],
    nsfw: input.possibly_sensitive,
    ...(parent && { parent: { id: parent.id } }),
    ...(audience && { audience }),
    ...limitedTo(input.network),
  };
}

/** Whoever names the network of hubs like this one posts for its people; other networks are unknown here. */
function limitedTo(network = ""): Pick<Draft, "publicPolicy"> {
  return ownNetwork.includes(network.trim().toLowerCase()) ? { publicPolicy: "network: red" } : {};
}

/** What came as HTML is kept as the bbcode that looks the same (microblog contract 8.3). */
async function bodyOf(hub: Hub, { status = "", htmlstatus = "" }: UpdateInput): Promise<string> {
  return htmlstatus.trim() === "" ? status : bbcodeOf(hub, htmlstatus);
}

/** "No reply" comes as absent, empty, 0 or -1 (microblog contract 12, trap 32); anything but digits is a message id. */
async function parentOf(hub: Hub, channel: Channel, reply: string): Promise<Item | undefined> {
  if (reply === "" || reply === "-1" || /^0+$/.test(reply)) return undefined;
  const ref: ItemRef = /^\d+$/.test(reply) ? { id: Math.min(Number(reply), Number.MAX_SAFE_INTEGER) } : { mid: reply };
  // The item of a photo that nobody has answered yet is shown by its first comment.
  const parent = await findAnswerable(hub, observerOf(channel), ref);
  if (parent.item_notshown === 1) throw missing("Item");
  return parent;
}

/** None of the four lists: the channel's default. Any of them, even empty: these and no other (microblog contract 8.3). */
async function audienceOf(hub: Hub, channel: Channel, input: UpdateInput): Promise<Audience | undefined> {
  const { contact_allow, contact_deny, group_allow, group_deny } = input;
  if (!contact_allow && !contact_deny && !group_allow && !group_deny) return undefined;
  return {
    allow_cid: await hashesOfPeople(hub, channel.channel_id, contact_allow ?? [], "contact_allow"),
    deny_cid: await hashesOfPeople(hub, channel.channel_id, contact_deny ?? [], "contact_deny"),
    // Posting replaces group ids by hashes and refuses those of others.
    allow_gid: group_allow ?? [],
    deny_gid: group_deny ?? [],
  };
}

/** Both are needed, and both must be on this planet. */
function coordOf(lat: string | undefined, long: string | undefined): string {
  const latitude = degrees(lat, 90);
  const longitude = degrees(long, 180);
  return latitude === undefined || longitude === undefined ? "" : `${latitude} ${longitude}`;
}

function degrees(value: string | undefined, most: number): string | undefined {
  const trimmed = value?.trim() ?? "";
  if (!/^[+-]?\d{1,3}(?:\.\d{1,20})?$/.test(trimmed) || Math.abs(Number(trimmed)) > most) return undefined;
  return trimmed.replace(/^\+/, "");
}
