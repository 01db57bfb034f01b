import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { BlobsAway, missing } from "../../errors.ts";
import type { Mark } from "./mark.ts";
import type { S3Place } from "../../blobs-place.ts";
import type { S3Answer } from "./s3-answers.ts";
import type { S3Requests } from "./s3-requests.ts";
import { readFileAt, readFileFrom, stagingIn } from "./staging.ts";
import type { BlobStore } from "./store.ts";

/**
 * Blobs as objects in a bucket; what is staged waits in a folder of this machine. A server that says nothing for so long
 * (`patience`, milliseconds) is away.
 */
export function s3Blobs(place: S3Place, dataDir: string, patience = 10_000): BlobStore {
  const staging = stagingIn(join(dataDir, "blobs", "staging"));
  const server = requestsWhenUsed(place, patience);
  return {
    stage: staging.stage,
    sweep: staging.sweep,
    async keep(staged, name) {
      const path = staging.path(staged);
      const { size, sha256 } = staged;
      await put(server, keyOf(name), { open: () => createReadStream(path), size, sha256 });
      await rm(path, { force: true });
    },
    read: (name, start = 0, length) =>
      typeof name === "string" ? read(server, name, start, length) : readFileFrom(staging.path(name), start, length),
    readAt: async (name, start, length) =>
      typeof name === "string"
        ? buffer(await read(server, name, start, length))
        : readFileAt(staging.path(name), start, length),
    size: (name) => sizeOf(server, keyOf(name)),
    kept: () => listKept(server, place.prefix),
    async setAside(name) {
      await copy(server, place, keyOf(name), `aside/${name}`);
      await remove(server, keyOf(name));
    },
    remove: (name) =>
      typeof name === "string" ? remove(server, keyOf(name)) : rm(staging.path(name), { force: true }),
    address: (name, type) => server.sign(keyOf(name), { "response-content-type": type }),
    origin: originOf(place),
    mark: bucketMark(server, `s3://${place.bucket}/${place.prefix}`),
  };
}

function originOf({ endpoint, bucket, style }: S3Place): string {
  const url = new URL(endpoint);
  if (style === "host") url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** The client is loaded with the first use. */
function requestsWhenUsed(place: S3Place, patience: number): S3Requests {
  let loaded: Promise<S3Requests> | undefined;
  const server = () => (loaded ??= import("./s3-requests.ts").then(({ s3Requests }) => s3Requests(place, patience)));
  return {
    ask: async (request) => (await server()).ask(request),
    sign: async (key, query) => (await server()).sign(key, query),
  };
}

const kept = "kept/";

function keyOf(name: string): string {
  return `${kept}${name}`;
}

type Body = { open(): Readable; size: number; sha256: string };

async function put(server: S3Requests, key: string, body: Body): Promise<void> {
  (await server.ask({ method: "PUT", key, body, answers: [200, 201] })).drop();
}

async function remove(server: S3Requests, key: string): Promise<void> {
  (await server.ask({ method: "DELETE", key, answers: [200, 204, 404] })).drop();
}

async function copy(server: S3Requests, { bucket, prefix }: S3Place, from: string, to: string): Promise<void> {
  const source = `/${bucket}/${prefix}${from}`.split("/").map(encodeURIComponent).join("/");
  const headers = { "x-amz-copy-source": source };
  const said = await (await server.ask({ method: "PUT", key: to, headers, answers: [200] })).text();
  // A server may begin its answer before it knows whether it can.
  if (said.includes("<Error>")) throw new BlobsAway(new Error(`the S3 server does not copy: ${said.slice(0, 500)}`));
}

async function sizeOf(server: S3Requests, key: string): Promise<number | undefined> {
  const answer = await server.ask({ method: "HEAD", key, answers: [200, 404] });
  answer.drop();
  return answer.status === 404 ? undefined : answer.length;
}

async function read(server: S3Requests, name: string, start: number, length?: number): Promise<Readable> {
  const key = keyOf(name);
  if (length === 0) {
    if ((await sizeOf(server, key)) === undefined) throw missing("File");
    return Readable.from([]);
  }
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

async function* listKept(server: S3Requests, prefix: string): AsyncGenerator<{ name: string; since: Date }> {
  const { readListing } = await import("./s3-listing.ts");
  const start = `${prefix}${kept}`;
  let token: string | undefined;
  do {
    const query = { "list-type": "2", prefix: start, ...(token !== undefined && { "continuation-token": token }) };
    const answer = await server.ask({ method: "GET", key: "", query, answers: [200] });
    const { keys, next } = readListing(await answer.text());
    for (const { key, since } of keys) yield { name: key.slice(start.length), since };
    token = next;
  } while (token !== undefined);
}

/** The mark of a bucket, or of what lies there below the prefix: an object, and one for each offer. */
function bucketMark(server: S3Requests, place: string): Mark {
  const settled = "hubbub-id";
  const offerOf = (id: string): string => `hubbub-id.new/${id}`;
  const read = async (): Promise<string | undefined> => {
    const answer = await server.ask({ method: "GET", key: settled, answers: [200, 404] });
    if (answer.status === 200) return (await answer.text()).trim() || undefined;
    await expectBucket(answer);
    return undefined;
  };
  const write = (key: string, id: string): Promise<void> => {
    const bytes = Buffer.from(`${id}\n`);
    return put(server, key, { open: () => Readable.from([bytes]), size: bytes.length, sha256: sha256Of(bytes) });
  };
  return {
    place,
    read,
    async offer(id = randomUUID()) {
      await write(offerOf(id), id);
      return id;
    },
    async settle(id) {
      if ((await sizeOf(server, offerOf(id))) !== undefined) {
        await write(settled, id);
        await remove(server, offerOf(id));
      }
      return (await read()) === id;
    },
    withdraw: (id) => remove(server, offerOf(id)),
    remove: () => remove(server, settled),
  };
}

function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
