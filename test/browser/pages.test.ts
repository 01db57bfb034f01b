import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setupToken } from "../../src/domain/identity/accounts/setup.ts";
import type { RunningHub } from "../../src/main.ts";
import { done, fill, openCrowd, post, press, said, statusFor, visits } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";

/** What people do with the pages, in a real browser, with and without scripts: the pages must work alike. */

const available = hasChromium();
let browser: Browser;

beforeAll(async () => {
  if (available) browser = await openChromium();
});
afterAll(() => browser?.close());

describe.skipIf(!available).each(visits)("%s", (_, javaScriptEnabled) => {
  let crowd: Crowd;
  let running: RunningHub;
  let somebody: Crowd["somebody"];
  let deliver: Crowd["deliver"];
  let ada: Page;
  let ben: Page;
  let cleo: Page;

  async function signUp(name: string, nick: string): Promise<Page> {
    const page = await somebody();
    await page.goto("/");
    await page.getByRole("main").getByRole("link", { name: "Join this hub" }).click();
    await fill(page, { "E-mail": `${nick}@example.org`, Password: "a long sentence", Name: name, Nick: nick });
    await press(page, "Join");
    await page.waitForURL("**/welcome");
    return page;
  }

  beforeAll(async () => {
    crowd = await openCrowd(browser, javaScriptEnabled);
    ({ running, somebody, deliver } = crowd);
  });
  afterAll(() => crowd.close());

  test("the operator sets the hub up, by the link, once", async () => {
    const link = `/setup/${await setupToken(running.hub)}`;
    ada = await somebody();
    await ada.goto("/");
    expect(await ada.textContent("main")).toContain("not set up yet");
    await ada.goto(link);
    await fill(ada, {
      "E-mail": "ada@example.org",
      Password: "a long sentence",
      Nick: "ada",
      "Name of the hub": "Lindenhof",
    });
    await ada.locator("[name=name]").fill("Ada Lindqvist");
    await ada.getByRole("radio", { name: /Everybody New/ }).check();
    await press(ada, "Open the hub");
    await ada.waitForURL("**/welcome");
    expect(await ada.title()).toBe("Welcome to Lindenhof · Lindenhof");
    expect(await statusFor(ada, link)).toBe(404);
  });

  test("people sign up; a taken nick is said at the field", async () => {
    ben = await signUp("Ben Okafor", "ben");
    cleo = await signUp("Cleo Rao", "cleo");
    const late = await somebody();
    await late.goto("/register");
    await fill(late, { "E-mail": "x@example.org", Password: "y", Name: "X", Nick: "ben" });
    await press(late, "Join");
    expect(await late.locator(".field.wrong .field-fault").allTextContents()).toEqual([
      expect.stringContaining("10"),
      "This nick is taken.",
    ]);
    expect(await late.locator("[name=email]").inputValue()).toBe("x@example.org");
  });

  test("Ben asks for a connection, Ada approves", async () => {
    await ben.goto("/connections");
    await ben.getByLabel("Find your connections by name, and others").fill("ada");
    await press(ben, "Find");
    await press(ben, "Connect");
    await said(ben, "Your request is on its way.");
    await ada.goto("/network");
    await ada
      .getByRole("link", { name: /^Connections/ })
      .first()
      .click();
    await ada.getByRole("link", { name: /^Requests/ }).click();
    await press(ada, "Approve");
    await said(ada, "The request is approved.");
    await ben.goto("/channel/ada");
    expect(await ben.getByRole("main").textContent()).toContain("Connected");
  });

  test("Ada makes a group with Ben and posts to it: Ben sees it, nobody else does, anywhere", async () => {
    await ada.goto("/group");
    await fill(ada, { "A new group": "Sunday walks" });
    await press(ada, "Make it");
    await ada.getByLabel("Ben Okafor").check();
    await press(ada, "Add");
    await ada.getByRole("link", { name: "Stream" }).first().click();
    await ada.getByLabel("Text of the post").fill("We meet at the north gate.");
    await ada.locator("details.audience summary").click();
    await ada.getByLabel("Groups or people").check();
    await ada.getByLabel("Sunday walks").check();
    if (javaScriptEnabled) expect(await ada.locator("details.audience summary").innerText()).toContain("Sunday walks");
    await press(ada, "Post");
    await ada.waitForURL("**/network?done=posted");
    expect(await post(ada, "north gate").locator(".visibility").innerText()).toContain("Sunday walks");

    await deliver();
    await ben.goto("/network");
    expect(await post(ben, "north gate").locator(".visibility").innerText()).toContain("Private");
    const thread = await post(ben, "north gate").locator(".meta a").getAttribute("href");
    expect((await ben.goto(thread!))!.status()).toBe(200);
    await ben.goto("/channel/ada");
    expect(await post(ben, "north gate").count()).toBe(1);

    for (const other of [cleo, await somebody()]) {
      for (const path of ["/network", "/channel/ada", "/"])
        expect(await (await other.request.get(path)).text()).not.toContain("north gate");
      expect(await statusFor(other, thread!)).toBe(404);
    }
  });

  test("Ben comments and likes; Ada is told, and sees it", async () => {
    await ben.goto("/network");
    await post(ben, "north gate")
      .getByRole("link", { name: /Comment/ })
      .click();
    await ben.getByLabel("Your comment").fill("I bring the cheese.");
    await press(ben, "Comment");
    await said(ben, "Your comment is in.");
    const liked = post(ben, "north gate").getByRole("button", { name: /^Like/ }).first();
    await done(ben, liked.click());
    await ben.locator(".act-heart[aria-pressed=true]").first().waitFor();
    expect(await liked.getAttribute("aria-pressed")).toBe("true");
    expect(await ben.locator(".reactions").first().textContent()).toContain("You like this");

    await deliver();
    await ada.goto("/notifications");
    expect(await ada.locator(".notices").innerText()).toMatch(
      /Ben Okafor likes your post[^]*Ben Okafor commented on your post[^]*I bring the cheese\./,
    );
    await ada.getByRole("link", { name: /commented on your post/ }).click();
    expect(await ada.locator(".comments").innerText()).toContain("I bring the cheese.");
    expect(await ada.locator(".reactions").first().textContent()).toContain("Ben Okafor likes this");
    await ada.goto("/notifications");
    await press(ada, "Mark all as seen");
    await expect.poll(() => ada.locator(".unseen-notice").count()).toBe(0);
  });

  test("Ada edits a public post, Cleo shares it, Ada deletes it", async () => {
    await ada.goto("/network");
    await ada.getByLabel("Text of the post").fill("The tandem is raedy. #bicycles");
    await press(ada, "Post");
    await ada.waitForURL("**/network?done=posted");
    await post(ada, "raedy").locator("details.menu summary").click();
    await post(ada, "raedy").getByRole("link", { name: "Edit" }).click();
    await ada.getByLabel("Text").fill("The tandem is ready. #bicycles");
    await press(ada, /^Save$/);
    expect(await post(ada, "is ready").locator(".meta").innerText()).toContain("edited");

    await cleo.goto("/channel/ada");
    expect(await post(cleo, "is ready").locator(".visibility").innerText()).toContain("Public");
    await post(cleo, "is ready")
      .getByRole("button", { name: /^Share/ })
      .click();
    await said(cleo, "Shared with everybody");
    await cleo.goto("/channel/cleo");
    expect(await cleo.locator(".shared").innerText()).toContain("The tandem is ready.");
    await cleo.goto("/search?tag=bicycles");
    expect(await post(cleo, "is ready").count()).toBe(1);

    await ada.goto("/network");
    await post(ada, "is ready").locator("details.menu summary").click();
    await post(ada, "is ready").getByRole("link", { name: "Delete" }).click();
    await press(ada, "Delete");
    await ada.waitForURL("**/network?done=deleted");
    expect(await post(ada, "is ready").count()).toBe(0);
    await cleo.goto("/channel/ada");
    expect(await post(cleo, "is ready").count()).toBe(0);
  });

  test("a star is private; a mistake keeps what was typed", async () => {
    await ada.goto("/network");
    await done(ada, post(ada, "north gate").getByRole("button", { name: "Star" }).click());
    await ada.locator(".act-star[aria-pressed=true]").first().waitFor();
    await ada.goto("/network?star=1");
    expect(await post(ada, "north gate").count()).toBe(1);
    await ben.goto("/channel/ada");
    expect(await ben.locator(".act-star[aria-pressed=true]").count()).toBe(0);

    await ada.goto("/network");
    await ada.getByLabel("Text of the post").fill("For whom?");
    await ada.locator("details.audience summary").click();
    await ada.getByLabel("Groups or people").check();
    await press(ada, "Post");
    expect(await ada.getByRole("alert").innerText()).toContain("Choose at least one");
    expect(await ada.getByLabel("Text of the post").inputValue()).toBe("For whom?");
    expect(await ada.getByLabel("Sunday walks").isVisible()).toBe(true);
  });

  test("settings: profile with a picture, and the role of the channel", async () => {
    await ben.goto("/settings/profile");
    await ben.getByLabel("In one line").fill("Mustard and cheese");
    await press(ben, /^Save$/);
    await ben.waitForURL("**done=saved");
    const buffer = await sharp({ create: { width: 320, height: 320, channels: 3, background: "#268" } })
      .jpeg()
      .toBuffer();
    await ben.getByLabel("A new picture").setInputFiles({ name: "ben.jpg", mimeType: "image/jpeg", buffer });
    await press(ben, "Upload");
    await ben.waitForURL("**done=saved");
    expect(await ben.getByRole("button", { name: "Back to the drawn one" }).count()).toBe(1);
    await ben.goto("/settings/channel");
    await ben.locator("[name=role][value=forum]").check();
    await ben.getByLabel("Time zone").selectOption("Europe/Stockholm");
    await press(ben, /^Save$/);
    await ben.waitForURL("**done=saved");
    expect(await ben.locator("[name=role][value=forum]").isChecked()).toBe(true);

    await cleo.goto("/channel/ben");
    expect(await cleo.getByRole("main").innerText()).toContain("Mustard and cheese");
    await press(cleo, "Connect");
    await cleo.getByRole("main").getByRole("link", { name: "Connected" }).waitFor();
  });

  test("files: a folder for the group, an upload, a photo with a comment", async () => {
    await ada.goto("/cloud/ada");
    await ada.getByText("New folder").click();
    await ada.getByLabel("Name of the folder").fill("Routes");
    const making = ada.locator("details.menu-form");
    await making.locator("details.audience summary").click();
    await making.getByLabel("Groups or people").check();
    await making.getByLabel("Sunday walks").check();
    await press(ada, "Make it");
    await ada.waitForURL("**done=saved");
    await ada.getByRole("link", { name: "Routes", exact: true }).click();
    const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#683" } })
      .jpeg()
      .toBuffer();
    await ada.locator("input[name=file]").setInputFiles([
      { name: "gate.jpg", mimeType: "image/jpeg", buffer },
      { name: "route.gpx", mimeType: "application/gpx+xml", buffer: Buffer.from("<gpx/>") },
    ]);
    await press(ada, /^Upload$/);
    await ada.waitForURL("**/Routes?done=saved");
    const chosen = ada.getByRole("group", { name: "What is chosen" });
    const boxes = await Promise.all(
      (await chosen.locator("label, select, button").all()).map((one) => one.boundingBox()),
    );
    const middles = boxes.map((box) => box!.y + box!.height / 2);
    expect(boxes.length).toBe(4);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
    await ada.getByRole("link", { name: "gate.jpg" }).click();
    await ada.getByRole("link", { name: "Show as a photo" }).click();
    expect(
      await ada.locator(".photo-frame img").evaluate((image) => (image as { naturalWidth?: number }).naturalWidth),
    ).toBe(900);

    const photo = new URL(ada.url()).pathname;
    await ben.goto(photo);
    await ben.getByLabel("Your comment").fill("That is the gate.");
    await press(ben, "Comment");
    await said(ben, "Your comment is in.");
    await ada.goto(photo);
    expect(await ada.locator(".comments").innerText()).toContain("That is the gate.");
    for (const path of [photo, "/cloud/ada/Routes"]) expect(await statusFor(cleo, path)).toBe(404);
    await cleo.goto("/cloud/ada");
    expect(await cleo.textContent("main")).not.toContain("Routes");
  });

  test("Ada brings a list of servers along, sees what is in it, and has it done", async () => {
    await ada.goto("/settings");
    await ada.getByRole("link", { name: /Lists from elsewhere/ }).click();
    const buffer = Buffer.from("#domain,#severity\nbad.example,suspend\nno host,suspend\n");
    await ada.getByLabel("File").setInputFiles({ name: "domain_blocks.csv", mimeType: "text/csv", buffer });
    await press(ada, "Look at it");
    expect(await ada.locator("main").innerText()).toMatch(/1 to be done\s+1 cannot be used/);
    await press(ada, "Begin");
    await ada.getByRole("button", { name: "Begin" }).waitFor({ state: "detached" });
    // The hub does it by itself, sooner or later.
    const read = async () => (await ada.reload(), ada.locator("main").innerText());
    await expect.poll(read).toContain("1 of 1 are settled. It is done.");
    await press(ada, "Dismiss");
    await ada.waitForURL("**/settings/import-lists?done=removed");
  });

  test("everything can be reached by keyboard, and the first stop skips the navigation", async () => {
    await ada.goto("/network");
    await ada.keyboard.press("Tab");
    expect(await ada.locator(":focus").innerText()).toBe("Skip to the content");
    await ada.keyboard.press("Enter");
    expect(ada.url()).toMatch(/#main$/);
  });

  test("a narrow window has its navigation below, and nothing is cut off", async () => {
    await ada.setViewportSize({ width: 360, height: 740 });
    for (const path of [
      "/network",
      "/channel/ada",
      "/cloud/ada",
      "/cloud/ada/Routes",
      "/photos/ada",
      "/settings/channel",
      "/settings/filters",
      "/settings/notices",
      "/settings/import-lists",
      "/connections",
      "/connections/muted",
      "/admin",
      "/admin/site",
      "/admin/accounts",
      "/admin/jobs",
      "/admin/look",
      "/admin/figures",
      "/admin/invitations",
      "/admin/hosts",
      "/admin/blocks",
      "/admin/block-lists",
      "/admin/queues",
      "/admin/probe",
    ]) {
      await ada.goto(path);
      const cutOff = await ada.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect([path, cutOff]).toEqual([path, 0]);
    }
    await ada.locator("details.more summary").click();
    await ada.locator("details.more").getByRole("link", { name: "Settings" }).click();
    await ada.waitForURL("**/settings");
    await ada.locator("details.more summary").click();
    await ada.locator("details.more").getByRole("button", { name: "Log out" }).click();
    await ada.waitForURL("**/?done=out");
  });

  test("the browser had nothing to complain about", () => {
    expect(crowd.complaints).toEqual([]);
  });
});
