// What the browser keeps of the hub for the time without a network: one page that says so. Nothing of anybody's is kept here.

/**
 * The parts of a service worker that are used, since browsers type them apart from pages.
 * @typedef {Event & { waitUntil(work: Promise<unknown>): void }} Lasting
 * @typedef {Lasting & { request: Request, respondWith(answer: Promise<Response>): void }} Asked
 */

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
