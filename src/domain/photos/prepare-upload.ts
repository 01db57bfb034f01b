import { randomUUID } from "node:crypto";
import type { Hub, Staged } from "../../hub.ts";
import { keepBlobs } from "../files/blobs.ts";
import { decideType } from "../files/decide-type.ts";
import { preparePhoto } from "./prepare.ts";
import type { PreparedPhoto } from "./types.ts";

/** An upload whose bytes are kept and whose type is known, before there are rows about it. */
export type PreparedUpload = {
  filename: string;
  filetype: string;
  filesize: number;
  blob: string;
  /** Set when it is an image. */
  photo: PreparedPhoto | undefined;
};

/**
 * Looks at an upload and keeps its bytes, an image's as renditions (native contract 2.12, 2.14); never inside a transaction.
 * `type` is what the sender says. Throws invalid, too-large.
 */
export async function prepareUpload(
  hub: Hub,
  staged: Staged,
  { filename, type }: { filename: string; type: string },
): Promise<PreparedUpload> {
  const photo = await preparePhoto(hub, staged, filename);
  const filetype = decideType(type, filename, photo?.mimetype);
  if (photo) {
    const { filesize, blob } = photo.renditions[0]!;
    return { filename, filetype, filesize, blob, photo };
  }
  const blob = randomUUID().replaceAll("-", "");
  await keepBlobs(hub, [{ name: blob, bytes: staged }]);
  return { filename, filetype, filesize: staged.size, blob, photo };
}
