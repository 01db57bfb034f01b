import type { BackupsPlace } from "../../config/storage-places.ts";
import { folderPlace } from "./folder.ts";
import type { Place } from "./place.ts";
import { s3Place } from "./s3.ts";

/** The place that settings or the operator speak of; `count` hears of the requests to it (S3Options). */
export function openPlace(
  at: BackupsPlace,
  count: (seconds: number, failed: boolean) => void = () => undefined,
): Place {
  return at.kind === "folder" ? folderPlace(at.folder) : s3Place(at, { count });
}

/** Where that is, in the words of the operator; without keys. */
export function nameOfPlace(at: BackupsPlace): string {
  return at.kind === "folder" ? at.folder : `s3://${at.bucket}/${at.prefix}`;
}
