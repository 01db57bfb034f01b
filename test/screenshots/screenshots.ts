import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { startHub } from "../../src/main.ts";
import { openTestApp } from "../support/app.ts";
import { openChromium } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { password } from "../support/hub.ts";
import { helpPictures, helpPictureWidth } from "../../src/faces/web/parts/site/help-picture.ts";
import type { HelpPicture } from "../../src/faces/web/parts/site/help-picture.ts";
import { namesIn } from "../../src/record-of.ts";
import { settle } from "./village.ts";
import type { Village } from "./village.ts";

/**
 * Pictures of the most important pages (`npm run screenshots`): wide and narrow, light and dark, in `docs/images/pages`, which is
 * not kept in the repository. Those that documents show are written beside it, and those of the help among the assets; `--language de` asks for the pages in another
 * language, `--only stream` for one of them.
 */

const { values } = parseArgs({ options: { language: { type: "string", default: "en" }, only: { type: "string" } } });
const folder = join(import.meta.dirname, "../../docs/images");
const assets = join(import.meta.dirname, "../../src/faces/web/assets/help");

type Shot = {
  name: string;
  path: (village: Village) => string;
  as?: "visitor";
  ready?: (page: Page) => Promise<unknown>;
};

const shots: readonly Shot[] = [
  { name: "front", path: () => "/", as: "visitor" },
  { name: "log-in", path: () => "/login", as: "visitor" },
  { name: "sign-up", path: () => "/register", as: "visitor" },
  { name: "channel-visited", path: ({ nick }) => `/channel/${nick}`, as: "visitor" },
  { name: "stream", path: () => "/network" },
  { name: "composer", path: () => "/network", ready: (page) => page.locator("textarea[name=body]").first().focus() },
  { name: "thread", path: ({ thread }) => `/item/${thread}` },
  { name: "notices", path: () => "/notifications" },
  { name: "messages", path: () => "/mail" },
  { name: "connections", path: () => "/connections" },
  { name: "directory", path: () => "/directory" },
  { name: "person-elsewhere", path: ({ stranger }) => `/person/${stranger}` },
  { name: "groups", path: () => "/group" },
  { name: "photos", path: () => "/photos/jonas" },
  { name: "photo", path: ({ photo }) => `/photos/jonas/image/${photo}` },
  { name: "files", path: ({ nick }) => `/cloud/${nick}` },
  { name: "calendar", path: () => "/events" },
  { name: "event", path: ({ event }) => `/event/${event}` },
  { name: "article", path: ({ article }) => `/item/${article}` },
  { name: "wiki", path: ({ nick }) => `/wiki/${nick}/Choir%20notes/Home` },
  { name: "settings", path: () => "/settings" },
  { name: "account", path: () => "/settings/account" },
  { name: "remove-channel", path: () => "/settings/channel/remove" },
  {
    name: "consent",
    path: ({ consent }) => consent,
    // The bar at the foot of telephones stands over the buttons otherwise.
    ready: (page) => page.evaluate("scrollBy(0, 50)"),
  },
  { name: "applications", path: () => "/settings/oauth/" },
  { name: "administration", path: () => "/admin" },
  { name: "reports", path: () => "/admin/reports" },
];

/** What the README shows, and docs/clients.md. */
const shown: readonly string[] = [
  "stream-wide-light",
  "thread-wide-dark",
  "stream-narrow-dark",
  "consent-narrow-light",
];

/** Parts of pages that the help shows. They are taken in English, whatever the language of who reads. */
const ofHelp: Record<HelpPicture, Omit<Shot, "name"> & { part: string }> = {
  "first-post": { path: () => "/network", part: "#composer", ready: writeSomething },
  audience: {
    path: () => "/network",
    part: "#composer",
    async ready(page) {
      await writeSomething(page);
      await page.locator("#composer details.audience > summary").click();
      await page.locator("#composer [name=audience][value=chosen]").check();
      await page.getByLabel("Choir").check();
    },
  },
  address: { path: ({ nick }) => `/channel/${nick}`, as: "visitor", part: ".channel-head" },
  coming: { path: () => "/settings/move", part: "main form" },
  consent: { path: ({ consent }) => consent, part: "main .card" },
};

const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;

