import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setAdministrator } from "../../src/domain/identity/accounts/accounts.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import type { Item } from "../../src/domain/items/types.ts";
import { notify } from "../../src/domain/notifications/notices.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { commentOften } from "../support/many-comments.ts";
import { befriend } from "../support/people.ts";

/** What people do from the beginning to the end, by keyboard: deep in a long thread, with very many notices, with a report. */

const available = hasChromium();
let browser: Browser;
let crowd: Crowd;
let ann: Channel;
let ben: Channel;
let anns: Page;
let bens: Page;

describe.skipIf(!available)("journeys", () => {
  beforeAll(async () => {
    browser = await openChromium();
    crowd = await openCrowd(browser, true);
    ({ page: anns, channel: ann } = await crowd.member("Ann", "ann"));
    ({ page: bens, channel: ben } = await crowd.member("Ben", "ben"));
    await befriend(crowd.running.hub, ann, ben);
    // What comes live would be in the way of what is looked at here.
    const quiet = "window.EventSource = class extends EventTarget { close() {} }";
    for (const page of [anns, bens]) for (const script of [watchShifts, quiet]) await page.addInitScript(script);
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });
  beforeEach(() => {
    crowd.complaints.length = 0;
  });

  test("an answer deep in a thread of 500 comments", async () => {
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "A long talk" });
    await crowd.deliver();
    const ids = await commentOften(hub, ann, top.id, 500);
    const { mid } = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("mid")
      .where("item.id", "=", ids[200]!)
      .executeTakeFirstOrThrow();
    await anns.goto(`/display/${mid.split("/item/")[1]}`);
    const comments = anns.locator("#comments article");
    const linked = anns.locator(".comment.linked");
    expect([await comments.count(), await linked.innerText()]).toEqual([100, expect.stringContaining("number 200.")]);
    await linked.scrollIntoViewIfNeeded();
    // Both ends grow in place, and what is being read stays where it is.
    for (const [name, words, count] of [
      ["Older comments", "number 60.", 200],
      ["Newer comments", "number 300.", 300],
    ] as const) {
      const place = async () => Math.round((await linked.boundingBox())!.y);
      const before = await place();
      await anns
        .getByRole("link", { name })
        .evaluate((link: { focus(options: object): void }) => link.focus({ preventScroll: true }));
      await anns.keyboard.press("Enter");
      await anns.getByText(words, { exact: true }).waitFor();
      expect([name, await comments.count(), await place()]).toEqual([name, count, before]);
    }
    // The answer stands under what it answers.
    await linked.getByRole("link", { name: "Reply" }).focus();
    await anns.keyboard.press("Enter");
    const field = linked.locator("textarea");
    await field.waitFor();
    expect(await field.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await anns.keyboard.type("Right in the middle");
    await linked.getByRole("button", { name: "Comment" }).focus();
    await anns.keyboard.press("Enter");
    await anns.locator("article.comment[autofocus]", { hasText: "Right in the middle" }).waitFor();
    expect(await anns.evaluate("window.shifted")).toBe(0);
    // The newest ones are one step away.
    await anns.getByRole("link", { name: "Newest comments" }).focus();
    await anns.keyboard.press("Enter");
    await anns.getByText("number 499.", { exact: true }).waitFor();
    expect(crowd.complaints).toEqual([]);
  });

  test("two hundred notices: one is read, older ones come, all are seen", async () => {
    const { hub } = crowd.running;
    const posts: Item[] = [];
    for (let at = 0; at < 8; at++) posts.push(await postItem(hub, ben, { body: `post ${at}` }));
    await notify(
      hub,
      Array.from({ length: 200 }, (_, at) => ({
        kind: "mention" as const,
        to: ben,
        actor: ann.xchan_id,
        item: posts[at % 8]!.id,
        verb: `v${at}`,
      })),
    );
    await bens.goto("/notifications");
    const rows = bens.locator("#notice-list > li[id]");
    const unseen = bens.locator("#notice-list > li.unseen-notice");
    const first = await rows.count();
    const seen = (await unseen.count()) - 1;
    await rows.first().getByRole("button", { name: "Mark as seen" }).focus();
    await bens.keyboard.press("Enter");
    await expect.poll(() => unseen.count()).toBe(seen);
    await bens.getByRole("link", { name: "Older", exact: true }).focus();
    await bens.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBeGreaterThan(first);
    expect(await bens.evaluate("window.shifted")).toBe(0);
    await bens.getByRole("button", { name: "Mark all as seen" }).focus();
    await bens.keyboard.press("Enter");
    await expect.poll(() => unseen.count()).toBe(0);
    await bens.reload();
    expect(await bens.locator("nav .first [data-count=notices]").isHidden()).toBe(true);
    expect(crowd.complaints).toEqual([]);
  });

  test("somebody reports a post, and an administrator deletes it", async () => {
    const { hub } = crowd.running;
    await postItem(hub, ann, { body: "Buy my tea, cheap" });
    await crowd.deliver();
    await setAdministrator(hub, ben.channel_account_id, true);
    await bens.goto("/network");
    const card = bens.locator(".status.post", { hasText: "Buy my tea" });
    await card.locator("details.menu > summary").focus();
    await bens.keyboard.press("Enter");
    await card.getByRole("link", { name: /Report/ }).focus();
    await bens.keyboard.press("Enter");
    await bens.getByLabel(/What is wrong/).fill("Advertising");
    await bens.keyboard.press("Tab");
    await bens.keyboard.press("Enter");
    await bens.locator("#done").waitFor();
    await bens.goto("/admin/reports");
    const report = bens.locator("article.card", { hasText: "Advertising" });
    await report.getByLabel("What to do").selectOption({ label: "Delete the posts" });
    await report.getByLabel(/Words/).fill("No advertising here.");
    await report.getByRole("button", { name: "Do it" }).focus();
    await bens.keyboard.press("Enter");
    await bens.locator("article.card", { hasText: "deleted the posts" }).waitFor();
    await crowd.deliver();
    await bens.goto("/network");
    expect(await bens.getByText("Buy my tea").count()).toBe(0);
    expect(await bens.evaluate("window.shifted")).toBe(0);
    expect(crowd.complaints).toEqual([]);
  });
});

/** All that moves on a page without somebody's doing. */
const watchShifts = `window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;
