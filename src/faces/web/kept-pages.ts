import { isNobody } from "../../domain/identity/channels/observer.ts";
import { placeOf, shelf } from "../../http/kept-answers.ts";
import { pack } from "../../http/packing.ts";
import { watched } from "../../lasting.ts";
import type { PageContext } from "./page.ts";

/** A page as it was sent, but for the name of the request. */
type Sent = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

const mostBytes = 256 * 1024;

export const shelves = shelf<Sent>(16 * 1024 * 1024);

/**
 * Answers a page that is the same for all strangers (`kept` in its row): the one that was made for another of them, as long as
 * address, language, settings of the site and database are the same and its words for times still hold, else a new one. A page that
 * holds something of its visitor's own is never kept, and who is logged in or somebody's guest gets none of these.
 */
export async function keptOr<V extends PageContext>(
  context: V,
  make: (context: V) => Promise<Response> | Response,
): Promise<Response> {
  const { hub, here, site, language, now, id, packing, formToken } = context;
  const place = isStranger(context)
    ? await placeOf(hub, shelves, JSON.stringify([here, site, language.tag, packing]), now.getTime())
    : undefined;
  if (!place) return make(context);
  if (place.known) return answer(place.known, { "x-request-id": id });
  let until = Infinity;
  const lasts = (end: number): void => void (until = Math.min(until, end));
  // It is looked at before it is packed.
  const response = await make({ ...context, lasts, hub: watched(hub, lasts), packing: undefined });
  if (response.status !== 200 || response.headers.has("set-cookie")) return response;
  const whole = Buffer.from(await response.arrayBuffer());
  const { bytes, headers } = await pack(whole, packing);
  const sent = { bytes, headers: { ...Object.fromEntries(response.headers), ...headers } };
  const isOwn = whole.length > mostBytes || whole.includes(formToken);
  if (!isOwn) await place.keep(sent, until);
  return answer(sent);
}

function answer({ bytes, headers }: Sent, own: Record<string, string> = {}): Response {
  return new Response(bytes, { headers: { ...headers, ...own } });
}

/** Does somebody look of whom nothing is known? */
export function isStranger({ method, member, guest, observer }: PageContext): boolean {
  return method === "GET" && !member && !guest && isNobody(observer);
}
