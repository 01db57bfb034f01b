import type { Browser, CDPSession, Page, Worker } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { countUnseen } from "../../src/domain/notifications/notices.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { openCrowd } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { openElsewhere } from "../support/elsewhere.ts";
import { befriend } from "../support/people.ts";
import { newDevice } from "../support/push-receiver.ts";

/**
 * A browser is told of notices. The push service of its maker cannot be reached from here: one of the test's own stands for it, and hands
 * what the hub sends to the service worker by the protocol of Chromium's tools. Chromium without a window has nowhere to show anything, so
 * what its worker asks it to show and to open is written down.
 */

const available = hasChromium();
const endpoint = "https://push.example/chromium";
const device = newDevice(endpoint);
const elsewhere = openElsewhere();
let browser: Browser;
let crowd: Crowd;
let page: Page;
let ann: Channel;
let ben: Channel;
let tools: CDPSession;

/** In the page: an address as the push service of the test gives it. */
const subscribing = `{
  let subscription = null;
  const form = ${JSON.stringify(device.form)};
  PushManager.prototype.getSubscription = async () => subscription;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (applicationServerKey.length !== 87) throw new Error("No key");
    return (subscription = { endpoint: form.endpoint, toJSON: () => form });
  };
}`;

/** In the worker: what is shown and opened, and which pages come to the front. */
const writingDown = `
  self.written = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => void written.push({ title, ...options });
  Clients.prototype.openWindow = async (opened) => void written.push({ opened });
  WindowClient.prototype.focus = async function () { written.push({ focused: this.url }); };
`;

type Written = { title: string; body: string; data: object };

describe.skipIf(!available)("push", () => {
  beforeAll(async () => {
    elsewhere.put(endpoint, 201);
    browser = await openChromium();
    crowd = await openCrowd(browser, true, { fetch: elsewhere.fetch });
    ({ page, channel: ann } = await crowd.member("Ann", "ann"));
    ben = (await crowd.member("Ben", "ben")).channel;
    await befriend(crowd.running.hub, ann, ben);
    tools = await page.context().newCDPSession(page);
    await page.addInitScript(subscribing);
  });
  afterAll(async () => {
    await crowd?.close();
    await browser?.close();
  });

  test("is switched on where notices are chosen, and not without the word of the person", async () => {
    await page.goto("/settings/notices");
    await page.getByRole("button", { name: "Tell me in this browser" }).click();
    await page.locator("#said", { hasText: "does not let the hub tell you" }).waitFor();
    await page.context().grantPermissions(["notifications"], { origin: crowd.running.url });
    await page.getByRole("button", { name: "Tell me in this browser" }).click();
    await page.getByText("This browser shows you notices from now on.").waitFor();
    await page.getByRole("button", { name: "Stop telling me here" }).waitFor();
    expect(crowd.complaints).toEqual([]);
  });

  test("what the hub sends is shown, and a click leads to its place", async () => {
    const { hub, url } = crowd.running;
    const { worker, registrationId } = await workerOf();
    await worker.evaluate(writingDown);
    const top = await postItem(hub, ann, { body: "The garden opens" });
    await crowd.deliver();
    await commentOn(hub, ben, top, { body: "I bring cake" });
    await crowd.deliver();
    const { options } = elsewhere.asked.findLast((one) => one.url === endpoint)!;
    const data = JSON.stringify(device.read(options.body as Uint8Array, options.headers!));
    await tools.send("ServiceWorker.deliverPushMessage", { origin: url, registrationId, data });
    await expect.poll(() => worker.evaluate("written.length")).toBe(1);
    const shown = await worker.evaluate<Written>("written.pop()");
    const place = `${url}/display/${top.mid.split("/item/")[1]}`;
    const href = expect.stringMatching(/\/notify\/view\/\d+$/) as string;
    expect(shown).toMatchObject({ title: "Ben commented on your post", body: "I bring cake", lang: "en" });
    expect(shown.data).toEqual({ places: [expect.stringContaining("/display/"), place], href });

    const click = () =>
      worker.evaluate(`new Promise((resolve, reject) => {
        const notification = { close() {}, data: ${JSON.stringify(shown.data)} };
        const waitUntil = (work) => work.then(() => resolve(written.pop()), reject);
        self.dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
      })`);
    expect(await click()).toEqual({ opened: href });
    await page.goto(place);
    const unseen = await countUnseen(hub, ann.channel_id);
    expect(await click()).toEqual({ focused: place });
    expect(await countUnseen(hub, ann.channel_id)).toBe(unseen - 1);

    // The push service gives the browser another address.
    const other = newDevice("https://push.example/moved");
    await worker.evaluate(`new Promise((resolve, reject) => {
      const newSubscription = { toJSON: () => (${JSON.stringify(other.form)}) };
      const waitUntil = (work) => work.then(resolve, reject);
      self.dispatchEvent(Object.assign(new Event("pushsubscriptionchange"), { newSubscription, waitUntil }));
    })`);
    expect(
      (await hub.db.selectFrom("push_subscription").select("endpoint").execute()).map((row) => row.endpoint),
    ).toEqual(["https://push.example/moved"]);
    expect(crowd.complaints).toEqual([]);
  });

  test("the hub can be installed as an app", async () => {
    await page.goto("/network");
    expect(await page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")).toBe(
      `${crowd.running.url}/`,
    );
    const { manifest, errors } = await tools.send("Page.getAppManifest");
    expect([manifest?.startUrl, errors]).toEqual([`${crowd.running.url}/network`, []]);
    expect((await tools.send("Page.getInstallabilityErrors")).installabilityErrors).toEqual([]);
    expect(crowd.complaints).toEqual([]);
  });
});

/** The service worker of the page, and the id by which the tools know it. */
async function workerOf(): Promise<{ worker: Worker; registrationId: string }> {
  const activated = new Promise<string>((resolve) => {
    tools.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      const found = versions.find(({ status }) => status === "activated");
      if (found) resolve(found.registrationId);
    });
  });
  await tools.send("ServiceWorker.enable");
  const registrationId = await activated;
  const [worker = await page.context().waitForEvent("serviceworker")] = page.context().serviceWorkers();
  return { worker, registrationId };
}
