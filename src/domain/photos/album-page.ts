import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { filesVisibleTo } from "../permissions/visible-files.ts";
import { scales } from "./scales.ts";
import { cutPage } from "../../storage/key-page.ts";

/** An image as a page of an album shows it. */
export type Picture = { id: number; hash: string; filename: string; title: string; description: string };

/** `folder` left out: all albums. */
type Where = { uid: number; folder?: string | undefined };

/** In which order they stand; names are those of one album. */
export const pictureOrders = ["newest", "oldest", "name"] as const;
export type PictureOrder = (typeof pictureOrders)[number];

/** Images that the observer may see, the newest first where nothing else is asked for; `before` is the `next` of the page before. */
export async function albumPage(
  hub: Hub,
  observer: Observer,
  where: Where,
  { before = "", count, order = "newest" }: { before?: string; count: number; order?: PictureOrder },
): Promise<{ pictures: Picture[]; next: string | undefined }> {
  const all = pictures(hub, observer, where).limit(count + 1);
  const found = await (order === "name" ? byName(all, before) : byAge(all, before, order)).execute();
  const { page, next } = cutPage(found, count, (row) => (order === "name" ? row.filename : String(row.id)));
  return { pictures: page, next };
}

type Pictures = ReturnType<typeof pictures>;

function byName(all: Pictures, before: string): Pictures {
  return (before === "" ? all : all.where("attach.filename", ">", before)).orderBy("attach.filename");
}

/** What is no id bounds nothing. */
function byAge(all: Pictures, before: string, order: "newest" | "oldest"): Pictures {
  const bound = /^\d{1,15}$/.test(before) ? Number(before) : undefined;
  const [side, direction] = order === "newest" ? (["<", "desc"] as const) : ([">", "asc"] as const);
  return (bound === undefined ? all : all.where("attach.id", side, bound)).orderBy("attach.id", direction);
}

/** The images before and after one of an album, as the observer sees it. */
export async function neighboursOf(
  hub: Hub,
  observer: Observer,
  where: Where & { id: number },
): Promise<{ newer: Picture | undefined; older: Picture | undefined }> {
  const all = pictures(hub, observer, where);
  const [newer, older] = await Promise.all([
    all.where("attach.id", ">", where.id).orderBy("attach.id").limit(1).executeTakeFirst(),
    all.where("attach.id", "<", where.id).orderBy("attach.id", "desc").limit(1).executeTakeFirst(),
  ]);
  return { newer, older };
}

function pictures(hub: Hub, observer: Observer, { uid, folder }: Where) {
  const all = hub.db
    .selectFrom("attach")
    .leftJoin("photo", (join) =>
      join
        .onRef("photo.uid", "=", "attach.uid")
        .onRef("photo.resource_id", "=", "attach.hash")
        // Every image has it, and its words are the image's.
        .on("photo.imgscale", "=", scales.original.number),
    )
    .select([
      "attach.id",
      "attach.hash",
      "attach.filename",
      sql<string>`coalesce(photo.title, '')`.as("title"),
      sql<string>`coalesce(photo.description, '')`.as("description"),
    ])
    .where("attach.uid", "=", uid)
    .where("attach.is_photo", "=", sql.lit(1))
    .where("attach.latest", "=", sql.lit(1))
    .where(filesVisibleTo(hub, observer, uid));
  return folder === undefined ? all : all.where("attach.folder", "=", folder);
}
