import type { Row, Run } from "./read.ts";

/** The rows of timelines: what the SQL costs that gives the same statuses, when nobody is blocked and nothing is checked. */

const columns =
  "i.id, i.parent, i.thr_parent_id, i.author_id, i.owner_id, i.message_id, i.item_thread_top, i.item_private, i.item_starred, " +
  "i.created, m.plain, m.html, m.title, m.lang, m.plink, m.app, m.coord, m.location, m.attach, m.shared_id";
const from = "from item i join message m on m.id = i.message_id";
const shown = "i.item_normal = 1 and i.item_notshown = 0";
const newest = "order by i.id desc limit 20";

type Timeline = (run: Run, query: URLSearchParams) => Row[] | Promise<Row[]>;

/** By the name of the case, twenty statuses each. */
export const timelines: Record<string, Timeline> = {
  home_timeline: (run, query) => homeTimeline(run, uidOf(query), 20),
  mentions: (run, query) =>
    run(
      `select ${columns} ${from} where i.uid = $1 and ${shown} and (i.item_mentionsme = 1 or i.answers_me = 1) and i.author_id <> $2 ${newest}`,
      uidOf(query),
      Number(query.get("xchan")),
    ),
  public_timeline: (run) =>
    run(
      `select ${columns} ${from} where ${shown} and i.item_wall = 1 and i.item_origin = 1 and i.item_private = 0 ${newest}`,
    ),
  networkpublic_timeline: (run, query) => fromBoth(run, uidOf(query), "i.item_private = 0"),
  user_timeline: (run, query) => fromBoth(run, uidOf(query), "i.author_id = $2", Number(query.get("author"))),
  favorites: (run, query) =>
    run(`select ${columns} ${from} where i.uid = $1 and ${shown} and i.item_starred = 1 ${newest}`, uidOf(query)),
  "lists/statuses": (run, query) =>
    fromBoth(
      run,
      uidOf(query),
      "i.author_id in (select x.xchan_id from pgrp_member g join xchan x on x.xchan_hash = g.xchan where g.gid = $2)",
      Number(query.get("group")),
    ),
  conversation: (run, query) =>
    run(
      `select ${columns} ${from} where i.parent = (select parent from item where id = $1) and ${shown} ${newest}`,
      Number(query.get("id")),
    ),
};

/** The newest statuses of a channel's stream. */
export async function homeTimeline(run: Run, uid: number, count: number): Promise<Row[]> {
  return run(`select ${columns} ${from} where i.uid = $1 and ${shown} order by i.id desc limit $2`, uid, count);
}

/** One status. */
export async function oneStatus(run: Run, id: number): Promise<Row[]> {
  return run(`select ${columns} ${from} where i.id = $1`, id);
}

/** Own copies, and public ones on walls of which there is no own copy. */
function fromBoth(run: Run, uid: number, condition: string, ...values: number[]): Row[] | Promise<Row[]> {
  return run(
    `select ${columns} ${from} where i.id in (
      select id from (select i.id from item i where i.uid = $1 and ${shown} and ${condition} ${newest}) own
      union all select id from (select i.id from item i where i.item_wall = 1 and i.item_private = 0 and ${shown} and ${condition}
        and not exists (select 1 from item mine where mine.message_id = i.message_id and mine.uid = $1) ${newest}) walls) ${newest}`,
    uid,
    ...values,
  );
}

function uidOf(query: URLSearchParams): number {
  return Number(query.get("uid"));
}
