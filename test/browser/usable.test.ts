import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import onThisDay from "../../examples/on-this-day/on-this-day.ts";
import { extensionPages } from "../../src/faces/web/extension-pages.ts";
import { pages } from "../../src/faces/web/pages/table.ts";
import { setAdministrator } from "../../src/domain/identity/accounts/accounts.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { leaveFor } from "../../src/domain/identity/channels/moved.ts";
import { findCaller } from "../../src/domain/identity/accounts/log-in.ts";
import { createClient } from "../../src/domain/identity/applications/oauth-clients.ts";
import { issueToken } from "../../src/domain/identity/applications/oauth-tokens.ts";
import { saveArchivePlace } from "../../src/domain/archives/archive-place.ts";
import { connect } from "../../src/domain/connections/connections.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { meetActor } from "../../src/domain/peers/meet-actor.ts";
import { queueTest } from "../../src/domain/webhooks/queue-webhooks.ts";
import { addWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { inTransaction, now } from "../../src/hub.ts";
import { addExtensionJob } from "../../src/jobs/queue.ts";
import { startHub } from "../../src/main.ts";
import type { RunningHub } from "../../src/main.ts";
import { actorOf } from "../support/actors.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { makeChannel, openTestHub, password } from "../support/hub.ts";
import type { TestHub } from "../support/hub.ts";
import { arrivesIn } from "../support/incoming.ts";
import { picture } from "../support/pictures.ts";
import { befriend, deliver, newcomer } from "../support/people.ts";
import { wholeChannel } from "../support/whole-channel.ts";

/** Every page can be used: with a screen reader, with a finger in a narrow window, in light and dark. */

/** What has media of its own, which browsers must not ask. */
const far = "https://far.example";

const available = hasChromium();
const example = fileURLToPath(new URL("../../examples/on-this-day", import.meta.url));
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const faultsOf = readFileSync(new URL("../support/page-faults.js", import.meta.url), "utf8");
let browser: Browser;
let settings: TestHub;
let running: RunningHub;

beforeAll(async () => {
  if (!available) return;
  browser = await openChromium();
  const port = String(await freePort());
  const env = { HUBBUB_BASE_URL: `http://127.0.0.1:${port}`, HUBBUB_PORT: port, HUBBUB_EXTENSIONS: example };
  settings = await openTestHub({ env });
  await fillWith(await wholeChannel(settings, "alma"));
  const image = new Uint8Array(await picture(600, 400).jpeg().toBuffer());
  running = await startHub(settings.config, {
    clock: settings.clock,
    fetch: () => Promise.resolve(new Response(image)),
  });
});
afterAll(async () => {
  await browser?.close();
  await running?.close();
  await settings?.close();
});

/** More that pages have to cope with: an application, media of other sites, and somebody with a long name who writes and answers. */
async function fillWith(alma: Channel): Promise<void> {
  await setAdministrator(settings, alma.channel_account_id, true);
  const app = await createClient(settings, alma.channel_id, {
    name: "Crow",
    key: "crow",
    secret: "s",
    icon: `${far}/i.png`,
  });
  await issueToken(settings, app, alma.channel_id);
  const media = `[img alt="A dog"]${far}/dog.jpg[/img] [video poster="${far}/cat.jpg"]${far}/cat.mp4[/video] [audio]${far}/cow.ogg[/audio]`;
  await postItem(settings, alma, {
    body: `[share author="Far" avatar="${far}/me.jpg" message_id="1"]${media}[/share]`,
  });
  await settings.db.updateTable("profile").set({ about: media, html: "" }).where("uid", "=", alma.channel_id).execute();
  await postItem(settings, alma, {
    body: `- [ ] to do\n- [x] done\n\n\`\`\`\n${"a long line of code ".repeat(20)}\n\`\`\``,
    mimetype: "text/markdown",
  });
  const name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const long = await newcomer(settings, "long", { name });
  await befriend(settings, alma, long);
  const { mid } = await postItem(settings, long, { body: name.repeat(3), title: name.repeat(2) });
  await deliver(settings);
  const afar = actorOf("afar", {
    name: name.slice(0, 60),
    about: name,
    cover: `${far}/wide.jpg`,
    picture: `${far}/face.jpg`,
    fields: [{ name, value: `<a href="${far}/${name}">${name}</a> <img src="${far}/badge.jpg" alt="Badge">` }],
  });
  const met = await meetActor(settings, afar);
  await connect(settings, alma, met);
  await threadOf(met.xchan_hash, alma);
  await commentOn(settings, alma, { mid }, { body: "What a word!" });
  await commentOn(settings, long, { mid }, { body: name.repeat(2) });
  await sendMessage(settings, long, { to: alma.channel_hash, title: name, body: `${name.repeat(2)} ${media}` });
  const talk = await postItem(settings, long, { body: `Hello ${name} ${media}`, directTo: [alma.channel_hash] });
  await deliver(settings);
  await postItem(settings, alma, { body: "Hello", parent: { mid: talk.mid } });
  await saveArchivePlace(settings, alma.channel_id, {
    kind: "webdav",
    address: `${far}/disk`,
    login: "alma",
    password: "secret",
    region: "",
    passphrase: "",
    every: "week",
    keep: 4,
  });
  const caller = (await findCaller(settings, alma.channel_account_id, alma.channel_id))!;
  const { webhook } = await addWebhook(settings, caller, { url: `${far}/${name}`, events: ["post.received"] });
  await queueTest(settings, webhook);
  await settings.db
    .updateTable("archive_place")
    .set({ failures: 2, reason: "full", detail: `507 PUT ${far}/${name}.tar`, last_failed: now(settings) })
    .execute();
  await inTransaction(settings, (inside) => addExtensionJob(inside, `x/${"gone-".repeat(7)}away/job`, null));
  await deliver(settings);
}

/** A thread of elsewhere, of which much is missing here. */
const afarPath = (): Promise<string> =>
  settings.db
    .selectFrom("message")
    .select("uuid")
    .where("mid", "=", `${far}/notes/1`)
    .executeTakeFirstOrThrow()
    .then(({ uuid }) => `/display/${uuid}`);

async function threadOf(author: string, alma: Channel): Promise<void> {
  const id = `${far}/notes/1`;
  const to = [`${settings.config.baseUrl}/channel/${alma.channel_address}`, `${author}/followers`];
  const replies = { id: `${id}/replies`, type: "Collection", totalItems: 300 };
  const object = { id, type: "Note", attributedTo: author, to, content: "<p>From afar</p>", url: id, replies };
  await arrivesIn(settings)({ id: `${id}/made`, type: "Create", actor: author, to, object }, [alma]);
}

const rows = [...pages, ...extensionPages({ extensions: [onThisDay] })]
  .filter((row) => row.get)
  .map(({ path }) => {
    const source = path.replace(
      /\/:\w+(?:\{((?:[^{}]|\{[^}]*\})+)\})?(\?)?/g,
      (_, form = "[^/]+", maybe = "") => `(?:/(?:${form}))${maybe}`,
    );
    return { path, form: new RegExp(`^${source}$`) };
  });
