import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createGroup, addMembers } from "../../src/domain/groups/groups.ts";
import { languagesOf } from "../../src/faces/web/languages/languages.ts";
import type { Say } from "../../src/faces/web/languages/say.ts";
import { setAdministrator, setLanguage } from "../../src/domain/identity/accounts/accounts.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import type { Item } from "../../src/domain/items/types.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { commentOften } from "../support/many-comments.ts";
import { notifyOften } from "../support/many-notices.ts";
import { openMailbox } from "../support/mailbox.ts";
import type { Mailbox } from "../support/mailbox.ts";
import { password } from "../support/hub.ts";
import { befriend } from "../support/people.ts";
import { pressAt, tabTo } from "../support/keyboard.ts";
import { picture } from "../support/pictures.ts";
import { shiftsUpToNow, watchShifts } from "../support/shifts.ts";
import { size } from "../support/size.ts";
import { waysToLook } from "../support/ways.ts";

/**
 * What people do from the beginning to the end, by keyboard, each in both widths and two languages: deep in a long thread, with very
 * many notices, with a report, with pictures for a group, live with somebody else, with all they have, and after they have forgotten
 * their password.
 */

const available = hasChromium();
let browser: Browser;
let mailbox: Mailbox;
let crowd: Crowd;
let ann: Channel;
let ben: Channel;
let anns: Page;
let bens: Page;
/** The thread of 500 comments, and one in its middle. */
let long: { top: Item; middle: string };

