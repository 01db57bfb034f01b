import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import type { Readable } from "node:stream";
import type { SentFile } from "./exchange.ts";
import { baseName } from "./parameters.ts";
import { brokenOff, tooLarge, tooManyParameters, unreadable } from "./refusals.ts";

export type BodyLimits = { request: number; upload: number };

export type Form = { texts: { name: string; bytes: Buffer }[]; files: SentFile[] };

const mostParts = 2000;
const notAForm = "The form cannot be read.";

/**
 * Reads a multipart form. Parts of the names in `fileNames` are files: only their name and size are kept. All other parts are
 * text, because clients put file names on texts and leave them off files (microblog contract 12, 48).
 */
export function readMultipart(
  stream: Readable,
  contentType: string,
  fileNames: readonly string[],
  limits: BodyLimits,
): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form: Form = { texts: [], files: [] };
    const parser = openParser(contentType);
    const fail = (error: Error): void => {
      stream.unpipe(parser);
      reject(error);
    };
    const texts = allowance(limits.request, fail);
    const files = allowance(limits.upload, fail);
    // oxlint-disable-next-line typescript/no-useless-default-assignment -- its types promise names that parts may lack
    parser.on("file", (name = "", part, filename = "", _encoding, type) => {
      if (fileNames.includes(baseName(name)))
        takeFile(part, { name: baseName(name), filename, type, size: 0 }, form, files);
      else takeText(part, name, form, texts);
    });
    parser.on("partsLimit", () => fail(tooManyParameters()));
    parser.on("error", (cause) => fail(unreadable(notAForm, cause)));
    parser.on("finish", () => resolve(form));
    stream.once("error", (cause) => fail(brokenOff(cause)));
    stream.pipe(parser);
  });
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
    throw unreadable(notAForm, cause);
  }
}

/** May so many more bytes be taken? The first time that they may not, the whole form fails. */
type Allowance = (length: number) => boolean;

function allowance(most: number, fail: (error: Error) => void): Allowance {
  let left = most;
  return (length) => {
    left -= length;
    if (left < 0) fail(tooLarge(most));
    return left >= 0;
  };
}

function takeFile(part: BusboyFileStream, file: SentFile, form: Form, mayTake: Allowance): void {
  part.on("data", (chunk: Buffer) => {
    if (mayTake(chunk.length)) file.size += chunk.length;
  });
  part.on("end", () => form.files.push(file));
  part.on("error", ignore);
}

function takeText(part: BusboyFileStream, name: string, form: Form, mayTake: Allowance): void {
  const chunks: Buffer[] = [];
  part.on("data", (chunk: Buffer) => {
    if (mayTake(chunk.length)) chunks.push(chunk);
  });
  part.on("end", () => form.texts.push({ name, bytes: Buffer.concat(chunks) }));
  part.on("error", ignore);
}

/** The parser reports the same fault itself. */
function ignore(): void {}
