import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../src/domain/identity/channels/find-channel.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { startHub } from "../../src/main.ts";
import type { RunningHub } from "../../src/main.ts";
import { workOff } from "../../src/workers.ts";
import { hasFirefox, openFirefox } from "../support/firefox.ts";
import { freePort } from "../support/free-port.ts";
import { makeChannel, openTestHub } from "../support/hub.ts";
import type { TestHub } from "../support/hub.ts";
import { befriend } from "../support/people.ts";

/** Three journeys in another browser than all the others are made in: arriving, posting with a picture, a thread that lives. */

const available = hasFirefox();
let browser: Browser;
let settings: TestHub;
let running: RunningHub;
let ann: Channel;
/** Ben's window. */
let page: Page;

describe.skipIf(!available)("in Firefox", () => {
  beforeAll(async () => {
    const port = String(await freePort());
    settings = await openTestHub({ env: { HUBBUB_BASE_URL: `http://127.0.0.1:${port}`, HUBBUB_PORT: port } });
    running = await startHub(settings.config, { makeKeys: settings.makeKeys });
    ann = await makeChannel(settings, "ann");
    browser = await openFirefox();
    page = await (await browser.createBrowserContext()).newPage();
    await page.setViewport({ width: 1100, height: 900 });
    // For what hangs: half a minute is not enough where everything else is tried at the same time.
    page.setDefaultTimeout(240_000);
  });
  afterAll(async () => {
    await browser?.close();
    await running?.close();
    await settings?.close();
  });

  test("somebody arrives, takes the first steps and connects, by keyboard alone", async () => {
    await page.goto(`${running.url}/register`);
    const fields = { email: "ben@example.org", password: "a long sentence", name: "Ben Okafor", nick: "ben" };
    for (const [name, value] of Object.entries(fields)) {
      await page.focus(`main [name=${name}]`);
      await page.keyboard.type(value);
    }
    await going(() => page.keyboard.press("Enter"));
    expect(new URL(page.url()).pathname).toBe("/welcome");
    await page.goto(`${running.url}/directory`);
    await page.locator("main ::-p-text(Ann)").wait();
    await focusOn("Connect");
    await page.keyboard.press("Enter");
    await page.locator("main ::-p-text(Request sent)").wait();
    const { channel_id } = (await findChannelByNick(settings, "ben"))!;
    const found = await settings.db
      .selectFrom("abook")
      .select("abook_xchan")
      .where("abook_channel", "=", channel_id)
      .where("abook_self", "=", 0)
      .execute();
    expect(found).toEqual([{ abook_xchan: ann.channel_hash }]);
  });

  test("a picture is chosen, described and posted", async () => {
    await page.goto(`${running.url}/network`);
    await page.locator("#composer textarea[name=body]").fill("The old tree");
    const chooser = await page.$("#composer input[type=file]");
    await chooser!.uploadFile(new URL("../../docs/images/tree.jpg", import.meta.url).pathname);
    await page.locator(".chosen textarea, .chosen input[type=text]").fill("An oak in a field");
    await page.waitForSelector(".chosen [name=media_id]");
    await going(() => page.locator('#composer ::-p-aria([name="Post"][role="button"])').click());
    const images = await page.$$eval("article.post .body img", (all) => all.map((one) => one.getAttribute("alt")));
    expect(images).toEqual(["An oak in a field"]);
  });

  test("a like changes its button at once, and an answer of somebody else comes into the open thread", async () => {
    const ben = (await findChannelByNick(settings, "ben"))!;
    await befriend(settings, ann, ben);
    const { mid, uuid } = await postItem(settings, ann, { body: "Who is there?" });
    await workOff(settings);
    await page.goto(`${running.url}/item/${uuid}`);
    const like = "button.act-heart";
    await page.locator(like).click();
    await page.waitForSelector(`${like}[aria-pressed=true]`);
    await page.locator("::-p-text(You like this)").wait();
    await commentOn(settings, ann, { mid }, { body: "Nobody?" });
    await workOff(settings);
    await page.locator(".comment ::-p-text(Nobody?)").wait();
    expect(new URL(page.url()).pathname).toContain(uuid);
  });

  async function going(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([page.waitForNavigation(), act()]);
  }

  /** Goes on with the tabulator until a button with these words has the focus. */
  async function focusOn(words: string): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press("Tab");
      const text = await page.evaluate("document.activeElement?.textContent?.trim() ?? ''");
      if (text === words) return;
    }
    throw new Error(`No button says “${words}”.`);
  }
});
