import { copyFileSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { createApp } from "../src/main.ts";
import { openHub } from "../src/hub.ts";
import { readConfig } from "../src/config.ts";
import { runDue } from "../src/jobs/runner.ts";
import { password } from "./dataset/people.ts";
import { sql } from "kysely";
const dir = "/tmp/searchlab/tmp/hubbub-bench/";
const src = dir + readdirSync(dir).find((x) => /^100000.*\.db$/.test(x));
copyFileSync(src, "/tmp/searchlab/post.db");
const hub = await openHub(readConfig({ HUBBUB_BASE_URL: "http://hub.example", HUBBUB_DATA: mkdtempSync("/tmp/searchlab/d"), HUBBUB_DATABASE_URL: "sqlite:/tmp/searchlab/post.db", HUBBUB_RATE_LIMITS: "off", HUBBUB_LOG_LEVEL: "off" }));
const app = createApp(hub);
const people = await hub.db.selectFrom("channel").select(["channel_id", "channel_address", "friends_count"]).orderBy("channel_id").execute();
const star = people.toSorted((a, b) => b.friends_count - a.friends_count)[0]!;
const lonely = people.find((p) => p.channel_id === 205)!;
const { rows: triggers } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_master where type = 'trigger'`.execute(hub.db);
const post = async (nick: string, n: number) => {
  const body = new URLSearchParams({ status: `Post ${n} ${Math.random()} of the bench, as short as most posts are.` });
  const r = await app.request("http://hub.example/api/statuses/update.json", { method: "POST", body, headers: { authorization: `Basic ${Buffer.from(`${nick}:${password}`).toString("base64")}` } });
  if (r.status !== 200) throw new Error(await r.text());
  await r.text();
};
const cpu = async (count: number, work: (n: number) => Promise<void>) => {
  const c = process.cpuUsage();
  for (let n = 0; n < count; n++) await work(n);
  const d = process.cpuUsage(c);
  return ((d.user + d.system) / 1000 / count).toFixed(2);
};
for (let n = 0; n < 60; n++) await post(lonely.channel_address, n);
await runDue(hub);
for (const round of [1, 2, 3]) {
  for (const on of [true, false]) {
    for (const { name, sql: text } of triggers) { await sql.raw(`drop trigger if exists ${name}`).execute(hub.db); if (on) await sql.raw(text).execute(hub.db); }
    const a = await cpu(150, (n) => post(lonely.channel_address, n));
    for (let n = 0; n < 5; n++) await post(star.channel_address, n);
    const b = await cpu(1, () => runDue(hub));
    console.log(round, on ? "with index" : "without", "ms CPU per post", a, `hand-on of 5 posts to ${star.friends_count} readers`, b);
  }
}
await hub.close();
