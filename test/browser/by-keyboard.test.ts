import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../src/domain/identity/channels/channels.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
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
 * Somebody arrives, finds somebody, writes, answers, likes and chooses how pages look: with the tabulator, arrows, space and Enter
 * alone, and at each stop one sees where one is.
 */

const available = hasChromium();

describe.skipIf(!available)("by keyboard alone", () => {
  let browser: Browser;
  let crowd: Crowd;
  let ann: Channel;

  beforeAll(async () => {
    browser = await openChromium();
    crowd = await openCrowd(browser, true);
    ({ channel: ann } = await crowd.member("Ann", "ann"));
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });

  test.each(waysToLook(size(2, 20)))(
    "$language, $width px, scripts: $scripts",
    async ({ language, width, scripts }) => {
      const { hub } = crowd.running;
      const { say } = languagesOf(hub).get(language)!;
      const page = await crowd.somebody({
        locale: language,
        viewport: { width, height: 800 },
        javaScriptEnabled: scripts,
      });
      const nick = `${language}${width}${scripts ? "s" : "n"}`;
      await arrive(page, say, nick);
      const newcomer = (await findChannelByNick(hub, nick))!;

      await pressAt(page, page.locator("nav .first a[href='/connections']"));
      await tabTo(page, page.locator("#find"));
      await page.keyboard.type("ann");
      await page.keyboard.press("Enter");
      const found = page.locator(`#person-${ann.xchan_id}`);
      await pressAt(page, found.getByRole("button", { name: say("connections.connect"), exact: true }));
      await found.getByRole("link", { name: say("connections.request-sent") }).waitFor();
      await befriend(hub, newcomer, ann);
      await postItem(hub, ann, { body: `Welcome, ${nick}` });
      await crowd.deliver();

      await pressAt(page, page.locator("nav .first a[href='/network']"));
      await writePost(page, say, nick);
      await likeAndAnswer(page, say, nick, scripts);
      await chooseLook(page, say, width);
      expect(crowd.complaints).toEqual([]);
      await page.context().close();
    },
  );
});

async function arrive(page: Page, say: Say, nick: string): Promise<void> {
  await page.goto("/register");
  const fields = { email: `${nick}@example.org`, password, name: `New ${nick}`, nick };
  for (const [name, value] of Object.entries(fields)) {
    await tabTo(page, page.locator(`main [name=${name}]`));
    await page.keyboard.type(value);
  }
  await pressAt(page, page.getByRole("main").getByRole("button", { name: say("account.join"), exact: true }));
  await page.waitForURL("**/welcome");
  await pressAt(page, page.locator(".steps a.leave"));
  await page.waitForURL("**/network");
}

/** For one's connections, by the arrows of the audience. */
async function writePost(page: Page, say: Say, nick: string): Promise<void> {
  const composer = page.locator("#composer");
  await tabTo(page, composer.locator("textarea[name=body]"));
  await page.keyboard.type(`Here I am: ${nick}`);
  await pressAt(page, composer.locator("details.audience > summary"));
  await tabTo(page, composer.locator("[name=audience][value=public]"));
  await page.keyboard.press("ArrowDown");
  expect(await composer.locator("details.audience > summary").innerText()).toContain(
    say("composer.audience-connections"),
  );
  await pressAt(page, composer.getByRole("button", { name: say("composer.post"), exact: true }));
  await page.waitForURL("**/network?done=posted");
  const own = page.locator("article.post", { hasText: `Here I am: ${nick}` });
  expect(await own.locator(".visibility").textContent()).toContain(say("items.connections"));
}

async function likeAndAnswer(page: Page, say: Say, nick: string, scripts: boolean): Promise<void> {
  const welcome = page.locator("article.post", { hasText: `Welcome, ${nick}` });
  await pressAt(page, welcome.locator("button.act-heart"));
  await welcome.getByText(say("items.react-like", { people: say("items.you"), count: 0 })).waitFor();
  await pressAt(page, welcome.getByRole("link", { name: say("items.comment") }));
  // Where there are no scripts, the link leads to the form of the thread's own page.
  if (scripts) await page.locator("textarea[name=body]:focus").waitFor();
  else await tabTo(page, page.locator("#comment textarea[name=body]"));
  await page.keyboard.type(`Thank you, says ${nick}`);
  await pressAt(page, page.getByRole("button", { name: say("composer.comment"), exact: true }));
  await page.locator(".comment", { hasText: `Thank you, says ${nick}` }).waitFor();
}

async function chooseLook(page: Page, say: Say, width: number): Promise<void> {
  if (width < 700) await pressAt(page, page.locator("nav details.more > summary"));
  const sheet = page.locator(width < 700 ? "nav .sheet" : "nav .rest");
  await pressAt(page, sheet.locator("a[href='/settings']"));
  await pressAt(page, page.getByRole("main").locator("a[href='/settings/look']"));
  await tabTo(page, page.locator("[name=theme][value='']"));
  await page.keyboard.press("ArrowDown");
  const chosen = await page.locator("[name=theme]:checked").getAttribute("value");
  await pressAt(page, page.getByRole("button", { name: say("forms.save"), exact: true }));
  await page.waitForURL("**/settings/look?done=saved");
  expect(await page.locator("[name=theme]:checked").getAttribute("value")).toBe(chosen);
}
