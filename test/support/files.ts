import { Readable } from "node:stream";
import { upload } from "../../src/domain/cloud/upload.ts";
import type { Upload } from "../../src/domain/cloud/upload.ts";
import type { File } from "../../src/domain/files/types.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import type { Hub, Staged } from "../../src/hub.ts";

/** Bytes as an upload brings them, before anybody has looked at them. */
export function staged(hub: Hub, bytes: Uint8Array | string): Promise<Staged> {
  const all = Buffer.from(bytes);
  return hub.blobs.stage(Readable.from(all.length === 0 ? [] : [all]), all.length);
}

/** Stores a file in the channel's storage, at the top level unless said otherwise. */
export async function put(
  hub: Hub,
  owner: Channel,
  filename: string,
  bytes: Uint8Array | string = filename,
  more: Partial<Upload> & { actor?: Channel } = {},
): Promise<File> {
  const { actor = owner, ...sent } = more;
  return upload(hub, actor, owner, await staged(hub, bytes), { filename, type: "", folder: { hash: "" }, ...sent });
}

/** The audience of these people alone. */
export function only(...people: Channel[]) {
  return { allow_cid: people.map((one) => one.channel_hash), allow_gid: [], deny_cid: [], deny_gid: [] };
}
