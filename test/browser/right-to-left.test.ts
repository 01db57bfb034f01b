import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHub } from "../../src/main.ts";
import type { RunningHub } from "../../src/main.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { openTestHub, password } from "../support/hub.ts";
import type { TestHub } from "../support/hub.ts";
import { makeChannel } from "../support/hub.ts";
import { speakPseudo } from "../support/pseudo-language.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { workOff } from "../../src/workers.ts";

/** Pages in a language that is written from right to left: everything stands on its other side, and nothing is cut off. */

const available = hasChromium();
let browser: Browser;
let settings: TestHub;
let running: RunningHub;
let thread: string;

const wide = { width: 1200, height: 900 };
const narrow = { width: 320, height: 640 };

describe.skipIf(!available)("from right to left", () => {
  beforeAll(async () => {
    browser = await openChromium();
    const port = String(await freePort());
    settings = await openTestHub({ env: { HUBBUB_BASE_URL: `http://127.0.0.1:${port}`, HUBBUB_PORT: port } });
    running = await startHub(settings.config, { makeKeys: settings.makeKeys, clock: settings.clock });
    speakPseudo(running.hub);
    const alma = await makeChannel(settings, "alma");
    const { mid, uuid } = await postItem(settings, alma, { body: "A post of some words" });
    await commentOn(settings, alma, { mid }, { body: "and what there is to say to it" });
    await workOff(settings);
    thread = `/item/${uuid}`;
  });
  afterAll(async () => {
    await browser?.close();
    await running?.close();
    await settings?.close();
  });

  test.each([wide, narrow])("$width pixels wide", async (viewport) => {
    const context = await browser.newContext({
      viewport,
      baseURL: running.url,
      extraHTTPHeaders: { "accept-language": "qps" },
    });
    const page = await context.newPage();
    await page.goto("/login");
    await page.locator("[name=login]").fill("alma");
    await page.locator("[name=password]").fill(password);
    await page.locator("main button").first().click();
    await page.waitForURL("**/network");
    const paths = [
      thread,
      "/channel/alma",
      "/notifications",
      "/mail",
      "/directory",
      "/cloud/alma",
      "/events",
      "/settings",
    ];
    for (const path of ["/network", ...paths]) {
      await page.goto(path, { waitUntil: "domcontentloaded" });
      const [way, over] = await page.evaluate<[string, number]>(
        "[document.documentElement.dir, document.documentElement.scrollWidth - innerWidth]",
      );
      expect([path, way, Math.max(0, over)]).toEqual([path, "rtl", 0]);
      if (viewport === narrow) continue;
      const [side, main] = [await page.locator("header.side").boundingBox(), await page.locator("#main").boundingBox()];
      expect([path, side!.x > main!.x]).toEqual([path, true]);
    }
    await page.goto(thread);
    const [face, words] = [
      page.locator(".comment .avatar, .comment img").first(),
      page.locator(".comment .body").first(),
    ];
    const [left, right] = [(await words.boundingBox())!, (await face.boundingBox())!];
    expect(right.x + right.width).toBeGreaterThan(left.x + left.width / 2);
    await context.close();
  });
});
