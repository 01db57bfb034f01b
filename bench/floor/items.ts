import type { Row, Run } from "./read.ts";

/** Answers of the native API: portable items in the shape of the hub's own answer. */

const columns =
  "i.id, i.uid, i.parent, i.created, i.commented, i.author_id, i.owner_id, i.message_id, i.public_policy, i.comment_policy, i.item_private, " +
  "i.item_notshown, i.item_thread_top, i.item_unseen, i.item_starred, i.item_mentionsme, i.route, m.mid, m.parent_mid, m.thr_parent, m.edited, " +
  "m.expires, m.mimetype, m.title, m.body, m.app, m.verb, m.obj_type, m.obj, m.tgt_type, m.target, m.attach, m.plink, m.location, m.coord, m.sig";

/** The threads with the newest comments. */
export async function networkThreads(run: Run, uid: number, count: number): Promise<Row[]> {
  return run(
    `select ${columns} from item i join message m on m.id = i.message_id
    where i.uid = $1 and i.item_normal = 1 and i.item_thread_top = 1 order by i.commented desc, i.id desc limit $2`,
    uid,
    count,
  );
}

/** The threads of a wall since a date. */
export async function wallThreads(run: Run, uid: number, since: string, count: number): Promise<Row[]> {
  return run(
    `select ${columns} from item i join message m on m.id = i.message_id where i.uid = $1 and i.item_normal = 1 and i.item_wall = 1
    and i.item_thread_top = 1 and (i.created > $2 or i.changed > $2) order by i.created, i.id limit $3`,
    uid,
    since,
    count,
  );
}

/** Each top with what is below it. */
export async function wholeThreads(run: Run, tops: Row[]): Promise<Row[]> {
  const below = await run(
    `select ${columns} from item i join message m on m.id = i.message_id
    where i.parent = any($1) and i.item_normal = 1 and i.item_thread_top = 0 order by i.created, i.id`,
    tops.map((top) => top["id"] as number),
  );
  const threads = new Map(tops.map((top) => [top["id"], [top]]));
  for (const row of below) threads.get(row["parent"])!.push(row);
  return [...threads.values()].flat();
}

/** Portable items of these rows, with their people and tags. */
export async function portableItems(run: Run, rows: Row[], example: Row): Promise<Row[]> {
  const people = await run(
    `select xchan_id, xchan_name, xchan_addr, xchan_url, xchan_network, xchan_photo_mimetype, xchan_photo_m, xchan_guid, xchan_guid_sig, xchan_hash
    from xchan where xchan_id = any($1)`,
    [...new Set(rows.flatMap((row) => [row["author_id"] as number, row["owner_id"] as number]))],
  );
  const terms = await run(
    "select message_id, term, url, ttype from term where message_id = any($1) and uid = 0 order by tid",
    rows.map((row) => row["message_id"] as number),
  );
  const xchans = new Map(people.map((row) => [row["xchan_id"], xchanObject(row)]));
  const tags = new Map<unknown, Row[]>();
  for (const term of terms)
    tags.set(term["message_id"], [
      ...(tags.get(term["message_id"]) ?? []),
      { tag: term["term"], url: term["url"], type: term["ttype"] === 1 ? "hashtag" : "mention" },
    ]);
  return rows.map((row) => portableItem(row, example, xchans, tags.get(row["message_id"])));
}

function xchanObject(row: Row): Row {
  return {
    name: row["xchan_name"],
    address: row["xchan_addr"],
    url: row["xchan_url"],
    network: row["xchan_network"],
    photo: { mimetype: row["xchan_photo_mimetype"], src: row["xchan_photo_m"] },
    guid: row["xchan_guid"],
    guid_sig: row["xchan_guid_sig"],
    hash: row["xchan_hash"],
  };
}

function portableItem(row: Row, example: Row, xchans: Map<unknown, Row>, tags: Row[] | undefined): Row {
  const flags = [
    row["item_notshown"] && "notshown",
    row["item_thread_top"] && "thread_parent",
    row["item_private"] && "private",
  ].filter(Boolean);
  return {
    ...example,
    message_id: row["mid"],
    message_top: row["parent_mid"],
    message_parent: row["thr_parent"],
    created: row["created"],
    edited: row["edited"],
    commented: row["commented"],
    mimetype: row["mimetype"],
    title: row["title"],
    body: row["body"],
    app: row["app"],
    verb: row["verb"],
    object_type: row["obj_type"],
    permalink: row["plink"],
    signature: row["sig"],
    owner: xchans.get(row["owner_id"]),
    author: xchans.get(row["author_id"]),
    object: row["obj"] === "" ? undefined : (JSON.parse(row["obj"] as string) as Row),
    flags: flags.length > 0 ? flags : undefined,
    public_scope: row["public_policy"] || "public",
    comment_scope: row["comment_policy"],
    tags,
    id: String(row["id"]),
    parent: String(row["parent"]),
    uid: String(row["uid"]),
    item_unseen: String(row["item_unseen"]),
    item_starred: String(row["item_starred"]),
    item_mentionsme: String(row["item_mentionsme"]),
  };
}
