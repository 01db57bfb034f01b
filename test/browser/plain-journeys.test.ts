import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setAdministrator } from "../../src/domain/identity/accounts/accounts.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { addMembers, createGroup } from "../../src/domain/groups/groups.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { languagesOf } from "../../src/faces/web/languages/languages.ts";
import type { Say } from "../../src/faces/web/languages/say.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { password } from "../support/hub.ts";
import { pressAt, tabTo } from "../support/keyboard.ts";
import { openMailbox } from "../support/mailbox.ts";
import type { Mailbox } from "../support/mailbox.ts";
import { commentOften } from "../support/many-comments.ts";
import { notifyOften } from "../support/many-notices.ts";
import { befriend } from "../support/people.ts";
import { picture } from "../support/pictures.ts";
import { size } from "../support/size.ts";
import { waysToLook } from "../support/ways.ts";

/** What people do from the beginning to the end in a browser that runs no scripts: the same journeys, by keyboard alone. */

const available = hasChromium();

describe.skipIf(!available)("journeys without scripts", () => {
  let browser: Browser;
  let mailbox: Mailbox;
  let crowd: Crowd;

  beforeAll(async () => {
    browser = await openChromium();
    mailbox = await openMailbox();
    crowd = await openCrowd(browser, false, { env: { HUBBUB_SMTP_URL: mailbox.url } });
  });
  afterAll(async () => {
    await crowd?.close();
    await mailbox?.close();
    await browser?.close();
  });

  describe.each(waysToLook(size(1, 10), { scripts: false }))("$language, $width px", ({ language, width }) => {
    const mark = `${language}${width}`;
    const how = { locale: language, viewport: { width, height: 800 } };
    let say: Say;
    let ann: Channel;
    let ben: Channel;
    let anns: Page;
    let bens: Page;

    beforeAll(async () => {
      const { hub } = crowd.running;
      ({ say } = languagesOf(hub).get(language)!);
      ({ page: anns, channel: ann } = await crowd.member("Ann", `ann${mark}`, how));
      ({ page: bens, channel: ben } = await crowd.member("Ben", `ben${mark}`, how));
      await befriend(hub, ann, ben);
    });

    test("an answer deep in a long thread", async () => {
      const { hub } = crowd.running;
      const top = await postItem(hub, ann, { body: `A long talk, ${mark}` });
      await crowd.deliver();
      await commentOften(hub, ann, top.id, 250);
      await anns.goto(`/item/${top.uuid}`);
      await anns.getByText("number 249.", { exact: true }).waitFor();
      await pressAt(anns, anns.getByRole("link", { name: say("items.older-comments") }));
      const comment = anns.locator(".comment", { hasText: "number 55." });
      await pressAt(anns, comment.getByRole("link", { name: say("items.answer"), exact: true }));
      await tabTo(anns, anns.locator("#comment textarea[name=body]"));
      await anns.keyboard.type(`Right in the middle, ${mark}`);
      await pressAt(anns, anns.getByRole("button", { name: say("composer.comment"), exact: true }));
      await anns.locator(".comment", { hasText: `Right in the middle, ${mark}` }).waitFor();
    });

    test("two hundred notices: one is read, older ones come, all are seen", async () => {
      await notifyOften(crowd.running.hub, ben, ann, 200);
      await bens.goto("/notifications");
      const unseen = bens.locator("#notice-list > li.unseen-notice");
      const before = await unseen.count();
      await pressAt(bens, bens.locator("#notice-list button:has(.seen-words)"));
      await expect.poll(() => unseen.count()).toBe(before - 1);
      const newest = await bens.locator("#notice-list > li[id]").first().getAttribute("id");
      await pressAt(bens, bens.getByRole("link", { name: say("items.older"), exact: true }));
      await expect.poll(() => bens.locator("#notice-list > li[id]").first().getAttribute("id")).not.toBe(newest);
      await pressAt(bens, bens.getByRole("button", { name: say("items.mark-all-seen") }));
      await expect.poll(() => unseen.count()).toBe(0);
      await bens.waitForURL(/done=seen/);
    });

    test("somebody reports a post, and an administrator deletes it", async () => {
      const { hub } = crowd.running;
      await postItem(hub, ann, { body: `Buy my tea, ${mark}` });
      await crowd.deliver();
      await setAdministrator(hub, ben.channel_account_id, true);
      await bens.goto("/network");
      const card = bens.locator(".status.post", { hasText: `Buy my tea, ${mark}` });
      await pressAt(bens, card.locator("details.menu > summary"));
      await pressAt(bens, card.getByRole("link", { name: say("items.report") }));
      await tabTo(bens, bens.getByLabel(say("site.what-is-wrong")));
      await bens.keyboard.type(`Advertising, ${mark}`);
      await bens.keyboard.press("Tab");
      await bens.keyboard.press("Enter");
      await bens.locator("#done").waitFor();
      await bens.goto("/admin/reports");
      const report = bens.locator("article.card", { hasText: `Advertising, ${mark}` });
      await tabTo(bens, report.getByLabel(say("admin.what-to-do")));
      await report.getByLabel(say("admin.what-to-do")).selectOption({ label: say("admin.measure-delete") });
      await pressAt(bens, report.getByRole("button", { name: say("admin.do-it") }));
      await bens.locator("#done").waitFor();
      await crowd.deliver();
      await bens.goto("/network");
      expect(await bens.getByText(`Buy my tea, ${mark}`).count()).toBe(0);
    });

    test("pictures go to a group, each in words", async () => {
      const { hub } = crowd.running;
      const walkers = await createGroup(hub, ann.channel_id, `Walkers ${mark}`);
      await addMembers(hub, ann.channel_id, walkers.id, [ben.channel_hash]);
      const { page: cleos, channel: cleo } = await crowd.member("Cleo", `cleo${mark}`, how);
      await befriend(hub, ann, cleo);
      await anns.goto("/network");
      const composer = anns.locator("#composer");
      await tabTo(anns, composer.locator("textarea[name=body]"));
      await anns.keyboard.type(`Along the lake, ${mark}`);
      const jpegs = [await picture(160, 120).jpeg().toBuffer(), await picture(120, 160).jpeg().toBuffer()];
      await tabTo(anns, composer.locator("input[type=file]"));
      await composer
        .locator("input[type=file]")
        .setInputFiles(jpegs.map((buffer, at) => ({ name: `see${at}.jpg`, mimeType: "image/jpeg", buffer })));
      // Shown again, the form has them, and a field for the words of each.
      await pressAt(anns, composer.getByRole("button", { name: say("composer.preview"), exact: true }));
      await composer.locator(".chosen").nth(1).waitFor();
      for (const [at, words] of ["The lake", "The jetty"].entries()) {
        await tabTo(anns, composer.locator(".chosen").nth(at).locator("textarea, input[type=text]"));
        await anns.keyboard.type(words);
      }
      await pressAt(anns, composer.locator("details.audience > summary"));
      await tabTo(anns, composer.locator("[name=audience]:checked"));
      const chosen = composer.getByLabel(say("composer.audience-chosen"));
      for (let presses = 0; presses < 8 && !(await chosen.isChecked()); presses++)
        await anns.keyboard.press("ArrowDown");
      await pressAt(anns, composer.getByLabel(`Walkers ${mark}`), "Space");
      await pressAt(anns, composer.getByRole("button", { name: say("composer.post"), exact: true }));
      await anns.waitForURL("**/network?done=posted");
      await crowd.deliver();
      await bens.goto("/network");
      await cleos.goto("/network");
      const shown = (page: Page) => page.locator("article.post", { hasText: `Along the lake, ${mark}` });
      const alts = await shown(bens)
        .locator(".body img")
        .evaluateAll((all) => all.map((one) => one.getAttribute("alt")));
      expect([alts, await shown(cleos).count()]).toEqual([["The lake", "The jetty"], 0]);
    });

    test("a forgotten password is chosen anew by a link in a mail", async () => {
      const nick = `dan${mark}`;
      await crowd.member("Dan", nick);
      const page = await crowd.somebody(how);
      await page.goto("/login");
      await pressAt(page, page.getByRole("link", { name: say("account.forgotten") }));
      await page.waitForURL("**/login/forgotten");
      await tabTo(page, page.getByLabel(say("account.email")));
      await page.keyboard.type(`${nick}@example.org`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: say("account.look-into-mail") }).waitFor();
      await crowd.deliver();
      const [, link = ""] = /(\/login\/new-password\/[\w-]{43})/.exec(mailbox.lastTo(`${nick}@example.org`).text) ?? [];
      await page.goto(link);
      await tabTo(page, page.getByLabel(say("account.new-password")));
      await page.keyboard.type("a battery of staples");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/login?done=password");
      await tabTo(page, page.locator("main [name=login]"));
      await page.keyboard.type(nick);
      await tabTo(page, page.locator("main [name=password]"));
      await page.keyboard.type("a battery of staples");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/network");
    });

    test("somebody takes along all that they have", async () => {
      await anns.goto("/uexport");
      await tabTo(anns, anns.locator("main input[type=password]"));
      await anns.keyboard.type(password);
      await tabTo(anns, anns.getByRole("button", { name: say("moving.download-everything") }));
      const [download] = await Promise.all([anns.waitForEvent("download"), anns.keyboard.press("Enter")]);
      expect(download.suggestedFilename()).toMatch(/^ann.*\.tar/);
      expect(crowd.complaints).toEqual([]);
    });
  });
});
