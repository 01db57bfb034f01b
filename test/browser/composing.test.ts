import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChannel } from "../../src/domain/identity/channels/channels.ts";
import { openCrowd, statusFor, visits } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { makeAccount } from "../support/hub.ts";
import { befriend } from "../support/people.ts";
import { picture } from "../support/pictures.ts";

/** Writing a post in a real browser, wide and narrow, with and without scripts. */

const available = hasChromium();
let browser: Browser;
let jpeg: Buffer;

beforeAll(async () => {
  if (!available) return;
  browser = await openChromium();
  jpeg = await picture(120, 80).jpeg().toBuffer();
});
afterAll(() => browser?.close());

const fileNamed = (name: string) => ({ name, mimeType: "image/jpeg", buffer: jpeg });
const text = (page: Page) => page.getByLabel("Text of the post");
const alts = (page: Page): Promise<(string | null)[]> =>
  page
    .locator("article.post")
    .first()
    .locator(".body img")
    .evaluateAll((all) => all.map((one) => one.getAttribute("alt")));
const names = (page: Page): Promise<string[]> =>
  page.locator(".chosen .meta").evaluateAll((all) => all.map((one) => one.textContent!.split(" · ")[0]!.trim()));

/** Lets a file fall on the text, or pastes it there. */
const carry = (type: string, bytes: Buffer): string => `{
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(${JSON.stringify([...bytes])})], "${type}.jpg", { type: "image/jpeg" }));
  const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
  const event = "${type}" === "drop" ? new DragEvent("drop", init) : new ClipboardEvent("paste", init);
  document.querySelector("#composer textarea").dispatchEvent(event);
}`;