const [host, port] = ["valley.example", await freePort()];
const env = { HUBBUB_BASE_URL: `http://${host}`, HUBBUB_PORT: String(port) };
const world = await openTestApp({ env, clock: new Date() });
const village = await settle(world);
const running = await startHub(world.hub.config, { clock: world.hub.clock });
const browser = await openChromium({ host, port });
rmSync(join(folder, "pages"), { recursive: true, force: true });
mkdirSync(join(folder, "pages"), { recursive: true });
try {
  const wanted = shots.filter(({ name }) => values.only === undefined || values.only === name);
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ["light", "dark"] as const)
      await take(browser, wanted, { viewport, colorScheme, suffix: `${size}-${colorScheme}` });
  if (values.language === "en" && (values.only === undefined || values.only === "help"))
    for (const colorScheme of ["light", "dark"] as const) await takeForHelp(browser, colorScheme);
} finally {
  await browser.close();
  await running.close();
  await world.close();
}

async function take(
  browser: Browser,
  wanted: readonly Shot[],
  { suffix, ...look }: { suffix: string; viewport: (typeof sizes)["wide" | "narrow"]; colorScheme: "light" | "dark" },
): Promise<void> {
  const options = {
    ...look,
    baseURL: world.hub.config.baseUrl,
    locale: values.language,
    reducedMotion: "reduce",
  } as const;
  const visitor = await (await browser.newContext(options)).newPage();
  const member = await (await browser.newContext(options)).newPage();
  await logIn(member, village.nick);
  for (const { name, path, as, ready } of wanted) {
    const page = as === "visitor" ? visitor : member;
    const answer = await page.goto(path(village), { waitUntil: "load" });
    if (!answer?.ok()) throw new Error(`${name}: ${answer?.status()} for ${path(village)}`);
    await ready?.(page);
    const file = `${name}-${suffix}`;
    const bytes = await page.screenshot();
    await sharp(bytes)
      .webp({ quality: 80 })
      .toFile(join(folder, "pages", `${file}.webp`));
    if (shown.includes(file))
      await sharp(bytes)
        .webp({ quality: 80 })
        .toFile(join(folder, `${file}.webp`));
  }
  process.stdout.write(`${suffix}: ${wanted.length} pages\n`);
  for (const page of [visitor, member]) await page.context().close();
}

/** Parts of pages, sharp also where a pixel of the page is more than one of the screen. */
async function takeForHelp(browser: Browser, colorScheme: "light" | "dark"): Promise<void> {
  const [baseURL, viewport] = [world.hub.config.baseUrl, { width: 1280, height: 1200 }];
  const options = {
    baseURL,
    colorScheme,
    viewport,
    locale: "en",
    reducedMotion: "reduce",
    deviceScaleFactor: 1.5,
  } as const;
  const visitor = await (await browser.newContext(options)).newPage();
  const member = await (await browser.newContext(options)).newPage();
  await logIn(member, village.nick);
  for (const name of namesIn(helpPictures)) {
    const { path, as, part, ready } = ofHelp[name];
    const page = as === "visitor" ? visitor : member;
    // What was typed for one picture is no draft in the next.
    await page.goto("/help", { waitUntil: "networkidle" });
    await world.hub.db.deleteFrom("sketch").execute();
    await page.goto(path(village), { waitUntil: "load" });
    await ready?.(page);
    const { x, y } = (await page.locator(part).first().boundingBox())!;
    const clip = { x: x - 8, y: y - 8, width: helpPictureWidth, height: helpPictures[name] };
    const file = join(assets, `${name}-${colorScheme}.webp`);
    await sharp(await page.screenshot({ clip }))
      .webp({ quality: 75, effort: 6 })
      .toFile(file);
  }
  process.stdout.write(`help, ${colorScheme}: ${namesIn(helpPictures).length} pictures\n`);
  for (const page of [visitor, member]) await page.context().close();
}

async function writeSomething(page: Page): Promise<void> {
  await page.locator("#composer textarea[name=body]").fill("The first apples are in. Who wants to bake on Sunday?");
}

async function logIn(page: Page, nick: string): Promise<void> {
  await page.goto("/login");
  await page.locator("[name=login]").fill(nick);
  await page.locator("[name=password]").fill(password);
  await page.locator("main button").first().click();
  await page.waitForURL("**/network");
}
