import pg from "pg";
const [db] = process.argv.slice(2);
const c = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:54329/${db}` });
await c.connect();
const t0 = performance.now();
const say = (...a: unknown[]) => console.log(`${((performance.now() - t0) / 1000).toFixed(0)}s`, ...a);
await c.query("set synchronous_commit=off; set maintenance_work_mem='1GB'; set work_mem='256MB'");
const idx = (await c.query("select indexname, indexdef from pg_indexes where tablename = any($1) and indexname not like '%_pkey'", [["message", "item", "term", "search"]])).rows;
for (const { indexname } of idx) await c.query(`drop index "${indexname}"`);
await c.query("alter table item disable trigger user; alter table message disable trigger user");
const M = Number((await c.query("select max(id) m from message")).rows[0].m);
const I = Number((await c.query("select max(id) m from item")).rows[0].m);
const cols = async (t: string) => (await c.query("select attname n from pg_attribute where attrelid=$1::regclass and attnum>0 and not attisdropped and attgenerated=''", [t])).rows.map((r) => r.n as string);
const ins = async (t: string, map: Record<string, string | null>) => {
  const list = (await cols(t)).filter((x) => map[x] !== null);
  return `insert into ${t} (${list.map((x) => `"${x}"`).join(",")}) select ${list.map((x) => map[x] ?? `"${x}"`).join(",")} from ${t}`;
};
for (let k = 1; k < 10; k++) {
  await c.query((await ins("message", { id: `id+${k * M}`, mid: `mid||'-${k}'`, uuid: `substr(uuid,1,35)||'${k}'||'x'||id`, parent_mid: `parent_mid||'-${k}'`, thr_parent: `thr_parent||'-${k}'`, plink: `plink||'-${k}'`, obj: `''` })) + ` where id<=${M}`);
  await c.query((await ins("item", { id: `id+${k * I}`, message_id: `message_id+${k * M}`, parent: `parent+${k * I}`, thr_parent_id: `thr_parent_id+${k * I}`, item_unseen: "0" })) + ` where id<=${I} and (item_wall=1 or uid<=24) order by id`);
  await c.query((await ins("term", { tid: null, message_id: `message_id+${k * M}` })) + ` where message_id<=${M} and message_id>0`);
  say("rows", k);
  for (let at = k * I; at < (k + 1) * I; at += 100_000)
    await c.query(`select search_add(array(select id from item where id > ${at} and id <= ${Math.min(at + 100_000, (k + 1) * I)} order by id))`);
  say("search", k);
}
for (const { indexdef } of idx) await c.query(indexdef);
say("indexes");
await c.query("alter table item enable trigger user; alter table message enable trigger user");
await c.query("vacuum analyze");
say("done", (await c.query("select count(*) from search")).rows[0], (await c.query("select pg_size_pretty(pg_relation_size('search')) t, pg_size_pretty(pg_relation_size('search_words')) g, pg_size_pretty(pg_total_relation_size('item')) i, pg_size_pretty(pg_total_relation_size('message')) m, pg_size_pretty(pg_database_size(current_database())) d")).rows[0]);
await c.end();
