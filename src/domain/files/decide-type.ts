import { mimes } from "mrmime";
import { extensionOf } from "./names.ts";

/** What nothing is known about. */
const unknownType = "application/octet-stream";

/** The type of a directory. */
export const folderType = "multipart/mixed";

/** Types whose bytes are looked at: what only claims to be one of them is not. */
const verified: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/**
 * The mime type of a file: what its bytes say if they are an image, else the declared type if it is a known one, else
 * what the extension stands for. What claims to be an image and is none is `application/octet-stream`.
 */
export function decideType(declared: string, filename: string, bytesType?: string): string {
  if (bytesType !== undefined) return usualName(bytesType);
  const claimed = claimedType(declared, filename);
  return verified.includes(claimed) ? unknownType : claimed;
}

/** Do type or name say that it is one of the images whose bytes are looked at? */
export function claimsImage(declared: string, filename: string): boolean {
  return verified.includes(claimedType(declared, filename));
}

function claimedType(declared: string, filename: string): string {
  const type = usualName(declared);
  return isKnown(type) ? type : (mimes[extensionOf(filename)] ?? unknownType);
}

/** Images that are made of pixels and cannot hold anything else. */
const raster = /^image\/(apng|avif|bmp|gif|heic|heif|jpeg|jxl|png|tiff|webp|x-icon|vnd\.microsoft\.icon)$/;

/** Is it an image of pixels? */
export function isRaster(type: string): boolean {
  return raster.test(type);
}

/** May the bytes be shown by a browser where they are? Everything else is offered for saving. */
export function isShownInPlace(type: string): boolean {
  return isRaster(type) || /^(audio|video)\/[\w.+-]+$/.test(servedType(type));
}

/** The type to serve a file with: what could run script is plain text. */
export function servedType(type: string): string {
  return mayRunScript(type) ? "text/plain" : type;
}

/** HTML and XML of every kind, style sheets, script. */
function mayRunScript(type: string): boolean {
  return /\b(html|xml|xsl|xslt|css|svg|(java|ecma|live|j)script)\b/i.test(type);
}

function usualName(type: string): string {
  const bare = type.replace(/;.*$/, "").trim().toLowerCase();
  return bare === "image/jpg" || bare === "image/pjpeg" ? "image/jpeg" : bare;
}

function isKnown(type: string): boolean {
  return type !== unknownType && Object.values(mimes).includes(type);
}
