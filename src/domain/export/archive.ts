import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createTarPacker } from "modern-tar";
import type { TarPackController } from "modern-tar";
import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { readFile } from "../files/read.ts";
import { allFiles } from "../files/list.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { sign } from "../identity/xchans/signing.ts";
import {
  archiveFormat,
  blobEntry,
  channelEntry,
  elsewhereEntry,
  fileEntry,
  formatEntry,
  itemsEntry,
  itemsPerEntry,
  listEntry,
  listLine,
  sealEntry,
} from "./archive-layout.ts";
import { exportChannel } from "./export-channel.ts";
import { fileForm } from "./file-form.ts";
import { exportItemsPage, exportExtent } from "./items-page.ts";
import { refuseRemoved } from "./whole.ts";

/** What has gone into an archive so far. */
export type ArchiveProgress = { entries: number; items: number; itemsTotal: number; files: number; bytes: number };

/**
 * The channel with everything that belongs to it, as a tar file that is made while it is read; archive-layout.ts says what
 * is in it. `told` hears of every entry.
 */
export function exportArchive(
  hub: Hub,
  channel: Channel,
  told: (progress: ArchiveProgress) => void = () => undefined,
): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const progress = { entries: 0, items: 0, itemsTotal: 0, files: 0, bytes: 0 };
  const archive: Archive = { hub, channel, controller, progress, told, list: [] };
  // Whoever reads the archive hears of a failure; when nobody reads any more, there is nobody to tell.
  void fill(archive)
    .then(() => controller.finalize())
    .catch((error: unknown) => controller.error(error));
  return readable;
}

type Archive = {
  hub: Hub;
  channel: Channel;
  controller: TarPackController;
  progress: ArchiveProgress;
  told: (progress: ArchiveProgress) => void;
  /** A line for each entry so far. */
  list: string[];
};

async function fill(archive: Archive): Promise<void> {
  const { hub, channel, progress } = archive;
  // First, so that whoever is told of the first entry hears how many posts there are.
  const extent = await exportExtent(hub, channel);
  progress.itemsTotal = extent?.items ?? 0;
  await addText(archive, formatEntry, JSON.stringify(archiveFormat));
  await addLong(archive, channelEntry, await exportChannel(hub, channel));
  const pages = Math.ceil(progress.itemsTotal / itemsPerEntry);
  for (let page = 0; page < pages; page++) {
    progress.items = Math.min(progress.itemsTotal, (page + 1) * itemsPerEntry);
    // Posts that wait for their time have dates that are still to come.
    const query = { page, records: itemsPerEntry, until: extent!.last };
    await addLong(archive, itemsEntry(page + 1), await exportItemsPage(hub, channel, query));
  }
  await addLong(archive, elsewhereEntry, await exportChannel(hub, channel, { sections: ["elsewhere"] }));
  for await (const files of allFiles(hub, channel.channel_id, { start: 0 }))
    for (const file of files) await addFile(archive, file);
  await refuseRemoved(hub, channel);
  const list = archive.list.join("");
  await addText(archive, listEntry, list);
  await addText(archive, sealEntry, await sign(hub, channel.channel_id, list));
}

async function addFile(archive: Archive, file: File): Promise<void> {
  const { hub, channel, progress } = archive;
  progress.files += 1;
  await addText(archive, fileEntry(progress.files), JSON.stringify(await fileForm(hub, channel, file)));
  if (file.is_dir === 0 && (await isWhole(hub, file)))
    await addEntry(archive, blobEntry(file.hash, file.revision), file.filesize, () => readFile(hub, file));
}

async function addText(archive: Archive, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await addEntry(archive, name, bytes.length, () => [bytes]);
}

/** Text of unknown length waits in the staging area: an entry begins with its size. */
async function addLong(archive: Archive, name: string, pieces: AsyncIterable<string>): Promise<void> {
  const { blobs } = archive.hub;
  const staged = await blobs.stage(Readable.from(pieces), Number.MAX_SAFE_INTEGER);
  try {
    await addEntry(archive, name, staged.size, () => blobs.read(staged));
  } finally {
    await blobs.remove(staged);
  }
}

type Bytes = Iterable<Buffer> | AsyncIterable<Buffer>;

/** The bytes are opened once there is an entry for them: there is none when nobody reads the archive any more. */
async function addEntry(
  { hub, controller, progress, told, list }: Archive,
  name: string,
  size: number,
  open: () => Bytes | Promise<Bytes>,
): Promise<void> {
  const writer = controller.add({ name, size, type: "file", mtime: hub.clock(), mode: 0o600 }).getWriter();
  const hash = createHash("sha256");
  for await (const chunk of await open()) {
    hash.update(chunk);
    await writer.write(chunk);
  }
  await writer.close();
  list.push(listLine(name, hash.digest("hex")));
  progress.entries += 1;
  progress.bytes += size;
  told(progress);
}

/** Are the bytes of the file there, and as many as its record says? An entry of another size would spoil the archive. */
async function isWhole(hub: Hub, { blob, filesize }: File): Promise<boolean> {
  if (blob === "") return false;
  const end = await unlessMissing(hub.blobs.readAt(blob, Math.max(0, filesize - 1), 2));
  return end?.length === Math.min(filesize, 1);
}
