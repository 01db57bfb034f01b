import { mkdtempSync } from "node:fs";
import { createApp } from "../src/main.ts";
import { openHub } from "../src/hub.ts";
import { readConfig } from "../src/config.ts";
import { password } from "./dataset/people.ts";
const url = process.argv[2]!;
const prepare = process.argv[3] === "prepare";
const hub = await openHub(readConfig({ HUBBUB_BASE_URL: "http://hub.example", HUBBUB_DATA: mkdtempSync("/tmp/searchlab/d"), HUBBUB_DATABASE_URL: url, HUBBUB_RATE_LIMITS: "off", HUBBUB_LOG_LEVEL: "off" }));
const { sql } = await import("kysely");
if (prepare) {
  const add = async (word: string, where: string, every: number) => {
    const t = performance.now();
    await sql.raw(`update message set words = words || ' w${word}' where words <> '' and id % ${every} = 0 and id in (select message_id from item where item_wall = 1 and ${where})`).execute(hub.db);
    console.log(word, ((performance.now() - t) / 1000).toFixed(1), "s");
  };
  await add("rareword", "item_private = 0 and id > 0", 20000);
  await add("middlingword", "item_private = 0 and id > 0", 500);
}
const app = createApp(hub);
const nick = async (uid: number) => (await hub.db.selectFrom("channel").select("channel_address").where("channel_id", "=", uid).executeTakeFirstOrThrow()).channel_address;
const counts = await sql<{ uid: number; n: number }>`select uid, count(*) as n from item where uid <= 24 and item_normal = 1 and item_notshown = 0 group by uid order by n`.execute(hub.db as never).then((r) => r.rows);
const busy = counts.at(-1)!, quiet = counts.find((c) => c.n > 5)!;
const lonely = (await hub.db.selectFrom("channel").select("channel_id").orderBy("channel_id").execute())[204]!.channel_id;
console.log("busy", busy, "quiet", quiet, "lonely", lonely);
const ask = async (login: string, path: string) => {
  const c0 = process.cpuUsage(); const t = performance.now();
  const r = await app.request(`http://hub.example${path}`, { headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}` } });
  const text = await r.text();
  const c1 = process.cpuUsage(c0); return [performance.now() - t, r.status, text, (c1.user + c1.system) / 1000] as const;
};
const common = "garden bicycle morning bread river window letter music winter village kitchen street".split(" ");
const queries: [string, () => string][] = [
  ["unknown0", () => "nonexistentword"],
  ["private0", () => "secretword"],
  ["until0", () => "garden until:2025-12-05"],
  ["common", () => common[Math.floor(Math.random() * 12)]!],
  ["two common", () => common[Math.floor(Math.random() * 12)]! + " " + common[Math.floor(Math.random() * 12)]!],
  ["four common", () => [0, 3, 6, 9].map((n) => common[n + Math.floor(Math.random() * 3)]!).join(" ")],
  ["phrase", () => `"${common[Math.floor(Math.random() * 12)]!} ${common[Math.floor(Math.random() * 12)]!}"`],
  ["beginning", () => "win*"],
  ["tag", () => "#bread"],
  ["middling", () => "middlingword"],
  ["rare", () => "rareword"],
  ["rare+common", () => "rareword garden"],
  ["common not", () => "garden -bread"],
  ["private of others", () => "secretword"],
  ["private+common", () => "secretword garden"],
  ["unknown", () => "nonexistentword"],
  ["until", () => "garden until:2025-12-05"],
  ["since", () => "garden since:2026-09-05"],
  ["from", () => "garden from:me"],
  ["deep", () => "garden&page=100"],
];
for (const uid of [busy.uid]) {
  const who = await nick(uid);
  for (const [name, make] of queries) {
    const times: number[] = []; const cpus: number[] = [];
    let n = 0;
    const t0 = performance.now();
    while (times.length < 40 && performance.now() - t0 < 1500) {
      const [q, rest] = make().split("&");
      const [t, status, text, cpu] = await ask(who, `/api/search.json?q=${encodeURIComponent(q!)}&count=20${rest ? "&" + rest : ""}`);
      if (status !== 200) { console.log(status, text.slice(0, 200)); break; }
      n = JSON.parse(text).length;
      times.push(t); cpus.push(cpu);
    }
    times.sort((a, b) => a - b); cpus.sort((a, b) => a - b);
    console.log(uid, name.padEnd(18), `results ${n}`.padEnd(11), `p50 ${times[times.length >> 1]?.toFixed(1)}`, `p99 ${times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]?.toFixed(1)}`, `of ${times.length}`, `cpu p50 ${cpus[cpus.length >> 1]?.toFixed(1)} p95 ${cpus[Math.floor(cpus.length * 0.95)]?.toFixed(1)} max ${cpus.at(-1)?.toFixed(1)}`);
  }
}
await hub.close();
