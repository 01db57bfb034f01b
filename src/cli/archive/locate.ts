import { open, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { newestIn } from "../../domain/backups/back-up.ts";
import { folderPlace } from "../../storage/places/folder.ts";
import { nameOfPlace, openPlace } from "../../storage/places/open.ts";
import type { Place } from "../../storage/places/place.ts";
import { readBackupsPlace } from "../../config/storage-places.ts";
import type { BackupsPlace } from "../../config/storage-places.ts";
import { CommandError } from "../error-message.ts";

/** A backup that somebody means: where it is, and how that is said. */
export type Located = { place: Place; name: string; shown: string };

/** Finds the backup in a file, or the newest one in a folder or on S3. */
export async function locate(from: string): Promise<Located> {
  const at = placeIn(from);
  if (at.kind === "folder" && !(await stat(from).catch(() => undefined))?.isDirectory()) {
    // The system says by itself what is wrong with a file.
    await (await open(from)).close();
    return { place: folderPlace(dirname(from)), name: basename(from), shown: from };
  }
  const place = openPlace(at);
  const name = await newestIn(place);
  if (name === undefined) throw new CommandError(`There is no backup in ${nameOfPlace(at)}.`);
  return { place, name, shown: shownIn(at, name) };
}

/** A folder, or an address on S3. */
export function placeIn(text: string): BackupsPlace {
  const place = readBackupsPlace(text);
  if (!place) throw new CommandError("This is no address on S3: s3://BUCKET/PREFIX?endpoint=URL&keys=FILE.");
  return place;
}

/** How a file in a place is said. */
export function shownIn(at: BackupsPlace, name: string): string {
  return `${nameOfPlace(at).replace(/\/$/, "")}/${name}`;
}
