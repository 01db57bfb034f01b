import { isNobody } from "../../domain/identity/channels/observer.ts";
import { boundedMap, oncePerHub } from "../../caches.ts";
import type { Cache } from "../../caches.ts";
import { databaseState } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { PageContext } from "./page.ts";

/** A page as it was sent, but for the name of the request; it reads the same from one moment to another. */
type Kept = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string>; from: number; until: number };

/** The pages of one state of the database. */
type Shelf = { state: string; pages: Cache<string, Kept> };

const mostPages = 100;
const mostBytes = 256 * 1024;

/**
 * Answers a page that is the same for all strangers (`kept` in its row): the one that was made for another of them, as long as
 * address, settings of the site and database are the same and its words for times still hold, else a new one. A page that
 * holds something of its visitor's own is never kept, and who is logged in or somebody's guest gets none of these.
 */
export async function keptOr<V extends PageContext>(
  context: V,
  make: (context: V) => Promise<Response> | Response,
): Promise<Response> {
  const state = isStranger(context) ? await databaseState(context.hub) : undefined;
  if (state === undefined) return make(context);
  const key = JSON.stringify([context.here, context.site]);
  const from = context.now.getTime();
  const known = shelfOf(context.hub, state).get(key);
  if (known && known.from <= from && from < known.until)
    return new Response(known.bytes, { headers: { ...known.headers, "x-request-id": context.id } });
  let until = Infinity;
  const lasts = (end: number): void => void (until = Math.min(until, end));
  const response = await make({ ...context, lasts, hub: watched(context.hub, lasts) });
  if (response.status !== 200 || response.headers.has("set-cookie")) return response;
  const text = await response.text();
  const bytes = Buffer.from(text);
  const headers = Object.fromEntries(response.headers);
  const isOwn = bytes.length > mostBytes || text.includes(context.formToken);
  // What has changed meanwhile may be in one part of the page and not in another.
  if (!isOwn && from < until && (await databaseState(context.hub)) === state)
    shelfOf(context.hub, state).set(key, { bytes, headers, from, until });
  return new Response(bytes, { headers });
}

function isStranger({ method, member, guest, observer }: PageContext): boolean {
  return method === "GET" && !member && !guest && isNobody(observer);
}

/** Whoever asks for the very moment makes something that holds no longer than that. */
function watched(hub: Hub, lasts: PageContext["lasts"]): Hub {
  return {
    ...hub,
    clock() {
      lasts(0);
      return hub.clock();
    },
  };
}

/** The shelf of each hub. */
export const shelves = oncePerHub((): Shelf => ({ state: "", pages: boundedMap(mostPages) }));

/** The pages of this state; all others are forgotten. */
function shelfOf(hub: Hub, state: string): Cache<string, Kept> {
  const shelf = shelves(hub);
  if (shelf.state !== state) Object.assign(shelf, { state, pages: boundedMap(mostPages) });
  return shelf.pages;
}
