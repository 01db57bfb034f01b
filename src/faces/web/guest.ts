import { guestByToken } from "../../domain/identity/channels/guests.ts";
import type { SitePolicy } from "../../domain/identity/channels/observer.ts";
import type { Guest } from "../../domain/identity/channels/guests.ts";
import type { Hub } from "../../hub.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { Fields } from "./fields.ts";
import type { PageContext } from "./page.ts";

/** The name of the parameter that a link for a guest carries. */
export const tokenParameter = "zat";

const name = "hubbub_guest";

/**
 * The guest whom the address or the browser's cookie lets in, and the cookie that remembers a token which came with the
 * address, until the browser is closed. It is no log-in: it says who looks at pages, and nothing else.
 */
export async function readGuest(
  hub: Hub,
  request: Request,
  query: Fields,
  policy: SitePolicy,
): Promise<{ guest?: Guest; cookie?: string }> {
  const token = query.text(tokenParameter);
  const arriving = token === "" ? undefined : await guestByToken(hub, token, policy);
  // The value has characters that cookies do not take, where another hub made it.
  if (arriving) return { guest: arriving, cookie: writeCookie(hub, name, Buffer.from(token).toString("base64url")) };
  const kept = readCookie(hub, request, name);
  const guest =
    kept === undefined ? undefined : await guestByToken(hub, Buffer.from(kept, "base64url").toString(), policy);
  return guest ? { guest } : {};
}

/** Forgets the guest: the browser is nobody again. */
export function leaveAsGuest(context: PageContext): void {
  context.cookies.push(writeCookie(context.hub, name, "", 0));
}
