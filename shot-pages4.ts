import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { chromium } from "playwright-core";
import { startHub } from "./src/main.ts";
import { openTestHub, password } from "./test/support/hub.ts";
import { befriend, deliver, newcomer } from "./test/support/people.ts";
import { wholeChannel } from "./test/support/whole-channel.ts";
import { createAccount } from "./src/domain/identity/accounts.ts";
import { createChannel } from "./src/domain/identity/channels.ts";
import { createClient } from "./src/domain/identity/oauth-clients.ts";
import { askForConsent } from "./src/domain/identity/oauth-consent.ts";
import { issueToken } from "./src/domain/identity/oauth-tokens.ts";
import { block } from "./src/domain/connections/block.ts";
import { commentOn } from "./src/domain/items/comment.ts";
import { postItem } from "./src/domain/items/post.ts";
import { sendMessage } from "./src/domain/messages/send.ts";
import { saveEvent } from "./src/domain/events/save.ts";
import { createGroup, addMembers } from "./src/domain/groups/groups.ts";
const port = await new Promise<number>((r) => { const s = createServer().listen(0, "127.0.0.1", () => { const p = (s.address() as any).port; s.close(() => r(p)); }); });
const hub = await openTestHub({ env: { HUBBUB_BASE_URL: `http://127.0.0.1:${port}`, HUBBUB_PORT: String(port) } });
const t0 = Date.now();
const alma = await wholeChannel(hub, "alma");
console.log("whole", Date.now() - t0);
const names = ["سارة العبدالله", "משה כהן", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "🦊🌲 Füchsin im Wald 🌲🦊", "李小龙", "O'Brien & Sons <b>Ltd</b>", "Anna-Lena von und zu Hohenstein-Lützelburg-Schaumburg", "İbrahim Çağrı Öztürk"];
const folk: any[] = [];
for (let i = 0; i < 200; i++) folk.push(await newcomer(hub, `p${i}`, { name: i < names.length ? names[i]! : `${["Maria","Jonas","Aino","Pablo","Chidi","Yuki"][i % 6]} ${["Nakamura","Svensson","O'Neill","Fernández y Pérez"][i % 4]} ${i}` }));
for (const p of folk.slice(0, 150)) await befriend(hub, alma, p);
for (const p of folk.slice(150, 175)) await block(hub, alma, { xchan_hash: p.channel_hash, xchan_network: "zot6" } as any);
await block(hub, alma, { xchan_hash: (folk[2]).channel_hash, xchan_network: "zot6" } as any).catch(() => {});
console.log("people", Date.now() - t0);
const [sara, moshe, , fox] = folk;
const everybody = await createGroup(hub, alma.channel_id, "Everybody whom I know from the long lane behind the railway station");
await addMembers(hub, alma.channel_id, everybody.id, folk.slice(0, 100).map((p) => p.channel_hash));
await createGroup(hub, alma.channel_id, "فريق الحديقة");
const top = await postItem(hub, alma, { body: "Harvest day #garden: [url=https://example.org/a/very/long/address/that/goes/on/and/on/and/on/without/a/single/break/in/it.html]long address[/url] and @[zrl=x]bob[/zrl] garden rye" });
await deliver(hub);
for (let i = 0; i < 40; i++) { hub.advance(50); await commentOn(hub, folk[i % 8 === 2 ? 9 : i % 8], { mid: top.mid }, { body: i % 4 ? `Comment ${i} on the harvest, garden and rye 🍎` : "تعليق طويل عن الحصاد في الحديقة garden مع كلمات كثيرة" }); }
for (let i = 0; i < 8; i++) { await postItem(hub, folk[i], { body: `Garden news ${i}: @[zrl=http://127.0.0.1:${port}/channel/alma]Alma[/zrl] ${"Wassermelonenkernweitspuckmeisterschaft".repeat(i === 3 ? 4 : 1)} 🌻`, title: i === 1 ? "كيف تنمو الطماطم في الحديقة" : "" }); }
await deliver(hub);
for (let i = 0; i < 60; i++) { hub.advance(200); await sendMessage(hub, i % 2 ? alma : sara, { to: (i % 2 ? sara : alma).channel_hash, title: i === 0 ? "موعد الحصاد والحديقة" : "", body: i % 5 === 0 ? "مرحبا، متى نلتقي في الحديقة؟ garden" : i % 7 === 0 ? "x".repeat(300) : `Shall we meet at ${i % 12} in the garden? 🌻 [b]Bring[/b] a basket.` }); }
for (const p of [folk[1], ...folk.slice(3, 35)]) { hub.advance(100); await sendMessage(hub, p, { to: alma.channel_hash, title: p === fox ? "Fuchsbau 🦊 ".repeat(8) : "", body: `Hello Alma, ${p.channel_name} here.` }); }
await deliver(hub);
console.log("mail", Date.now() - t0);
for (const [i, n] of ["Crow", "AndStatus for Android — the multi-account client with offline timelines", "🦜 Papagei", "تطبيق الحديقة", "Wassermelonenkernweitspuckmeisterschaftsverwaltungsanwendung".repeat(2), "<script>alert(1)</script>"].entries()) {
  const app = await createClient(hub, alma.channel_id, { name: n, key: `key${i}${"k".repeat(i * 8)}`, secret: "s".repeat(20), icon: "", ...(i === 1 && { redirect: "https://client.example/back" }) } as any);
  for (let k = 0; k <= i; k++) await issueToken(hub, app, alma.channel_id);
}
const ev = await saveEvent(hub, alma, { summary: "Sommerfest der Wassermelonenkernweitspuckmeisterschaft", description: "Bring [b]melons[/b].", location: "The garden behind the station, gate 3", dtstart: "2026-07-03 16:00:00", dtend: "2026-07-03 21:00:00", share: { audience: { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] } } } as any);
await deliver(hub);
// admin
await hub.db.updateTable("account").set({ account_roles: 4096 }).execute();
const lone = await createAccount(hub, { email: "lone@example.org", password });
await createChannel(hub, lone, { nick: "lone", name: "Lone" });
for (const n of ["waiting", "a.very.long.address.of.somebody.who.waits.for.the.administrator.since.ages"]) { const a = await createAccount(hub, { email: `${n}@example-with-a-long-name.org`, password, flags: 0x10 as any }).catch(async () => undefined); if (a) await createChannel(hub, a, { nick: n.slice(0, 12).replaceAll(".", ""), name: n }); }
await hub.db.updateTable("account").set({ account_flags: 16 }).where("account_email", "like", "%example-with-a-long%").execute().catch(() => {});
const cl = await createClient(hub, alma.channel_id, { name: "Papagei 🦜", key: "pgk", secret: "x", icon: "" } as any);
const running = await startHub(hub.config, { clock: hub.clock, makeKeys: (hub as any).makeKeys } as any);
console.log("up", running.url, Date.now() - t0);
const oob = (await askForConsent(hub, cl, "oob")).token;
const cb = (await askForConsent(hub, cl, `https://${"long-".repeat(20)}client.example/back/to/me`)).token;
const { id: mid } = await hub.db.selectFrom("mail").select("id").where("channel_id", "=", alma.channel_id).where("from_xchan", "=", sara.channel_hash).orderBy("id", "desc").executeTakeFirstOrThrow();
const link = top.mid.split("/item/")[1];
const photo = await hub.db.selectFrom("attach" as any).select("hash" as any).where("filename" as any, "=", "lake.png").executeTakeFirst() as any;
const g = (await hub.db.selectFrom("pgrp").select("id").where("gname", "like", "Everybody%").executeTakeFirstOrThrow()).id;
const pages: Record<string, string> = { mail: "/mail", mailone: `/mail/${mid}`, mailnew: "/mail/new", mailsearch: "/mail/search?search=garden", mailnone: "/mail/search?search=zzz", search: "/search?search=garden", searchbest: "/search?search=garden&order=best", searchempty: "/search", searchnone: "/search?search=zzzz", searchbad: `/search?search=${"rye".repeat(60)}`, notes: "/notifications", groups: "/group", group: `/group/${g}`, groupposts: `/group/${g}/posts`, conns: "/connections", blocked: "/connections/blocked", block: `/connections/block?xchan=${folk[3].channel_hash}`, oauth: "/settings/oauth/", oauthadd: "/settings/oauth/add", oauthedit: "/settings/oauth/edit/key0", authpin: `/oauth/authorize?oauth_token=${oob}`, authcb: `/oauth/authorize?oauth_token=${cb}`, authbad: `/oauth/authorize?oauth_token=nothing`, login: "/login", channel: "/channel/alma", channelp: "/channel/p0", admin: "/admin", network: "/network", display: `/display/${link}`, event: `/event/${ev.event_hash}`, photo: `/photos/alma/image/${photo?.hash}`, events: "/events?month=2026-07", programs: "/help/programs", settings: "/settings", directory: "/directory", connedit: "/connections/ifpending", folders: "/folders", wiki: "/wiki/alma", page: "/page/alma/about-us", cloud: "/cloud/alma", notfound: "/nope" };
(globalThis as any).pages = pages;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
mkdirSync("/tmp/pages4/png", { recursive: true });
const modes: Record<string, any> = { wl: { viewport: { width: 1280, height: 900 }, colorScheme: "light" }, wd: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }, nl: { viewport: { width: 390, height: 844 }, colorScheme: "light" }, nd: { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, tiny: { viewport: { width: 320, height: 640 }, colorScheme: "dark" }, pr: { viewport: { width: 794, height: 1123 }, colorScheme: "dark" } };
async function shoot(spec: { who?: string; mode: string; names: string[]; full?: boolean }) {
  const context = await browser.newContext({ ...modes[spec.mode], reducedMotion: "reduce" });
  const page = await context.newPage();
  if (spec.who) { await page.goto(`${running.url}/login`); await page.fill("[name=login]", spec.who); await page.fill("[name=password]", password); await page.click("main button"); await page.waitForURL("**/network"); }
  if (spec.mode === "pr") await page.emulateMedia({ media: "print" });
  for (const name of spec.names) {
    const r = await page.goto(running.url + (pages[name] ?? name));
    const over = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    const file = `/tmp/pages4/png/${name.replace(/\W+/g, "_")}-${spec.mode}-${spec.who ?? "v"}.png`;
    const tall = Math.min(Number(await page.evaluate("document.documentElement.scrollHeight")), 2600);
    await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width: modes[spec.mode].viewport.width, height: spec.full ? 6000 : tall } });
    console.log(spec.mode, name, r?.status(), (over as number) > 0 ? `OVERFLOW ${over}` : "");
  }
  await context.close();
}
// commands by file
import { createServer as http } from "node:http";
http(async (req, res) => { let b = ""; for await (const c of req) b += c; try { const o = JSON.parse(b); const logs: string[] = []; if (o.code) { const out = await new (Object.getPrototypeOf(async () => {}).constructor)("ctx", o.code)({ browser, running, password, pages, hub, modes, alma, folk, top }); res.end(JSON.stringify(out ?? null) + "\n"); } else { const old = console.log; console.log = (...a) => void logs.push(a.join(" ")); await shoot(o); console.log = old; res.end(logs.join("\n") + "\n"); } } catch (e) { res.end(String((e as Error).stack) + "\n"); } }).listen(18765, "127.0.0.1");
console.log("ready");