describe.skipIf(!available)("journeys", () => {
  beforeAll(async () => {
    browser = await openChromium();
    mailbox = await openMailbox();
    crowd = await openCrowd(browser, true, { env: { HUBBUB_SMTP_URL: mailbox.url } });
    ({ page: anns, channel: ann } = await crowd.member("Ann", "ann"));
    ({ page: bens, channel: ben } = await crowd.member("Ben", "ben"));
    await befriend(crowd.running.hub, ann, ben);
    for (const page of [anns, bens]) for (const script of [watchShifts, quiet]) await page.addInitScript(script);
    const { hub } = crowd.running;
    const top = await postItem(hub, ann, { body: "A long talk" });
    await crowd.deliver();
    const ids = await commentOften(hub, ann, top.id, 500);
    const { uuid } = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("message.uuid")
      .where("item.id", "=", ids[200]!)
      .executeTakeFirstOrThrow();
    long = { top, middle: `/item/${uuid}` };
  });
  afterAll(async () => {
    await crowd?.close();
    await mailbox?.close();
    await browser?.close();
  });
  beforeEach(() => {
    crowd.complaints.length = 0;
  });

  describe.each(waysToLook(size(2, 10), { scripts: true }))("$language, $width px", ({ language, width }) => {
    /** Names what one way has made, where all share one hub. */
    const mark = `${language}${width}`;
    let say: Say;

    beforeAll(async () => {
      const { hub } = crowd.running;
      ({ say } = languagesOf(hub).get(language)!);
      for (const { channel_account_id: id } of [ann, ben]) await setLanguage(hub, id, language);
      for (const page of [anns, bens]) await page.setViewportSize({ width, height: 800 });
    });

    test("an answer deep in a thread of 500 comments", async () => {
      await anns.goto(long.middle);
      const comments = anns.locator("#comments article");
      const linked = anns.locator(".comment.linked");
      expect([await comments.count(), await linked.innerText()]).toEqual([100, expect.stringContaining("number 200.")]);
      await linked.scrollIntoViewIfNeeded();
      // Both ends grow in place, and what is being read stays where it is.
      for (const [name, words, count] of [
        [say("items.older-comments"), "number 60.", 200],
        [say("items.newer-comments"), "number 300.", 300],
      ] as const) {
        const place = async () => Math.round((await linked.boundingBox())!.y);
        const before = await place();
        await anns
          .getByRole("link", { name })
          .evaluate((link: { focus(options: object): void }) => link.focus({ preventScroll: true }));
        await anns.keyboard.press("Enter");
        await anns.getByText(words, { exact: true }).waitFor();
        expect([name, await comments.count()]).toEqual([name, count]);
        // Browsers keep it where it is to the pixel, not to its parts.
        expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
      }
      expect(await anns.evaluate("window.shifts")).toEqual([]);
      // The answer stands under what it answers, and nothing above moves for its form nor for itself.
      const fromTop = () =>
        linked
          .first()
          .evaluate((one) => Math.round(one.getBoundingClientRect().top + one.ownerDocument.defaultView!.scrollY));
      const stood = await fromTop();
      await linked.getByRole("link", { name: say("items.answer"), exact: true }).focus();
      await anns.keyboard.press("Enter");
      const field = linked.locator("textarea");
      await field.waitFor();
      expect(await field.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
      const words = `Right in the middle, ${mark}`;
      await anns.keyboard.type(words);
      await linked.getByRole("button", { name: say("composer.comment"), exact: true }).focus();
      await anns.keyboard.press("Enter");
      await anns.locator("article.comment[autofocus]", { hasText: words }).waitFor();
      expect(await fromTop()).toBe(stood);
      // The newest ones are one step away.
      await anns.getByRole("link", { name: say("items.newest-comments") }).focus();
      await anns.keyboard.press("Enter");
      await anns.getByText("number 499.", { exact: true }).waitFor();
      expect(crowd.complaints).toEqual([]);
    });

    test("two hundred notices: one is read, older ones come, all are seen", async () => {
      await notifyOften(crowd.running.hub, ben, ann, 200);
      await bens.goto("/notifications");
      const rows = bens.locator("#notice-list > li[id]");
      const unseen = bens.locator("#notice-list > li.unseen-notice");
      const first = await rows.count();
      const left = (await unseen.count()) - 1;
      await rows.first().locator("button:has(.seen-words)").focus();
      await bens.keyboard.press("Enter");
      await expect.poll(() => unseen.count()).toBe(left);
      await bens.getByRole("link", { name: say("items.older"), exact: true }).focus();
      await bens.keyboard.press("Enter");
      await expect.poll(() => rows.count()).toBeGreaterThan(first);
      expect(await bens.evaluate("window.shifts")).toEqual([]);
      await bens.getByRole("button", { name: say("items.mark-all-seen") }).focus();
      await bens.keyboard.press("Enter");
      await expect.poll(() => unseen.count()).toBe(0);
      await bens.reload();
      expect(await bens.locator("nav .first [data-count=notices]").isHidden()).toBe(true);
      expect(crowd.complaints).toEqual([]);
    });

    test("somebody reports a post, and an administrator deletes it", async () => {
      const { hub } = crowd.running;
      await postItem(hub, ann, { body: `Buy my tea, cheap (${mark})` });
      await crowd.deliver();
      await setAdministrator(hub, ben.channel_account_id, true);
      await bens.goto("/network");
      const card = bens.locator(".status.post", { hasText: `cheap (${mark})` });
      await card.locator("details.menu > summary").focus();
      await bens.keyboard.press("Enter");
      await card.getByRole("link", { name: say("items.report") }).focus();
      await bens.keyboard.press("Enter");
      await bens.getByLabel(say("site.what-is-wrong")).fill(`Advertising, ${mark}`);
      await bens.keyboard.press("Tab");
      await bens.keyboard.press("Enter");
      await bens.locator("#done").waitFor();
      await bens.goto("/admin/reports");
      const report = bens.locator("article.card", { hasText: `Advertising, ${mark}` });
      await report.getByLabel(say("admin.what-to-do")).selectOption({ label: say("admin.measure-delete") });
      await report.getByRole("textbox", { name: say("admin.words") }).fill("No advertising here.");
      await report.getByRole("button", { name: say("admin.do-it") }).focus();
      await bens.keyboard.press("Enter");
      await bens.locator("#done").waitFor();
      await crowd.deliver();
      await bens.goto("/network");
      expect(await bens.getByText(`cheap (${mark})`).count()).toBe(0);
      expect(await bens.evaluate("window.shifts")).toEqual([]);
      expect(crowd.complaints).toEqual([]);
    });

    test("pictures are dropped into a post for a group", async () => {
      const { hub } = crowd.running;
      const walkers = await createGroup(hub, ann.channel_id, `Walkers ${mark}`);
      await addMembers(hub, ann.channel_id, walkers.id, [ben.channel_hash]);
      const { page: cleos, channel: cleo } = await crowd.member("Cleo", `cleo${mark}`);
      await befriend(hub, ann, cleo);
      await anns.goto("/network");
      const composer = anns.locator("#composer");
      await composer.locator("textarea[name=body]").focus();
      await anns.keyboard.type(`The way along the lake (${mark})`);
      const jpegs = [await picture(160, 120).jpeg().toBuffer(), await picture(120, 160).jpeg().toBuffer()];
      await anns.locator("hub-media:defined").waitFor({ state: "attached" });
      await anns.evaluate(dropping(jpegs));
      // What stands below has its place from then on, while they are being sent and afterwards.
      const below = () => composer.locator("details.audience > summary").boundingBox();
      await composer.locator(".chosen").nth(1).waitFor();
      const before = await below();
      const shifts = await anns.evaluate(shiftsUpToNow);
      await expect.poll(() => composer.locator(".chosen [name=media_id]").count()).toBe(2);
      await composer.getByText(say("composer.draft-saved")).waitFor();
      expect([await below(), await anns.evaluate(shiftsUpToNow)]).toEqual([before, shifts]);
      const endOf = async (place: Locator) => place.boundingBox().then((box) => box!.x + box!.width);
      for (const buttons of await composer.locator(".chosen-place").all())
        expect(await endOf(buttons)).toBeLessThan(await endOf(composer));
      for (const [at, words] of ["The lake", "The jetty"].entries()) {
        await composer.locator(".chosen").nth(at).locator("textarea, input[type=text]").focus();
        await anns.keyboard.type(words);
      }
      await composer.locator("details.audience > summary").focus();
      await anns.keyboard.press("Enter");
      await composer.getByLabel(say("composer.audience-chosen")).focus();
      await anns.keyboard.press("Space");
      await composer.getByLabel(`Walkers ${mark}`).focus();
      await anns.keyboard.press("Space");
      expect(await composer.locator("details.audience > summary").innerText()).toContain(`Walkers ${mark}`);
      await composer.getByRole("button", { name: say("composer.post"), exact: true }).focus();
      await anns.keyboard.press("Enter");
      await anns.waitForURL("**/network?done=posted");
      const shown = (page: Page) =>
        page.locator("article.post", { hasText: `The way along the lake (${mark})` }).first();
      const alts = (page: Page) =>
        shown(page)
          .locator(".body img")
          .evaluateAll((all) => all.map((one) => one.getAttribute("alt")));
      await crowd.deliver();
      await bens.goto("/network");
      expect([await alts(anns), await alts(bens)]).toEqual([
        ["The lake", "The jetty"],
        ["The lake", "The jetty"],
      ]);
      await cleos.goto("/network");
      expect(await shown(cleos).count()).toBe(0);
      for (const page of [anns, bens]) expect(await page.evaluate("window.shifts")).toEqual([]);
      expect(crowd.complaints).toEqual([]);
    });

    test("a forgotten password is chosen anew by a link in a mail", async () => {
      const nick = `dan${mark}`;
      await crowd.member("Dan", nick);
      const page = await crowd.somebody({ locale: language, viewport: { width, height: 800 } });
      await page.addInitScript(watchShifts);
      await page.goto("/login");
      await page.getByRole("link", { name: say("account.forgotten") }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/login/forgotten");
      await page.getByLabel(say("account.email")).focus();
      await page.keyboard.type(`${nick}@example.org`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: say("account.look-into-mail") }).waitFor();
      await crowd.deliver();
      const [, link = ""] = /(\/login\/new-password\/[\w-]{43})/.exec(mailbox.lastTo(`${nick}@example.org`).text) ?? [];
      await page.goto(link);
      await page.getByLabel(say("account.new-password")).focus();
      await page.keyboard.type("a battery of staples");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/login?done=password");
      await page.locator("[name=login]").focus();
      await page.keyboard.type(nick);
      await page.locator("[name=password]").focus();
      await page.keyboard.type("a battery of staples");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/network");
      expect(await page.evaluate("window.shifts")).toEqual([]);
      expect(crowd.complaints).toEqual([]);
    });

    test("two talk in a thread and see at once what the other says", async () => {
      const { hub } = crowd.running;
      const top = await postItem(hub, ann, { body: `Who is there? (${mark})` });
      await crowd.deliver();
      const both = await Promise.all([anns, bens].map((page) => page.context().newPage()));
      for (const page of both) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`/item/${top.uuid}`);
        await page.locator("hub-live:defined").waitFor({ state: "attached" });
      }
      for (const [at, words] of ["It is me.", "Come in!"].entries()) {
        const [from, to] = [both[1 - at]!, both[at]!];
        await tabTo(from, from.locator("#comment textarea"));
        await from.keyboard.type(words);
        await pressAt(
          from,
          from.locator("#comment").getByRole("button", { name: say("composer.comment"), exact: true }),
        );
        await crowd.deliver();
        for (const page of [from, to]) await page.locator(".comment", { hasText: words }).waitFor();
      }
      for (const page of both) await page.close();
      expect(crowd.complaints).toEqual([]);
    });

    test("somebody takes along all that they have", async () => {
      await anns.goto("/uexport");
      await anns.locator("main input[type=password]").focus();
      await anns.keyboard.type(password);
      await anns.getByRole("button", { name: say("moving.download-everything") }).focus();
      const [download] = await Promise.all([anns.waitForEvent("download"), anns.keyboard.press("Enter")]);
      expect(download.suggestedFilename()).toMatch(/^ann.*\.tar/);
      await download.path();
      expect(await anns.evaluate("window.shifts")).toEqual([]);
    });
  });

  test("a stream is light: few requests and few bytes besides its pictures", async () => {
    const { hub } = crowd.running;
    const { page, channel: dora } = await crowd.member("Dora", "dora");
    await befriend(hub, ann, dora);
    for (let at = 0; at < 20; at++)
      await postItem(hub, ann, { body: `A post of some length, number ${at}. `.repeat(6) });
    await crowd.deliver();
    await page.addInitScript(quiet);
    const asked: Promise<[type: string, bytes: number]>[] = [];
    page.on("requestfinished", (request) => {
      asked.push(request.sizes().then(({ responseBodySize }) => [request.resourceType(), responseBodySize]));
    });
    await page.goto("/network", { waitUntil: "networkidle" });
    expect(await page.locator("article.post").count()).toBe(20);
    const found = await Promise.all(asked);
    const bytes = found.reduce((sum, [type, size]) => sum + (type === "image" ? 0 : size), 0);
    expect(found.length).toBeLessThanOrEqual(20);
    expect(bytes).toBeLessThanOrEqual(60_000);
  });
});

/** Lets pictures fall on the text of a post. */
const dropping = (jpegs: readonly Buffer[]): string => `{
  const data = new DataTransfer();
  for (const bytes of ${JSON.stringify(jpegs.map((bytes) => [...bytes]))})
    data.items.add(new File([Uint8Array.from(bytes)], "see" + data.items.length + ".jpg", { type: "image/jpeg" }));
  const init = { bubbles: true, cancelable: true, dataTransfer: data };
  document.querySelector("#composer textarea").dispatchEvent(new DragEvent("drop", init));
}`;

/** What comes live would be in the way of what is looked at here. */
const quiet = "window.EventSource = class extends EventTarget { close() {} }";
