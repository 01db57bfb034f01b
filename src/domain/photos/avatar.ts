import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { HubError } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channel.ts";
import { findChannelById } from "../identity/channels.ts";
import { drawAvatar, pictureVersion } from "./avatar-picture.ts";
import { avatarScales, makeRenditions, readUpload } from "./avatar-renditions.ts";
import type { AvatarSize, Rendition } from "./avatar-renditions.ts";

export type { AvatarSize };

export type Avatar = {
  bytes: Buffer;
  mimetype: string;
  /** Changes exactly when the picture does; good for an ETag. */
  version: string;
};

/** The current profile photo of a channel, always public; a drawn one where none was uploaded (native contract 8.1). */
export async function avatarOf(hub: Hub, channelId: number, size: AvatarSize): Promise<Avatar> {
  const channel = await findChannelById(hub, channelId);
  return (channel && (await uploadedAvatar(hub, channel, size))) ?? drawnAvatar(hub, channel, size);
}

/** Does the channel show a picture of its own? */
export async function hasAvatar(hub: Hub, channelId: number): Promise<boolean> {
  return (await findPhoto(hub, channelId, avatarScales.l.imgscale)) !== undefined;
}

/**
 * Makes an uploaded picture the profile photo: JPEG, PNG, GIF or WebP by their bytes (native contract 2.14). It reads
 * the upload to its end; earlier profile photos stay in their album.
 */
export async function setAvatar(hub: Hub, channel: Channel, upload: Readable): Promise<void> {
  const { mimetype, renditions } = await makeRenditions(await readUpload(upload, hub.config.limits.upload));
  const resource = randomUUID().replaceAll("-", "");
  const kept = await keepAll(hub, resource, renditions);
  try {
    await inTransaction(hub, async (hub) => {
      await retirePhotos(hub, channel.channel_id);
      await hub.db
        .insertInto("photo")
        .values(kept.map((one) => photoRow(hub, channel, resource, mimetype, one)))
        .execute();
      await noteChange(hub, channel, mimetype);
    });
  } catch (error) {
    await Promise.all(kept.map((one) => hub.blobs.remove(one.blob)));
    throw error;
  }
}

/** Goes back to the drawn picture. */
export async function removeAvatar(hub: Hub, channel: Channel): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await retirePhotos(hub, channel.channel_id);
    await noteChange(hub, channel, "image/png");
  });
}

async function findPhoto(hub: Hub, uid: number, imgscale: number) {
  return hub.db
    .selectFrom("photo")
    .select(["blob", "mimetype"])
    .where("uid", "=", uid)
    .where("imgscale", "=", imgscale)
    .where("photo_usage", "=", 1)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

async function uploadedAvatar(hub: Hub, channel: Channel, size: AvatarSize): Promise<Avatar | undefined> {
  const photo = await findPhoto(hub, channel.channel_id, avatarScales[size].imgscale);
  const bytes = photo && (await readBlob(hub, photo.blob));
  return bytes && { bytes, mimetype: photo.mimetype, version: photo.blob };
}

async function drawnAvatar(hub: Hub, channel: Channel | undefined, size: AvatarSize): Promise<Avatar> {
  const [id, hash, name] = channel ? [channel.channel_id, channel.channel_hash, channel.channel_name] : [0, "", ""];
  const svg = drawAvatar(hash, name);
  const digest = createHash("sha256").update(`${pictureVersion} ${size} ${svg}`).digest("hex").slice(0, 16);
  const blob = `avatar-${id}-${size}-${digest}`;
  const bytes = (await readBlob(hub, blob)) ?? (await keep(hub, blob, await render(svg, size)));
  return { bytes, mimetype: "image/png", version: digest };
}

async function render(svg: string, size: AvatarSize): Promise<Buffer> {
  const sharp = (await import("sharp")).default;
  const { edge } = avatarScales[size];
  return sharp(Buffer.from(svg)).resize(edge, edge).png({ palette: false }).toBuffer();
}

async function readBlob(hub: Hub, name: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await hub.blobs.read(name));
  } catch (error) {
    if (error instanceof HubError && error.kind === "missing") return undefined;
    throw error;
  }
}

async function keep(hub: Hub, name: string, bytes: Buffer): Promise<Buffer> {
  await hub.blobs.keep(await hub.blobs.stage(Readable.from([bytes]), bytes.length), name);
  return bytes;
}

type Kept = Rendition & { blob: string };

async function keepAll(hub: Hub, resource: string, renditions: Rendition[]): Promise<Kept[]> {
  return Promise.all(
    renditions.map(async (one) => {
      const blob = `${resource}-${one.imgscale}`;
      await keep(hub, blob, one.bytes);
      return { ...one, blob };
    }),
  );
}

function photoRow(
  hub: Hub,
  channel: Channel,
  resource: string,
  mimetype: string,
  { blob, imgscale, edge, bytes }: Kept,
) {
  return {
    aid: channel.channel_account_id,
    uid: channel.channel_id,
    resource_id: resource,
    created: now(hub),
    edited: now(hub),
    album: "Profile Photos",
    filename: `${resource}.${mimetype === "image/jpeg" ? "jpg" : "png"}`,
    mimetype,
    height: edge,
    width: edge,
    filesize: bytes.length,
    blob,
    imgscale,
    photo_usage: 1,
    profile: 1,
  };
}

async function retirePhotos(hub: Hub, uid: number): Promise<void> {
  await hub.db
    .updateTable("photo")
    .set({ photo_usage: 0, profile: 0 })
    .where("uid", "=", uid)
    .where("photo_usage", "=", 1)
    .execute();
}

async function noteChange(hub: Hub, channel: Channel, mimetype: string): Promise<void> {
  await hub.db
    .updateTable("xchan")
    .set({ xchan_photo_mimetype: mimetype, xchan_photo_date: now(hub) })
    .where("xchan_hash", "=", channel.channel_hash)
    .execute();
}
