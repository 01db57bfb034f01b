import { readFileSync } from "node:fs";
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
    await page.addInitScript(noteMoved);
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
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/photo/*-*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/network", { waitUntil: "domcontentloaded" });
    await page.locator("hub-pictures").scrollIntoViewIfNeeded();
    // Until they come, something that looks like them has their place.
    const places = () =>
      page
        .locator(".picture")
        .evaluateAll((all) => all.map((one) => JSON.stringify((one as any).getBoundingClientRect())));
    const before = await places();
    const styles = await page
      .locator(".picture")
      .evaluateAll((all) => all.map((one) => (one as any).style.backgroundImage));
    expect(styles).toEqual(Array(3).fill(expect.stringMatching(/^url\("data:/)));
    letGo();
    await expect
      .poll(() => page.locator(".picture img").evaluateAll((all) => all.every((one) => (one as any).naturalWidth > 0)))
      .toBe(true);
    await page.unroute("**/photo/*-*");
    expect(await places()).toEqual(before);
    const box = (await page.locator("hub-pictures").boundingBox())!;
    expect(box.height).toBeLessThan(box.width);
    expect(await page.evaluate(`window.moved`)).toEqual([]);
    await page.goto("/photos/ada");
    await page
      .getByRole("main")
      .getByRole("link", { name: /\d{4}-\d\d/ })
      .first()
      .click();
    await page.locator(".photo-grid img").nth(2).waitFor();
    await expect
      .poll(() =>
        page.locator(".photo-grid img").evaluateAll((all) => all.every((one) => (one as any).naturalWidth > 0)),
      )
      .toBe(true);
    expect(await page.evaluate(`window.moved`)).toEqual([]);
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

  test("a finger swipes to the next one, and the button keeps the one that is shown", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/network");
    await page.locator("hub-pictures a.picture").first().click();
    const counter = page.locator(".pswp__counter");
    await expect.poll(() => counter.textContent()).toBe("1 / 3");
    const finger = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y: 450 }] });
    const width = page.viewportSize()!.width;
    await touch("touchStart", 0.9 * width);
    for (const part of [0.8, 0.6, 0.4, 0.2]) await touch("touchMove", part * width);
    await touch("touchEnd");
    await expect.poll(() => counter.textContent()).toBe("2 / 3");
    const keep = page.locator(".pswp__button--download");
    const path = (await keep.getAttribute("href"))!;
    const [kept] = await Promise.all([page.waitForEvent("download"), keep.click()]);
    const shown = await page.request.get(path);
    expect(readFileSync(await kept.path())).toEqual(await shown.body());
    await page.keyboard.press("Escape");
    await page.locator(".pswp").waitFor({ state: "detached" });
    expect(crowd.complaints).toEqual([]);
  });

  test("on paper there is no navigation, and all words are dark on white", async () => {
    await page.goto("/network");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const part of [".navigation", ".composer", ".actions", ".foot"])
      expect(await page.locator(part).first().isVisible()).toBe(false);
    expect(await page.locator(".status.post", { hasText: "Three trees" }).isVisible()).toBe(true);
    const colours = await page.locator("body, main, .status, .status .body, .byline a").evaluateAll(coloursOf);
    for (const { words, behind } of colours) {
      expect(Math.max(...words)).toBeLessThan(140);
      expect(behind).toEqual([255, 255, 255]);
    }
    await page.emulateMedia({ media: null, colorScheme: null });
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

/** Notes what has moved, from where to where. */
const noteMoved = `
  window.moved = [];
  const told = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const named = (node) => (node instanceof Element ? node.outerHTML.split(">")[0] : (node?.textContent ?? "what is gone")).slice(0, 120);
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      for (const { node, previousRect, currentRect } of sources)
        window.moved.push([value, named(node), told(previousRect), told(currentRect)].join(" | "));
  }).observe({ type: "layout-shift", buffered: true });`;

/** The colours of words and of what is behind them, as red, green and blue. */
function coloursOf(elements: unknown[]): { words: number[]; behind: number[] }[] {
  const parts = (colour: string) => (/[\d.]+/g[Symbol.match](colour) ?? []).map(Number);
  const style = (element: any) => (globalThis as any).getComputedStyle(element);
  const behind = (element: any): number[] => {
    const [red = 255, green = 255, blue = 255, alpha = 1] = parts(style(element).backgroundColor);
    if (alpha > 0) return [red, green, blue];
    return element.parentElement ? behind(element.parentElement) : [255, 255, 255];
  };
  return elements.map((element) => ({ words: parts(style(element).color).slice(0, 3), behind: behind(element) }));
}
