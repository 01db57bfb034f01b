import { connectionIdsOf } from "../../../domain/connections/connections.ts";
import { parseList } from "../../../domain/groups/lists.ts";
import { listGroups } from "../../../domain/groups/groups.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { ownPhotoThreads } from "../../../domain/items/media/photo-threads.ts";
import { photoRecords } from "../../../domain/photos/records.ts";
import type { PhotoRecord } from "../../../domain/photos/records.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { XmlText } from "../../../http/xml.ts";
import { presentPhotos } from "./present-photo.ts";
import type { PhotoObject, PhotoAnswers, WithData } from "./present-photo.ts";
import { photoXml } from "./present-photo-xml.ts";
import { show } from "../statuses/status-answers.ts";

/** Loads what photo objects are made of, in a fixed number of queries. */
export async function showPhotos(
  hub: Hub,
  caller: Caller,
  resources: readonly string[],
  exchange: Exchange,
): Promise<PhotoAnswers> {
  const { channel } = caller;
  const records = await photoRecords(hub, channel.channel_id, resources);
  const threads = await ownPhotoThreads(hub, channel, resources);
  const items = [...threads.values()].flatMap(({ top, comments }) => [top, ...comments]);
  const statuses = await show(hub, caller, items, { include_entities: false }, exchange);
  return { records, threads, statuses, numbers: await numbersOf(hub, channel.channel_id, records) };
}

/** One photo of the caller. Throws missing. */
export async function showPhoto(hub: Hub, caller: Caller, resource: string, exchange: Exchange): Promise<PhotoAnswers> {
  const shown = await showPhotos(hub, caller, [resource], exchange);
  if (shown.records.length === 0) throw missing("Photo");
  return shown;
}

async function numbersOf(hub: Hub, uid: number, records: readonly PhotoRecord[]): Promise<Map<string, number>> {
  const files = records.flatMap(({ file }) => (file ? [file] : []));
  const people = new Set(files.flatMap(({ allow_cid, deny_cid }) => [...parseList(allow_cid), ...parseList(deny_cid)]));
  const numbers = await connectionIdsOf(hub, uid, [...people]);
  if (files.some(({ allow_gid, deny_gid }) => allow_gid !== "" || deny_gid !== ""))
    for (const { hash, id } of await listGroups(hub, uid)) numbers.set(hash, id);
  return numbers;
}

/** The part of a row that answers one photo; under `friendica/` its links are a list (microblog contract 2.5). */
export async function presentOnePhoto(
  shown: PhotoAnswers,
  { format, alias, baseUrl }: Exchange,
  scale?: WithData,
): Promise<PhotoObject | XmlText> {
  const links = alias === "friendica" ? "array" : "object";
  const [photo] = await presentPhotos(shown, { baseUrl, links, scale });
  if (!photo) throw missing("Photo");
  return format === "xml" ? photoXml(photo) : photo;
}
