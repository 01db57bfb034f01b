import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { filesVisibleTo } from "../permissions/visible-files.ts";

/** A directory with images. */
export type Album = {
  /** Path from the top level, empty for the top level itself. */
  name: string;
  /** Hash of the directory; empty for the top level. */
  folder: string;
  /** How many images in it the observer may see. */
  total: number;
  /** Hash of the newest of them, which stands for all. */
  cover: string;
};

/** The albums in which the observer may see at least one image, the top level first, then by name. */
export async function albums(hub: Hub, observer: Observer, channel: Pick<Channel, "channel_id">): Promise<Album[]> {
  const uid = channel.channel_id;
  const rows =
    observer.channelId === uid
      ? await compiled(hub, "own albums", { uid }, (slots) => counted(hub, slots.uid))
      : await counted(hub, sql.val(uid), filesVisibleTo(hub, observer, uid)).execute();
  return rows.map(({ name, folder, total, cover }) => ({ name, folder, total: Number(total), cover }));
}

/** Images are counted by directory first, so that the names of few directories are looked up. */
function counted(hub: Hub, uid: RawBuilder<number>, visible?: RawBuilder<SqlBool>) {
  let images = hub.db
    .selectFrom("attach")
    .select(["attach.folder", (x) => x.fn.countAll<number>().as("total"), (x) => x.fn.max("attach.id").as("newest")])
    .where("attach.uid", "=", uid)
    .where("attach.is_photo", "=", sql.lit(1))
    .where("attach.latest", "=", sql.lit(1))
    .groupBy("attach.folder");
  if (visible) images = images.where(visible);
  return hub.db
    .selectFrom(images.as("counted"))
    .leftJoin("attach as dir", (join) => join.on("dir.uid", "=", uid).onRef("dir.hash", "=", "counted.folder"))
    .innerJoin("attach as cover", "cover.id", "counted.newest")
    .select([
      "counted.folder",
      "counted.total",
      "cover.hash as cover",
      sql<string>`coalesce(dir.display_path, '')`.as("name"),
    ])
    .orderBy("name");
}

/** The address of an album's page carries its name in hexadecimal. */
export function albumKey(name: string): string {
  return Buffer.from(name === "" ? "/" : name).toString("hex");
}

/** The album that such a key names; undefined for what is no key, such as one with NUL in the name. The empty key is the top level, too. */
export function albumOfKey(key: string): string | undefined {
  if (!/^(?!([0-9a-f]{2})*00)([0-9a-f]{2})*$/.test(key)) return undefined;
  const name = Buffer.from(key, "hex").toString();
  return name === "/" ? "" : name;
}
