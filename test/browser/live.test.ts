import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { displayPath } from "../../src/faces/web/parts/item-paths.ts";
import type { PageContext } from "../../src/faces/web/page.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { befriend } from "../support/people.ts";

/** What others do comes to open pages by itself, where scripts run. */

const available = hasChromium();
let browser: Browser;
let crowd: Crowd;
let ann: Channel;
let ben: Channel;
let anns: Page;
let bens: Page;

describe.skipIf(!available)("live", () => {
  beforeAll(async () => {
    browser = await openChromium();
    crowd = await openCrowd(browser, true);
    ({ page: anns, channel: ann } = await crowd.member("Ann", "ann"));
    ({ page: bens, channel: ben } = await crowd.member("Ben", "ben"));
    await befriend(crowd.running.hub, ann, ben);
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });

  test("new posts are counted above the stream and come in place", async () => {
    const { hub } = crowd.running;
    await postItem(hub, ann, { body: "an old one" });
    await crowd.deliver();
    await bens.goto("/network");
    await postItem(hub, ann, { body: "a new one" });
    await postItem(hub, ann, { body: "a newer one" });
    await crowd.deliver();
    const news = bens.getByRole("link", { name: "2 new posts" });
    await news.waitFor();
    expect(await bens.getByText("a newer one").count()).toBe(0);
    await news.click();
    await bens.getByText("a newer one").waitFor();
    expect(await bens.locator(".thread .status.post .body").allTextContents()).toMatchObject([
      expect.stringContaining("a newer one"),
      expect.stringContaining("a new one"),
      expect.stringContaining("an old one"),
    ]);
    expect(await news.count()).toBe(0);
    expect(crowd.complaints).toEqual([]);
  });

  test("a comment comes into the open thread, and its notice into navigation and title", async () => {
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "a thread" });
    await crowd.deliver();
    const path = displayPath({ hub } as PageContext, top);
    await Promise.all([anns.goto(path), bens.goto(path)]);
    await bens.locator("#comment textarea").fill("I answer you");
    await bens.locator("#comment").getByRole("button", { name: "Comment" }).click();
    await bens.locator(".comment", { hasText: "I answer you" }).waitFor();
    await crowd.deliver();
    await anns.locator(".comment", { hasText: "I answer you" }).waitFor();
    await expect.poll(() => anns.title()).toMatch(/^\([1-9]\) /);
    expect(await anns.locator("nav .first [data-count=notices]").textContent()).toMatch(/^[1-9]/);
    expect(crowd.complaints).toEqual([]);
  });

  test("a menu and a warning that are open stay so while a comment comes", async () => {
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "how it ends", summary: "an ending" });
    await crowd.deliver();
    await bens.goto(displayPath({ hub } as PageContext, top));
    const card = bens.locator(".status.post");
    await card.locator("details.warning > summary").click();
    await card.locator("details.menu > summary").click();
    await commentOn(hub, ann, top, { body: "and goes on" });
    await crowd.deliver();
    await bens.getByText("and goes on").waitFor();
    expect(await card.locator("details[open]").count()).toBe(2);
  });

  test("a chatroom is a conversation: what one says comes to the other at once", async () => {
    await anns.goto("/chat/ann");
    await anns.getByLabel("Name").fill("Kitchen");
    await anns.getByLabel("What is said stays").selectOption({ label: "1 day" });
    await anns.getByRole("button", { name: "Open the room" }).click();
    await anns.getByRole("heading", { name: "Kitchen" }).waitFor();
    await bens.goto(new URL(anns.url()).pathname);
    const lines = (page: Page) => page.locator(".chat-words").allTextContents();
    const say = async (page: Page, words: string): Promise<void> => {
      const field = page.getByLabel("Say something");
      // What was sent before has left the field.
      await expect.poll(() => field.inputValue()).toBe("");
      await field.fill(words);
      await page.getByRole("button", { name: "Say it" }).click();
    };
    await say(anns, "Who puts the kettle on?");
    await expect.poll(() => lines(bens)).toEqual(["Who puts the kettle on?"]);
    await say(bens, "Me.");
    await expect.poll(() => lines(anns)).toEqual(["Who puts the kettle on?", "Me."]);
    for (let n = 0; n < 12; n++) {
      await say(anns, `cup ${n}`);
      await expect.poll(() => lines(anns)).toContain(`cup ${n}`);
    }
    await expect.poll(() => lines(bens)).toContain("cup 11");
    // The newest is in sight, and who writes goes on writing.
    for (const page of [anns, bens])
      expect(await page.locator(".chat-window").evaluate((window) => Math.round(window.scrollTop))).toBe(0);
    await expect.poll(() => anns.getByLabel("Say something").inputValue()).toBe("");
    expect(crowd.complaints).toEqual([]);
  });
});
