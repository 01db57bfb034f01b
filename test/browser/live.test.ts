import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { countListeners } from "../../src/domain/listeners/listeners.ts";
import { sendMessage } from "../../src/domain/messages/messages.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { displayPath } from "../../src/faces/web/parts/item-paths.ts";
import type { PageContext } from "../../src/faces/web/page.ts";
import { done, openCrowd } from "../support/browser-people.ts";
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

  test("a page in the background rests, and hears of it all when it is looked at again", async () => {
    const { hub } = crowd.running;
    await anns.goto("about:blank");
    await bens.goto("/network");
    await expect.poll(() => countListeners(hub)).toBe(1);
    const look = (hidden: boolean) =>
      bens.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, get: () => ${hidden} });
        document.dispatchEvent(new Event("visibilitychange"))`);
    await look(true);
    await expect.poll(() => countListeners(hub)).toBe(0);
    const asked: string[] = [];
    bens.on("request", (request) => asked.push(request.url()));
    await postItem(hub, ann, { body: "while nobody looks" });
    await crowd.deliver();
    expect(asked).toEqual([]);
    await look(false);
    await bens.getByRole("link", { name: "1 new post" }).waitFor();
    expect(asked.map((url) => new URL(url).pathname)).toEqual(["/live"]);
    bens.removeAllListeners("request");
    expect(crowd.complaints).toEqual([]);
  });

  test("a message comes as a bubble into the open conversation, and the answer likewise", async () => {
    const { hub } = crowd.running;
    const first = await sendMessage(hub, ann, { to: ben.channel_hash, body: "Tea at four?" });
    await crowd.deliver();
    await bens.goto("/mail");
    await bens.locator("#talks").getByRole("link", { name: /Ann/ }).first().click();
    await bens.locator(".bubble", { hasText: "Tea at four?" }).waitFor();
    await sendMessage(hub, ann, { to: ben.channel_hash, body: "Or at five?", replyTo: first.id });
    await crowd.deliver();
    await bens.locator(".bubble", { hasText: "Or at five?" }).waitFor();
    await anns.goto("/mail");
    await anns.locator("#talks").getByRole("link", { name: /Ben/ }).first().click();
    await anns.locator(".bubble", { hasText: "Or at five?" }).waitFor();
    await bens.getByRole("main").getByRole("textbox").last().fill("At five.");
    await bens.getByRole("button", { name: "Send" }).click();
    await anns.locator(".bubble", { hasText: "At five." }).waitFor();
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

  test("a comment comes while somebody answers another one: what they write, and where, stays", async () => {
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "a busy thread" });
    for (let n = 0; n < 4; n++) await commentOn(hub, ann, top, { body: `Said before, ${n}` });
    await crowd.deliver();
    await bens.goto(displayPath({ hub } as PageContext, top));
    await bens.locator(".comment", { hasText: "before, 1" }).getByRole("link", { name: "Reply" }).click();
    const field = bens.locator(".comments textarea");
    await field.pressSequentially("I am still");
    const place = await field.boundingBox();
    await commentOn(hub, ann, top, { body: "Came meanwhile" });
    await crowd.deliver();
    await bens.locator(".comment", { hasText: "Came meanwhile" }).waitFor();
    await bens.keyboard.type(" writing");
    expect([await field.inputValue(), await field.boundingBox()]).toEqual(["I am still writing", place]);
    await bens.locator(".comments form").getByRole("button", { name: "Comment" }).click();
    await bens.locator(".comment .body", { hasText: "I am still writing" }).waitFor();
    expect(await bens.locator(".comment", { hasText: "Came meanwhile" }).count()).toBe(1);
    expect(crowd.complaints).toEqual([]);
  });

  test("and while somebody writes below all of them, the form stays where it is in the window", async () => {
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "a long thread" });
    for (let n = 0; n < 14; n++) await commentOn(hub, ann, top, { body: `Said before, ${n}` });
    await crowd.deliver();
    await bens.goto(displayPath({ hub } as PageContext, top));
    const field = bens.locator("#comment textarea");
    await field.pressSequentially("I am still");
    const place = await field.boundingBox();
    await commentOn(hub, ann, top, { body: "Came meanwhile" });
    await crowd.deliver();
    await bens.locator(".comment", { hasText: "Came meanwhile" }).waitFor();
    // Windows scroll by whole pixels.
    await expect.poll(async () => Math.abs((await field.boundingBox())!.y - place!.y)).toBeLessThan(1);
    await bens.keyboard.type(" writing");
    expect(await field.inputValue()).toBe("I am still writing");
  });

  test("a like in place is no news for its page, and what others do is", async () => {
    const { hub } = crowd.running;
    const [liked, other] = [
      await postItem(hub, ann, { body: "to be liked" }),
      await postItem(hub, ann, { body: "to be answered" }),
    ];
    await crowd.deliver();
    await Promise.all([bens.goto("/network"), anns.goto(displayPath({ hub } as PageContext, liked))]);
    await bens.locator("main form[data-htmx-powered]").first().waitFor({ state: "attached" });
    await bens.evaluate(`globalThis.told = [];
      document.addEventListener("hub:news", ({ detail }) => globalThis.told.push(...detail.threads.map((id) => "thread-" + id)))`);
    const told = () => bens.evaluate<string[]>("globalThis.told");
    const thread = (text: string) => bens.locator(".thread", { hasText: text });
    await thread("to be liked").getByRole("button", { name: "Like", exact: true }).click();
    await thread("to be liked").getByText("You like this").waitFor();
    await anns.locator(".reactions", { hasText: "Ben" }).waitFor();
    // News come in their order.
    await commentOn(hub, ann, other, { body: "Here I am" });
    await thread("to be answered").getByText("Here I am").waitFor();
    const [answered, own] = [
      await thread("to be answered").getAttribute("id"),
      await thread("to be liked").getAttribute("id"),
    ];
    expect(await told()).toContain(answered);
    expect(await told()).not.toContain(own);
    await commentOn(hub, ann, liked, { body: "And here" });
    await thread("to be liked").getByText("And here").waitFor();
    expect(await told()).toContain(own);
    expect(crowd.complaints).toEqual([]);
  });

  test("what was asked for before a like, and comes after it, does not take it back", async () => {
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "liked meanwhile" });
    await crowd.deliver();
    // While a stream begins, Chromium now and then loses what is to be caught from then on.
    await Promise.all([bens.waitForResponse(/\/live\?/), bens.goto("/network")]);
    const heart = bens.locator(".thread", { hasText: "liked meanwhile" }).locator(".act-heart").first();
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await bens.route("/network", async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await answered.promise;
      await route.fulfill({ response });
    });
    await commentOn(hub, ann, top, { body: "And I say" });
    await asked.promise;
    await done(bens, heart.click());
    answered.resolve();
    await bens.locator(".comment", { hasText: "And I say" }).waitFor();
    expect(await heart.getAttribute("aria-pressed")).toBe("true");
    await bens.unroute("/network");
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
