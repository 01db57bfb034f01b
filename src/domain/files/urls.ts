import type { Hub } from "../../hub.ts";
import { extensionOf } from "./names.ts";
import type { File } from "./types.ts";

/** Where the newest revision of a file is downloaded. */
export function fileUrl(hub: Hub, file: Pick<File, "hash">): string {
  return `${hub.config.baseUrl}/attach/${file.hash}`;
}

/** Where exactly this revision is, with the extension that players go by. */
export function revisionUrl(hub: Hub, file: Pick<File, "hash" | "revision" | "filename">): string {
  const extension = extensionOf(file.filename);
  return `${fileUrl(hub, file)}/${file.revision}${/^[a-z0-9]+$/.test(extension) ? `.${extension}` : ""}`;
}
