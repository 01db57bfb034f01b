import { readFile } from "node:fs/promises";
import type { Browser, Download, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCrowd, done, fill, post, press, said, statusFor, visits } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { password } from "../support/hub.ts";
import { befriend } from "../support/people.ts";
import { picture } from "../support/pictures.ts";

/** What else people do with the pages, in a real browser, with and without scripts. */

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
  let cleo: Page;
  let visitor: Page;

  beforeAll(async () => {
    crowd = await openCrowd(browser, javaScriptEnabled);
    const [one, other, third] = [
      await crowd.member("Ada Lindqvist", "ada"),
      await crowd.member("Ben Okafor", "ben"),
      await crowd.member("Cleo Rao", "cleo"),
    ];
    await befriend(crowd.running.hub, one.channel, other.channel);
    [ada, ben, cleo, visitor] = [one.page, other.page, third.page, await crowd.somebody()];
  });
  afterAll(() => crowd.close());

  const main = (page: Page): Locator => page.getByRole("main");
  const words = (page: Page): Promise<string> => main(page).innerText();
  const follow = (page: Page, name: string | RegExp): Promise<void> =>
    main(page).getByRole("link", { name }).first().click();
  const faultBeside = (page: Page, label: string): Promise<string> =>
    page.locator(".field.wrong", { hasText: label }).locator(".field-fault").innerText();

  /** Chooses an audience in the form. */
  async function showTo(form: Locator, kind: string, ...names: string[]): Promise<void> {
    await form.locator("details.audience > summary").click();
    await form.getByLabel(kind).check();
    for (const name of names) await form.getByLabel(name).check();
  }

  /** The address shows nothing to these people. */
  async function isMissingFor(path: string, ...people: Page[]): Promise<void> {
    for (const page of people) expect([path, await statusFor(page, path)]).toEqual([path, 404]);
  }

  /** What the click downloads. */
  async function downloaded(page: Page, click: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
    const [download]: [Download, unknown] = await Promise.all([page.waitForEvent("download"), click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  /** The menu of a post or comment. */
  async function openMenu(card: Locator): Promise<void> {
    await card.locator("details.menu > summary").first().click();
  }

  test("an event: made, answered by a friend, changed, deleted", async () => {
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await ada.goto("/events");
    await follow(ada, "New event");
    await fill(ada, { Title: "Harvest supper", "Begins on": day, "Ends at": "21:00", Place: "Barn" });
    await press(ada, /^Save$/);
    expect(await faultBeside(ada, "Begins at")).toBe("Say at what time it begins.");
    await fill(ada, { "Begins at": "18:30" });
    await showTo(main(ada).locator("form"), "Groups or people", "Ben Okafor");
    await press(ada, /^Save$/);
    await ada.waitForURL("**/event/**done=saved");
    const path = new URL(ada.url()).pathname;
    await crowd.deliver();

    await ben.goto("/network");
    const invitation = post(ben, "Harvest supper");
    expect(await invitation.innerText()).toContain("18:30");
    await done(ben, invitation.getByRole("button", { name: "Yes" }).click());
    await ben.locator(".attending [aria-pressed=true]").waitFor();
    await crowd.deliver();
    await ben.goto(path);
    expect(await main(ben).getByRole("button", { name: "Take out of my calendar" }).count()).toBe(1);
    await ben.goto(`/events?month=${day.slice(0, 7)}`);
    expect(await ben.locator(".calendar").innerText()).toContain("Harvest supper");
    await isMissingFor(path, cleo, visitor);
    await isMissingFor(path.replace("/event/", "/events/ical/"), cleo, visitor);

    await ada.goto(`/events?month=${day.slice(0, 7)}`);
    await ada
      .locator(".calendar")
      .getByRole("link", { name: /Harvest supper/ })
      .click();
    expect(await words(ada)).toContain("Ben Okafor will come");
    const file = await downloaded(ada, () => follow(ada, "Save as a file"));
    expect(file.name).toBe("event.ics");
    expect(file.bytes.toString()).toContain("SUMMARY:Harvest supper");
    await follow(ada, "Edit");
    await fill(ada, { Title: "Harvest breakfast" });
    await press(ada, /^Save$/);
    await ada.getByRole("heading", { level: 1, name: "Harvest breakfast" }).waitFor();
    await crowd.deliver();
    await ben.goto("/network");
    expect(await post(ben, "Harvest").innerText()).toContain("Harvest breakfast");

    await ada.goto(path);
    await follow(ada, "Delete");
    await press(ada, "Delete");
    await ada.waitForURL("**/events?**done=deleted");
    await crowd.deliver();
    await ben.goto("/network");
    expect(await post(ben, "Harvest").count()).toBe(0);
    await isMissingFor(path, ada);
  });

  test("a calendar file is read", async () => {
    await cleo.goto("/events");
    await follow(cleo, "Read a calendar file");
    const event = ["BEGIN:VEVENT", "UID:one@elsewhere", "DTSTART:20310502T090000Z", "SUMMARY:Regatta", "END:VEVENT"];
    const text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...event, "END:VCALENDAR", ""].join("\r\n");
    await cleo
      .getByLabel("File")
      .setInputFiles({ name: "c.ics", mimeType: "text/calendar", buffer: Buffer.from(text) });
    await press(cleo, "Read it");
    await follow(cleo, "To the calendar");
    await cleo.goto("/events?month=2031-05");
    expect(await cleo.locator(".calendar").innerText()).toContain("Regatta");
    expect((await downloaded(cleo, () => follow(cleo, "Save the whole calendar"))).bytes.toString()).toContain(
      "Regatta",
    );
  });

  test("direct messages: written, counted, answered, taken back", async () => {
    await ben.goto("/channel/ada");
    await follow(ben, "Message");
    await ben.locator("summary", { hasText: "Subject" }).click();
    await fill(ben, { Subject: "Key", Text: "Do you have [b]the key[/b]?" });
    await press(ben, "Send");
    await ben.waitForURL("**done=sent");
    await crowd.deliver();

    await ada.goto("/network");
    const entry = ada.locator(".side .rest").getByRole("link", { name: /^Messages/ });
    expect(await entry.innerText()).toContain("1");
    await entry.click();
    await follow(ada, /Ben Okafor/);
    expect(await ada.locator(".message strong", { hasText: "the key" }).count()).toBe(1);
    expect((await entry.innerText()).trim()).toBe("Messages");
    await fill(ada, { Reply: "Under the mat." });
    await press(ada, "Send");
    const mine = ada.locator(".message.mine");
    await mine.waitFor();
    expect(await ada.locator("#answer textarea").inputValue()).toBe("");
    await openMenu(mine);
    await mine.getByRole("button", { name: "Take back for both" }).click();
    await ada.waitForURL("**done=recalled**");
    expect(await words(ada)).toContain("You took this message back.");
    await crowd.deliver();
    await ben.goto("/mail");
    await follow(ben, /Ada Lindqvist/);
    expect(await words(ben)).toContain("This message was taken back.");
    expect(await words(ben)).not.toContain("mat");
    await isMissingFor(new URL(ada.url()).pathname, ben, cleo);

    await ben.goto("/mail/new");
    await fill(ben, { Text: "To whom?" });
    await press(ben, "Send");
    expect(await faultBeside(ben, "To")).toBe("Choose to whom you write.");
    expect(await ben.locator("[name=body]").inputValue()).toBe("To whom?");
  });

  test("a web page in a layout with a block and a menu; another one is for nobody else", async () => {
    await ada.goto("/channel/ada");
    await follow(ada, "Pages");
    await follow(ada, "Blocks");
    await follow(ada, "A new block");
    await fill(ada, { Name: "hours", Text: "Open on Mondays" });
    await press(ada, /^Save$/);
    await follow(ada, "Menus");
    await follow(ada, "A new menu");
    await fill(ada, { Name: "main", Title: "Around here", Words: "Read on", Address: "[pageurl]/about" });
    await press(ada, /^Save$/);
    await ada.waitForURL("**/menu/ada/*done=saved");
    await ada.goto("/layouts/ada");
    await follow(ada, "A new layout");
    const layout = "[region=aside][menu]main[/menu][block]hours[/block][/region][region=content][content][/region]";
    await fill(ada, { Title: "Two columns", Name: "two", Text: layout });
    await press(ada, /^Save$/);
    await ada.goto("/webpages/ada");
    await follow(ada, "A new page");
    await fill(ada, { Title: "About us", "Name in the address": "about", Text: "We are [b]many[/b]." });
    await ada.getByLabel("Layout").selectOption("Two columns");
    await press(ada, /^Save$/);
    await ada.waitForURL("**/page/ada/about?done=saved");
    await visitor.goto("/page/ada/about");
    expect(await visitor.locator(".region-left").innerText()).toMatch(/Around here\s+Read on\s+Open on Mondays/);
    expect(await visitor.locator(".region-middle").innerText()).toBe("We are many.");
    await follow(visitor, "Read on");
    await visitor.waitForURL("**/page/ada/about");

    await ada.goto("/webpages/ada/new");
    await fill(ada, { "Name in the address": "about", Text: "Secret" });
    await press(ada, /^Save$/);
    expect(await faultBeside(ada, "Name in the address")).not.toBe("");
    await fill(ada, { "Name in the address": "secret" });
    await showTo(main(ada).locator("form"), "Only me");
    await press(ada, /^Save$/);
    await ada.waitForURL("**/page/ada/secret?done=saved");
    await isMissingFor("/page/ada/secret", ben, cleo, visitor);
    await visitor.goto("/webpages/ada");
    expect(await words(visitor)).not.toContain("secret");
    await ada.goto("/page/ada/about");
    await follow(ada, "Edit");
    await follow(ada, "Delete");
    await press(ada, "Delete");
    await isMissingFor("/page/ada/about", visitor, ada);
  });

  test("a wiki: its pages, their history, and an old version brought back", async () => {
    await ada.goto("/wiki/ada");
    await fill(ada, { Name: "Songbook" });
    await ada.getByLabel("Its pages are written in").selectOption("Markdown");
    await press(ada, "Make it");
    await ada.waitForURL("**/wiki/ada/Songbook?done=made");
    for (const text of ["Sing [[Low]].", "Sing [[Low]].\n\nAnd *loud*."]) {
      await follow(ada, /^(Edit|Write it)$/);
      await fill(ada, { Text: text });
      await press(ada, /^Save$/);
      await ada.getByRole("link", { name: "History" }).waitFor();
    }
    await visitor.goto("/wiki/ada/Songbook");
    expect(await visitor.locator(".wiki-page em").innerText()).toBe("loud");
    await follow(ada, "Low");
    await fill(ada, { Text: "Hum." });
    await press(ada, /^Save$/);
    await ada.goto("/wiki/ada/Songbook/Home");
    await follow(ada, "History");
    await press(ada, "Compare");
    expect(await words(ada)).toContain("And *loud*.");
    await follow(ada, /^version/);
    await press(ada, "Bring this version back");
    await ada.waitForURL("**/Home?done=saved");
    await visitor.reload();
    expect(await visitor.locator(".wiki-page").innerText()).not.toContain("loud");
    await isMissingFor("/wiki/ada/Songbook/Nowhere", visitor);
  });

  test("a photo in a post: its page, a caption, a comment and a like; a cover", async () => {
    const buffer = await picture(900, 600, "#683").jpeg().toBuffer();
    await ada.goto("/network");
    await ada.getByLabel("Text of the post").fill("Look at this!");
    await ada.getByLabel("Photos and files").setInputFiles([
      { name: "field.jpg", mimeType: "image/jpeg", buffer },
      { name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("seeds") },
    ]);
    await press(ada, "Post");
    await ada.waitForURL("**/network?done=posted");
    expect(await post(ada, "Look at this!").innerText()).toContain("list.txt");
    const image = post(ada, "Look at this!").locator(".body img");
    await image.evaluate((one) => (one as unknown as { decode: () => Promise<void> }).decode());
    const path = new URL(
      (await post(ada, "Look at this!").locator(".body a:has(img)").getAttribute("href"))!,
      ada.url(),
    ).pathname;
    await ada.goto(path);
    await main(ada).getByText("Caption", { exact: true }).first().click();
    await fill(ada, { Caption: "The field", Description: "A green field" });
    await press(ada, /^Save$/);
    await ada.getByRole("heading", { level: 1, name: "The field" }).waitFor();
    expect(await ada.locator(".photo-frame img").getAttribute("alt")).toBe("A green field");

    await crowd.deliver();
    await ben.goto(path);
    await fill(ben, { "Your comment": "So green." });
    await press(ben, "Comment");
    await said(ben, "Your comment is in.");
    await done(ben, press(ben, /^Like/));
    await ben.locator(".act-heart[aria-pressed=true]").first().waitFor();
    await crowd.deliver();
    await ada.goto(path);
    expect(await words(ada)).toMatch(/Ben Okafor likes this[^]*So green\./);

    await ada.goto("/settings/profile");
    await ada.getByLabel("A new cover").setInputFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer });
    await main(ada).getByRole("button", { name: "Upload" }).nth(1).click();
    await ada.waitForURL("**done=saved");
    await visitor.goto("/channel/ada");
    expect(await visitor.locator("img.cover").count()).toBe(1);
    await visitor.goto("/photos/ada");
    expect(await visitor.locator(".photo-grid img").count()).toBeGreaterThan(0);
  });

  test("files that are ticked go into a folder, drawn there or by a button", async () => {
    await ada.goto("/cloud/ada");
    await main(ada).getByText("New folder").click();
    await fill(ada, { "Name of the folder": "Drawer" });
    await press(ada, "Make it");
    const entry = (name: string) => ada.locator(".file", { hasText: name });
    await entry("Drawer").waitFor();
    const files = ["a.txt", "b.txt", "c.txt"].map((name) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(name),
    }));
    await ada.locator(".upload input[type=file]").setInputFiles(files);
    await press(ada, /^Upload$/);
    await entry("c.txt").waitFor();
    for (const name of ["a.txt", "b.txt"]) await entry(name).getByRole("checkbox").check();
    if (javaScriptEnabled) {
      await ada.locator("hub-files:defined").waitFor({ state: "attached" });
      await entry("a.txt").dragTo(entry("Drawer"));
    } else {
      await ada.getByLabel("Folder that it goes to").selectOption("Drawer");
      await press(ada, "Move");
    }
    await entry("a.txt").waitFor({ state: "detached" });
    expect([await entry("b.txt").count(), await entry("c.txt").count()]).toEqual([0, 1]);
    await entry("Drawer").getByRole("link", { name: "Drawer" }).first().click();
    await entry("a.txt").waitFor();
    expect(await entry("b.txt").count()).toBe(1);
  });

  test("comments wait for their post's owner, can be hidden, and end", async () => {
    await ada.goto("/settings/posts");
    await ada.getByLabel("Everybody's").check();
    await press(ada, /^Save$/);
    await ada.goto("/network");
    await ada.getByLabel("Text of the post").fill("Who has a ladder?");
    await press(ada, "Post");
    await ada.waitForURL("**/network?done=posted");
    await crowd.deliver();
    await ben.goto("/network");
    await post(ben, "ladder")
      .getByRole("link", { name: /Comment/ })
      .click();
    const thread = (await post(ben, "ladder").locator(".meta a").first().getAttribute("href"))!;
    await fill(ben, { "Your comment": "Take mine." });
    await press(ben, "Comment");
    await said(ben, "Your comment waits");
    await crowd.deliver();
    await cleo.goto(thread);
    expect(await words(cleo)).not.toContain("Take mine.");
    await ada.goto("/moderate");
    await press(ada, "Let it in");
    await said(ada, "The comment is in.");
    await crowd.deliver();
    await cleo.goto(thread);
    expect(await words(cleo)).toContain("Take mine.");

    await ada.goto(thread);
    await openMenu(ada.locator(".comments .status"));
    await ada.getByRole("button", { name: "Hide from everybody" }).click();
    await said(ada, "Nobody sees it any more.");
    await cleo.goto(thread);
    expect(await words(cleo)).not.toContain("Take mine.");
    await ada.goto("/moderate/hidden");
    await press(ada, "Show it again");
    await said(ada, "It is there for everybody again.");
    await cleo.goto(thread);
    expect(await words(cleo)).toContain("Take mine.");

    await ada.goto(thread);
    await press(ada, "Close for comments");
    await said(ada, "The thread takes no more comments.");
    await crowd.deliver();
    await ben.goto(thread);
    expect(await ben.getByLabel("Your comment").count()).toBe(0);
    expect(await words(ben)).toContain("Take mine.");
  });

  test("folders, tags and saved searches", async () => {
    await ada.goto("/settings/posts");
    await ada.getByLabel("Nobody's").check();
    await press(ada, /^Save$/);
    await ada.waitForURL("**done=saved");
    await ben.goto("/network");
    await openMenu(post(ben, "Look at this!"));
    await post(ben, "Look at this!").getByRole("link", { name: "Save to a folder" }).click();
    await fill(ben, { Folder: "Tools" });
    await press(ben, /^Save$/);
    await ben.waitForURL("**done=filed**");
    await ben.goto("/folders");
    await follow(ben, "Tools");
    expect(await post(ben, "Look at this!").count()).toBe(1);

    await openMenu(post(ben, "Look at this!"));
    await post(ben, "Look at this!").getByRole("link", { name: "Add a tag" }).click();
    await fill(ben, { Tag: "borrow" });
    await press(ben, "Add");
    await ben.waitForURL("**done=tagged**");
    await crowd.deliver();
    await cleo.goto("/search");
    await cleo.getByLabel("Public posts and your stream").fill("#borrow");
    await press(cleo, "Search");
    expect(await post(cleo, "Look at this!").count()).toBe(1);
    await press(cleo, "Save this search");
    await cleo.waitForURL("**done=saved");
    await cleo.goto("/search");
    await follow(cleo, "#borrow");
    expect(await post(cleo, "Look at this!").count()).toBe(1);
    await press(cleo, "Forget #borrow");
    await cleo.waitForURL("**done=removed");
    expect(await main(cleo).getByRole("link", { name: "#borrow" }).count()).toBe(0);
  });

  test("a guest sees with the link what is meant for guests, until the link ends", async () => {
    await ada.goto("/settings/guests");
    await fill(ada, { "A new guest": "Aunt Agda" });
    await press(ada, "Make the link");
    await ada.waitForURL("**/settings/guests/*done=made");
    const page = ada.url();
    const link = await ada.getByLabel("The link to hand out").inputValue();
    await ada.goto("/network");
    await ada.getByLabel("Text of the post").fill("For my aunt alone.");
    await showTo(ada.locator("#composer"), "Groups or people", "Aunt Agda");
    await press(ada, "Post");
    await ada.waitForURL("**/network?done=posted");

    const guest = await crowd.somebody();
    await guest.goto(link);
    expect(await words(guest)).toMatch(/You are here as Aunt Agda[^]*For my aunt alone\./);
    await follow(guest, "Profile");
    await follow(guest, "Posts");
    const thread = (await post(guest, "my aunt").locator(".meta a").getAttribute("href"))!;
    expect(await statusFor(guest, thread)).toBe(200);
    await isMissingFor(thread, visitor, cleo, ben);
    await press(guest, "Leave");
    await guest.waitForURL("**done=out");
    await isMissingFor(thread, guest);
    await ada.goto(page);
    await press(ada, /Make a new link/);
    await ada.waitForURL("**done=saved");
    await guest.goto(link);
    expect(await words(guest)).not.toContain("my aunt");
  });

  test("permissions: one by one, and a set for a connection", async () => {
    await visitor.goto("/cloud/ada");
    expect(await words(visitor)).toContain("Files");
    await ada.goto("/settings/permissions");
    await ada.getByLabel("See your files and photos").first().selectOption("Connections I allow");
    await press(ada, /^Save$/);
    await ada.waitForURL("**done=saved");
    expect(await words(ada)).toContain("You set every permission yourself.");
    await isMissingFor("/cloud/ada", visitor, cleo);
    expect((await ben.goto("/cloud/ada"))!.status()).toBe(200);

    await ada.goto("/settings/permission-sets");
    await fill(ada, { "A new set": "Strangers" });
    await ada.getByLabel("See your files and photos").uncheck();
    await press(ada, "Make it");
    await ada.waitForURL("**done=made");
    await ada.goto("/connections");
    await follow(ada, /^Edit/);
    await ada.getByLabel("Permission set").selectOption("Strangers");
    await press(ada, "Apply");
    await ada.waitForURL("**done=**");
    expect(await ada.getByLabel("See your files and photos").isChecked()).toBe(false);
    await isMissingFor("/cloud/ada", ben);
  });

  test("a channel goes to another hub as one file", async () => {
    await ada.goto("/uexport");
    await fill(ada, { "Your password": "wrong" });
    await press(ada, "Download everything");
    expect(await faultBeside(ada, "Your password")).not.toBe("");
    await fill(ada, { "Your password": password });
    const archive = await downloaded(ada, () => press(ada, "Download everything"));
    expect(archive.name).toMatch(/^ada-.*\.tar$/);
    const short = await downloaded(ada, () => press(ada, "Without posts"));
    expect(JSON.parse(short.bytes.toString())).toHaveProperty("channel.channel_address", "ada");

    const there = await openCrowd(browser, javaScriptEnabled);
    try {
      const { page: dora } = await there.member("Dora Lindqvist", "dora");
      await dora.goto("/manage");
      await follow(dora, "Bring one here");
      await press(dora, "Import");
      expect(await dora.getByRole("alert").innerText()).toContain("Choose the file");
      await dora
        .getByLabel("Export or archive")
        .setInputFiles({ name: archive.name, mimeType: "application/x-tar", buffer: archive.bytes });
      await press(dora, "Import");
      await dora.waitForURL(/\/import\/\d+$/);
      // The page loads itself again as long as the import runs.
      await dora.getByRole("heading", { name: "The import is done" }).waitFor();
      expect(await words(dora)).toMatch(/What came over[^]*Posts and comments/);
      await follow(dora, "Use the channel");
      await dora.getByRole("listitem").filter({ hasText: "Ada Lindqvist" }).getByRole("button").first().click();
      await dora.goto("/network");
      expect(await post(dora, "Look at this!").count()).toBe(1);
      await dora.goto("/wiki/ada/Songbook");
      expect(await words(dora)).toContain("Sing Low.");
      await dora.goto("/photos/ada");
      const image = dora.locator(".photo-grid img").first();
      await image.evaluate((one) => (one as unknown as { decode: () => Promise<void> }).decode());
      // Pictures of the other hub come through this one, which asks by https only.
      expect(there.complaints.filter((one) => !one.includes("502 (Bad Gateway)"))).toEqual([]);
    } finally {
      await there.close();
    }
  });

  test("nothing is cut off in a narrow window", async () => {
    await ada.setViewportSize({ width: 360, height: 740 });
    const paths = ["events", "events/new", "mail", "mail/new", "webpages/ada", "webpages/ada/new", "layouts/ada/new"];
    const more = [
      "menu/ada/new",
      "wiki/ada",
      "wiki/ada/Songbook/Home?show=history",
      "photos/ada",
      "moderate",
      "folders",
    ];
    const settings = ["guests", "permissions", "permission-sets", "posts", "profile"].map((name) => `settings/${name}`);
    for (const path of [...paths, ...more, ...settings, "search", "manage", "uexport", "import", "help"]) {
      await ada.goto(`/${path}`);
      const cutOff = await ada.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect([path, cutOff]).toEqual([path, 0]);
    }
  });

  test("the browser had nothing to complain about", () => {
    expect(crowd.complaints).toEqual([]);
  });
});
