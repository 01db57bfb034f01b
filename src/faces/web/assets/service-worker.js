// What the browser does for the hub while no page is open. It keeps one page for the time without a network, and nothing of anybody's; and it
// shows what the hub pushes to it.

/**
 * The parts of a service worker that are used, since browsers type them apart from pages.
 * @typedef {Event & { waitUntil(work: Promise<unknown>): void }} Lasting
 * @typedef {Lasting & { request: Request, respondWith(answer: Promise<Response>): void }} Asked
 * @typedef {Lasting & { data: { json(): Told } | null }} Pushed
 * @typedef {Lasting & { notification: { close(): void, data: Place } }} Clicked
 * @typedef {Lasting & { newSubscription?: PushSubscription | null }} Moved
 * @typedef {{ url: string, focus(): Promise<unknown> }} OpenPage
 * @typedef {{ matchAll(which: object): Promise<OpenPage[]>, openWindow(url: string): Promise<unknown> }} OpenPages
 * @typedef {{ registration: ServiceWorkerRegistration, clients: OpenPages }} ThisWorker
 */

/**
 * A notice, as the hub tells it in the language of its reader (push/compose-for-browser.ts).
 * @typedef {{ title: string, body: string, lang: string, dir: NotificationDirection, tag: string, places: string[], href: string }} Told
 */

/**
 * Where a notice leads: what pages show it already, and how one is opened.
 * @typedef {{ places: string[], href: string }} Place
 */

const worker = /** @type {ThisWorker} */ (/** @type {unknown} */ (self));

const offline = "/offline";
const kept = "offline";

/** The page as strangers get it, and what it looks like. */
async function keep() {
  const page = await fetch(offline, { credentials: "omit", cache: "reload" });
  const text = await page.clone().text();
  const looks = [...text.matchAll(/"(\/assets\/[^"]+\.(?:css|svg))"/g)].map(([, path]) => path ?? "");
  const cache = await caches.open(kept);
  await cache.put(offline, page);
  await cache.addAll([...new Set(looks)]);
}

/** @param {Request} request */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(request.mode === "navigate" ? offline : request);
    if (!found) throw error;
    return found;
  }
}

self.addEventListener("install", (event) => {
  /** @type {Lasting} */ (event).waitUntil(keep());
});

self.addEventListener("fetch", (event) => {
  const asked = /** @type {Asked} */ (event);
  const { mode, method, destination } = asked.request;
  // All else goes its way without a detour.
  const isLooks = destination === "style" || destination === "image";
  if (method !== "GET" || (mode !== "navigate" && !(isLooks && asked.request.url.includes("/assets/")))) return;
  asked.respondWith(answer(asked.request));
});

/** @param {Told} told */
function tell({ title, places, href, ...options }) {
  return worker.registration.showNotification(title, {
    ...options,
    icon: "/assets/logo-64.png",
    data: { places, href },
  });
}

/**
 * Goes to where a notice leads: a page that is open there comes to the front, and what it shows counts as seen; else one is opened.
 * @param {Place} place
 */
async function goTo({ places, href }) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find(({ url }) => places.includes(url.replace(/[?#].*$/, "")));
  if (!there) return worker.clients.openWindow(href);
  await there.focus();
  // Answered by the address of the place, which is not needed.
  return places.includes(href) ? undefined : fetch(href, { redirect: "manual" });
}

self.addEventListener("push", (event) => {
  const pushed = /** @type {Pushed} */ (event);
  if (pushed.data) pushed.waitUntil(tell(pushed.data.json()));
});

/**
 * The push service has given the browser another address. The page on which it asked to be told (parts/settings/push-here.ts) says
 * whether the hub still tells it by the old one, and takes the new one; after the log-in has ended there is nothing to say.
 * @param {Moved} moved
 */
async function tellAddress({ newSubscription }) {
  const page = await fetch("/settings/notices");
  const [form = ""] = /<hub-push[^]*?<\/hub-push>/.exec(await page.text()) ?? [];
  const [vapid, known, address, token] = [
    /data-vapid="([^"]+)"/,
    /data-endpoint="([^"]+)"/,
    /action="([^"]+)"/,
    /name="form_security_token" value="([^"]+)"/,
  ].map((pattern) => pattern.exec(form)?.[1]);
  if (!vapid || !known || !address || !token) return;
  const options = { userVisibleOnly: true, applicationServerKey: vapid };
  const subscription = newSubscription ?? (await worker.registration.pushManager.subscribe(options));
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const fields = { form_security_token: token, endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" };
  await fetch(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

self.addEventListener("pushsubscriptionchange", (event) => {
  const moved = /** @type {Moved} */ (event);
  moved.waitUntil(tellAddress(moved));
});

self.addEventListener("notificationclick", (event) => {
  const clicked = /** @type {Clicked} */ (event);
  clicked.notification.close();
  clicked.waitUntil(goTo(clicked.notification.data));
});
