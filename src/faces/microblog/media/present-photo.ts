import { listNames, parseList } from "../../../domain/groups/lists.ts";
import type { File, Lists } from "../../../domain/files/types.ts";
import type { PhotoThread } from "../../../domain/items/media/photo-threads.ts";
import { photoFileUrl } from "../../../domain/photos/urls.ts";
import type { ListedPhoto, PhotoRecord } from "../../../domain/photos/records.ts";
import { usages } from "../../../domain/photos/types.ts";
import type { Photo } from "../../../domain/photos/columns.ts";
import type { StatusPage } from "../../../domain/items/timelines/statuses.ts";
import { presentActivities, withAnnouncers } from "../statuses/present-activities.ts";
import type { RenderOptions } from "../present/render-options.ts";
import { presentStatuses, statusObject } from "../statuses/present-status.ts";
import { peopleOf } from "../people/present-user.ts";

/** Photos of the caller on their way out. */
export type PhotoAnswers = {
  records: PhotoRecord[];
  /** By resource. */
  threads: Map<string, PhotoThread>;
  /** The items of all threads. */
  statuses: { page: StatusPage; options: RenderOptions };
  /** The numbers of the people and groups that the access lists name, by their hashes. */
  numbers: Map<string, number>;
};

/** A rendition with its bytes in base64. */
export type WithData = { photo: Photo; data: string };

/** How photos are shown in this answer. */
export type PhotoOptions = {
  baseUrl: string;
  /** `link` as an object, as an array, or left out for `thumb` in its place. */
  links: "object" | "array" | "thumb";
  /** The one scale that was asked for. */
  scale?: WithData | undefined;
};

export type PhotoObject = ReturnType<typeof photoObject>;

/** Photo objects, in the order of the records. */
export async function presentPhotos(shown: PhotoAnswers, options: PhotoOptions): Promise<PhotoObject[]> {
  const { page, options: statusOptions } = shown.statuses;
  const people = peopleOf(page.users);
  const statuses = new Map((await presentStatuses(page, statusOptions)).map((one) => [one.fields.id, one]));
  return shown.records.map((record) => {
    const thread = shown.threads.get(record.resource);
    const activities = presentActivities(thread && page.reactions.get(thread.top.id), people);
    const comments = (thread?.comments ?? []).map((item) => statusObject(statuses.get(item.id)!));
    const isMismatch = record.file && thread ? differ(record.file, thread) : false;
    return photoObject(record, options, listsOf(record.file, shown.numbers), {
      svc_activities: activities,
      svc_comments: comments,
      ...(statusOptions.aliases && {
        friendica_activities: withAnnouncers(activities, thread && page.shares.get(thread.top.message_id)?.by, people),
        friendica_comments: comments,
      }),
      rights_mismatch: isMismatch,
    });
  });
}

function photoObject(
  { resource, renditions, file }: PhotoRecord,
  { baseUrl, links, scale }: PhotoOptions,
  lists: Lists,
  talk: object,
) {
  const largest = renditions[0]!;
  const shown = scale?.photo ?? largest;
  const urls = renditions.map((one) => photoFileUrl(baseUrl, one));
  return {
    id: resource,
    created: largest.created,
    edited: largest.edited,
    title: largest.title,
    desc: largest.description,
    album: albumName(largest.album),
    filename: largest.filename,
    type: shown.mimetype,
    height: shown.height,
    width: shown.width,
    profile: renditions.some((one) => one.photo_usage === usages.profile) ? 1 : 0,
    link: linkOf(renditions, urls, links),
    thumb: links === "thumb" ? urls.at(-1) : undefined,
    datasize: scale?.photo.filesize,
    data: scale?.data,
    "media-id": file?.id ?? 0,
    scales: renditions.map(({ id, imgscale, width, height, filesize }, at) => ({
      id,
      scale: imgscale,
      link: urls[at],
      width,
      height,
      size: filesize,
    })),
    ...lists,
    ...talk,
  };
}

function linkOf(renditions: readonly Photo[], urls: readonly string[], links: PhotoOptions["links"]) {
  if (links === "thumb") return undefined;
  return links === "array" ? urls : Object.fromEntries(renditions.map(({ imgscale }, at) => [imgscale, urls[at]!]));
}

/** The lists by numbers, as clients send them; whoever has none stays a hash. */
function listsOf(file: File | undefined, numbers: ReadonlyMap<string, number>): Lists {
  const written = (list = ""): string =>
    parseList(list)
      .map((hash) => `<${numbers.get(hash) ?? hash}>`)
      .join("");
  return {
    allow_cid: written(file?.allow_cid),
    deny_cid: written(file?.deny_cid),
    allow_gid: written(file?.allow_gid),
    deny_gid: written(file?.deny_gid),
  };
}

/** Does the photo name others than its item? */
function differ(file: Lists, { top }: PhotoThread): boolean {
  const sorted = (list: string): string => parseList(list).toSorted().join(" ");
  return listNames.some((name) => sorted(file[name]) !== sorted(top[name]));
}

export type ListedPhotoObject = Record<
  "id" | "album" | "filename" | "type" | "thumb" | "created" | "edited" | "desc",
  string
>;

/** The photo list item. */
export function presentListedPhoto(photo: ListedPhoto, baseUrl: string): ListedPhotoObject {
  const { resource_id, thumb_scale, thumb_type } = photo;
  return {
    id: resource_id,
    album: albumName(photo.album),
    filename: photo.filename,
    type: photo.mimetype,
    thumb: photoFileUrl(baseUrl, { resource_id, imgscale: thumb_scale, mimetype: thumb_type }),
    created: photo.created,
    edited: photo.edited,
    desc: photo.description,
  };
}

/** The top level is written `/`. */
export function albumName(name: string): string {
  return name === "" ? "/" : name;
}
