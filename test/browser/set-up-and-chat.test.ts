import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChannelByNick } from "../../src/domain/identity/channels/channels.ts";
import { setupToken } from "../../src/domain/identity/accounts/setup.ts";
import { languagesOf } from "../../src/faces/web/languages/languages.ts";
import type { Say } from "../../src/faces/web/languages/say.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { password } from "../support/hub.ts";
import { pressAt, tabTo } from "../support/keyboard.ts";
import { befriend } from "../support/people.ts";
import { size } from "../support/size.ts";
import { waysToLook } from "../support/ways.ts";

/**
 * Somebody sets up a hub and opens a room in it, and somebody who has joined the hub talks there: by keyboard alone, and at each
 * stop one sees where one is.
 */

const available = hasChromium();

describe.skipIf(!available)("a hub is set up, and two talk in a room of it", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test.each(waysToLook(size(3, 20)))(
    "$language, $width px, scripts: $scripts",
    async ({ language, width, scripts }) => {
      const crowd = await openCrowd(browser, scripts);
      try {
        const { hub } = crowd.running;
        const { say } = languagesOf(hub).get(language)!;
        const newcomer = (): Promise<Page> => crowd.somebody({ locale: language, viewport: { width, height: 800 } });
        const adas = await newcomer();
        await setUp(crowd, adas, say);
        const bens = await newcomer();
        await join(bens, say);
        await befriend(hub, (await findChannelByNick(hub, "ada"))!, (await findChannelByNick(hub, "ben"))!);
        await bens.goto(await openRoom(adas, say));
        for (const [from, to, words] of [
          [adas, bens, "Who puts the kettle on?"],
          [bens, adas, "I do."],
        ] as const) {
          await tabTo(from, from.locator(".chat-form textarea"));
          await from.keyboard.type(words);
          await pressAt(from, from.getByRole("button", { name: say("chat.say-it"), exact: true }));
          await line(from, words).waitFor();
          // Without scripts a page is what it was when it was asked for.
          if (!scripts) await to.reload();
          await line(to, words).waitFor();
        }
        expect(crowd.complaints).toEqual([]);
      } finally {
        await crowd.close();
      }
    },
  );
});

function line(page: Page, words: string) {
  return page.locator(".chat-words", { hasText: words });
}

async function type(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    await tabTo(page, page.locator(`main [name=${name}]`));
    await page.keyboard.press("Control+A");
    await page.keyboard.type(value);
  }
}

async function setUp({ running }: Crowd, page: Page, say: Say): Promise<void> {
  await page.goto(`/setup/${await setupToken(running.hub)}`);
  await type(page, { email: "ada@example.org", password, name: "Ada", nick: "ada", site_name: "Lindenhof" });
  // Who may sign up: everybody, the first by the arrows.
  await tabTo(page, page.locator("[name=registration]:checked"));
  for (let presses = 0; presses < 3 && !(await page.locator("[name=registration][value=open]").isChecked()); presses++)
    await page.keyboard.press("ArrowUp");
  await pressAt(page, page.getByRole("button", { name: say("site.open-hub"), exact: true }));
  await page.waitForURL("**/welcome");
  expect(await page.title()).toContain("Lindenhof");
}

/** Answers its path. */
async function openRoom(page: Page, say: Say): Promise<string> {
  await page.goto("/chat/ada");
  await type(page, { name: "Kitchen" });
  await pressAt(page, page.getByRole("button", { name: say("chat.open-room"), exact: true }));
  await page.getByRole("heading", { name: "Kitchen" }).waitFor();
  return new URL(page.url()).pathname;
}

async function join(page: Page, say: Say): Promise<void> {
  await page.goto("/register");
  await type(page, { email: "ben@example.org", password, name: "Ben", nick: "ben" });
  await pressAt(page, page.getByRole("main").getByRole("button", { name: say("account.join"), exact: true }));
  await page.waitForURL("**/welcome");
}
