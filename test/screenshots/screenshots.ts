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
import { settle } from "./village.ts";
import type { Village } from "./village.ts";

/**
 * Pictures of the most important pages (`npm run screenshots`): wide and narrow, light and dark, in `docs/images/pages`, which is
 * not kept in the repository. Those that documents show are written beside it; `--language de` asks for the pages in another
 * language, `--only stream` for one of them.
 */

const { values } = parseArgs({ options: { language: { type: "string", default: "en" }, only: { type: "string" } } });
const folder = join(import.meta.dirname, "../../docs/images");

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

async function logIn(page: Page, nick: string): Promise<void> {
  await page.goto("/login");
  await page.locator("[name=login]").fill(nick);
  await page.locator("[name=password]").fill(password);
  await page.locator("main button").first().click();
  await page.waitForURL("**/network");
}
