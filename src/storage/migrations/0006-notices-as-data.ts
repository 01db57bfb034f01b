import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Notices say what was done, by whom and to what; those of which that can't be told keep their words (decision 40). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (step: string) => sql.raw(step).execute(db);
  for (const index of ["notify_link", "notify_old"]) await run(`drop index ${index}`);
  await addColumns(run, engine);
  await run(`update notify set actor_id = coalesce((${actor}), 0)`);
  await run(`update notify set mail_id = coalesce((select id from mail where channel_id = notify.uid
    and id = ${numberAfter(engine, "/mail/")}), 0) where otype = 'mail'`);
  await run(`update notify set abook_id = coalesce((select abook_id from abook join xchan on xchan_hash = abook_xchan
    where xchan_id = notify.actor_id and abook_channel = notify.uid and abook_id = ${numberAfter(engine, "/connedit/")}), 0)
    where otype = 'intro'`);
  await run(`update notify set kind = case ${cases.join(" ")} else 'worded' end`);
  await run(`update notify set words = ${wordsAsJson(engine)}, actor_id = 0, abook_id = 0 where kind = 'worded'`);
  await run("update notify set verb = '' where kind not in ('wall', 'comment', 'held', 'mention', 'reaction')");
  for (const column of wordColumns) await run(`alter table notify drop column ${column}`);
  for (const column of ["aid", "html", "plain"]) await run(`alter table notify drop column ${column}`);
  await createIndexes(db, {
    notify_mail: "notify (uid, mail_id) where mail_id > 0",
    notify_request: "notify (uid, actor_id) where kind = 'request'",
    notify_held: "notify (uid) where kind = 'held'",
  });
  await run("delete from job where name = 'lay-out-notices'");
}

async function addColumns(run: (step: string) => Promise<unknown>, engine: Engine): Promise<void> {
  const [text, id] = engine === "postgres" ? ['text collate "C"', "bigint"] : ["text", "integer"];
  for (const column of ["kind", "words"])
    await run(`alter table notify add column ${column} ${text} not null default ''`);
  for (const column of ["actor_id", "mail_id", "abook_id"])
    await run(`alter table notify add column ${column} ${id} not null default 0`);
  await run("alter table notify add column count integer not null default 1");
}

/** Several may have claimed an address, or had it one after the other: their pictures have addresses of their own. */
const actor = `select xchan_id from xchan where xchan_url = notify.url and xchan_url <> ''
  order by case when xchan_photo_s = notify.photo then 0 else 1 end, case when xchan_name = notify.xname then 0 else 1 end,
    xchan_hearsay, xchan_id limit 1`;

/** The number at the end of a link, or null. */
function numberAfter(engine: Engine, mark: string): string {
  if (engine === "postgres") return `cast(substring(notify.link from '${mark}([0-9]{1,15})$') as bigint)`;
  const rest = `substr(notify.link, instr(notify.link, '${mark}') + ${mark.length})`;
  return `case when notify.link like '%${mark}%' and ${rest} not glob '*[^0-9]*' then cast(${rest} as integer) end`;
}

/** What all sentences begin with. */
const person = "'[zrl=' || url || ']' || replace(replace(xname, '[', ''), ']', '') || '[/zrl] '";

/** The end of a sentence: a link, and what comes after it. */
function thing(words: string, after = ""): string {
  return `' [zrl=' || link || ']${words}[/zrl]${after}'`;
}

const aPost = thing("a post");
const activity = "http://activitystrea.ms/schema/1.0/";
const zot = "http://purl.org/zot/activity/";

const reactions: Record<string, string> = {
  [`${activity}like`]: "likes",
  [`${zot}dislike`]: "dislikes",
  [`${zot}agree`]: "agrees with",
  [`${zot}disagree`]: "disagrees with",
  [`${zot}abstain`]: "abstains from a decision on",
  [`${zot}attendyes`]: "will attend",
  [`${zot}attendno`]: "will not attend",
  [`${zot}attendmaybe`]: "may attend",
};

const aboutItem = "otype = 'item' and exists (select 1 from item where item.id = notify.item_id)";
const connects = `otype = 'intro' and verb = '${activity}make-friend'`;

/** A kind is right if its sentence would be the same to the letter. */
const cases = [
  sameWords(
    "request",
    `ntype = 1 and ${connects} and link like '%/connections/ifpending'`,
    "'would like to connect with you'",
  ),
  sameWords("follower", `ntype = 1 and ${connects} and abook_id > 0`, "'has connected with you'"),
  sameWords("confirmed", `ntype = 2 and ${connects} and abook_id > 0`, "'has confirmed the connection with you'"),
  sameWords("wall", `ntype = 4 and ${aboutItem}`, `'wrote' || ${thing("a post", " on your wall")}`),
  sameWords("comment", `ntype = 8 and ${aboutItem}`, `'commented on' || ${aPost}`),
  sameWords(
    "held",
    "ntype = 8 and otype = 'item' and item_id = 0 and link like '%/moderate'",
    `'commented on' || ${thing("a post; the comment waits for you")}`,
  ),
  sameWords("mail", `ntype = 16 and mail_id > 0 and verb = '${activity}post'`, "'sent you a message'"),
  sameWords("mention", `ntype = 128 and ${aboutItem}`, `'mentioned you in' || ${aPost}`),
  sameWords("tag", `ntype = 256 and ${aboutItem} and verb = '${activity}tag'`, `'tagged' || ${aPost}`),
  sameWords(
    "share",
    `ntype = 1024 and ${aboutItem} and verb = '${activity}share'`,
    `'shared' || ${thing("your post")}`,
  ),
  ...Object.entries(reactions).map(([verb, words]) =>
    sameWords("reaction", `ntype = 1024 and ${aboutItem} and verb = '${verb}'`, `'${words}' || ${aPost}`),
  ),
  // Which emoji it is, the verb says.
  `when actor_id > 0 and ntype = 1024 and ${aboutItem} and verb like '${zot}react#%'
    and ${begins(`${person} || 'reacts '`)} and ${ends(`' to' || ${aPost}`)} then 'reaction'`,
];

function sameWords(kind: string, condition: string, rest: string): string {
  return `when actor_id > 0 and ${condition} and msg = ${person} || ${rest} then '${kind}'`;
}

function begins(words: string): string {
  return `substr(msg, 1, length(${words})) = ${words}`;
}

function ends(words: string): string {
  return `substr(msg, length(msg) - length(${words}) + 1) = ${words}`;
}

const wordColumns = ["xname", "url", "photo", "msg", "link", "parent", "ntype", "otype"];

function wordsAsJson(engine: Engine): string {
  const fields = [...wordColumns, "verb"].map((column) => `'${column}', ${column}`).join(", ");
  return engine === "postgres" ? `json_build_object(${fields})::text` : `json_object(${fields})`;
}
