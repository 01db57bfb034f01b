import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { BlobsAway } from "../../errors.ts";
import type { S3Request, S3Requests } from "./requests.ts";

/** What is sent, or copied, in parts: it is there under its name when all of them are. */

/** Servers take 10,000 parts; so the later ones are larger, and a terabyte fits into them. */
const partsOfOneSize = 400;

/** Stores bytes as they come; what fits into one part goes in one piece. */
export async function putInParts(server: S3Requests, key: string, bytes: Readable, first: number): Promise<void> {
  const parts = partsOf(bytes, first);
  const one = await parts.next();
  const two = one.done ? one : await parts.next();
  if (two.done) {
    const body = bodyOf(one.value ?? Buffer.alloc(0));
    return (await server.ask({ method: "PUT", key, body, answers: [200, 201] })).drop();
  }
  await inParts(server, key, async (send) => {
    for (let part = one; !part.done; part = part === one ? two : await parts.next())
      await send({ body: bodyOf(part.value) });
  }).finally(() => bytes.destroy());
}

/** Copies what is too large for one request. */
export async function copyInParts(
  server: S3Requests,
  source: string,
  to: string,
  size: number,
  piece: number,
): Promise<void> {
  await inParts(server, to, async (send) => {
    for (let start = 0; start < size; start += piece) {
      const end = Math.min(size, start + piece) - 1;
      await send({ headers: { "x-amz-copy-source": source, "x-amz-copy-source-range": `bytes=${start}-${end}` } });
    }
  });
}

type SendPart = (part: Pick<S3Request, "body" | "headers">) => Promise<void>;

async function inParts(server: S3Requests, key: string, sendAll: (send: SendPart) => Promise<void>): Promise<void> {
  const begun = await server.ask({ method: "POST", key, query: { uploads: "" }, answers: [200] });
  const uploadId = wordIn(await begun.said(), "UploadId");
  if (uploadId === undefined) throw new BlobsAway(new Error("the S3 server begins no upload in parts"));
  try {
    const tags: string[] = [];
    await sendAll(async (part) => {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const answer = await server.ask({ method: "PUT", key, query, ...part, answers: [200] });
      const said = await answer.said();
      tags.push(answer.tag ?? wordIn(said, "ETag") ?? "");
    });
    const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = bodyOf(Buffer.from(`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`));
    await (await server.ask({ method: "POST", key, query: { uploadId }, body, answers: [200] })).said();
  } catch (error) {
    // Parts without an end cost their room; those that cannot be given up now are swept later.
    const given = server.ask({ method: "DELETE", key, query: { uploadId }, answers: [200, 204, 404] });
    await given.then((answer) => answer.drop()).catch(() => undefined);
    throw error;
  }
}

function bodyOf(bytes: Buffer): NonNullable<S3Request["body"]> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { open: () => Readable.from([bytes]), size: bytes.length, sha256 };
}

function wordIn(xml: string, name: string): string | undefined {
  const word = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
  return word?.replaceAll("&quot;", '"').replaceAll("&#34;", '"').replaceAll("&amp;", "&");
}

/** The bytes in pieces of growing size; the last one has what is left. */
async function* partsOf(bytes: AsyncIterable<Buffer | string>, first: number): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = [];
  let [size, given] = [0, 0];
  for await (const chunk of bytes) {
    let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    for (;;) {
      const want = first * Math.ceil((given + 1) / partsOfOneSize) - size;
      if (rest.length < want) break;
      held.push(rest.subarray(0, want));
      rest = rest.subarray(want);
      yield Buffer.concat(held);
      given++;
      [held, size] = [[], 0];
    }
    if (rest.length > 0) held.push(rest);
    size += rest.length;
  }
  if (held.length > 0) yield Buffer.concat(held);
  return undefined;
}
