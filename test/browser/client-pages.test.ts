import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGroup, addMembers } from "../../src/domain/groups/groups.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { createChannel } from "../../src/domain/identity/channels/channels.ts";
import { createClient } from "../../src/domain/identity/applications/oauth-clients.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { fill, openCrowd, press, said, statusFor, visits } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { password } from "../support/hub.ts";
import { written } from "../support/oauth.ts";
import { befriend } from "../support/people.ts";

/** Search, notices, messages, blocked people, groups and applications in a real browser, with and without scripts. */

const available = hasChromium();
let browser: Browser;

beforeAll(async () => {
  if (available) browser = await openChromium();
});
afterAll(() => browser?.close());

describe.skipIf(!available).each(visits)("%s", (_, javaScriptEnabled) => {
  let crowd: Crowd;
  let ada: Page;
  let ben: Page;
  let visitor: Page;
  let adasChannel: Channel;
  const app = { key: "crow", secret: "the-secret" };

  beforeAll(async () => {
    crowd = await openCrowd(browser, javaScriptEnabled);
    const [one, other, third] = [
      await crowd.member("Ada Lindqvist", "ada"),
      await crowd.member("Ben Okafor", "ben"),
      await crowd.member("Cleo Rao", "cleo"),
    ];
    const { hub } = crowd.running;
    await befriend(hub, one.channel, other.channel);
    await befriend(hub, one.channel, third.channel);
    [ada, ben, visitor, adasChannel] = [one.page, other.page, await crowd.somebody(), one.channel];
    for (const body of ["Rye bread at noon #garden", "Bread without rye", "bakery and bread, rye and all"])
      await postItem(hub, one.channel, { body });
    await postItem(hub, one.channel, { body: "Rye for friends alone", publicPolicy: "contacts" });
    await postItem(hub, other.channel, { body: "I saw Rye bread, @[zrl=http://x]ada[/zrl]" });
    const neighbours = await createGroup(hub, one.channel.channel_id, `Neighbours ${"of-the-long-lane-".repeat(5)}`);
    await addMembers(hub, one.channel.channel_id, neighbours.id, [other.channel.channel_hash]);
    await createClient(hub, one.channel.channel_id, { name: "<i>Crow</i>", ...app });
    await crowd.deliver();
  });
  afterAll(() => crowd.close());

  const main = (page: Page): Locator => page.getByRole("main");
  const words = (page: Page): Promise<string> => main(page).innerText();
  const posts = (page: Page): Promise<number> => page.locator(".status.post").count();

  async function look(page: Page, text: string): Promise<number> {
    await page.goto("/search");
    await page.getByLabel(/osts/).first().fill(text);
    await press(page, "Search");
    await page.waitForURL("**/search?search=**");
    return posts(page);
  }

  async function ask(callback: string): Promise<string> {
    const origin = crowd.running.url;
    const order = { path: "/oauth/request_token", more: { oauth_callback: callback }, origin };
    const { method, headers, target } = written({ clock: () => new Date() }, app, order);
    const answer = await fetch(origin + target, { method, headers });
    return new URLSearchParams(await answer.text()).get("oauth_token")!;
  }

  test("search: words, phrases, people, tags, days, and a visitor sees what is public", async () => {
    await visitor.goto("/");
    await visitor.getByRole("link", { name: "Search" }).click();
    await visitor.getByText("What you can look for").click();
    expect(await words(visitor)).toContain("These words in this order.");
    const found = async (text: string): Promise<number[]> => [await look(visitor, text), await look(ben, text)];
    expect(await found("RYE bread")).toEqual([4, 4]);
    expect(await found('"rye bread"')).toEqual([2, 2]);
    expect(await found("rye")).toEqual([4, 5]);
    expect(await found("friends alone")).toEqual([0, 1]);
    expect(await found("from:ben rye")).toEqual([1, 1]);
    expect(await found("bake* -noon")).toEqual([1, 1]);
    expect(await found("#garden")).toEqual([1, 1]);
    expect(await found("rye since:2099-01-01")).toEqual([0, 0]);
    expect(await found('<b>"x')).toEqual([0, 0]);
    expect(await words(visitor)).toContain("Log in to look in your stream, too.");
    await look(ben, "rye");
    await main(ben).getByRole("link", { name: "Best match" }).click();
    await ben.waitForURL("**order=best**");
    expect(await posts(ben)).toBe(5);
    await press(ben, "Save this search");
    await ben.waitForURL("**done=saved");
    await press(ben, "Forget rye");
    await ben.waitForURL("**done=removed");
  });

  test("search: without a pointer", async () => {
    await ben.goto("/search");
    await ben.getByLabel(/osts/).first().focus();
    await ben.keyboard.type("garden");
    await ben.keyboard.press("Enter");
    await ben.waitForURL("**/search?search=garden");
    expect(await posts(ben)).toBe(1);
    await ben.getByText("What you can look for").focus();
    await ben.keyboard.press("Enter");
    expect(await ben.locator("details.search-ways").getAttribute("open")).not.toBeNull();
  });

  test("notices: one is seen, then all", async () => {
    const { hub } = crowd.running;
    const to = adasChannel.channel_hash;
    const { channel } = await crowd.member("Dora Lind", "dora");
    await befriend(hub, adasChannel, channel);
    await sendMessage(hub, channel, { to, title: "", body: "The garden key is under the <mat>." });
    await sendMessage(hub, channel, { to, title: "", body: "Second one." });
    await crowd.deliver();
    await ada.goto("/notifications");
    const unseen = ada.locator(".unseen-notice");
    const before = await unseen.count();
    expect(before).toBeGreaterThan(1);
    await press(ada, /^Mark as seen/);
    await expect.poll(() => unseen.count()).toBe(before - 1);
    await press(ada, "Mark all as seen");
    await expect.poll(() => unseen.count()).toBe(0);
    expect(await main(ada).getByRole("button", { name: /seen/ }).count()).toBe(0);
    await press(ada, /^Mark as unread/);
    await expect.poll(() => unseen.count()).toBe(1);
  });

  test("messages: words in them, marked, and the way to the conversation", async () => {
    await ada.goto("/mail");
    await fill(ada, { "Words in your messages": "GARDEN key" });
    await press(ada, "Search");
    await ada.waitForURL("**/mail/search?**");
    expect(await main(ada).locator("mark").allInnerTexts()).toEqual(["garden key"]);
    expect(await words(ada)).toContain("<mat>");
    await main(ada).getByRole("link", { name: /Dora/ }).click();
    await ada.waitForURL(/\/mail\/\d+\?/);
    expect(await words(ada)).toContain("under the <mat>.");
    await ben.goto("/mail/search?search=garden");
    expect(await words(ben)).toContain("No message of yours contains these words.");
  });

  test("groups have their posts", async () => {
    await ada.goto("/group");
    await main(ada)
      .getByRole("listitem")
      .filter({ hasText: "Neighbours" })
      .getByRole("link", { name: "Posts" })
      .click();
    await ada.waitForURL("**/posts");
    expect([await posts(ada), (await words(ada)).includes("I saw Rye")]).toEqual([1, true]);
    expect(await statusFor(ben, new URL(ada.url()).pathname)).toBe(404);
  });

  test("somebody is blocked, listed and let in again", async () => {
    await ada.goto("/connections");
    await main(ada).getByRole("link", { name: "Blocked" }).click();
    expect(await words(ada)).toContain("You haven't blocked anybody.");
    await crowd.member("Eve Stone", "eve");
    await ada.goto("/channel/eve");
    await ada.locator("#channel-actions .menu > summary").click();
    await main(ada).locator(".graver summary").click();
    expect(await words(ada)).toContain("They are not told.");
    await press(ada, "Block");
    await main(ada).getByRole("link", { name: "Blocked" }).click();
    await ada.waitForURL("**/connections/blocked");
    expect(await ada.getByRole("list", { name: "Blocked people" }).innerText()).toContain("Eve Stone");
    await press(ada, "Unblock Eve Stone");
    await said(ada, "Not blocked any more.");
    await main(ada).getByText("You haven't blocked anybody.").waitFor();
  });

  test("somebody is not read any more, and again", async () => {
    await ada.goto("/channel/ben");
    await ada.locator("#channel-actions .menu > summary").focus();
    await ada.keyboard.press("Enter");
    await press(ada, "Stop reading");
    await said(ada, "They still read you.");
    await press(ada, "Start reading");
    await main(ada).getByRole("link", { name: "Connected" }).waitFor();
  });

  test("an application asks somebody with several channels, by keyboard", async () => {
    const { hub } = crowd.running;
    const account = await hub.db
      .selectFrom("account")
      .selectAll()
      .where("account_id", "=", adasChannel.channel_account_id)
      .executeTakeFirstOrThrow();
    await createChannel(hub, account, { name: "Garden Club", nick: "club" });
    await ada.goto(`/oauth/authorize?oauth_token=${await ask("oob")}`);
    expect(await ada.locator("h1").innerText()).toBe("Let <i>Crow</i> act as you?");
    await ada.getByLabel("It will act as").selectOption("Garden Club (club)");
    await ada.getByRole("button", { name: "Yes" }).focus();
    await ada.keyboard.press("Enter");
    expect(await ada.locator("#oauth_pin").innerText()).toMatch(/^\d{8}$/);
    await ada.goto(`/oauth/authorize?oauth_token=${await ask("oob")}`);
    await press(ada, "No");
    await ada.getByRole("heading", { name: "Access was refused" }).waitFor();
    const token = await ask("oob");
    await visitor.goto(`/oauth/authorize?oauth_token=${token}`);
    expect(new URL(visitor.url()).searchParams.get("next")).toBe(`/oauth/authorize?oauth_token=${token}`);
  });

  test("feeds are named on the channel's page", async () => {
    await visitor.goto("/channel/ada");
    const feeds = visitor.locator("link[rel=alternate]");
    const hrefs = await feeds.evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    expect(hrefs.map((href) => new URL(href).pathname)).toEqual(["/feed/ada", "/feed/ada.rss"]);
    for (const href of hrefs) {
      const text = await (await fetch(href)).text();
      expect([text.includes("Rye bread at noon"), text.includes("friends alone")]).toEqual([true, false]);
    }
  });

  test("nothing is cut off in a narrow window, light or dark", async () => {
    await ada.setViewportSize({ width: 390, height: 740 });
    const searches = [
      "search",
      `search?search=${"rye".repeat(60)}`,
      "search?search=rye&order=best",
      "mail/search?search=key",
    ];
    const docs = ["api/docs", "api/docs/microblog/statuses", "api/docs/native/answers"];
    const more = ["notifications", "mail", "group", "connections/blocked", "help/programs", "channel/ada", ...docs];
    const consent = `oauth/authorize?oauth_token=${await ask(`https://${"long-".repeat(40)}.example/back`)}`;
    for (const path of [
      ...searches,
      ...more,
      "settings/oauth/",
      "settings/oauth/add",
      "settings/oauth/edit/crow",
      consent,
    ]) {
      await ada.goto(`/${path}`);
      for (const colorScheme of ["light", "dark"] as const) {
        await ada.emulateMedia({ colorScheme });
        const cutOff = await ada.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect([path, colorScheme, cutOff]).toEqual([path, colorScheme, 0]);
      }
    }
  });

  test("what has the focus is never hidden below the navigation of a narrow window", async () => {
    await ada.setViewportSize({ width: 390, height: 740 });
    for (const path of ["channel/ada", "settings/oauth/edit/crow"]) {
      await ada.goto(`/${path}`);
      for (let presses = 0; presses < 30; presses++) {
        await ada.keyboard.press("Tab");
        const hidden = ada.evaluate<string>(`(() => {
          const [focus, bar] = [document.activeElement, document.querySelector(".navigation")];
          const isHidden = !bar.contains(focus) && focus.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
          return isHidden && focus !== document.body ? focus.outerHTML : "";
        })()`);
        expect(await hidden).toBe("");
      }
    }
  });

  test("what was written before a log-in ended is there again after the next one", async () => {
    const { page } = await crowd.member("Fay Moss", "fay");
    await page.goto("/network");
    await page.locator("#f-composer-body").fill("Half an hour of work\nin two lines");
    await page.locator(".composer .audience summary").click();
    await page.locator("[name=audience][value=connections]").check();
    await page.context().clearCookies({ name: "hubbub" });
    await press(page, "Post");
    expect(await page.getByLabel("What you have written").inputValue()).toBe("Half an hour of work\nin two lines");
    await page.locator("[name=login]").fill("fay");
    await page.locator("[name=password]").fill(password);
    await press(page, "Log in");
    await page.getByText("Nothing was sent yet").waitFor();
    expect(await page.locator("#f-composer-body").inputValue()).toBe("Half an hour of work\nin two lines");
    expect(await page.locator("[name=audience][value=connections]").isChecked()).toBe(true);
    await press(page, "Post");
    await page.waitForURL("**/network?done=posted");
    expect(await posts(page)).toBe(1);
  });

  test("the browser had nothing to complain about", () => {
    expect(crowd.complaints).toEqual([]);
  });
});
