import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import type { Readable } from "node:stream";
import { HubError, refusal } from "../errors.ts";
import type { Hub } from "../hub.ts";
import type { SentFile } from "./exchange.ts";
import { baseName } from "./parameters.ts";
import { brokenOff, noForm, tooLarge, tooManyParameters } from "./refusals.ts";
import { cleanText } from "./text.ts";

export type Form = { texts: { name: string; bytes: Buffer }[]; files: SentFile[] };

const mostParts = 2000;

/**
 * Reads a multipart form. Parts of the names in `fileNames` are files (`*`: every part with a file name): they go to
 * the blob store as they come, each up to the hub's limit. All other parts are text, `mostText` bytes together, because
 * clients put file names on texts and leave them off files (microblog contract 12, trap 48). Of parts in `dropped`
 * nothing is kept. A form that fails leaves nothing behind but the texts that had come, in `texts`.
 */
export async function readMultipart(
  hub: Hub,
  stream: Readable,
  contentType: string,
  fileNames: readonly string[],
  mostText: number = hub.config.limits.request,
  { dropped = [], texts = [] }: { dropped?: readonly string[]; texts?: Form["texts"] } = {},
): Promise<Form> {
  const form: Form = { texts, files: [] };
  const stagings: Promise<SentFile | undefined>[] = [];
  try {
    await parse(hub, stream, openParser(contentType), { fileNames, mostText, dropped }, form, stagings);
    for (const file of await Promise.all(stagings)) if (file) form.files.push(file);
    return form;
  } catch (error) {
    const staged = await Promise.allSettled(stagings);
    await dropFiles(
      hub,
      staged.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : [])),
    );
    throw error;
  }
}

/** Removes what was staged and not kept; harmless for what was. */
export async function dropFiles(hub: Hub, files: readonly SentFile[]): Promise<void> {
  await Promise.all(files.map(({ staged }) => hub.blobs.remove(staged)));
}

function parse(
  hub: Hub,
  stream: Readable,
  parser: BusboyInstance,
  { fileNames, mostText, dropped }: { fileNames: readonly string[]; mostText: number; dropped: readonly string[] },
  form: Form,
  stagings: Promise<SentFile | undefined>[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parts = new Set<BusboyFileStream>();
    const fail = (error: Error): void => {
      stream.unpipe(parser);
      // Whoever stages a part that does not go on must learn it.
      for (const part of parts) part.destroy(error);
      reject(error);
    };
    const mayTake = allowance(mostText, fail);
    const mayDrop = allowance(hub.config.limits.upload, fail);
    // oxlint-disable-next-line typescript/no-useless-default-assignment -- its types promise names that parts may lack
    parser.on("file", (name = "", part, filename = "", _encoding, type) => {
      if (dropped.includes(baseName(name))) return dropPart(part, mayDrop);
      const isFile = fileNames.includes("*") ? filename !== "" : fileNames.includes(baseName(name));
      if (!isFile) return takeText(part, name, form, mayTake);
      parts.add(part);
      part.on("end", () => parts.delete(part));
      part.on("error", ignore);
      // A name is text like any other, and goes into columns that hold no control characters.
      const staging = stageFile(hub, part, { name: baseName(name), filename: cleanText(filename), type });
      stagings.push(staging);
      staging.catch(fail);
    });
    parser.on("partsLimit", () => fail(tooManyParameters()));
    parser.on("error", (cause) => fail(noForm(cause)));
    parser.on("finish", resolve);
    stream.once("error", (cause) => fail(brokenOff(cause)));
    stream.once("close", () => stream.readableEnded || fail(brokenOff()));
    stream.pipe(parser);
  });
}

/** A part without name and bytes is what browsers send for a file field that was left empty. */
async function stageFile(
  hub: Hub,
  part: BusboyFileStream,
  about: Pick<SentFile, "name" | "filename" | "type">,
): Promise<SentFile | undefined> {
  const limit = hub.config.limits.upload;
  const staged = await hub.blobs.stage(part, limit).catch((error: unknown) => {
    const isLarge = error instanceof HubError && error.code === "file_too_large";
    throw isLarge ? refusal("file_too_large", { most: limit, size: limit + 1 }) : error;
  });
  if (about.filename !== "" || staged.size > 0) return { ...about, staged };
  await hub.blobs.remove(staged);
  return undefined;
}

function openParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Every part arrives as bytes, so that what is not UTF-8 is noticed.
      isPartAFile: () => true,
      limits: { parts: mostParts, headerPairs: 20, headerSize: 16_384 },
    });
  } catch (cause) {
    throw noForm(cause);
  }
}

/** May so many more bytes be taken? The first time that they may not, the whole form fails. */
type Allowance = (length: number) => boolean;

function allowance(most: number, fail: (error: Error) => void): Allowance {
  let left = most;
  return (length) => {
    left -= length;
    if (left < 0) fail(tooLarge(most, most - left));
    return left >= 0;
  };
}

function takeText(part: BusboyFileStream, name: string, form: Form, mayTake: Allowance): void {
  const chunks: Buffer[] = [];
  part.on("data", (chunk: Buffer) => {
    if (mayTake(chunk.length)) chunks.push(chunk);
  });
  part.on("end", () => form.texts.push({ name, bytes: Buffer.concat(chunks) }));
  part.on("error", ignore);
}

function dropPart(part: BusboyFileStream, mayDrop: Allowance): void {
  part.on("data", (chunk: Buffer) => void mayDrop(chunk.length));
  part.on("error", ignore);
}

/** Whoever reports the fault is another: the parser, or whoever stages the part. */
function ignore(): void {}