const rowOf = (path: string): string | undefined => rows.find(({ form }) => form.test(path.split(/[?#]/)[0]!))?.path;

const narrow = { width: 320, height: 640 };
const wide = { width: 1200, height: 900 };

/**
 * How axe looks at each page: by all rules, and once more by those whose answers width changes; undefined: not at all.
 * Darkness changes colours alone, and page-faults.js has the contrast of whatever can be read, in each of these.
 */
const looks = [
  { size: wide, colorScheme: "light", rules: [] },
  { size: wide, colorScheme: "dark", rules: undefined },
  {
    size: narrow,
    colorScheme: "dark",
    rules: ["color-contrast", "region", "scrollable-region-focusable", "target-size"],
  },
  { size: narrow, colorScheme: "light", rules: undefined },
] as const;

/** What axe finds by these rules, or by all of them. */
function axeFaults(rules: readonly string[]): string {
  const options = {
    preload: false,
    resultTypes: ["violations"],
    rules: { "target-size": { enabled: true } },
    ...(rules.length > 0 && { runOnly: rules }),
  };
  return `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => "axe " + id + ": " + target.join(" ") + " " + html.slice(0, 140))))`;
}

/** What is no page: files, feeds and what leads elsewhere at once. */
const others =
  /^\/(photo|proxy|attach|feed|poco|notify|logout|robots|source|admin\/blocks\.csv|uexport\/:year|events\/ical)/;

/** Walks from page to page, one of each row and `besides` more of them, and answers what is wrong with them. */
async function walk(
  visitor: Visitor,
  start: string[],
  besides: string[] = [],
): Promise<{ seen: string[]; faults: string[] }> {
  const waiting = [...start, ...besides];
  const left = new Set(besides);
  const seen = new Set<string>();
  const faults: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const row = rowOf(path);
    if (row === undefined || others.test(row) || (seen.has(row) && !left.delete(path))) continue;
    seen.add(row);
    const answer = await visitor.page.goto(path, { waitUntil: "domcontentloaded" });
    if (!answer?.headers()["content-type"]?.startsWith("text/html")) continue;
    faults.push(...(await lookAtIt(visitor, path)));
    const links = await visitor.page
      .locator("a[href^='/']")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")!));
    waiting.push(...links);
  }
  return { seen: [...seen], faults };
}

/** What is wrong with the page that is open, at this path. */
async function lookAtIt({ page, tools }: Visitor, path: string): Promise<string[]> {
  // As a script of its own it is compiled for the first page alone.
  await tools.send("Runtime.evaluate", { expression: axe });
  const faults: string[] = [];
  for (const { size, colorScheme, rules } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const found = [
      ...(await page.evaluate<string[]>(faultsOf)),
      ...(rules ? await page.evaluate<string[]>(axeFaults(rules)) : []),
    ];
    faults.push(...found.map((fault) => `${path} (${size.width} pixels, ${colorScheme}) ${fault}`));
  }
  return faults;
}

/** What browsers have asked other hosts for. */
const elsewhere: string[] = [];

/** A page, and the browser's own tools for it. */
type Visitor = { page: Page; tools: CDPSession };

async function enter(context: BrowserContext): Promise<Visitor> {
  const page = await context.newPage();
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${running.url}/`) && !url.startsWith("data:")) elsewhere.push(`${page.url()} asks for ${url}`);
  });
  // Pictures take the most time and change nothing: their places have their sizes. With a route of Playwright's nothing
  // would be cached, neither styles nor scripts.
  const tools = await context.newCDPSession(page);
  await tools.send("Network.enable");
  await tools.send("Network.setBlockedURLs", { urls: ["*/photo/*"] });
  return { page, tools };
}

async function logIn(page: Page, nick: string): Promise<void> {
  await page.goto("/login");
  await page.locator("[name=login]").fill(nick);
  await page.locator("[name=password]").fill(password);
  await page.locator("main button").click();
  await page.waitForURL("**/network");
}

/** The picture of another site is shown, from here: members fetch it, and visitors see it from then on. */
async function showsDog(page: Page): Promise<void> {
  const dog = page.getByAltText("A dog").first();
  await expect
    .poll(() => dog.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(600);
}

const start = ["/network", "/channel/alma", "/channel/bob", "/webpages/alma", "/menu/alma", "/blocks/alma"];
/** Half as long as the first that the contents lead to, with all that there is on that one. */
const answers = "/api/docs/microblog/answers";
const more = [
  "/layouts/alma",
  "/page/alma/about-us",
  "/moderate",
  "/import",
  "/uexport",
  "/folders",
  "/wiki/alma",
  "/x/on-this-day/alma",
];
const unlinked = [
  "/follow",
  "/search?search=hello",
  "/mail/search?search=come",
  "/new_channel",
  "/offline",
  "/welcome",
  "/settings/invitations",
  "/no/such/page",
];

describe.skipIf(!available)("every page in a narrow window, with a finger, light and dark", () => {
  // Colours that are still changing would be judged by what they were.
  const steady = { reducedMotion: "reduce" } as const;
  const telephone = { viewport: narrow, hasTouch: true, isMobile: true, ...steady };

  // For what hangs: a hundred pages take ten times as long on a busy machine, too.
  test("for its owner", { timeout: 1_800_000 }, async () => {
    const context = await browser.newContext({ ...telephone, baseURL: running.url });
    const visitor = await enter(context);
    const { page } = visitor;
    await logIn(page, "alma");
    await page.goto("/channel/alma");
    await showsDog(page);
    const { seen, faults } = await walk(visitor, [...start, ...more, ...unlinked, answers], [await afarPath()]);
    await context.close();
    expect(faults).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(seen).toEqual(expect.arrayContaining(["/settings/webhooks/:id", "/x/on-this-day", "/x/on-this-day/:nick"]));
    expect(seen.length).toBeGreaterThan(90);
  });

  test("for whose channel has moved away", async () => {
    const mara = await makeChannel(settings, "mara");
    await leaveFor(settings, mara, { url: "https://a-hub-with-a-long-name.example:8443", nick: "mara" });
    const context = await browser.newContext({ ...telephone, baseURL: running.url });
    const visitor = await enter(context);
    await logIn(visitor.page, "mara");
    const faults: string[] = [];
    for (const path of ["/network", "/channel/mara", "/channel/alma"]) {
      await visitor.page.goto(path);
      faults.push(...(await lookAtIt(visitor, path)));
      // One sentence, around the link in it.
      const [sentence, link] = [visitor.page.locator(".alert"), visitor.page.locator(".alert > a")];
      const [whole, part] = [(await sentence.boundingBox())!, (await link.boundingBox())!];
      expect([path, part.x + part.width <= whole.x + whole.width, whole.width > 250]).toEqual([path, true, true]);
    }
    await context.close();
    expect(faults).toEqual([]);
  });

  test("for a visitor", { timeout: 900_000 }, async () => {
    const context = await browser.newContext({ ...telephone, baseURL: running.url });
    const visitor = await enter(context);
    const { page } = visitor;
    await page.goto("/channel/alma");
    await showsDog(page);
    const { seen, faults } = await walk(visitor, [
      "/",
      "/register",
      "/channel/alma",
      "/x/on-this-day/alma",
      "/no/such/page",
      answers,
    ]);
    await context.close();
    expect(faults).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(seen.length).toBeGreaterThan(12);
  });
});
