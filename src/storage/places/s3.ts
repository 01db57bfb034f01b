import type { S3Place } from "../../config/storage-places.ts";
import { s3Objects } from "../s3/objects.ts";
import type { S3Options } from "../s3/objects.ts";
import type { Place } from "./place.ts";

/** A bucket, or what lies in one below a prefix. */
export function s3Place(place: S3Place, options: Partial<S3Options> = {}): Place {
  const { put, read, list, remove, sweep } = s3Objects(place, options);
  return { put, read: (name) => read(name), list, remove, sweep };
}
