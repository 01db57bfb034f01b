import { readBlob, stageBytes } from "../../../domain/files/blobs.ts";
import type { Sent } from "../../../domain/photos/uploads.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange, SentFile } from "../../../http/exchange.ts";
import { text } from "../parameters.ts";

/** Parameters that hold a file as base64 where it does not come as a part of a form. */
export const mediaInput = { media: text("The file; as text in base64."), media_data: text("The file in base64.") };

type Base64 = { [name: string]: string | undefined };

/** What every endpoint says that takes media. */
export const mediaErrors = {
  "too-large": [413, "image size exceeds the limit of this hub (uploaded size: <n>)"],
  unavailable: [500, "image upload failed"],
  broken: [500, "image upload failed"],
} as const;

/**
 * The files of a request in their order, whatever way they came: as parts, or as base64 in one of these parameters. Empty ones
 * are none. Throws invalid for what cannot be read.
 */
export async function sentMedia(hub: Hub, exchange: Exchange, base64: Base64 = {}): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const part of exchange.files) {
    const file = await fileOfPart(hub, exchange, part);
    if (file.staged.size > 0) sent.push(file);
  }
  for (const value of Object.values(base64))
    if (value?.trim()) sent.push(await stage(hub, exchange, decodeBase64(value) ?? refuse()));
  return sent;
}

/** A part that is text by the rules of forms holds base64, unless it cannot be that. */
async function fileOfPart(hub: Hub, exchange: Exchange, part: SentFile): Promise<Sent> {
  const { staged, filename, type } = part;
  const isText = type === "text/plain";
  // Parts without a type count as text, and then the name tells more.
  if (filename !== "" || !isText) return { staged, filename, type: isText ? "" : type };
  const bytes = staged.size <= mostBase64 ? decodeBase64((await readBlob(hub, staged)).toString("latin1")) : undefined;
  return bytes ? stage(hub, exchange, bytes) : { staged, filename, type };
}

const mostBase64 = 32 * 1024 * 1024;

/** Bytes like those of a part: what nobody keeps of them is removed after the answer. */
async function stage(hub: Hub, exchange: Exchange, bytes: Buffer): Promise<Sent> {
  const limit = hub.config.limits.upload;
  if (bytes.length > limit)
    throw new HubError("too-large", `The file is larger than ${limit} bytes.`, { size: bytes.length });
  const staged = await stageBytes(hub, bytes);
  exchange.files = [...exchange.files, { name: "media", filename: "", type: "", staged }];
  return { staged, filename: "", type: "" };
}

/** Base64 of either alphabet, as a data URL or bare, in lines or not; a plus sign may have become a space on its way. */
function decodeBase64(sent: string): Buffer | undefined {
  const bare = sent
    .trim()
    .replace(/^data:[^,]{0,200};base64,/i, "")
    .replace(/[\r\n\t]+/g, "")
    .replaceAll(" ", "+");
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare) || bare.replace(/=+$/, "").length % 4 === 1) return undefined;
  return Buffer.from(bare, "base64");
}

function refuse(): never {
  throw new HubError("invalid", "unable to process image data", { field: "media" });
}

/** A media id as clients write it; what cannot be one is 0, which nothing has. */
export function mediaIdIn(value: string | undefined): number {
  const read = value?.trim() ?? "";
  return /^\d{1,16}$/.test(read) ? Number(read) : 0;
}
