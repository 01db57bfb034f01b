import { servedType } from "../../../domain/files/decide-type.ts";
import { findFile } from "../../../domain/files/find.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { isNobody } from "../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { mediaOf } from "../../../domain/items/timelines/status-media.ts";
import { fileFor } from "../../../domain/photos/file-for.ts";
import { findNamedPhoto, readPhotoName } from "../../../domain/photos/named.ts";
import { photoFileUrl } from "../../../domain/photos/urls.ts";
import { missing, unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { everybody } from "../everybody.ts";
import { idsOf } from "../ids.ts";
import { fileFields } from "../present/file.ts";
import type { FileRendition } from "../present/file.ts";
import { objectContext } from "./context.ts";

/** Photos and files as objects, at the addresses of their bytes and for those who may have these (federation contract 3, 4.1). */
export const fileDocuments: readonly Address[] = [
  { path: "/photo/:name", beside: "file", get: image },
  { path: "/attach/:hash", beside: "file", get: file },
];

/** One object for all renditions: that of the one that was asked for leads there. */
async function image(question: Question): Promise<Document> {
  const { hub, params } = question;
  const ref = readPhotoName(params["name"] ?? "");
  const [photo, isOpen] = await seen(question, (observer) => findNamedPhoto(hub, observer, ref));
  const { description: alt, mimetype, width, height } = photo;
  const shown = { url: photoFileUrl(hub.config.baseUrl, photo), mimetype, width, height, alt };
  const id = `/photo/${photo.resource_id}`;
  return documentOf(hub, { ...photo, id, type: "Image", hash: photo.resource_id }, shown, isOpen);
}

async function file(question: Question): Promise<Document> {
  const { hub, params } = question;
  const hash = params["hash"] ?? "";
  if (!/^[\w.-]{1,100}$/.test(hash)) throw missing("File");
  const [{ row, filetype }, isOpen] = await seen(question, async (observer) => {
    const row = await findFile(hub, observer, { hash });
    if (row.is_dir === 1) throw missing("File");
    return { row, filetype: (await fileFor(hub, observer, row)).filetype };
  });
  const id = `/attach/${row.hash}`;
  const url = `${hub.config.baseUrl}${id}`;
  const shown = { url, mimetype: servedType(filetype), width: 0, height: 0, alt: row.filename };
  return documentOf(hub, { ...row, id, type: "Document" }, shown, isOpen);
}

/**
 * What everybody may see is the same for all; anything else is as whoever has signed sees it, and so is everything where all have to
 * sign. Answers whether everybody may. Throws missing.
 */
async function seen<Found>(
  { anybody, observer, forSigners }: Question,
  find: (observer: Observer) => Promise<Found>,
): Promise<[Found, boolean]> {
  const open = await unlessMissing(find(await anybody()));
  if (open && !forSigners) return [open, true];
  const signer = await observer();
  if (!open && isNobody(signer)) throw missing("File");
  return [await find(signer), open !== undefined];
}

type About = { id: string; type: "Image" | "Document"; uid: number; hash: string; created: string; edited: string };

async function documentOf(hub: Hub, about: About, shown: FileRendition, isOpen: boolean): Promise<Document> {
  const { uid, hash, created, edited } = about;
  const owner = await findChannelById(hub, uid);
  if (!owner) throw missing("File");
  const media = await mediaOf(hub, [hash], new Set([owner.xchan_id]));
  return jsonDocument({
    "@context": objectContext,
    id: `${hub.config.baseUrl}${about.id}`,
    type: about.type,
    attributedTo: idsOf(hub, owner.channel_address).actor,
    ...(isOpen && { to: [everybody] }),
    published: isoDate(created),
    ...(edited > created && { updated: isoDate(edited) }),
    ...fileFields(shown, media),
  });
}
