import { isNobody } from "../../../../domain/identity/channels/observer.ts";
import { isShownInPlace, servedType } from "../../../../domain/files/decide-type.ts";
import { findFile } from "../../../../domain/files/find.ts";
import { publicAddress, readFile } from "../../../../domain/files/read.ts";
import { fileFor } from "../../../../domain/photos/file-for.ts";
import { missing } from "../../../../errors.ts";
import { fileResponse } from "../../../../http/file-answer.ts";
import type { Page, PageContext } from "../../page.ts";
import { askedBy } from "../../parts/asked-by.ts";

/** Files for downloading. */
export const attachPages: Page[] = [
  { path: "/attach/:hash", access: "anybody", get: download },
  { path: "/attach/:hash/:revision", access: "anybody", get: download },
];

async function download(context: PageContext): Promise<Response> {
  const { hub } = context;
  const { hash = "", revision } = context.params;
  const observer = await askedBy(context, hash);
  const file = await findFile(hub, observer, {
    hash,
    revision: revision === undefined ? undefined : numberIn(revision),
  });
  if (file.is_dir === 1) throw missing("File");
  const found = await fileFor(hub, observer, file);
  return fileResponse(context, {
    size: found.filesize,
    version: `${found.hash.slice(0, 32)}-${found.revision}${found.blob === file.blob ? "" : "-shown"}`,
    type: servedType(found.filetype),
    saveAs: isShownInPlace(found.filetype) ? undefined : found.filename,
    isPublic: isNobody(observer),
    headers: { "x-request-id": context.id },
    address: () => publicAddress(hub, found.blob, servedType(found.filetype)),
    read: (start, length) => readFile(hub, found, start, length),
  });
}

/** The revision in `3` or `3.jpg`; the extension is there for players. Throws missing. */
function numberIn(text: string): number {
  const number = /^(\d{1,9})(\.[A-Za-z0-9]{1,20})?$/.exec(text)?.[1];
  if (number === undefined) throw missing("File");
  return Number(number);
}
