import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { S3Place } from "../../config/storage-places.ts";
import { s3Objects } from "../s3/objects.ts";
import type { S3Objects, S3Options } from "../s3/objects.ts";
import type { Mark } from "./mark.ts";
import { readFileAt, readFileFrom, stagingIn } from "./staging.ts";
import type { BlobStore } from "./store.ts";

/** Blobs as objects in a bucket; what is staged waits in a folder of this machine. */
export function s3Blobs(place: S3Place, dataDir: string, options: Partial<S3Options> = {}): BlobStore {
  const staging = stagingIn(join(dataDir, "blobs", "staging"));
  const objects = s3Objects(place, options);
  return {
    stage: staging.stage,
    async sweep(before) {
      await staging.sweep(before);
      await objects.sweep("", before);
    },
    async keep(staged, name) {
      const path = staging.path(staged);
      await objects.putFile(keyOf(name), { ...staged, path });
      await rm(path, { force: true });
    },
    read: (name, start = 0, length) =>
      typeof name === "string"
        ? objects.read(keyOf(name), start, length)
        : readFileFrom(staging.path(name), start, length),
    readAt: async (name, start, length) =>
      typeof name === "string"
        ? buffer(await objects.read(keyOf(name), start, length))
        : readFileAt(staging.path(name), start, length),
    size: (name) => objects.size(keyOf(name)),
    async *kept() {
      for await (const { name, since } of objects.list(kept)) yield { name: name.slice(kept.length), since };
    },
    async setAside(name) {
      await objects.copy(keyOf(name), `aside/${name}`);
      await objects.remove(keyOf(name));
    },
    remove: (name) =>
      typeof name === "string" ? objects.remove(keyOf(name)) : rm(staging.path(name), { force: true }),
    address: (name, type) => objects.sign(keyOf(name), { "response-content-type": type }),
    origin: originOf(place),
    mark: bucketMark(objects, `s3://${place.bucket}/${place.prefix}`),
  };
}

function originOf({ endpoint, bucket, style }: S3Place): string {
  const url = new URL(endpoint);
  if (style === "host") url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

const kept = "kept/";

function keyOf(name: string): string {
  return `${kept}${name}`;
}

/** The mark of a bucket, or of what lies there below the prefix: an object, and one for each offer. */
function bucketMark(objects: S3Objects, place: string): Mark {
  const settled = "hubbub-id";
  const offerOf = (id: string): string => `hubbub-id.new/${id}`;
  const read = async (): Promise<string | undefined> => (await objects.text(settled))?.trim() || undefined;
  const write = (key: string, id: string): Promise<void> => objects.put(key, Readable.from([Buffer.from(`${id}\n`)]));
  return {
    place,
    read,
    async offer(id = randomUUID()) {
      await write(offerOf(id), id);
      return id;
    },
    async settle(id) {
      if ((await objects.size(offerOf(id))) !== undefined) {
        await write(settled, id);
        await objects.remove(offerOf(id));
      }
      return (await read()) === id;
    },
    withdraw: (id) => objects.remove(offerOf(id)),
    remove: () => objects.remove(settled),
  };
}
