import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordLink } from "../../src/domain/link-cards/link-cards.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { password } from "../support/hub.ts";

/** Pictures and films of posts, in a real browser (decision 65). */

const available = hasChromium();

describe.skipIf(!available)("reading", () => {
  let browser: Browser;
  let crowd: Crowd;
  let page: Page;

  beforeAll(async () => {
    browser = await openChromium();
    crowd = await openCrowd(browser, true);
    const { page: own, channel } = await crowd.member("Ada Lindqvist", "ada");
    page = own;
    const form = new FormData();
    form.set("body", "Three trees");
    for (const [at, color] of ["#284", "#482", "#824"].entries()) {
      const picture = sharp({ create: { width: 900, height: 600 + 300 * at, channels: 3, background: color } });
      form.append("media[]", new Blob([new Uint8Array(await picture.jpeg().toBuffer())]), `tree ${at}.jpg`);
    }
    const authorization = `Basic ${Buffer.from(`ada:${password}`).toString("base64")}`;
    const url = `${crowd.running.url}/api/z/1.0/item/update`;
    await fetch(url, { method: "POST", body: form, headers: { authorization } });
    const { hub } = crowd.running;
    const film = await postItem(hub, channel, { body: "https://youtu.be/dQw4w9WgXcQ" });
    await postItem(hub, channel, { body: "[video]https://films.example/a.mp4[/video]" });
    const asking = Object.assign(Object.create(hub) as typeof hub, { config: { ...hub.config, linkCards: true } });
    await recordLink(asking, film.message_id, "https://youtu.be/dQw4w9WgXcQ", { mayAsk: true, atOnce: false });
    await hub.db.updateTable("link_card").set({ kind: "video", title: "A film" }).execute();
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });

  test.each([
    ["wide", 1100],
    ["narrow", 390],
  ])("nothing moves when pictures come, in a %s window", async (_, width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(() => {
      Object.assign(globalThis, { moved: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) (globalThis as any).moved += (entry as any).value;
      }).observe({ type: "layout-shift" as any, buffered: true });
    });
    await page.goto("/network");
    await page.locator("hub-pictures").scrollIntoViewIfNeeded();
    await expect
      .poll(() => page.locator(".picture img").evaluateAll((all) => all.every((one) => (one as any).naturalWidth > 0)))
      .toBe(true);
    const box = (await page.locator("hub-pictures").boundingBox())!;
    expect(box.height).toBeLessThan(box.width);
    expect(await page.evaluate(() => (globalThis as any).moved)).toBe(0);
  });

  test("a click shows them large, keys lead on, Escape leads back", async () => {
    // Without animations, so that keys hold at once.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/network");
    const second = page.locator("hub-pictures a.picture").nth(1);
    await second.focus();
    await page.keyboard.press("Enter");
    await page.locator(".pswp--open").waitFor();
    const counter = page.locator(".pswp__counter");
    await expect.poll(() => counter.textContent()).toBe("2 / 3");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => counter.textContent()).toBe("3 / 3");
    expect(await page.locator(".pswp__words").textContent()).toBe(
      await page.locator("hub-pictures img").nth(2).getAttribute("alt"),
    );
    expect(await page.locator(".pswp__button--download").getAttribute("href")).toMatch(/\/photo\/[0-9a-f]{64}-0\.jpg$/);
    await page.keyboard.press("Escape");
    await page.locator(".pswp").waitFor({ state: "detached" });
    expect(crowd.complaints).toEqual([]);
  });

  test("a film of another site is asked for after a click, in its place", async () => {
    await page.goto("/network");
    expect(await page.locator("iframe").count()).toBe(0);
    await page.locator(".film-start").click();
    expect(await page.locator("hub-film iframe").getAttribute("src")).toMatch(
      /^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ/,
    );
    expect(page.url()).toMatch(/\/network$/);
  });
});
