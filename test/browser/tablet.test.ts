import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { befriend } from "../support/people.ts";

/** Between telephones and wide windows: a tablet, held upright, with a finger. */

const available = hasChromium();
let browser: Browser;
let crowd: Crowd;
let anns: Page;
let own: number;

describe.skipIf(!available)("a tablet", () => {
  beforeAll(async () => {
    browser = await openChromium();
    crowd = await openCrowd(browser, true);
    const how = { viewport: { width: 820, height: 1100 }, hasTouch: true };
    const { page, channel: ann } = await crowd.member("Ann", "ann", how);
    const { channel: ben } = await crowd.member("Ben", "ben", how);
    anns = page;
    const { hub } = crowd.running;
    await befriend(hub, ann, ben);
    const poll = { options: ["Soup", "Cake"], several: true };
    await postItem(hub, ben, { body: "What for the feast?", poll });
    own = (await postItem(hub, ann, { body: "And what to drink?", poll, categories: ["Feasts"] })).id;
    await crowd.deliver();
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });

  const boxesOf = async (selector: string) =>
    Promise.all((await anns.locator(selector).all()).map(async (one) => (await one.boundingBox())!));

  test("the navigation spreads evenly below the page", async () => {
    await anns.goto("/network");
    const boxes = await boxesOf(".navigation .first > li, .navigation .more");
    const middles = boxes.map(({ x, width }) => x + width / 2);
    const gaps = middles.slice(1).map((middle, at) => middle - middles[at]!);
    expect(gaps).toHaveLength(4);
    expect(Math.max(...gaps) / Math.min(...gaps)).toBeLessThan(1.3);
  });

  test("what a poll lets one choose is large enough for a finger", async () => {
    await anns.goto("/network");
    const heights = (await boxesOf("label.poll-option")).map(({ height }) => height);
    expect(heights).toHaveLength(2);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  });

  test("the form that edits a post has room for its categories, and says what becomes of its poll", async () => {
    await anns.goto(`/item/${own}/edit`);
    const [title, categories] = await boxesOf("#f-title, #f-category");
    expect(categories?.width).toBe(title?.width);
    await anns.getByText("Votes stay with the options").waitFor();
    expect(crowd.complaints).toEqual([]);
  });
});