describe.skipIf(!available).each(visits)("%s", (_, javaScriptEnabled) => {
  let crowd: Crowd;
  let ada: Page;

  beforeAll(async () => {
    crowd = await openCrowd(browser, javaScriptEnabled, { env: { HUBBUB_MAX_UPLOAD: "3000000" } });
    ada = (await crowd.member("Ada", "ada")).page;
  });
  afterAll(() => crowd.close());
  beforeEach(async () => {
    await ada.goto("/network");
    // The modules of the elements come after the page.
    if (javaScriptEnabled) await ada.locator("hub-media:defined").waitFor({ state: "attached" });
  });

  test.each([1100, 360])("pictures are chosen, described, put in order and posted, %i px wide", async (width) => {
    await ada.setViewportSize({ width, height: 900 });
    await text(ada).fill(`Two of three, ${width}`);
    await ada
      .getByLabel("Photos and files")
      .setInputFiles(["a", "b", "c"].map((name) => fileNamed(`${name}${width}.jpg`)));
    if (!javaScriptEnabled) await ada.getByRole("button", { name: "Preview" }).click();
    await ada.getByLabel(`What is to be seen in c${width}.jpg`).fill("The third");
    await ada.getByLabel(`What is to be seen in a${width}.jpg`).fill("The first");
    await ada.getByRole("button", { name: `Show c${width}.jpg earlier` }).click();
    await ada.getByRole("button", { name: `Show c${width}.jpg earlier` }).click();
    await ada.getByRole("button", { name: `Remove b${width}.jpg` }).click();
    await expect.poll(() => names(ada)).toEqual([`c${width}.jpg`, `a${width}.jpg`]);
    expect(await ada.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await ada.getByRole("button", { name: "Post", exact: true }).click();
    await ada.waitForURL("**/network?done=posted");
    expect(await ada.locator("article.post").first().textContent()).toContain(`Two of three, ${width}`);
    expect(await alts(ada)).toEqual(["The third", "The first"]);
    expect(crowd.complaints).toEqual([]);
  });

  test("what was typed is found again in its form, with its files", async () => {
    await text(ada).fill("Do not lose this");
    await ada.getByLabel("Photos and files").setInputFiles(fileNamed("kept.jpg"));
    if (javaScriptEnabled) {
      await ada.locator(".chosen [name=media_id]").waitFor({ state: "attached" });
      await ada.getByText("Your draft is saved.").waitFor();
    } else await ada.getByRole("button", { name: "Save draft" }).click();
    const later = await ada.context().newPage();
    await ada.close();
    ada = later;
    await ada.goto("/drafts");
    await ada.getByRole("link", { name: "Do not lose this" }).click();
    await expect.poll(() => text(ada).inputValue()).toBe("Do not lose this");
    expect(await names(ada)).toEqual(["kept.jpg"]);
    await ada.getByRole("button", { name: "Post", exact: true }).click();
    await ada.waitForURL("**/network?done=posted");
    await ada.goto("/drafts");
    expect(await ada.textContent("main")).toContain("There are no drafts.");
    await ada.goto("/network");
    expect(await text(ada).inputValue()).toBe("");
  });

  test("a button of the form does at the first press what it says", async () => {
    await ada.getByRole("button", { name: "Post", exact: true }).click();
    await ada.getByRole("alert").getByText("Write something first.").waitFor();
    await ada.goto("/network");
    await ada.locator("#composer details.audience > summary").click();
    expect(await ada.getByRole("radio", { name: /Only me/ }).isVisible()).toBe(true);
    expect(await ada.getByRole("button", { name: "Emoji", exact: true }).isVisible()).toBe(javaScriptEnabled);
  });

  test("whom a post and a message are for is found among more people than stand on the page", async () => {
    const { hub } = crowd.running;
    const grace = await crowd.member("Grace", "grace");
    for (let at = 0; at < 20; at++) {
      const account = await makeAccount(hub, `crowd${at}@example.org`);
      const one = await createChannel(hub, account, {
        name: `Crowd ${String.fromCharCode(65 + at)}`,
        nick: `crowd${at}`,
      });
      await befriend(hub, grace.channel, one);
    }
    const choose = async (where: Locator): Promise<void> => {
      expect(await where.locator(".choosable .box").count()).toBe(12);
      if (!javaScriptEnabled) return where.getByLabel("Others, by address").fill("crowd19, crowd4");
      const field = where.getByLabel("Find by name or address");
      await field.fill("crowd t");
      await where.getByLabel("Crowd T").check();
      await expect.poll(() => where.locator(".choosable .box").count()).toBe(1);
      await field.fill("crowd4");
      await where.getByLabel("Crowd E").check();
      // Who is ticked stays in sight.
      expect(await where.locator(".box:has(:checked) .box-label").allInnerTexts()).toEqual(["Crowd T", "Crowd E"]);
      await field.fill("Zaphod");
      await where.getByText("Nobody has “Zaphod” in their name or address.").waitFor();
      return undefined;
    };
    const { page } = grace;
    await page.goto("/network");
    await text(page).fill("For two of many");
    await page.locator("#composer details.audience > summary").click();
    await page.getByRole("radio", { name: /Groups or people/ }).check();
    await choose(page.locator("#composer .audience-lists fieldset:has(.choosable)"));
    if (javaScriptEnabled)
      expect(await page.locator("#composer details.audience > summary").innerText()).toContain("Crowd T, Crowd E");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL("**done=posted");
    await crowd.deliver();
    const copies = hub.db.selectFrom("item").innerJoin("message", "message.id", "message_id");
    const all = await copies.select("uid").where("plain", "=", "For two of many").execute();
    expect(all).toHaveLength(3);
    await page.goto("/mail/new");
    await page.setViewportSize({ width: 320, height: 800 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    // Names and addresses break where they have no room; what hangs over is cut off.
    expect(await page.locator(".choosable").evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await choose(page.locator("fieldset.field:has(.choosable)"));
    await page.getByLabel("Text").fill("You two");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("**/mail/talk/*");
    expect(await page.locator("h1").innerText()).toMatch(/Crowd T, Crowd E|Crowd E, Crowd T/);
  });

  describe.skipIf(!javaScriptEnabled)("as one types", () => {
    test("the picker of emoji opens at the second press where the first could not load it", async () => {
      await ada.route("**/npm/emoji/picker.js", (route) => route.abort());
      const button = ada.getByRole("button", { name: "Emoji", exact: true });
      await Promise.all([ada.waitForEvent("requestfailed"), button.click()]);
      await ada.unroute("**/npm/emoji/picker.js");
      await expect
        .poll(async () => {
          await button.click({ timeout: 1000 }).catch(() => undefined);
          return ada.getByRole("dialog", { name: "Choose an emoji" }).isVisible();
        })
        .toBe(true);
    });

    test.each([1100, 340])("an emoji is chosen and stands where one was, by keyboard, %i px wide", async (width) => {
      await ada.setViewportSize({ width, height: 700 });
      await text(ada).fill("Good  morning");
      for (let at = 0; at < 8; at++) await ada.keyboard.press("ArrowLeft");
      await ada.getByRole("button", { name: "Emoji", exact: true }).press("Enter");
      const picker = ada.getByRole("dialog", { name: "Choose an emoji" });
      await picker.getByRole("combobox").fill("otter");
      await picker.getByRole("option", { name: "otter" }).waitFor();
      expect(await ada.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      await ada.keyboard.press("ArrowDown");
      await ada.keyboard.press("Enter");
      await expect.poll(() => text(ada).inputValue()).toBe("Good 🦦 morning");
      await ada.keyboard.type("!");
      expect(await text(ada).inputValue()).toBe("Good 🦦! morning");
      expect(crowd.complaints).toEqual([]);
      await text(ada).fill("");
      await ada.setViewportSize({ width: 1100, height: 900 });
    });

    test("nothing is put in when the picker is closed, and the button has the focus again", async () => {
      await text(ada).fill("As it was");
      await ada.getByRole("button", { name: "Emoji", exact: true }).click();
      const picker = ada.getByRole("dialog", { name: "Choose an emoji" });
      await picker.getByRole("combobox").waitFor();
      await ada.keyboard.press("Escape");
      expect(await picker.isVisible()).toBe(false);
      expect(await text(ada).inputValue()).toBe("As it was");
      expect(await ada.evaluate("document.activeElement.textContent.trim()")).toBe("Emoji");
      await text(ada).fill("");
    });

    const paste = (words: string): Promise<void> =>
      ada.evaluate(`{
        const data = new DataTransfer();
        data.setData("text/plain", ${JSON.stringify(words)});
        const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data });
        document.querySelector("#composer textarea").dispatchEvent(event);
      }`);

    test.each([
      ["text/bbcode", "https://example.org/a_(b)", "see [url=https://example.org/a_(b)]this[/url]"],
      ["text/markdown", "https://example.org/a_(b)", "see [this](https://example.org/a_%28b%29)"],
    ])("an address that is pasted over words makes them a link: %s", async (format, address, link) => {
      await text(ada).fill("see this");
      await ada.getByText("Language and format").click();
      await ada.locator("#composer [name=mimetype]").selectOption(format);
      await text(ada).focus();
      await ada.evaluate("document.querySelector('#composer textarea').setSelectionRange(4, 8)");
      await paste("no address");
      expect(await text(ada).inputValue()).toBe("see this");
      await paste(` ${address}\n`);
      expect(await text(ada).inputValue()).toBe(link);
      await ada.keyboard.press("Control+z");
      expect(await text(ada).inputValue()).toBe("see this");
      // Nothing is selected: the browser pastes as usual, which a made event does not.
      await ada.evaluate("document.querySelector('#composer textarea').setSelectionRange(4, 4)");
      await paste(address);
      expect(await text(ada).inputValue()).toBe("see this");
      await text(ada).fill("");
    });

    test("what is rarely needed comes when one goes there, and does not go under the next click", async () => {
      const draft = ada.getByRole("button", { name: "Save draft" });
      expect(await draft.isVisible()).toBe(false);
      expect(await ada.getByText("Content warning", { exact: true }).isVisible()).toBe(false);
      await text(ada).focus();
      await draft.waitFor();
      await text(ada).blur();
      expect(await draft.isVisible()).toBe(true);
    });

    test("files that were chosen before the scripts came are taken, too", async () => {
      const held = Promise.withResolvers<void>();
      await ada.route("**/elements/*", async (route) => {
        await held.promise;
        await route.continue();
      });
      await ada.reload();
      await ada.getByLabel("Photos and files").setInputFiles(fileNamed("early.jpg"));
      held.resolve();
      await ada.getByLabel("What is to be seen in early.jpg").fill("The first light");
      await ada.unroute("**/elements/*");
      await ada.getByRole("button", { name: "Remove early.jpg" }).click();
      expect(await names(ada)).toEqual([]);
    });

    test("what was typed before the scripts came is kept, also where one has gone on from it", async () => {
      const held = Promise.withResolvers<void>();
      await ada.route("**/elements/*", async (route) => {
        await held.promise;
        await route.continue();
      });
      await ada.goto("/network", { waitUntil: "commit" });
      await text(ada).fill("Typed early");
      await text(ada).blur();
      held.resolve();
      await ada.getByText("Your draft is saved.").waitFor();
      await ada.unroute("**/elements/*");
      expect(await (await ada.request.get("/drafts")).text()).toContain("Typed early");
      await text(ada).fill("");
      await expect
        .poll(async () => (await (await ada.request.get("/drafts")).text()).includes("There are no drafts."))
        .toBe(true);
    });

    test("files are dropped and pasted", async () => {
      for (const type of ["drop", "paste"]) {
        await ada.evaluate(carry(type, jpeg));
      }
      await expect.poll(() => names(ada)).toEqual(["drop.jpg", "paste.jpg"]);
      for (const name of ["drop", "paste"]) await ada.getByRole("button", { name: `Remove ${name}.jpg` }).click();
      expect(await names(ada)).toEqual([]);
    });

    test("what the hub refuses is said where it stands, and the rest is posted without it", async () => {
      const broken = { name: "broken.jpg", mimeType: "image/jpeg", buffer: jpeg.subarray(0, 40) };
      const large = { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(3_000_001) };
      await text(ada).fill("Without the broken one");
      let letGo = (): void => undefined;
      const pressed = new Promise<void>((resolve) => (letGo = resolve));
      await ada.route("**/uploads", async (route) => {
        if (route.request().postDataBuffer()?.includes("whole.jpg")) await pressed;
        await route.continue();
      });
      await ada.getByLabel("Photos and files").setInputFiles([broken, large, fileNamed("whole.jpg")]);
      const faults = ada.locator(".chosen .field-fault:not(:empty)");
      await expect
        .poll(() => faults.allInnerTexts())
        .toEqual([expect.not.stringContaining("connection"), expect.stringContaining("larger than 3.0 MB")]);
      await ada.locator(".chosen").first().getByRole("button", { name: "Remove" }).click();
      await ada.getByRole("button", { name: "Post", exact: true }).click();
      letGo();
      await ada.waitForURL("**/network?done=posted");
      expect(await alts(ada)).toHaveLength(1);
      await ada.unroute("**/uploads");
    });

    test("a page that opens later goes on by itself, and what is deleted is gone", async () => {
      await text(ada).fill("Half a sentence");
      expect(await ada.locator("hub-sketch span").isVisible()).toBe(false);
      await ada.reload();
      await expect.poll(() => text(ada).inputValue()).toBe("Half a sentence");
      await ada.goto("/help");
      await ada.goto("/network");
      await expect.poll(() => text(ada).inputValue()).toBe("Half a sentence");
      await text(ada).fill("");
      await expect.poll(() => statusFor(ada, "/drafts")).toBe(200);
      await expect
        .poll(async () => (await (await ada.request.get("/drafts")).text()).includes("There are no drafts."))
        .toBe(true);
      await ada.goto("/network");
      expect(await text(ada).inputValue()).toBe("");
    });

    test("a log-in that has ended loses nothing", async () => {
      await text(ada).fill("Written before the log-out");
      const cookies = await ada.context().cookies();
      await ada.context().clearCookies();
      await ada.reload();
      await ada.context().addCookies(cookies);
      await ada.goto("/network");
      await expect.poll(() => text(ada).inputValue()).toBe("Written before the log-out");
      await text(ada).fill("");
    });

    test("names complete while one types, by keyboard alone", async () => {
      await crowd.member("Benedict", "benedict");
      await text(ada).focus();
      await ada.locator("text-expander:defined").first().waitFor();
      await text(ada).pressSequentially("For @ben");
      // A list of fewer letters may still stand there, with nothing chosen.
      await ada.getByRole("option", { name: /Benedict/, selected: true }).waitFor();
      await ada.keyboard.press("Enter");
      await expect.poll(() => text(ada).inputValue()).toMatch(/^For @benedict@127\.0\.0\.1\S* $/);
      await text(ada).pressSequentially("and :tad");
      await ada.getByRole("option", { name: /tada/ }).click();
      await expect.poll(() => text(ada).inputValue()).toMatch(/and 🎉 $/);
      expect(crowd.complaints).toEqual([]);
      await text(ada).fill("");
    });

    test("the preview comes in its place, and the characters are counted", async () => {
      await text(ada).fill("[b]Bold[/b] 👋");
      expect(await ada.locator("hub-count").textContent()).toMatch(/^\s*13 characters/);
      const before = await ada.evaluate("performance.timeOrigin");
      await ada.getByRole("button", { name: "Preview" }).click();
      await ada.locator(".preview strong", { hasText: "Bold" }).waitFor();
      expect(await ada.evaluate("performance.timeOrigin")).toBe(before);
      expect(crowd.complaints).toEqual([]);
      await text(ada).fill("");
    });
  });
});
