import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { refusal } from "../../../errors.ts";
import type { Hub, Staged } from "../../../hub.ts";
import { keepBlobs } from "../../files/blobs.ts";
import type { NewBlob } from "../../files/blobs.ts";
import { decideType } from "../../files/decide-type.ts";
import { findRestored, restoreFile } from "../../files/restore.ts";
import type { RestoredFile } from "../../files/restore.ts";
import { listsIn, textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { restoreItems } from "../../items/restoring/restore.ts";
import { headLength, imageType } from "../../photos/images.ts";
import { preparePhoto } from "../../photos/prepare.ts";
import { restoreRenditions } from "../../photos/restore.ts";
import type { RestoredRendition } from "../../photos/restore.ts";
import { isScaleNumber, scales } from "../../photos/scales.ts";
import { usages } from "../../photos/types.ts";
import { prepareItem } from "./items.ts";
import type { ItemWork, ReadyItem } from "./items.ts";
import { photoNames, renamed } from "../sources/legacy.ts";
import type { Outcome } from "../report.ts";
import { readShape, recordsIn } from "../sources/shape.ts";
import { takeOne } from "../channel/short-sections.ts";
import type { SourceRow } from "../sources/source.ts";
import { writeFor } from "../write-for.ts";

/** One file or directory with the directories above it, its renditions and its linked item (native contract 7.5, step 10). */
export async function importFile(work: ItemWork, row: SourceRow): Promise<Outcome> {
  const way = recordsIn(row.record["attach"]).map(readAttach);
  const file = way.at(-1);
  if (!file) return unreadable;
  return takeOne(work.hub, () => importWay(work, row, way.slice(0, -1), file), file.filename);
}

/** What would become of a file, as far as its bytes are not needed for that; `taken` tells what came before it. */
export function previewFile(hub: Hub, uid: number, row: SourceRow, taken: Set<string>): Promise<Outcome> {
  const way = recordsIn(row.record["attach"]).map(readAttach);
  const file = way.at(-1);
  if (!file) return Promise.resolve(unreadable);
  return takeOne(hub, () => previewFolders(hub, uid, row, way, taken), file.filename);
}

async function previewFolders(
  hub: Hub,
  uid: number,
  row: SourceRow,
  way: readonly RestoredFile[],
  taken: Set<string>,
): Promise<Outcome> {
  const file = way.at(-1)!;
  const names = way.map(({ hash, revision }) => `${hash} ${revision}`);
  if (taken.has(names.at(-1)!) || (await findRestored(hub, uid, file))) return "there";
  if (file.is_dir === 0) {
    if (!row.bytes) return withoutBytes(file);
    const { upload } = hub.config.limits;
    if (file.filesize > upload) return { left: `The file is larger than ${upload} bytes`, example: file.filename };
  }
  for (const name of names) taken.add(name);
  return "imported";
}

const unreadable: Outcome = { left: "it cannot be read", example: "" };

function withoutBytes({ filename }: RestoredFile): Outcome {
  return { left: "its bytes are not in the export", example: filename };
}

async function importWay(
  work: ItemWork,
  row: SourceRow,
  above: readonly RestoredFile[],
  file: RestoredFile,
): Promise<Outcome> {
  const { hub, channel } = work;
  const linked = await linkedItems(work, row.record);
  const items = linked.map(({ item }) => item);
  const known = await findRestored(hub, channel.channel_id, file);
  if (known) {
    await writeFor(hub, channel, (hub) => restoreItems(hub, channel, items));
    return "there";
  }
  if (file.is_dir === 1) {
    await writeFor(hub, channel, (hub) => importFolders(hub, work, [...above, file]));
    return "imported";
  }
  if (!row.bytes) return withoutBytes(file);
  const staged = await hub.blobs.stage(await row.bytes(), hub.config.limits.upload);
  try {
    if (staged.size !== file.filesize) return { left: "its bytes are not whole", example: file.filename };
    const content = await keepContent(work, row.record, file, staged);
    await writeFor(hub, channel, async (hub) => {
      await importFolders(hub, work, above);
      const along = content.renditions.filter(({ blob }) => blob !== content.columns.blob);
      const bytes = new Map(along.map(({ blob, filesize }) => [blob, filesize])).values();
      const more = bytes.reduce((sum, size) => sum + size, 0);
      const stored = await restoreFile(hub, channel, { ...file, ...content.columns }, more);
      if (content.renditions.length > 0 && stored.latest === 1)
        await restoreRenditions(hub, stored, content.renditions);
      await restoreItems(hub, channel, items);
    });
  } finally {
    await hub.blobs.remove(staged);
  }
  const remarkable = linked.find((one) => one.remark !== undefined);
  return remarkable?.remark === undefined ? "imported" : { imported: remarkable.remark, example: remarkable.form.mid };
}

async function importFolders(hub: Hub, { channel }: ItemWork, folders: readonly RestoredFile[]): Promise<void> {
  for (const folder of folders) {
    if (folder.is_dir !== 1) throw refusal("no_directory_above");
    await restoreFile(hub, channel, folder);
  }
}

/** An image has an item, and people may have commented on it. */
async function linkedItems(work: ItemWork, form: PortableRecord): Promise<ReadyItem[]> {
  const ready: ReadyItem[] = [];
  for (const record of recordsIn(form["item"])) {
    const prepared = await prepareItem(work, record);
    if ("item" in prepared) ready.push(prepared);
  }
  return ready;
}

function readAttach(record: PortableRecord): RestoredFile {
  const row = readShape(record, {
    text: "hash creator filename filetype folder",
    number: "revision",
    flag: "is_dir is_photo is_original",
    date: "created edited",
  });
  return {
    ...row,
    ...listsIn(record),
    filesize: Math.max(0, Number(textIn(record, "filesize")) || 0),
    blob: "",
    sha256: "",
  };
}

type Content = {
  columns: Pick<RestoredFile, "filetype" | "filesize" | "blob" | "sha256" | "is_photo" | "is_original">;
  renditions: RestoredRendition[];
};

/**
 * Keeps the bytes as they are. What others see of images of other programs is drawn as with uploads, because the bytes may
 * tell more than the picture shows; ours come with all their renditions, as far as the limits of uploads allow. Throws
 * too-large.
 */
async function keepContent(work: ItemWork, form: PortableRecord, file: RestoredFile, staged: Staged): Promise<Content> {
  const { hub, escaped } = work;
  const head = await buffer(await hub.blobs.read(staged, 0, headLength));
  const photos = recordsIn(form["photo"]).map((record) => readPhoto(renamed(record, photoNames)));
  const type = imageType(head);
  const { image, imageLength } = hub.config.limits;
  const largest = Math.max(staged.size, ...photos.map(({ bytes }) => bytes.length));
  if (type && largest > image) throw refusal("image_too_large", { name: file.filename, most: image });
  const longest = Math.max(0, ...photos.flatMap(({ width, height }) => [width, height]));
  const isOurs = escaped === false && (imageLength === 0 || longest <= imageLength);
  if (!isOurs && type && file.is_photo === 1) {
    const drawn = await preparePhoto(hub, staged, file.filename);
    if (drawn) {
      const blob = newName();
      await keepBlobs(hub, [{ name: blob, bytes: staged }]);
      const { bytes: _, ...words } = photos[0] ?? readPhoto({ created: file.created, edited: file.edited });
      const renditions = drawn.renditions.map((one) => ({ ...words, ...one, photo_usage: 0 }));
      const columns = {
        filetype: drawn.mimetype,
        filesize: staged.size,
        blob,
        sha256: staged.sha256,
        is_photo: 1,
        is_original: 1,
      };
      return { columns, renditions };
    }
  }
  const blob = newName();
  const kept: NewBlob[] = [{ name: blob, bytes: staged }];
  const drafts = type ? photos.flatMap((photo) => renditionOf(photo, { blob, type, size: staged.size }, kept)) : [];
  const digests = await keepBlobs(hub, kept);
  const renditions = drafts.map((one) => ({ ...one, sha256: digests.get(one.blob)! }));
  const filetype = decideType(file.filetype, file.filename, type);
  const is_photo = file.is_photo === 1 && renditions.length > 0 ? 1 : 0;
  const is_original = is_photo === 1 ? file.is_original : 0;
  const { size: filesize, sha256 } = staged;
  return { columns: { filetype, filesize, blob, sha256, is_photo, is_original }, renditions };
}

function newName(): string {
  return randomUUID().replaceAll("-", "");
}

type PhotoRecord = ReturnType<typeof readPhoto>;

function readPhoto(record: PortableRecord) {
  return {
    ...readShape(record, {
      text: "xchan title description mimetype",
      number: "imgscale width height photo_usage",
      flag: "is_nsfw",
      date: "created edited expires",
    }),
    bytes: Buffer.from(textIn(record, "content"), "base64"),
  };
}

const usagesKept: readonly number[] = [usages.normal, usages.profile, usages.cover];

/** A rendition with bytes that are an image; an original without any has those of the file. */
function renditionOf(
  { bytes, ...photo }: PhotoRecord,
  { blob: fileBlob, type: fileType, size }: { blob: string; type: string; size: number },
  kept: NewBlob[],
): Omit<RestoredRendition, "sha256">[] {
  const isOriginal = photo.imgscale === scales.original.number && bytes.length === 0;
  const mimetype = isOriginal ? fileType : imageType(bytes.subarray(0, headLength));
  if (!mimetype || !isScaleNumber(photo.imgscale) || !usagesKept.includes(photo.photo_usage)) return [];
  const blob = isOriginal ? fileBlob : `${fileBlob}-${photo.imgscale}`;
  if (!isOriginal) kept.push({ name: blob, bytes });
  return [{ ...photo, mimetype, blob, filesize: isOriginal ? size : bytes.length, blurhash: "" }];
}
