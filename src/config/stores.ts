import { readBackupsPlace, readBlobsPlace } from "./storage-places.ts";
import type { BackupsPlace, BlobsPlace } from "./storage-places.ts";
import { isOn, refuse, text, whole, withoutPassword } from "./read.ts";
import type { Environment } from "./read.ts";

/** Where blobs are kept, and where those are that have not been moved there yet; are browsers sent there for what is public? */
export type BlobsSettings = Readonly<{ at: BlobsPlace; from: BlobsPlace | undefined; redirect: boolean }>;

/** Where backups are made, after how many hours again, and what seals them; all that are made where there is a key. */
export type BackupSettings = Readonly<{ to: BackupsPlace | undefined; every: number; key: string | undefined }>;

/** What backups are made of their own accord. */
export function backupSettings(env: Environment): BackupSettings {
  const [to, key] = [text(env, "HUBBUB_BACKUP_TO"), text(env, "HUBBUB_BACKUP_KEY")];
  // Who gives the private half would have it lie about.
  if (key !== "none" && !/^age1[02-9a-z]{20,}$/.test(key))
    refuse("HUBBUB_BACKUP_KEY", "***", "a public key of age, or none");
  return Object.freeze({
    to: to === "none" ? undefined : backupsPlace(to),
    every: whole(env, "HUBBUB_BACKUP_HOURS", 1, 8760),
    key: key === "none" ? undefined : key,
  });
}

function backupsPlace(found: string): BackupsPlace {
  const form = "a folder, or s3://BUCKET/PREFIX with its endpoint and either KEY:SECRET@ or keys=FILE";
  return readBackupsPlace(found) ?? refuse("HUBBUB_BACKUP_TO", withoutPassword(found), form);
}

/** Where blobs are kept. */
export function blobsSettings(env: Environment): BlobsSettings {
  const at = blobsPlace(env, "HUBBUB_BLOBS_URL");
  const from = text(env, "HUBBUB_BLOBS_FROM_URL") === "none" ? undefined : blobsPlace(env, "HUBBUB_BLOBS_FROM_URL");
  if (from && nameOf(from) === nameOf(at))
    refuse("HUBBUB_BLOBS_FROM_URL", nameOf(from), "another place than HUBBUB_BLOBS_URL");
  return Object.freeze({ at, from, redirect: isOn(env, "HUBBUB_BLOBS_REDIRECT") });
}

/** The keys go into no message. */
function nameOf(place: BlobsPlace): string {
  return place.kind === "directory" ? place.kind : `s3://${place.bucket}/${place.prefix} at ${place.endpoint}`;
}

function blobsPlace(env: Environment, name: "HUBBUB_BLOBS_URL" | "HUBBUB_BLOBS_FROM_URL"): BlobsPlace {
  const found = text(env, name);
  const form = "directory, or s3://BUCKET/PREFIX with its endpoint and either KEY:SECRET@ or keys=FILE";
  return readBlobsPlace(found) ?? refuse(name, withoutPassword(found), form);
}
