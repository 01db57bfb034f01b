import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { nameOfDrawing } from "../../storage/blobs/names.ts";
import { readBlob } from "../files/blobs.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { drawAvatar, pictureVersion } from "./avatar-picture.ts";
import { openImages } from "./images.ts";
import { scales } from "./scales.ts";
import { usages } from "./types.ts";

const avatarScales = { l: scales.profileLarge, m: scales.profileMedium, s: scales.profileSmall } as const;

export type AvatarSize = keyof typeof avatarScales;

export type Avatar = {
  bytes: Buffer;
  mimetype: string;
  /** Changes exactly when the picture does; good for an ETag. */
  version: string;
};

/** The current profile photo of a channel, always public; a drawn one where none was uploaded. */
export async function avatarOf(hub: Hub, channelId: number, size: AvatarSize): Promise<Avatar> {
  const channel = await findChannelById(hub, channelId);
  return (channel && (await uploadedAvatar(hub, channel, size))) ?? drawnAvatar(hub, channel, size);
}

/** Does the channel show a picture of its own? */
export async function hasAvatar(hub: Hub, channelId: number): Promise<boolean> {
  return (await findAvatar(hub, channelId, avatarScales.l.number)) !== undefined;
}

async function findAvatar(hub: Hub, uid: number, imgscale: number) {
  return hub.db
    .selectFrom("photo")
    .select(["blob", "mimetype"])
    .where("uid", "=", uid)
    .where("imgscale", "=", imgscale)
    .where("photo_usage", "=", sql.lit(usages.profile))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

async function uploadedAvatar(hub: Hub, channel: Channel, size: AvatarSize): Promise<Avatar | undefined> {
  const photo = await findAvatar(hub, channel.channel_id, avatarScales[size].number);
  const bytes = photo && (await readIfThere(hub, photo.blob));
  return bytes && { bytes, mimetype: photo.mimetype, version: photo.blob };
}

async function drawnAvatar(hub: Hub, channel: Channel | undefined, size: AvatarSize): Promise<Avatar> {
  const [id, hash, name] = channel ? [channel.channel_id, channel.channel_hash, channel.channel_name] : [0, "", ""];
  const svg = drawAvatar(hash, name);
  const digest = createHash("sha256").update(`${pictureVersion} ${size} ${svg}`).digest("hex").slice(0, 16);
  const blob = nameOfDrawing(id, `${size}-${digest}`);
  const bytes = (await readIfThere(hub, blob)) ?? (await keep(hub, blob, await render(svg, size)));
  return { bytes, mimetype: "image/png", version: digest };
}

async function render(svg: string, size: AvatarSize): Promise<Buffer> {
  const sharp = await openImages();
  const { width, height } = avatarScales[size];
  return sharp(Buffer.from(svg)).resize(width, height).png({ palette: false }).toBuffer();
}

async function readIfThere(hub: Hub, name: string): Promise<Buffer | undefined> {
  return unlessMissing(readBlob(hub, name));
}

/** It can be drawn again at any time, so no row speaks of it. */
async function keep(hub: Hub, name: string, bytes: Buffer): Promise<Buffer> {
  await hub.blobs.keep(await hub.blobs.stage(Readable.from([bytes]), bytes.length), name);
  return bytes;
}
