import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { hasAvatar } from "../../photos/avatar.ts";
import { prepareUse } from "../../photos/prepare.ts";
import { restoreAvatar } from "../../photos/restore.ts";
import type { Outcome } from "../report.ts";
import { takeOne } from "../channel/short-sections.ts";
import { writeFor } from "../write-for.ts";

/** The profile photo of an export becomes the channel's, unless it has one (native contract 7.5, step 3). */
export async function importPhoto(hub: Hub, channel: Channel, photo: PortableRecord): Promise<Outcome> {
  const outcome = await previewPhoto(hub, channel.channel_id, photo);
  return outcome === "imported"
    ? takeOne(hub, () => setPhoto(hub, channel, bytesIn(photo)), textIn(photo, "type"))
    : outcome;
}

/** What would become of it, as far as nobody has to draw for that; nothing is written. */
export async function previewPhoto(hub: Hub, uid: number, photo: PortableRecord): Promise<Outcome> {
  if (await hasAvatar(hub, uid)) return "there";
  return bytesIn(photo).length === 0 ? { left: "it is empty", example: "" } : "imported";
}

/** Other hubs write plain base64; Node reads both. */
function bytesIn(photo: PortableRecord): Buffer {
  return Buffer.from(textIn(photo, "data"), "base64url");
}

async function setPhoto(hub: Hub, channel: Channel, bytes: Buffer): Promise<"imported"> {
  const staged = await hub.blobs.stage(Readable.from([bytes]), bytes.length);
  try {
    const renditions = await prepareUse(hub, staged, "profile");
    const owner = { uid: channel.channel_id, aid: channel.channel_account_id, created: now(hub) };
    const file = { ...owner, hash: randomBytes(16).toString("hex"), creator: channel.channel_hash };
    await writeFor(hub, channel, (hub) => restoreAvatar(hub, file, renditions));
    return "imported";
  } finally {
    await hub.blobs.remove(staged);
  }
}
