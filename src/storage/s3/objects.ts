import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { BlobsAway, missing } from "../../errors.ts";
import type { S3Place } from "../../config/storage-places.ts";
import type { S3Answer } from "./answers.ts";
import { putInParts, copyInParts } from "./multipart.ts";
import type { RequestOptions, S3Requests } from "./requests.ts";
import { sendDirectly } from "./send.ts";

/** What is in a bucket below a prefix, by names relative to it. Every verb throws BlobsAway where the server cannot be used. */
export type S3Objects = {
  /** Stores bytes as they come, of whatever length; what is there under the name stays until they are whole. */
  put(name: string, bytes: Readable): Promise<void>;
  /** The same for a file of known size and SHA-256. */
  putFile(name: string, file: { path: string; size: number; sha256: string }): Promise<void>;
  /** The bytes from `start`, `length` of them or all. Throws missing. */
  read(name: string, start?: number, length?: number): Promise<Readable>;
  /** A small object as text; undefined when it is not there. */
  text(name: string): Promise<string | undefined>;
  size(name: string): Promise<number | undefined>;
  list(start: string): AsyncGenerator<{ name: string; since: Date; size: number }>;
  copy(from: string, to: string): Promise<void>;
  /** Harmless when it is gone. */
  remove(name: string): Promise<void>;
  /** Gives up what was begun in parts under such names before that moment and never came to its end. */
  sweep(start: string, before: Date): Promise<void>;
  /** An address at which anybody can read the object for a minute. */
  sign(name: string, query: Record<string, string>): Promise<string>;
};

export type S3Options = RequestOptions & {
  /** Bytes of the first parts of what is sent in parts, and how much goes in one piece where its size is known. */
  part: number;
  piece: number;
};

/** Servers take no parts below 5 MiB (but the last), and no pieces above 5 GiB. */
const usual = { silence: 2500, patience: 10_000, part: 8 * 1024 ** 2, piece: 5 * 1024 ** 3, count: () => undefined };

export function s3Objects(place: S3Place, options: Partial<S3Options> = {}): S3Objects {
  const { send = sendDirectly(place.endpoint), ...given } = options;
  const all = { ...usual, ...given, send };
  const server = requestsWhenUsed(place, all);
  const read = async (name: string, start = 0, length?: number): Promise<Readable> => {
    if (length === 0 && (await sizeOf(server, name)) === undefined) throw missing("File");
    return length === 0 ? Readable.from([]) : readPart(server, name, start, length);
  };
  return {
    put: (name, bytes) => putInParts(server, name, bytes, all.part),
    putFile: async (name, { path, size, sha256 }) => {
      if (size > all.piece) return putInParts(server, name, createReadStream(path), all.part);
      const body = { open: () => createReadStream(path), size, sha256 };
      (await server.ask({ method: "PUT", key: name, body, answers: [200, 201] })).drop();
    },
    read,
    async text(name) {
      const answer = await server.ask({ method: "GET", key: name, answers: [200, 404] });
      if (answer.status === 200) return answer.text();
      await expectBucket(answer);
      return undefined;
    },
    size: (name) => sizeOf(server, name),
    list: (start) => list(server, place.prefix, start),
    async copy(from, to) {
      const size = await sizeOf(server, from);
      if (size === undefined) throw missing("File");
      const source = `/${place.bucket}/${place.prefix}${from}`.split("/").map(encodeURIComponent).join("/");
      if (size > all.piece) return copyInParts(server, source, to, size, all.piece);
      const headers = { "x-amz-copy-source": source };
      await (await server.ask({ method: "PUT", key: to, headers, answers: [200] })).said();
    },
    remove: async (name) => (await server.ask({ method: "DELETE", key: name, answers: [200, 204, 404] })).drop(),
    sweep: (start, before) => sweep(server, { prefix: place.prefix, start, before }),
    sign: (name, query) => server.sign(name, query),
  };
}

/** The client is loaded with the first use. */
function requestsWhenUsed(place: S3Place, options: S3Options): S3Requests {
  let loaded: Promise<S3Requests> | undefined;
  const server = () => (loaded ??= import("./requests.ts").then(({ s3Requests }) => s3Requests(place, options)));
  return {
    ask: async (request) => (await server()).ask(request),
    sign: async (key, query) => (await server()).sign(key, query),
  };
}

async function sizeOf(server: S3Requests, key: string): Promise<number | undefined> {
  const answer = await server.ask({ method: "HEAD", key, answers: [200, 404] });
  answer.drop();
  return answer.status === 404 ? undefined : answer.length;
}

async function readPart(server: S3Requests, key: string, start: number, length?: number): Promise<Readable> {
  const isPart = start > 0 || length !== undefined;
  const range = `bytes=${start}-${length === undefined ? "" : start + length - 1}`;
  const answer = await server.ask({
    method: "GET",
    key,
    ...(isPart && { headers: { range } }),
    answers: [isPart ? 206 : 200, 404, 416],
  });
  if (answer.status === 404) {
    await expectBucket(answer);
    throw missing("File");
  }
  if (answer.status !== 416) return answer.bytes();
  // It begins behind the end.
  answer.drop();
  return Readable.from([]);
}

/** That a key is not there says something of it only where there is a bucket. */
async function expectBucket(answer: S3Answer): Promise<void> {
  const said = await answer.text();
  if (said.includes("NoSuchBucket")) throw new BlobsAway(new Error("the S3 server has no such bucket"));
}

async function* list(
  server: S3Requests,
  prefix: string,
  start: string,
): AsyncGenerator<{ name: string; since: Date; size: number }> {
  const { readListing } = await import("./listing.ts");
  let token: string | undefined;
  do {
    const query = {
      "list-type": "2",
      prefix: `${prefix}${start}`,
      ...(token !== undefined && { "continuation-token": token }),
    };
    const answer = await server.ask({ method: "GET", key: "", query, answers: [200] });
    const { objects, next } = readListing(await answer.text());
    for (const { key, since, size } of objects) yield { name: key.slice(prefix.length), since, size };
    token = next;
  } while (token !== undefined);
}

/**
 * Those that go are not listed any more, so the first page is enough until nothing of it is old. Some servers still list what has gone:
 * nothing is asked for twice.
 */
async function sweep(
  server: S3Requests,
  { prefix, start, before }: { prefix: string; start: string; before: Date },
): Promise<void> {
  const { readUploads } = await import("./listing.ts");
  const asked = new Set<string>();
  for (;;) {
    const answer = await server.ask({
      method: "GET",
      key: "",
      query: { uploads: "", prefix: `${prefix}${start}` },
      answers: [200],
    });
    const all = readUploads(await answer.text());
    const old = all.filter(({ since, uploadId }) => since < before && !asked.has(uploadId));
    if (old.length === 0) return;
    for (const { key, uploadId } of old) {
      asked.add(uploadId);
      const name = key.slice(prefix.length);
      (await server.ask({ method: "DELETE", key: name, query: { uploadId }, answers: [200, 204, 404] })).drop();
    }
  }
}
