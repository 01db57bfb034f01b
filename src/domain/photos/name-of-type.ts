import { mimes } from "mrmime";
import { imageExtension, isImageType } from "./images.ts";

/** A name for bytes that came without one: players and programs go by the extension. */
export function nameOfType(type: string): string {
  if (isImageType(type)) return `image.${imageExtension(type)}`;
  const extension = Object.keys(mimes).find((name) => mimes[name] === type);
  return extension === undefined || type === "application/octet-stream" ? "media" : `media.${extension}`;
}
