import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import type { Item } from "../../src/domain/items/types.ts";
import { openCrowd, post } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";

/** What single keys do. */

const available = hasChromium();
let browser: Browser;
let crowd: Crowd;
let anns: Page;
let ann: Channel;
let second: Item;

describe.skipIf(!available)("keys", () => {
  beforeAll(async () => {
    browser = await openChromium();
    crowd = await openCrowd(browser, true);
    ({ page: anns, channel: ann } = await crowd.member("Ann", "ann"));
    const { hub } = crowd.running;
    await postItem(hub, ann, { body: "The third" });
    second = await postItem(hub, ann, { body: "The second" });
    await postItem(hub, ann, { body: "The first" });
    await anns.goto("/network");
    // The module of the element comes after the page.
    await anns.locator("hub-keys:defined").waitFor({ state: "attached" });
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });

  const focused = () => anns.locator(".status:focus").innerText();

  test("go from post to post, like one, answer it, and rest in the answer", async () => {
    const { keyboard } = anns;
    await keyboard.press("j");
    expect(await focused()).toContain("The first");
    await keyboard.press("j");
    expect(await focused()).toContain("The second");
    await keyboard.press("k");
    await keyboard.press("j");
    const renewed = anns.evaluate(
      `new Promise((done) => {
        const renewed = () => done("renewed");
        document.querySelector("hub-live").addEventListener("htmx:after:swap", renewed, { once: true });
      })`,
    );
    await keyboard.press("l");
    await post(anns, "The second").getByText("You like this").waitFor();
    // Somebody changes the thread, and it takes the place of what was shown; who reads it stays there.
    await commentOn(crowd.running.hub, ann, second, { body: "Meanwhile" });
    await renewed;
    expect(await focused()).toContain("The second");
    await keyboard.press("r");
    const answer = post(anns, "The second").getByLabel("Your comment");
    await answer.waitFor();
    await expect.poll(() => answer.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await keyboard.type("jolly?");
    expect(await answer.inputValue()).toBe("jolly?");
  });

  test("begin a post; the sheet shows them, and they can be switched off", async () => {
    const { keyboard } = anns;
    await anns.locator("main").focus();
    await keyboard.press("n");
    expect(
      await anns.getByLabel("Text of the post").evaluate((field) => field === field.ownerDocument.activeElement),
    ).toBe(true);
    await anns.locator("main").focus();
    await keyboard.press("?");
    await anns.getByRole("dialog", { name: "Keys" }).getByText("Next post").waitFor();
    await anns.getByLabel("Use these keys in this browser").uncheck();
    await keyboard.press("Escape");
    await anns.locator("main").focus();
    await keyboard.press("j");
    expect(await anns.locator(".status:focus").count()).toBe(0);
  });
});
