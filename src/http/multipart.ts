import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream } from "@fastify/busboy";
import type { Readable } from "node:stream";
import type { HubError } from "../errors.ts";
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
export function readMultipart(stream: Readable, contentType: string, fileNames: readonly string[], limits: BodyLimits): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form: Form = { texts: [], files: [] };
    let textLength = 0;
    const parser = openParser(contentType, limits);
    const fail = (error: HubError): void => {
      stream.unpipe(parser);
      stream.removeAllListeners("data");
      reject(error);
    };
    parser.on("file", (name = "", part, filename, _encoding, type) => {
      if (fileNames.includes(baseName(name))) return takeFile(part, form.files, { name: baseName(name), filename: filename ?? "", type, size: 0 });
      takeText(part, name, form.texts, (length) => {
        textLength += length;
        if (textLength <= limits.request) return true;
        fail(tooLarge(limits.request));
        return false;
      });
    });
    parser.on("partsLimit", () => fail(tooManyParameters()));
    parser.on("error", (cause) => fail(unreadable(notAForm, cause)));
    parser.on("finish", () => resolve(form));
    stream.once("error", (cause) => fail(brokenOff(cause)));
    stream.pipe(parser);
  });
}

function openParser(contentType: string, limits: BodyLimits): Busboy {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Every part arrives as bytes, so that text which is not UTF-8 can be told from text.
      isPartAFile: () => true,
      limits: { parts: mostParts, headerPairs: 20, headerSize: 16_384, fileSize: limits.upload },
    });
  } catch (cause) {
    throw unreadable(notAForm, cause);
  }
}

type Busboy = InstanceType<typeof Busboy>;

function takeFile(part: BusboyFileStream, files: SentFile[], file: SentFile): void {
  part.on("data", (chunk: Buffer) => (file.size += chunk.length));
  part.on("end", () => files.push(file));
  part.on("error", ignore);
}

function takeText(part: BusboyFileStream, name: string, texts: Form["texts"], mayKeep: (length: number) => boolean): void {
  const chunks: Buffer[] = [];
  part.on("data", (chunk: Buffer) => {
    if (mayKeep(chunk.length)) chunks.push(chunk);
  });
  part.on("end", () => texts.push({ name, bytes: Buffer.concat(chunks) }));
  part.on("error", ignore);
}

/** The parser reports the same fault itself. */
function ignore(): void {}
