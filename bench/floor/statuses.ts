import type { Row, Run } from "./read.ts";

/** Answers of the microblog API: the shape is that of the hub's own answer, the values come from the rows. */

/** Status objects of these rows, with everybody who is named in them. */
export async function statusObjects(run: Run, rows: Row[], uid: number, example: Row): Promise<Row[]> {
  const ids = rows.map((row) => row["id"] as number);
  const reactions = await run(
    `select i.thr_parent_id, i.author_id, m.verb from item i join message m on m.id = i.message_id
    where i.thr_parent_id = any($1) and i.item_normal = 1 and i.item_notshown = 1 order by i.created, i.id`,
    ids,
  );
  const comments = await run(
    `select parent, count(*) as comments from item where parent = any($1) and item_normal = 1 and item_notshown = 0 and item_thread_top = 0 group by parent`,
    ids,
  );
  const parents = await run(
    "select id, author_id from item where id = any($1)",
    rows.map((row) => row["thr_parent_id"] as number),
  );
  const authors = new Map(parents.map((row) => [row["id"], row["author_id"] as number]));
  const people = new Set(rows.flatMap((row) => [row["author_id"] as number, row["owner_id"] as number]));
  for (const row of [...reactions, ...parents]) people.add(row["author_id"] as number);
  const users = await userObjects(run, [...people], uid, example["svc_author"] as Row);
  const counts = new Map(comments.map((row) => [row["parent"], Number(row["comments"])]));
  return rows.map((row) => {
    const likes = reactions
      .filter((one) => one["thr_parent_id"] === row["id"])
      .map((one) => users.get(one["author_id"] as number)!);
    const parent = row["item_thread_top"] === 1 ? undefined : (row["thr_parent_id"] as number);
    return statusObject(
      row,
      example,
      users,
      likes,
      parent,
      parent === undefined ? undefined : authors.get(parent),
      counts.get(row["id"]) ?? 0,
    );
  });
}

function statusObject(
  row: Row,
  example: Row,
  users: Map<number, Row>,
  likes: Row[],
  parent: number | undefined,
  parentAuthor: number | undefined,
  comments: number,
): Row {
  const author = users.get(row["author_id"] as number)!;
  const owner = users.get(row["owner_id"] as number)!;
  const addressed = parentAuthor === undefined ? undefined : users.get(parentAuthor)!;
  const isPrivate = row["item_private"] !== 0;
  const activities = { ...(example["svc_activities"] as Row), like: likes };
  return {
    ...example,
    id: row["id"],
    id_str: String(row["id"]),
    text: row["plain"],
    in_reply_to_status_id: parent ?? null,
    in_reply_to_status_id_str: parent === undefined ? null : String(parent),
    in_reply_to_user_id: addressed?.["id"] ?? null,
    in_reply_to_user_id_str: addressed?.["id_str"] ?? null,
    in_reply_to_screen_name: addressed?.["screen_name"] ?? null,
    user: author,
    favorited: row["item_starred"] === 1,
    favorite_count: likes.length,
    lang: row["lang"],
    statusnet_html: row["html"],
    statusnet_conversation_id: row["parent"],
    external_url: row["plink"],
    svc_author: author,
    svc_owner: owner,
    svc_private: isPrivate,
    svc_activities: activities,
    svc_comments: comments,
    svc_title: row["title"],
    svc_html: row["html"],
    ...("friendica_author" in example && {
      friendica_author: author,
      friendica_owner: owner,
      friendica_private: isPrivate,
      friendica_activities: { ...activities, announce: [] },
      friendica_comments: comments,
      friendica_title: row["title"],
      friendica_html: row["html"],
    }),
  };
}

async function userObjects(run: Run, ids: number[], uid: number, example: Row): Promise<Map<number, Row>> {
  const rows = await run(
    `select x.xchan_id, x.xchan_name, x.xchan_addr, x.xchan_url, x.xchan_photo_s, x.xchan_photo_m, x.xchan_photo_l, x.xchan_location,
      x.xchan_about, x.xchan_network, x.xchan_created, x.statuses_count, c.friends_count, c.followers_count, a.abook_id, a.abook_self, a.follow_out
    from xchan x left join channel c on c.channel_hash = x.xchan_hash
    left join abook a on a.abook_xchan = x.xchan_hash and a.abook_channel = $2 where x.xchan_id = any($1)`,
    ids,
    uid,
  );
  return new Map(rows.map((row) => [row["xchan_id"] as number, userObject(row, example)]));
}

function userObject(row: Row, example: Row): Row {
  const address = row["xchan_addr"] as string;
  const own = row["abook_self"] === 1;
  return {
    ...example,
    id: row["xchan_id"],
    id_str: String(row["xchan_id"]),
    name: row["xchan_name"],
    screen_name: address.slice(0, address.indexOf("@")),
    url: row["xchan_url"],
    profile_image_url: row["xchan_photo_s"],
    profile_image_url_https: row["xchan_photo_s"],
    profile_image_url_profile_size: row["xchan_photo_m"],
    profile_image_url_large: row["xchan_photo_l"],
    followers_count: row["followers_count"],
    friends_count: row["friends_count"],
    statuses_count: row["statuses_count"],
    following: row["follow_out"] === "accepted",
    statusnet_profile_url: row["xchan_url"],
    cid: own ? 0 : (row["abook_id"] ?? 0),
    pid: row["xchan_id"],
    network: row["xchan_network"],
    profile_sidebar_fill_color: own ? "708fa0" : undefined,
    profile_link_color: own ? "6fdbe8" : undefined,
    profile_background_color: own ? "ededed" : undefined,
  };
}
